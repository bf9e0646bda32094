import type { RepairLevel } from "./types.ts";

/** The levels, the narrowest first. */
export const LEVELS: readonly RepairLevel[] = ["strict", "safe", "eager"];

/**
 * Tells whether a change that needs one level may be made at another.
 *
 * @param level The level that is set.
 * @param needed The level that the change needs.
 */
export function levelAllows(level: RepairLevel, needed: RepairLevel): boolean {
  return LEVELS.indexOf(needed) <= LEVELS.indexOf(level);
}
