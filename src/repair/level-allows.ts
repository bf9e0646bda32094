import type { RepairLevel } from "./types.ts";

const LEVELS: readonly RepairLevel[] = ["strict", "safe", "eager"];

/**
 * Tells whether a change that needs one level may be made at another.
 *
 * @param level The level that is set.
 * @param needed The level that the change needs.
 */
export function levelAllows(level: RepairLevel, needed: RepairLevel): boolean {
  return LEVELS.indexOf(needed) <= LEVELS.indexOf(level);
}

/**
 * Refuses what is no level: a misspelt `"strict"` must not act as another one.
 *
 * @param level A level as it was given; `undefined` is fine.
 * @throws TypeError when it is none.
 */
export function assertLevel(level: unknown): void {
  if (level === undefined || LEVELS.includes(level as RepairLevel)) return;
  const known = LEVELS.map((one) => `"${one}"`).join(", ");
  throw new TypeError(`There is no level ${JSON.stringify(level)}. The levels are ${known}.`);
}
