import { parsePointer } from "../json/json-pointer.ts";
import type { Fixer } from "../types.ts";

/**
 * Writes the place of a fixer that may have one, as the last of its arguments: two fixers that differ
 * only in it have two names.
 *
 * @param at The JSON Pointer; `""` is the whole input, and is not written.
 */
export function atPlace(at: string): string {
  return at === "" ? "" : `, ${at}`;
}

/**
 * Names a built-in fixer, so that repairs and errors can say which one it was.
 *
 * @param name What it does, as it was called: `renameKey(element → selector)`.
 * @param pointers The JSON Pointers that it was given, to be checked now instead of in a run.
 * @param fixer The fixer.
 * @returns The fixer, named.
 * @throws TypeError when a pointer is no JSON Pointer.
 */
export function namedFixer(name: string, pointers: readonly string[], fixer: Fixer): Fixer {
  for (const pointer of pointers) parsePointer(pointer);
  return Object.defineProperty(fixer, "name", { value: name });
}
