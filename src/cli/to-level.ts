import type { RepairLevel } from "../repair/types.ts";

const LEVELS: readonly string[] = ["strict", "safe", "eager"] satisfies RepairLevel[];

/**
 * Reads a level from a command line.
 *
 * @param text What was given as `--level`.
 * @throws TypeError when it is none.
 */
export function toLevel(text: string): RepairLevel {
  if (LEVELS.includes(text)) return text as RepairLevel;
  throw new TypeError(`--level must be one of ${LEVELS.join(", ")}, not "${text}".`);
}
