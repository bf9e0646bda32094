import { mapAt } from "../json/map-at.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aFunction, anObject, aString, either } from "../usage/checks.ts";
import { isPlainRecord } from "../usage/is-plain-record.ts";
import { namedFixer } from "./named-fixer.ts";

const aMapping = either({ ...anObject, isMet: isPlainRecord }, aFunction);

/**
 * Creates a fixer that replaces a value: `mapValue("/unit", { C: "celsius", F: "fahrenheit" })`.
 *
 * @param at Where the value stands, as a JSON Pointer; `*` is every element of an array.
 * @param mapping What each value becomes, by its text; or a function, which returns `undefined`
 * for a value that is to stay.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", mapValue("/unit", { C: "celsius", F: "fahrenheit" }));
 * ```
 */
export function mapValue(
  at: string,
  mapping: Readonly<Record<string, JsonValue>> | ((value: JsonValue) => JsonValue | undefined),
): Fixer {
  checkArguments("mapValue(at, mapping)", { at: [at, aString], mapping: [mapping, aMapping] });
  return namedFixer(`mapValue(${at})`, [at], (input) =>
    mapAt(input, at, (value) => {
      const mapped = typeof mapping === "function" ? mapping(value) : lookUp(mapping, value);
      return mapped === undefined ? undefined : structuredClone(mapped);
    }),
  );
}

function lookUp(
  mapping: Readonly<Record<string, JsonValue>>,
  value: JsonValue,
): JsonValue | undefined {
  if (value !== null && typeof value === "object") return undefined;
  return Object.hasOwn(mapping, String(value)) ? mapping[String(value)] : undefined;
}
