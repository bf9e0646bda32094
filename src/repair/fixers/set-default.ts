import { getAt, setAt } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Makes a fixer that fills in a missing value. What the model wrote is never replaced.
 *
 * @param at Where the value belongs, as a JSON Pointer; the object around it must be there.
 * @param value The value.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer, or is the whole input.
 */
export function setDefault(at: string, value: JsonValue): Fixer {
  if (at === "") throw new TypeError('setDefault needs the place of a field, as in "/limit".');
  return namedFixer(`setDefault(${at})`, [at], (input) => {
    const holder = getAt(input, at.slice(0, at.lastIndexOf("/")));
    if (!isJsonObject(holder) || getAt(input, at) !== undefined) return undefined;
    return setAt(input, at, structuredClone(value));
  });
}
