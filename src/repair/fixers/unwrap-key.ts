import { isJsonObject } from "../json/json-value.ts";
import { mapAt } from "../json/map-at.ts";
import type { Fixer } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString } from "../usage/checks.ts";
import { atPlace, namedFixer } from "./named-fixer.ts";

/**
 * Creates a fixer that takes the input out of an envelope: `{"params": {…}}` → `{…}`. Only where the
 * envelope holds nothing else.
 *
 * @param key The envelope's key.
 * @param at Where the envelope stands, as a JSON Pointer; `*` is every element of an array. Default:
 * `""`, the whole input.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", unwrapKey("params"));
 * ```
 */
export function unwrapKey(key: string, at = ""): Fixer {
  checkArguments("unwrapKey(key, at?)", { key: [key, aString], at: [at, aString] });
  return namedFixer(`unwrapKey(${key}${atPlace(at)})`, [at], (input) =>
    mapAt(input, at, (envelope) =>
      isJsonObject(envelope) && Object.hasOwn(envelope, key) && Object.keys(envelope).length === 1
        ? envelope[key]
        : undefined,
    ),
  );
}
