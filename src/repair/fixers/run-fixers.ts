import { FIXER_ERROR } from "../errors/tool-input-error.ts";
import { jsonEquals, whyNotJson } from "../json/json-value.ts";
import { orAborted } from "../or-aborted.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { FixContext, Fixer, InputIssue, JsonValue, Repair, RepairLimits } from "../types.ts";

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
 * A fixer that throws, takes too long or returns what is no JSON is passed over and named in
 * `failures`.
 *
 * @param start The input, what the schema has against it, and the repairs made so far.
 * @param fixers The fixers, in order.
 * @param schema The tool's schema.
 * @param context What the fixers are told, but for issues and signal.
 * @param limits Time for a fixer and depth of what it returns.
 * @param signal Aborts the fixer that is running.
 */
export async function runFixers(
  start: FixerState,
  fixers: readonly Fixer[],
  schema: CompiledSchema,
  context: Omit<FixContext, "issues" | "signal">,
  limits: RepairLimits,
  signal?: AbortSignal,
): Promise<FixerOutcome> {
  const failures: Error[] = [];
  let best = start;
  for (const [index, fixer] of fixers.entries()) {
    const name = fixer.name || `fixer ${index + 1}`;
    signal?.throwIfAborted();
    const fixed = await attempt(fixer, name, best, context, limits, signal);
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

/** Fixers that return an error tell of it; boxing the value keeps the two apart. */
async function attempt(
  fixer: Fixer,
  name: string,
  state: FixerState,
  context: Omit<FixContext, "issues" | "signal">,
  limits: RepairLimits,
  signal: AbortSignal | undefined,
): Promise<{ value: JsonValue } | Error | undefined> {
  // AbortSignal.timeout would let a process with nothing else to do end before the time is up.
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), limits.fixerTimeoutMs);
  const either = signal === undefined ? clock.signal : AbortSignal.any([clock.signal, signal]);
  try {
    const input = structuredClone(state.value);
    const work = fixer(input, { ...context, issues: state.issues, signal: either });
    const value = await (work instanceof Promise ? orAborted(work, either) : work);
    if (value === undefined) return undefined;
    const reason = whyNotJson(value, limits.maxDepth);
    return reason === undefined ? { value } : fixerError(`${name} returned no JSON: ${reason}`);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = clock.signal.aborted ? `took longer than ${limits.fixerTimeoutMs} ms` : "threw";
    return fixerError(`${name} ${reason}`, error);
  } finally {
    clearTimeout(timer);
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
