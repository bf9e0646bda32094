import { LEVELS } from "./edit-switches.ts";
import { cutText, digestOf } from "./json.ts";
import type { Repair, ValueDigest } from "./types.ts";

/** The longest value that a record holds, in characters of JSON. */
export const MAX_VALUE = 1_000;

/** The longest path that it holds, in characters. */
export const MAX_PATH = 500;

/** The most repairs, or places, that it lists. */
export const MAX_LISTED = 100;

/**
 * Bounds the repairs of a record, wherever it is kept: with a message, in a
 * log, in a trace. Omitted values are given by length and hash. Bounding twice
 * equals bounding once.
 */
export function boundRepairs(repairs: readonly Repair[]): readonly Repair[] {
  const listed = repairs.slice(0, MAX_LISTED).map(boundRepair);
  const more = repairs.slice(MAX_LISTED);
  if (more.length > 0) {
    const usedLevels = new Set(more.map(({ level }) => level));
    const level = LEVELS.findLast((level) => usedLevels.has(level)) ?? "strict";
    const change = { path: "", before: undefined, after: undefined };
    const omitted = { repairs: countRepairs(more) };
    return [...listed, { fixer: "more-repairs", ...change, level, omitted }];
  }
  return listed.every((repair, index) => repair === repairs[index])
    ? repairs
    : listed;
}

/**
 * Returns the length and hash of a value that is longer than a record may hold.
 */
export function digestOver(
  value: unknown,
  maxLength: number,
): ValueDigest | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= maxLength
    ? undefined
    : digestOf(text);
}

/** Returns how many repairs were made, including those that are not listed. */
export function countRepairs(repairs: readonly Repair[]): number {
  return repairs.reduce(
    (count, { omitted }) => count + (omitted?.repairs ?? 1),
    0,
  );
}

function boundRepair(repair: Repair): Repair {
  const before = digestOver(repair.before, MAX_VALUE);
  const after = digestOver(repair.after, MAX_VALUE);
  const path =
    repair.path.length > MAX_PATH ? digestOf(repair.path) : undefined;
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
