import { CannotWait, cannotWaitFor, lazy, runLimited, type Steps, TimedOut } from "../drive.ts";
import { FIXER_ERROR } from "../errors/tool-input-error.ts";
import { jsonEquals, TOO_LONG, whyNotJson } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import type { RepairRun } from "../policy.ts";
import { copySchema } from "../schema/keywords.ts";
import type {
  FixContext,
  Fixer,
  FixerInput,
  InputIssue,
  JsonValue,
  Repair,
  RepairLimits,
} from "../types.ts";

/** An input between two fixers. */
export interface FixerState {
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  readonly issues: readonly InputIssue[];
}

/** The result of the registered fixers. */
export type FixerOutcome =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly parsed: unknown;
      readonly repairs: readonly Repair[];
    }
  | (FixerState & { readonly ok: false; readonly failures: readonly Error[] });

/**
 * Runs a tool's registered fixers, each on a copy of the best input so far, until the schema
 * accepts a result. A result that is still rejected is the next fixer's input if it is no worse:
 * the whole has a better type, or the same quality with no more issues.
 *
 * A fixer that throws, takes too long or returns no JSON is skipped and named in `failures`. It gets
 * a copy and its result is copied, so that the validated value cannot change afterwards.
 */
export function* runFixers(
  start: FixerState,
  run: RepairRun,
  truncated: boolean,
): Steps<FixerOutcome> {
  const { schema, options, budget } = run;
  const { fixers, limits } = run.policy;
  const failures: Error[] = [];
  if (fixers.length === 0) return { ok: false, ...start, failures };
  const deadline = performance.now() + (limits.fixersTimeoutMs || Number.POSITIVE_INFINITY);
  let best = start;
  for (const [index, fixer] of fixers.entries()) {
    const name = showName(fixer, index);
    options.signal?.throwIfAborted();
    const left = deadline - performance.now();
    if (left <= 0) {
      const which = `${name} and those after it were not run: all`;
      failures.push(fixerError(`${which} took longer than ${limits.fixersTimeoutMs} ms`));
      break;
    }
    const fixed = yield* attempt(fixer, name, best, { run, truncated, left });
    if (fixed instanceof Error) failures.push(fixed);
    if (fixed === undefined || fixed instanceof Error) continue;
    const { value } = fixed;
    if (jsonEquals(value, best.value)) continue;
    const repair: Repair = {
      fixer: name,
      path: "",
      before: best.value,
      after: value,
      level: "strict",
    };
    const repairs = [...best.repairs, repair];
    const validation = yield* budget.wait(schema.validate(value, limits.maxSteps));
    if (validation.ok) return { ok: true, value, parsed: validation.parsed, repairs };
    const next = { value, repairs, issues: validation.issues };
    if (isNoWorse(next, best)) best = next;
  }
  return { ok: false, ...best, failures };
}

/** A fixer's context: a copy of its own, made lazily. */
function contextFor(
  { raw, tool, schema, options }: RepairRun,
  issues: readonly InputIssue[],
  truncated: boolean,
  signal: AbortSignal,
): FixContext {
  const { action, toolCall } = options;
  const jsonSchema = lazy(() => copySchema(schema.jsonSchema));
  const rawToolInput = lazy(() => structuredClone(raw as JsonValue | undefined));
  return {
    toolName: tool.name,
    tool,
    issues: issues.map((issue) => ({ ...issue })),
    truncated,
    signal,
    ...(action && { action }),
    ...(toolCall && { toolCall }),
    get jsonSchema() {
      return jsonSchema();
    },
    get rawToolInput() {
      return rawToolInput();
    },
  };
}

/** The most characters of a fixer's name in a message. */
const MAX_NAME = 80;

function showName({ name }: Fixer, index: number): string {
  const given = typeof name === "string" && name !== "" ? name : `fixer ${index + 1}`;
  return given.length > MAX_NAME ? `${given.slice(0, MAX_NAME - 1)}…` : given;
}

/** Runs one fixer. The value is boxed, to distinguish it from the error of a failed fixer. */
function* attempt(
  fixer: Fixer,
  name: string,
  { value, issues }: FixerState,
  { run, truncated, left }: { readonly run: RepairRun; truncated: boolean; left: number },
): Steps<{ readonly value: JsonValue } | Error | undefined> {
  const { limits } = run.policy;
  const { signal } = run.options;
  const each = limits.fixerTimeoutMs || Number.POSITIVE_INFINITY;
  const work = (either: AbortSignal) =>
    fixer(structuredClone(value) as FixerInput, contextFor(run, issues, truncated, either));
  try {
    const returned = yield* run.budget.wait(runLimited(work, Math.min(each, left), signal));
    signal?.throwIfAborted();
    return returned === undefined ? undefined : take(returned, name, limits);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CannotWait) {
      const whose = `fixer ${name} of tool "${run.tool.name}"`;
      throw cannotWaitFor("fixer", whose, "returned a promise");
    }
    if (!(error instanceof TimedOut)) return fixerError(`${name} threw`, error);
    const [limit, whose] = each <= left ? [each, ""] : [limits.fixersTimeoutMs, "with all others "];
    return fixerError(`${name} ${whose}took longer than ${limit} ms`, error);
  }
}

/** Copies what a fixer returned, if that is an input. */
function take(
  returned: unknown,
  name: string,
  limits: RepairLimits,
): { readonly value: JsonValue } | Error {
  const { maxDepth, maxLength } = limits;
  const reason = whyNotJson(returned, maxDepth, maxLength);
  if (reason === TOO_LONG) {
    const over = new OverLimit("maxLength", maxLength);
    return fixerError(`${name} returned a value ${over.message}`);
  }
  if (reason !== undefined) return fixerError(`${name} returned no JSON: ${reason}`);
  try {
    const value = structuredClone(returned) as JsonValue;
    // A Proxy may return something else each time.
    const changed = whyNotJson(value, maxDepth, maxLength);
    return changed === undefined ? { value } : fixerError(`${name} returned no JSON: ${changed}`);
  } catch (error) {
    return fixerError(`${name} returned no JSON: it cannot be copied`, error);
  }
}

function isNoWorse(next: FixerState, best: FixerState): boolean {
  const [nextIsWrongWhole, bestIsWrongWhole] = [isWrongWhole(next), isWrongWhole(best)];
  if (nextIsWrongWhole !== bestIsWrongWhole) return bestIsWrongWhole;
  return next.issues.length <= best.issues.length;
}

/** An issue with the whole input hides the issues with its parts. */
function isWrongWhole({ issues }: FixerState): boolean {
  return issues.some(({ path }) => path === "");
}

/**
 * Names the fixer that failed. The error that it threw is the cause, and stays out of the message:
 * messages reach models, and foreign errors may hold anything.
 */
function fixerError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: FIXER_ERROR });
}
