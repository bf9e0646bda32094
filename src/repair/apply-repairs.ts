import { setAt } from "./json/json-pointer.ts";
import type { JsonValue, Repair } from "./types.ts";

/**
 * Replays repairs: applied to the parsed input, the repairs of a result give its `toolInput`.
 *
 * @param input The parsed input, before any repair. It is not changed.
 * @param repairs The changes, in the order in which they were made.
 * @returns The repaired input.
 * @throws RangeError when a repair's place does not exist in the input.
 */
export function applyRepairs(
  input: JsonValue | undefined,
  repairs: readonly Pick<Repair, "path" | "after">[],
): JsonValue | undefined {
  return repairs.reduce((value, { path, after }) => setAt(value, path, after), input);
}
