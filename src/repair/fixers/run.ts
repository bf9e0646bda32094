import { CannotWait, lazy, runLimited, type Steps, TimedOut } from "../drive.ts";
import { wrongUse } from "../errors/likeness.ts";
import { FIXER_ERROR } from "../errors/tool-input-error.ts";
import { jsonEquals, whyNotJson } from "../json/json-value.ts";
import { assertWithin, OverLimit } from "../limits.ts";
import type { RepairRun } from "../policy.ts";
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

/**
 * Runs a tool's registered fixers, each on a copy of the best input so far, until the schema
 * accepts a result. A result that is still refused is kept as a step for the next fixer, if it is
 * no worse: the whole is of a better type, or as good and has no more issues than before.
 *
 * A fixer that throws, takes too long or returns what is not JSON is passed over and named in
 * `failures`. All that it is given is its own copy, and so is what is taken from it: neither can
 * change afterwards what was validated.
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
    const validation = yield* budget.wait(schema.validate(value));
    if (validation.ok) return { ok: true, value, parsed: validation.parsed, repairs };
    const next = { value, repairs, issues: validation.issues };
    if (isNoWorse(next, best)) best = next;
  }
  return { ok: false, ...best, failures };
}

/** What a fixer is told: a copy of its own, made where it looks. */
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

/** Runs one fixer. The value is boxed, to tell it from the error of a fixer that failed. */
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
    if (error instanceof CannotWait) throw cannotWaitFor(name, run.tool.name);
    if (!(error instanceof TimedOut)) return fixerError(`${name} threw`, error);
    const [limit, whose] = each <= left ? [each, ""] : [limits.fixersTimeoutMs, "with all others "];
    return fixerError(`${name} ${whose}took longer than ${limit} ms`, error);
  }
}

function cannotWaitFor(name: string, toolName: string): TypeError {
  return wrongUse(
    `repairToolInputSync(raw, tool, options) cannot wait for the fixer ${name} of tool "${toolName}", which returned a promise. Await repairToolInput instead, or make the fixer synchronous.`,
  );
}

/** A copy of what a fixer returned, if that is an input. */
function take(
  returned: unknown,
  name: string,
  limits: RepairLimits,
): { readonly value: JsonValue } | Error {
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
