import { ISSUE, type ReachedLimit } from "./errors/refusal-reason.ts";
import type { InputIssue, JsonValue, RepairLimits } from "./types.ts";

/** The bounds of a repair where none are given. */
export const DEFAULT_LIMITS: RepairLimits = {
  maxLength: 4_194_304,
  maxDepth: 64,
  maxSteps: 20_000_000,
  maxCandidates: 2_000,
  timeoutMs: 30_000,
  fixerTimeoutMs: 5_000,
  fixersTimeoutMs: 30_000,
  handlerTimeoutMs: 600_000,
};

/** Thrown inside a repair when a limit is reached; caught at its entry. */
export class OverLimit extends Error {
  override readonly name = "OverLimit";
  readonly limit: ReachedLimit;

  constructor(name: keyof RepairLimits, value: number) {
    super(`over the limit of ${value} (option limits.${name})`);
    this.limit = { name, value };
  }
}

/** The issue with an input that is over a limit, or whose repair is. */
export function overLimit({ name, value }: ReachedLimit): InputIssue {
  const message = `gave up over the limit of ${value} (option limits.${name})`;
  return { path: "", code: ISSUE.overLimit, message };
}

/**
 * Checks that what an edit, a fixer or a handler made is no deeper and no longer than an input may
 * be.
 *
 * @param value What was made.
 * @param limits The limits.
 * @throws OverLimit when it is deeper or longer.
 */
export function assertWithin(value: JsonValue, { maxDepth, maxLength }: RepairLimits): void {
  if (depthOf(value, maxDepth) > maxDepth) throw new OverLimit("maxDepth", maxDepth);
  if (JSON.stringify(value).length > maxLength) throw new OverLimit("maxLength", maxLength);
}

/** How deep a value is nested; looked at no further than one level below `enough`. */
function depthOf(value: JsonValue, enough: number): number {
  if (value === null || typeof value !== "object") return 0;
  if (enough < 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) {
    deepest = Math.max(deepest, depthOf(child as JsonValue, enough - 1));
  }
  return deepest + 1;
}
