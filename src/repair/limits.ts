import { isThenable, type Steps } from "./drive.ts";
import { TOO_DEEP, TOO_LONG, whyNotJson } from "./json/json-value.ts";
import type { InputIssue, JsonValue, RepairLimits } from "./types.ts";
import { ISSUE, type ReachedLimit } from "./types.ts";

/** The default bounds of a repair. */
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

/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 4_096;

/**
 * The remaining budget of one repair over all its stages: reading, validating, trying edits.
 * Created once per repair. It counts steps, so that a limit is reached by the same input on every
 * machine; the clock is the last resort, because it makes the outcome depend on the machine.
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
   * @throws OverLimit if the steps or the time are used up.
   */
  step(amount: number): void {
    const { maxSteps } = this.limits;
    this.steps += amount;
    if (this.steps > maxSteps) throw new OverLimit("maxSteps", maxSteps);
    if (this.steps < this.nextLook) return;
    this.nextLook = this.steps + STEPS_PER_LOOK;
    this.look();
  }

  /** Checks the clock between two stages or candidates, because each may take long. */
  look(): void {
    const { timeoutMs } = this.limits;
    if (performance.now() > this.deadline) throw new OverLimit("timeoutMs", timeoutMs);
  }

  /** Waits for a validation or a fixer, without counting the time. */
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

/** The issue with an input that exceeds a limit, or whose repair does. */
export function overLimit({ name, value }: ReachedLimit): InputIssue {
  const message = `gave up over the limit of ${value} (option limits.${name})`;
  return { path: "", code: ISSUE.overLimit, message };
}

/** Returns the issue with an input that is not JSON, or exceeds a limit. */
export function limitIssue(
  value: unknown,
  { maxDepth, maxLength }: RepairLimits,
): { readonly issue: InputIssue; readonly limit?: ReachedLimit } | undefined {
  const reason = whyNotJson(value, maxDepth, maxLength);
  if (reason === undefined) return undefined;
  const limit = limitOf(reason, { maxDepth, maxLength });
  const issue = (code: string, message: string) => ({ path: "", code, message });
  if (limit === undefined) return { issue: issue(ISSUE.notJson, `no JSON: ${reason}`) };
  const message = `${reason}, over the limit of ${limit.value} (option limits.${limit.name})`;
  return { issue: issue(ISSUE.overLimit, message), limit };
}

/** Checks that what an edit, a fixer or a handler made is not too deep or too long. */
export function assertWithin(value: JsonValue, limits: RepairLimits): void {
  const limit = limitOf(whyNotJson(value, limits.maxDepth, limits.maxLength), limits);
  if (limit !== undefined) throw new OverLimit(limit.name, limit.value);
}

function limitOf(
  reason: string | undefined,
  { maxDepth, maxLength }: Pick<RepairLimits, "maxDepth" | "maxLength">,
): ReachedLimit | undefined {
  if (reason === TOO_DEEP) return { name: "maxDepth", value: maxDepth };
  return reason === TOO_LONG ? { name: "maxLength", value: maxLength } : undefined;
}
