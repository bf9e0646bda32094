import { parsePointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { mapAt } from "../json/map-at.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString, type Check } from "../usage/checks.ts";
import { namedFixer } from "./named-fixer.ts";

const aJsonValue: Check = { must: "a value of JSON", isMet: (value) => value !== undefined };

/**
 * Creates a fixer that fills in a missing value. What the model wrote is never replaced.
 *
 * @param at Where the value belongs, as a JSON Pointer; the object around it must be there. `*` is
 * every element of an array.
 * @param value The value.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer, or is the whole input.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", setDefault("/limit", 10));
 * ```
 */
export function setDefault(at: string, value: JsonValue): Fixer {
  checkArguments("setDefault(at, value)", { at: [at, aString], value: [value, aJsonValue] });
  if (at === "") throw new TypeError('setDefault needs the place of a field, as in "/limit".');
  return namedFixer(`setDefault(${at})`, [at], (input) =>
    mapAt(input, at.slice(0, at.lastIndexOf("/")), (holder) => {
      const key = parsePointer(at).at(-1) ?? "";
      if (!isJsonObject(holder) || Object.hasOwn(holder, key)) return undefined;
      return Object.fromEntries([...Object.entries(holder), [key, structuredClone(value)]]);
    }),
  );
}
