import { LEVELS } from "./edit-switches.ts";
import { cutText } from "./errors.ts";
import { digestOf, type ValueDigest } from "./json/digest.ts";
import type { Repair } from "./types.ts";

/** The longest value that a bounded record holds, in characters of JSON. */
export const MAX_VALUE = 1_000;

/** The longest path that it holds, in characters. */
export const MAX_PATH = 500;

/** The most repairs, or places, that it lists. */
export const MAX_LISTED = 100;

/**
 * Bounds the repairs of a record, wherever it is kept: with a message, in a log, in a trace.
 * Omitted values are given by length and hash. Bounding twice equals bounding once.
 */
export function boundRepairs(repairs: readonly Repair[]): readonly Repair[] {
  // Each repair starts from the result of the one before it.
  const known = new Map<unknown, ValueDigest | undefined>();
  const over = (value: unknown) => {
    if (!known.has(value)) known.set(value, digestOver(value, MAX_VALUE));
    return known.get(value);
  };
  const listed = repairs.slice(0, MAX_LISTED).map((repair) => boundRepair(repair, over));
  const more = repairs.slice(MAX_LISTED);
  if (more.length > 0) {
    const level = LEVELS.findLast((one) => more.some((repair) => repair.level === one)) ?? "strict";
    const change = { path: "", before: undefined, after: undefined, level };
    return [
      ...listed,
      { fixer: "more-repairs", ...change, omitted: { repairs: countRepairs(more) } },
    ];
  }
  return listed.every((repair, index) => repair === repairs[index]) ? repairs : listed;
}

/** Returns the length and hash of a value that is longer than a record may hold. */
export function digestOver(value: unknown, maxLength: number): ValueDigest | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text === undefined || text.length <= maxLength ? undefined : digestOf(text);
}

/** Returns how many repairs were made, including those that are not listed. */
export function countRepairs(repairs: readonly Repair[]): number {
  return repairs.reduce((count, { omitted }) => count + (omitted?.repairs ?? 1), 0);
}

function boundRepair(repair: Repair, over: (value: unknown) => ValueDigest | undefined): Repair {
  const before = over(repair.before);
  const after = over(repair.after);
  const path = repair.path.length > MAX_PATH ? digestOf(repair.path) : undefined;
  if (!(before ?? after ?? path)) return repair;
  return {
    ...repair,
    path: cutText(repair.path, MAX_PATH),
    before: before === undefined ? repair.before : undefined,
    after: after === undefined ? repair.after : undefined,
    omitted: {
      ...repair.omitted,
      ...(before && { before }),
      ...(after && { after }),
      ...(path && { path }),
    },
  };
}
