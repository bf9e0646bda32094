import { wrongUse } from "./errors/likeness.ts";
import { digestOf, type ValueDigest } from "./json/digest.ts";
import { setAt } from "./json/json-pointer.ts";
import { LEVELS } from "./level-allows.ts";
import type { JsonValue, RecordDetail, Repair } from "./types.ts";
import { cutText, nameThing } from "./usage.ts";

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

/** The longest value that a bounded record holds, in characters of JSON. */
export const MAX_VALUE = 1_000;

/** The longest path that it holds, in characters. */
export const MAX_PATH = 500;

/** The most repairs, or places, that it lists. */
export const MAX_LISTED = 100;

/**
 * Bounds what is kept of repairs, wherever they are kept: with a message, in a log, in a trace. What
 * is left out is told by length and hash. Bounding twice is bounding once.
 */
export function boundRepairs(
  repairs: readonly Repair[],
  detail: RecordDetail = "bounded",
): readonly Repair[] {
  if (detail === "full" || repairs.length === 0) return repairs;
  const maxValue = detail === "outline" ? 0 : MAX_VALUE;
  // What one repair leaves behind is what the next one finds.
  const known = new Map<unknown, ValueDigest | undefined>();
  const tell = (value: unknown) => {
    if (!known.has(value)) known.set(value, digestOver(value, maxValue));
    return known.get(value);
  };
  const listed = repairs.slice(0, MAX_LISTED).map((repair) => boundRepair(repair, tell));
  const more = repairs.slice(MAX_LISTED);
  if (more.length > 0) return [...listed, standingFor(more)];
  return listed.every((repair, index) => repair === repairs[index]) ? repairs : listed;
}

/** Returns the length and hash of a value that is longer than a record may hold. */
export function digestOver(value: unknown, maxLength: number): ValueDigest | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text === undefined || text.length <= maxLength ? undefined : digestOf(text);
}

/** Returns how many repairs there were, those that are not listed among them. */
export function countRepairs(repairs: readonly Repair[]): number {
  return repairs.reduce((count, { omitted }) => count + (omitted?.repairs ?? 1), 0);
}

function boundRepair(repair: Repair, tell: (value: unknown) => ValueDigest | undefined): Repair {
  const before = tell(repair.before);
  const after = tell(repair.after);
  const path = repair.path.length > MAX_PATH ? digestOf(repair.path) : undefined;
  if (before === undefined && after === undefined && path === undefined) return repair;
  const omitted = {
    ...repair.omitted,
    ...(before && { before }),
    ...(after && { after }),
    ...(path && { path }),
  };
  return {
    ...repair,
    path: cutText(repair.path, MAX_PATH),
    before: before === undefined ? repair.before : undefined,
    after: after === undefined ? repair.after : undefined,
    omitted,
  };
}

function standingFor(repairs: readonly Repair[]): Repair {
  const levels = repairs.map(({ level }) => level);
  const level = LEVELS.findLast((one) => levels.includes(one));
  const omitted = { repairs: countRepairs(repairs) };
  return {
    fixer: "more-repairs",
    path: "",
    before: undefined,
    after: undefined,
    level: level ?? "strict",
    omitted,
  };
}
