import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/**
 * Makes objects and arrays print as JSON in a template: the XML agents put `${action.toolInput}`
 * into the next prompt, where an object would be `[object Object]`. `toString` is not enumerable,
 * so that the value is the same JSON as before.
 *
 * @param value The value; it is not changed.
 * @returns A copy that prints as JSON; a scalar is returned as it is.
 */
export function printAsJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return withToString([...value]);
  return isJsonObject(value) && !Object.hasOwn(value, "toString")
    ? withToString({ ...value })
    : value;
}

function withToString<Value extends object>(value: Value): Value {
  return Object.defineProperty(value, "toString", { value: () => JSON.stringify(value) });
}
