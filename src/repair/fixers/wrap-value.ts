import { isJsonObject } from "../json/json-value.ts";
import { mapAt } from "../json/map-at.ts";
import type { Fixer } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString } from "../usage/checks.ts";
import { atPlace, namedFixer } from "./named-fixer.ts";

/**
 * Creates a fixer that puts a bare value under a key: `"#buy"` → `{"selector": "#buy"}`. Objects,
 * `null` and empty inputs are left alone.
 *
 * @param key The key that the bare value belongs under.
 * @param at Where the bare value stands, as a JSON Pointer; `*` is every element of an array.
 * Default: `""`, the whole input.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", wrapValue("query"));
 * ```
 */
export function wrapValue(key: string, at = ""): Fixer {
  checkArguments("wrapValue(key, at?)", { key: [key, aString], at: [at, aString] });
  return namedFixer(`wrapValue(${key}${atPlace(at)})`, [at], (input) =>
    mapAt(input, at, (value) =>
      value === null || value === "" || isJsonObject(value) ? undefined : { [key]: value },
    ),
  );
}
