import { ISSUE, type ReachedLimit } from "./errors/refusal-reason.ts";
import { TOO_DEEP, whyNotJson } from "./json/json-value.ts";
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
 * Says what an input has that JSON has not, or that it is nested too deeply.
 *
 * @param value The input.
 * @param limits The limits.
 * @returns The issue, and the limit where one is reached; `undefined` for none.
 */
export function whyNoInput(
  value: unknown,
  { maxDepth }: RepairLimits,
): { readonly issue: InputIssue; readonly limit?: ReachedLimit } | undefined {
  const reason = whyNotJson(value, maxDepth);
  if (reason === undefined) return undefined;
  if (reason !== TOO_DEEP) {
    return { issue: { path: "", code: ISSUE.notJson, message: `no JSON: ${reason}` } };
  }
  const message = `${reason}, over the limit of ${maxDepth} (option limits.maxDepth)`;
  return {
    issue: { path: "", code: ISSUE.overLimit, message },
    limit: { name: "maxDepth", value: maxDepth },
  };
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
