import { isJsonObject } from "../json/json-value.ts";
import type { Fixer } from "../types.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Makes a fixer that puts a bare value under a key: `"#buy"` → `{"selector": "#buy"}`. Objects,
 * `null` and empty inputs are left alone.
 *
 * @param key The key that the bare value belongs under.
 * @returns The fixer.
 */
export function wrapValue(key: string): Fixer {
  return namedFixer(`wrapValue(${key})`, [], (input) =>
    input === null || input === "" || isJsonObject(input) ? undefined : { [key]: input },
  );
}
