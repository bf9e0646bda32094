import { parsePointer } from "../../repair/json/json-pointer.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonSchema } from "../../repair/types.ts";

/**
 * Returns a schema with one place changed; the schema given stays as it was.
 *
 * @param schema The schema of the whole input.
 * @param pointer The place in the input, as a JSON Pointer; `*` is every element of an array.
 * @param change What becomes of the schema of that place.
 * @returns `undefined` where the place is not described by `properties` and `items` alone.
 */
export function changeSchema(
  schema: JsonSchema,
  pointer: string,
  change: (schema: JsonObject) => JsonObject,
): JsonSchema | undefined {
  const changed = structuredClone(schema);
  const segments = parsePointer(pointer);
  const last = segments.pop();
  let at: unknown = changed;
  for (const segment of segments) at = stepInto(at, segment)?.child;
  if (last === undefined) return isJsonObject(changed) ? change(changed) : undefined;
  const step = stepInto(at, last);
  if (step === undefined || !isJsonObject(step.child)) return undefined;
  step.holder[step.key] = change(step.child);
  return changed;
}

function stepInto(
  schema: unknown,
  segment: string,
): { readonly holder: JsonObject; readonly key: string; readonly child: unknown } | undefined {
  if (!isJsonObject(schema)) return undefined;
  const holder = segment === "*" ? schema : schema.properties;
  const key = segment === "*" ? "items" : segment;
  if (!isJsonObject(holder) || !Object.hasOwn(holder, key)) return undefined;
  return { holder, key, child: holder[key] };
}
