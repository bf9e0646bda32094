import { wrongUse } from "./errors/usage-error.ts";
import { setAt } from "./json/json-pointer.ts";
import type { JsonValue, Repair } from "./types.ts";
import { nameThing } from "./usage/name-thing.ts";

/** What is needed of a repair to replay it. */
type Replayable = Pick<Repair, "path" | "after"> & Partial<Pick<Repair, "fixer" | "omitted">>;

/**
 * Replays repairs: applied to the parsed input, the repairs of a result give its `toolInput`.
 *
 * @param input The parsed input, before any repair. It is not changed.
 * @param repairs The changes, in the order in which they were made.
 * @returns The repaired input.
 * @throws RangeError when a repair's place does not exist in the input, or the record of a repair is
 * not whole.
 * @throws TypeError when the repairs are not an array.
 * @example
 * ```ts
 * const result = await repairToolInput({ element: "#buy" }, click, { fixers });
 * console.log(applyRepairs({ element: "#buy" }, result.repairs)); // { selector: '#buy' }
 * ```
 */
export function applyRepairs(
  input: JsonValue | undefined,
  repairs: readonly Replayable[],
): JsonValue | undefined {
  if (!Array.isArray(repairs)) {
    throw wrongUse(
      `applyRepairs(input, repairs) needs an array of repairs; this is ${nameThing(repairs)}.`,
    );
  }
  const short = repairs.find(({ omitted }) => omitted?.after ?? omitted?.path ?? omitted?.repairs);
  if (short !== undefined) throw new RangeError(describeGap(short));
  return repairs.reduce((value, { path, after }) => setAt(value, path, after), input);
}

function describeGap({ fixer = "a repair", path, omitted }: Replayable): string {
  const { after, repairs } = omitted ?? {};
  const gap =
    repairs !== undefined
      ? `it stands for ${repairs} more repairs`
      : after !== undefined
        ? `of the value after it, ${after.length} characters of JSON, only the length and a hash are kept`
        : "its path is cut";
  return (
    `The record of "${fixer}" at "${path}" cannot be replayed: ${gap}. What was run stands in the ` +
    'call itself; to keep repairs whole, set record: "full".'
  );
}
