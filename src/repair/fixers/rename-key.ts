import { getAt, setAt } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { Fixer } from "../types.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Makes a fixer that renames a key: `{"element": "#buy"}` → `{"selector": "#buy"}`. A key of the
 * new name that is already there is never overwritten: then the fixer leaves the input alone.
 *
 * @param from The key as the model writes it.
 * @param to The key as the schema has it.
 * @param at The object that holds it, as a JSON Pointer. Default: `""`, the input itself.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 */
export function renameKey(from: string, to: string, at = ""): Fixer {
  return namedFixer(`renameKey(${from} → ${to})`, [at], (input) => {
    const object = getAt(input, at);
    if (!isJsonObject(object) || !Object.hasOwn(object, from) || Object.hasOwn(object, to)) {
      return undefined;
    }
    const entries = Object.entries(object).map(([key, value]) => [key === from ? to : key, value]);
    return setAt(input, at, Object.fromEntries(entries));
  });
}
