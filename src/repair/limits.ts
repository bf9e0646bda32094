import { isThenable, type Steps } from "./drive.ts";
import { ISSUE, type ReachedLimit } from "./errors/refusal-reason.ts";
import { TOO_DEEP, whyNotJson } from "./json/json-value.ts";
import type { InputIssue, JsonObject, JsonValue, RepairLimits } from "./types.ts";

/** The bounds of a repair where none are given. */
export const DEFAULT_LIMITS: RepairLimits = {
  maxLength: 1_048_576,
  maxDepth: 64,
  maxSteps: 500_000,
  maxCandidates: 2_000,
  timeoutMs: 1_000,
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

/** How many steps go by between two looks at the clock. */
const STEPS_PER_LOOK = 4_096;

/**
 * What one repair may still use up, over all its stages: reading, validating, trying edits. Made once
 * per repair. Steps are what counts, so that a limit is reached by the same input on every machine; the
 * clock is the last resort, as it makes the outcome depend on the machine.
 */
export class Budget {
  readonly limits: RepairLimits;
  steps = 0;
  private deadline: number;
  private nextLook = 0;

  constructor(limits: RepairLimits) {
    this.limits = limits;
    this.deadline = performance.now() + limits.timeoutMs;
  }

  /**
   * Counts work.
   *
   * @param amount How many keys, elements, places or 64 characters of text are looked at.
   * @throws OverLimit when there are too many, or the time is up.
   */
  step(amount: number): void {
    const { maxSteps } = this.limits;
    this.steps += amount;
    if (this.steps > maxSteps) throw new OverLimit("maxSteps", maxSteps);
    if (this.steps < this.nextLook) return;
    this.nextLook = this.steps + STEPS_PER_LOOK;
    this.look();
  }

  /** Looks at the clock: between two stages, and two candidates, of which each may take long. */
  look(): void {
    const { timeoutMs } = this.limits;
    if (performance.now() > this.deadline) throw new OverLimit("timeoutMs", timeoutMs);
  }

  /** Waits for a validation or a fixer. The time that passes meanwhile is not counted. */
  *wait<Value>(work: Value | PromiseLike<Value>): Steps<Value> {
    if (!isThenable(work)) return work;
    const begun = performance.now();
    try {
      return yield work;
    } finally {
      this.deadline += performance.now() - begun;
    }
  }
}

/** The issue with an input that is over a limit, or whose repair is. */
export function overLimit({ name, value }: ReachedLimit): InputIssue {
  const message = `gave up over the limit of ${value} (option limits.${name})`;
  return { path: "", code: ISSUE.overLimit, message };
}

/** Says what an input has that JSON has not, or that it is nested too deeply. */
export function limitIssue(
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

/** Checks that what an edit, a fixer or a handler made is no deeper and no longer than an input may be. */
export function assertWithin(value: JsonValue, { maxDepth, maxLength }: RepairLimits): void {
  const size = { depth: 0, longest: 0 };
  measure(value, 0, maxDepth, size);
  if (size.depth > maxDepth) throw new OverLimit("maxDepth", maxDepth);
  // It is written out only where it may be too long.
  if (size.longest <= maxLength) return;
  if (JSON.stringify(value).length > maxLength) throw new OverLimit("maxLength", maxLength);
}

/** How deep a value is nested, and how many characters its JSON has at most. */
interface Size {
  depth: number;
  longest: number;
}

/** The most characters of a number, and of the brackets, quotes and signs around a value and its key. */
const LONGEST_SCALAR = 30;
/** The most characters that JSON has for one of a text. */
const LONGEST_ESCAPE = 6;

/** Looks no further than one level below `maxDepth`. */
function measure(value: JsonValue | undefined, depth: number, maxDepth: number, size: Size): void {
  size.longest += LONGEST_SCALAR + (typeof value === "string" ? LONGEST_ESCAPE * value.length : 0);
  if (value === null || typeof value !== "object") return;
  if (depth >= size.depth) size.depth = depth + 1;
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) measure(item, depth + 1, maxDepth, size);
    return;
  }
  const object = value as JsonObject;
  for (const key of Object.keys(object)) {
    size.longest += LONGEST_ESCAPE * key.length;
    measure(object[key], depth + 1, maxDepth, size);
  }
}
