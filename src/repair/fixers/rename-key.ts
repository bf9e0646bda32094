import { isJsonObject } from "../json/json-value.ts";
import { mapAt } from "../json/map-at.ts";
import type { Fixer } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString } from "../usage/checks.ts";
import { atPlace, namedFixer } from "./named-fixer.ts";

/**
 * Creates a fixer that renames a key: `{"element": "#buy"}` → `{"selector": "#buy"}`. A key of the
 * new name that is already there is never overwritten: then the fixer leaves the input alone.
 *
 * @param from The key as the model writes it.
 * @param to The key as the schema has it.
 * @param at The object that holds it, as a JSON Pointer; `*` is every element of an array. Default:
 * `""`, the input itself.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", renameKey("q", "query"));
 * ```
 */
export function renameKey(from: string, to: string, at = ""): Fixer {
  checkArguments("renameKey(from, to, at?)", {
    from: [from, aString],
    to: [to, aString],
    at: [at, aString],
  });
  return namedFixer(`renameKey(${from} → ${to}${atPlace(at)})`, [at], (input) =>
    mapAt(input, at, (object) => {
      if (!isJsonObject(object) || !Object.hasOwn(object, from) || Object.hasOwn(object, to)) {
        return undefined;
      }
      const entries = Object.entries(object);
      return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
    }),
  );
}
