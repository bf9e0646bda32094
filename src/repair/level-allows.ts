import type { RepairLevel } from "./types.ts";

/** The levels, the narrowest first. */
export const LEVELS: readonly RepairLevel[] = ["strict", "safe", "eager"];

/** Checks whether a change that needs one level is allowed at another. */
export function levelAllows(level: RepairLevel, needed: RepairLevel): boolean {
  return LEVELS.indexOf(needed) <= LEVELS.indexOf(level);
}
