import { CannotWait, lazy, runLimited, type Steps, TimedOut } from "../drive.ts";
import { cutText, FIXER_ERROR } from "../errors.ts";
import { jsonEquals, TOO_LONG, whyNotJson } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import type { RepairRun } from "../policy.ts";
import { copySchema } from "../schema/keywords.ts";
import type { FixContext, Fixer, FixerInput, InputIssue, JsonValue, Repair } from "../types.ts";

/** An input between two fixers. */
export interface FixerState {
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  readonly issues: readonly InputIssue[];
}

/** The result of the registered fixers. */
export type FixerOutcome =
  | (Omit<FixerState, "issues"> & { readonly ok: true; readonly parsed: unknown })
  | (FixerState & { readonly ok: false; readonly failures: readonly Error[] });

/** The most characters of a fixer's name in a message. */
const MAX_NAME = 80;

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
  const deadline = performance.now() + (limits.fixersTimeoutMs || Number.POSITIVE_INFINITY);
  let best = start;
  for (const [index, fixer] of fixers.entries()) {
    const { name: own } = fixer;
    const isNamed = typeof own === "string" && own !== "";
    const name = isNamed ? cutText(own, MAX_NAME) : `fixer ${index + 1}`;
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
    const change = { path: "", before: best.value, after: value };
    const repairs = [...best.repairs, { fixer: name, ...change, level: "strict" as const }];
    const validation = yield* budget.wait(schema.validate(value, limits.maxSteps));
    if (validation.ok) return { ok: true, value, parsed: validation.parsed, repairs };
    const next = { value, repairs, issues: validation.issues };
    if (isNoWorse(next, best)) best = next;
  }
  return { ok: false, ...best, failures };
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
    return returned === undefined ? undefined : copyReturned(returned, name, run);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CannotWait) throw new CannotWait(name);
    if (!(error instanceof TimedOut)) return fixerError(`${name} threw`, error);
    const [limit, whose] = each <= left ? [each, ""] : [limits.fixersTimeoutMs, "with all others "];
    return fixerError(`${name} ${whose}took longer than ${limit} ms`, error);
  }
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

/** Copies what a fixer returned, if that is an input. The copy is checked again: a Proxy may change. */
function copyReturned(
  returned: JsonValue,
  name: string,
  { policy: { limits } }: RepairRun,
): { readonly value: JsonValue } | Error {
  const { maxDepth, maxLength } = limits;
  let value = returned;
  for (const isCopied of [false, true]) {
    const reason = whyNotJson(value, maxDepth, maxLength);
    if (reason === TOO_LONG) {
      const over = new OverLimit("maxLength", maxLength);
      return fixerError(`${name} returned a value ${over.message}`);
    }
    if (reason !== undefined) return fixerError(`${name} returned no JSON: ${reason}`);
    try {
      if (!isCopied) value = structuredClone(returned);
    } catch (error) {
      return fixerError(`${name} returned no JSON: it cannot be copied`, error);
    }
  }
  return { value };
}

function isNoWorse(next: FixerState, best: FixerState): boolean {
  // An issue with the whole input hides the issues with its parts.
  const isWhole = ({ issues }: FixerState) => issues.some(({ path }) => path === "");
  return isWhole(next) === isWhole(best) ? next.issues.length <= best.issues.length : isWhole(best);
}

/**
 * Names the fixer that failed. The error that it threw is the cause, and stays out of the message:
 * messages reach models, and foreign errors may hold anything.
 */
function fixerError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: FIXER_ERROR });
}
