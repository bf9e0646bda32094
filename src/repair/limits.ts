import { isThenable, PAUSE, type Steps } from "./drive.ts";
import { TOO_DEEP, TOO_LONG, whyNotJson } from "./json.ts";
import {
  type InputIssue,
  ISSUE,
  type ReachedLimit,
  type RepairLimits,
} from "./types.ts";

/** The default bounds of a repair. */
export const DEFAULT_LIMITS: RepairLimits = {
  maxLength: 1_048_576,
  maxDepth: 64,
  maxSteps: 500_000,
  maxCandidates: 2_000,
  timeoutMs: 1_000,
  fixerTimeoutMs: 5_000,
  handlerTimeoutMs: 600_000,
};

/** Thrown inside a repair when a limit is reached; caught at its entry. */
export class OverLimit extends Error {
  override readonly name = "OverLimit";
  readonly limit: ReachedLimit;
  readonly issue: InputIssue;

  constructor(name: keyof RepairLimits, value: number, what = "gave up") {
    super(`over the limit of ${value} (option limits.${name})`);
    this.limit = { name, value };
    this.issue = {
      path: "",
      code: ISSUE.overLimit,
      message: `${what} ${this.message}`,
    };
  }
}

/**
 * After so many milliseconds of work, a repair pauses, so that a server can
 * answer others.
 */
const PAUSE_AFTER_MS = 50;

/**
 * The budget of one repair: steps, alike on every machine; the clock is the
 * last resort.
 */
export class Budget {
  readonly limits: RepairLimits;
  steps = 0;
  private deadline: number;
  private nextLook = 0;
  private lastPause = performance.now();

  constructor(limits: RepairLimits) {
    this.limits = limits;
    this.deadline = this.lastPause + limits.timeoutMs;
  }

  /**
   * Counts keys, elements, places or 64 characters of text that are looked at.
   */
  step(amount: number): void {
    this.steps += amount;
    if (this.steps > this.limits.maxSteps)
      throw new OverLimit("maxSteps", this.limits.maxSteps);
    if (this.steps >= this.nextLook) this.look();
  }

  /**
   * Checks the clock between two stages or candidates, because each may take
   * long.
   */
  look(): void {
    const { timeoutMs } = this.limits;
    this.nextLook = this.steps + 4_096; // steps to the next look
    if (performance.now() > this.deadline)
      throw new OverLimit("timeoutMs", timeoutMs);
  }

  /** Whether other work has waited for long, so that a pause is due. */
  get isDue(): boolean {
    return performance.now() - this.lastPause > PAUSE_AFTER_MS;
  }

  /**
   * Lets other work of the process go on if it is due. A synchronous repair
   * goes on at once.
   */
  *pause(): Steps<void> {
    yield* this.wait(PAUSE);
    this.lastPause = performance.now();
  }

  /** Waits for a validation or a fixer, without counting the time. */
  *wait<Value>(work: Value | PromiseLike<Value>): Steps<Value> {
    if (!isThenable(work) && work !== PAUSE) return work;
    const begun = performance.now();
    try {
      return yield work;
    } finally {
      this.deadline += performance.now() - begun;
    }
  }
}

/** Returns the issue with an input that is not JSON, or exceeds a limit. */
export function limitIssue(
  value: unknown,
  limits: Pick<RepairLimits, "maxDepth" | "maxLength">,
): { readonly issue: InputIssue; readonly limit?: ReachedLimit } | undefined {
  const reason = whyNotJson(value, limits.maxDepth, limits.maxLength);
  if (reason === undefined) return undefined;
  if (reason !== TOO_DEEP && reason !== TOO_LONG) {
    return {
      issue: { path: "", code: ISSUE.notJson, message: `no JSON: ${reason}` },
    };
  }
  const name = reason === TOO_DEEP ? "maxDepth" : "maxLength";
  const { issue, limit } = new OverLimit(name, limits[name], `${reason},`);
  return { issue, limit };
}
