import { isJsonObject } from "../json/json-value.ts";
import type { Fixer } from "../types.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Makes a fixer that takes the input out of an envelope: `{"params": {…}}` → `{…}`. Only where the
 * envelope holds nothing else.
 *
 * @param key The envelope's key.
 * @returns The fixer.
 */
export function unwrapKey(key: string): Fixer {
  return namedFixer(`unwrapKey(${key})`, [], (input) =>
    isJsonObject(input) && Object.hasOwn(input, key) && Object.keys(input).length === 1
      ? input[key]
      : undefined,
  );
}
