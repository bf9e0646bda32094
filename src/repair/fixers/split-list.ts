import { mapAt } from "../json/map-at.ts";
import type { Fixer } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString, type Check } from "../usage/checks.ts";
import { namedFixer } from "./named-fixer.ts";

const aSeparator: Check = {
  must: "a text of at least one character",
  isMet: (value) => typeof value === "string" && value !== "",
};

/**
 * Creates a fixer that splits a delimited string: `{"tags": "a, b"}` → `{"tags": ["a", "b"]}`. Items
 * are trimmed, empty ones dropped; a string without any item is left alone.
 *
 * @param at Where the string stands, as a JSON Pointer; `*` is every element of an array.
 * @param separator What separates the items. Default: `","`.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", splitList("/tags", ";"));
 * ```
 */
export function splitList(at: string, separator = ","): Fixer {
  checkArguments("splitList(at, separator?)", {
    at: [at, aString],
    separator: [separator, aSeparator],
  });
  return namedFixer(`splitList(${at})`, [at], (input) =>
    mapAt(input, at, (text) => {
      if (typeof text !== "string") return undefined;
      const items = text
        .split(separator)
        .map((item) => item.trim())
        .filter((item) => item !== "");
      return items.length === 0 ? undefined : items;
    }),
  );
}
