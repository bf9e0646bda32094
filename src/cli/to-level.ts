import { LEVELS } from "../repair/level-allows.ts";
import type { RepairLevel } from "../repair/types.ts";

/**
 * Reads a level from a command line.
 *
 * @param text What was given as `--level`.
 * @throws TypeError when it is none.
 */
export function toLevel(text: string): RepairLevel {
  if (LEVELS.includes(text as RepairLevel)) return text as RepairLevel;
  throw new TypeError(`--level must be one of ${LEVELS.join(", ")}, not "${text}".`);
}
