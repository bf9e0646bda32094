import { mapAt } from "../json/map-at.ts";
import { roundedNumbers, writtenNumbersOf } from "../read/numbers.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString } from "../usage/checks.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Creates a fixer that reads a string as JSON: `{"tags": "[\"a\"]"}` → `{"tags": ["a"]}`. A string
 * that is not exactly JSON is left alone, and so is one with a number that would lose digits.
 *
 * @param at Where the string stands, as a JSON Pointer; `*` is every element of an array. Default:
 * `""`, the whole input.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", parseJson("/filters"));
 * ```
 */
export function parseJson(at = ""): Fixer {
  checkArguments("parseJson(at?)", { at: [at, aString] });
  return namedFixer(`parseJson(${at})`, [at], (input) => mapAt(input, at, readExactly));
}

function readExactly(text: JsonValue): JsonValue | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return roundedNumbers(value, writtenNumbersOf(text)).length > 0 ? undefined : value;
  } catch {
    return undefined;
  }
}
