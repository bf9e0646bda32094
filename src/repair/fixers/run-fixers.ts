import { FIXER_ERROR } from "../errors/tool-input-error.ts";
import { jsonEquals, whyNotJson } from "../json/json-value.ts";
import { lazy } from "../lazy.ts";
import { assertWithin, OverLimit } from "../limits.ts";
import { runLimited, TimedOut } from "../run-limited.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { copySchema } from "../schema/schema-copy.ts";
import type {
  FixContext,
  Fixer,
  FixerInput,
  InputIssue,
  JsonValue,
  Repair,
  RepairLimits,
} from "../types.ts";
import { withOldName } from "../with-old-name.ts";

/** An input on its way through the fixers. */
export interface FixerState {
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  readonly issues: readonly InputIssue[];
}

/** What the registered fixers made of an input. */
export type FixerOutcome =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly parsed: unknown;
      readonly repairs: readonly Repair[];
    }
  | (FixerState & { readonly ok: false; readonly failures: readonly Error[] });

/** What the fixers of a tool are run with. */
export interface FixerRun {
  readonly schema: CompiledSchema;
  /** What the fixers are told, but for issues and signal. */
  readonly context: Omit<FixContext, "issues" | "signal">;
  /** Time for each and for all, and the size of what they return. */
  readonly limits: RepairLimits;
  /** Aborts the fixer that is running. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a tool's registered fixers, each on a copy of the best input so far, until the schema
 * accepts a result. A result that is still refused is kept as a step for the next fixer, if it is
 * no worse: the whole is of a better type, or as good and has no more issues than before.
 *
 * A fixer that throws, takes too long or returns what is no JSON is passed over and named in
 * `failures`. All that it is told is its own copy, and so is what is taken from it: neither can
 * change afterwards what was validated.
 *
 * @param start The input, what the schema has against it, and the repairs made so far.
 * @param fixers The fixers, in order.
 * @param run What they are run with.
 */
export async function runFixers(
  start: FixerState,
  fixers: readonly Fixer[],
  run: FixerRun,
): Promise<FixerOutcome> {
  const { schema, limits, signal } = run;
  const deadline = limits.fixersTimeoutMs > 0 ? performance.now() + limits.fixersTimeoutMs : NEVER;
  const failures: Error[] = [];
  let best = start;
  for (const [index, fixer] of fixers.entries()) {
    const name = showName(fixer, index);
    signal?.throwIfAborted();
    const left = deadline - performance.now();
    if (left <= 0) {
      const which = `${name} and those after it were not run: all`;
      failures.push(fixerError(`${which} took longer than ${limits.fixersTimeoutMs} ms`));
      break;
    }
    const fixed = await attempt(fixer, name, best, run, left);
    if (fixed instanceof Error) failures.push(fixed);
    if (fixed === undefined || fixed instanceof Error || jsonEquals(fixed.value, best.value))
      continue;
    const repair: Repair = {
      fixer: name,
      path: "",
      before: best.value,
      after: fixed.value,
      level: "strict",
    };
    const repairs = [...best.repairs, repair];
    const validation = await schema.validate(fixed.value);
    if (validation.ok) return { ok: true, value: fixed.value, parsed: validation.parsed, repairs };
    const next = { value: fixed.value, repairs, issues: validation.issues };
    if (isNoWorse(next, best)) best = next;
  }
  return { ok: false, ...best, failures };
}

const NEVER = Number.POSITIVE_INFINITY;

/** The most characters of a fixer's name in a message. */
const MAX_NAME = 80;

function showName({ name }: Fixer, index: number): string {
  const given = typeof name === "string" && name !== "" ? name : `fixer ${index + 1}`;
  return given.length > MAX_NAME ? `${given.slice(0, MAX_NAME - 1)}…` : given;
}

/** Fixers that return an error tell of it; boxing the value keeps the two apart. */
async function attempt(
  fixer: Fixer,
  name: string,
  state: FixerState,
  { context, limits, signal }: FixerRun,
  left: number,
): Promise<{ value: JsonValue } | Error | undefined> {
  const each = limits.fixerTimeoutMs > 0 ? limits.fixerTimeoutMs : NEVER;
  try {
    const work = (either: AbortSignal) =>
      fixer(structuredClone(state.value) as FixerInput, contextFor(context, state.issues, either));
    const value = await runLimited(work, Math.min(each, left), signal);
    return value === undefined ? undefined : taken(value, name, limits);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof TimedOut)) return fixerError(`${name} threw`, error);
    const [limit, whose] = each <= left ? [each, ""] : [limits.fixersTimeoutMs, "with all others "];
    return fixerError(`${name} ${whose}took longer than ${limit} ms`, error);
  }
}

/** A copy of what a fixer is told, made where it looks. */
function contextFor(
  context: FixerRun["context"],
  issues: readonly InputIssue[],
  signal: AbortSignal,
): FixContext {
  const jsonSchema = lazy(() => copySchema(context.jsonSchema));
  const raw = lazy(() => structuredClone(context.rawToolInput));
  const told = {
    ...context,
    issues: issues.map((issue) => ({ ...issue })),
    signal,
    get jsonSchema() {
      return jsonSchema();
    },
    get rawToolInput() {
      return raw();
    },
  };
  return withOldName(told, "raw", "rawToolInput");
}

/** A copy of what a fixer returned, if that is an input. */
function taken(
  returned: unknown,
  name: string,
  limits: RepairLimits,
): { value: JsonValue } | Error {
  const reason = whyNotJson(returned, limits.maxDepth);
  if (reason !== undefined) return fixerError(`${name} returned no JSON: ${reason}`);
  try {
    const value = structuredClone(returned) as JsonValue;
    const changed = whyNotJson(value, limits.maxDepth);
    if (changed !== undefined) return fixerError(`${name} returned no JSON: ${changed}`);
    assertWithin(value, limits);
    return { value };
  } catch (error) {
    if (error instanceof OverLimit) return fixerError(`${name} returned a value ${error.message}`);
    return fixerError(`${name} returned no JSON: it cannot be copied`, error);
  }
}

function isNoWorse(next: FixerState, best: FixerState): boolean {
  const [nextIsWrongWhole, bestIsWrongWhole] = [isWrongWhole(next), isWrongWhole(best)];
  if (nextIsWrongWhole !== bestIsWrongWhole) return bestIsWrongWhole;
  return next.issues.length <= best.issues.length;
}

/** An issue with the whole input hides all those that it would have with its parts. */
function isWrongWhole({ issues }: FixerState): boolean {
  return issues.some(({ path }) => path === "");
}

/**
 * Names the fixer that failed. What it threw is the cause, and stays out of the message: messages
 * reach models, and a stranger's error may hold anything.
 */
function fixerError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: FIXER_ERROR });
}
