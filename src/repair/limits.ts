import type { RepairLimits } from "./types.ts";

/** The bounds of a repair where none are given. */
export const DEFAULT_LIMITS: RepairLimits = {
  maxLength: 4_194_304,
  maxDepth: 64,
  maxCandidates: 2_000,
  timeoutMs: 1_000,
  fixerTimeoutMs: 5_000,
};
