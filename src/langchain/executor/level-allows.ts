import type { RepairLevel } from "../../types.ts";

const LEVELS: readonly RepairLevel[] = ["strict", "safe", "eager"];

/** Whether a change that needs one level may be made at another. */
export function levelAllows(level: RepairLevel, needed: RepairLevel): boolean {
  return LEVELS.indexOf(needed) <= LEVELS.indexOf(level);
}
