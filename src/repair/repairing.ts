// The stages of the pipeline that are loaded with the first faulty input or tool's name.

import {
  alignToolInput,
  NO_HINTS,
  NOT_ALIGNED,
  type NotAligned,
} from "./align/align-tool-input.ts";
import type { AlignRequest } from "./align/types.ts";
import { bareTextOf } from "./align/written-values.ts";
import { CannotWait, runLimited, type Steps, TimedOut } from "./drive.ts";
import { allowsEdit, allowsMore } from "./edit-switches.ts";
import { cutText, FIXER_ERROR, withHints } from "./errors.ts";
import { getAt, parsePointer, toPointer } from "./json/json-pointer.ts";
import { jsonEquals, showValue, TOO_LONG, whyNotJson } from "./json/json-value.ts";
import { Budget, limitIssue, OverLimit } from "./limits.ts";
import { type InputOptions, policyFor, type RepairPolicy } from "./policy.ts";
import { roundedNumbers, writtenNumbersOf } from "./read/numbers.ts";
import { isContainer } from "./read/parse-exactly.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import type { Accepted, Refusal, RepairSuccess } from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import { describeSchema, NOT_A_FIELD, showReceived } from "./schema/describe.ts";
import { copySchema } from "./schema/keywords.ts";
import { findUndeclared } from "./schema/node.ts";
import {
  type FixContext,
  type Fixer,
  type FixerInput,
  type InputIssue,
  ISSUE,
  type JsonValue,
  type Repair,
  type ToolLike,
} from "./types.ts";

export { repairToolName } from "./align/repair-tool-name.ts";
export { reportCall, reportCorrection } from "./events/report.ts";
export { explain } from "./explain.ts";

/** An input, and what is known of it before any repair. */
export interface GivenInput {
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: InputOptions;
  /** The input; if `isParsed`, its text's JSON value, `undefined` if the text is no JSON. */
  readonly value: unknown;
  readonly isParsed: boolean;
  /** The schema's verdict on the value; `undefined` if it was not asked. */
  readonly validation: Validation | undefined;
}

/** The repair of one input. */
interface Run extends GivenInput {
  readonly policy: RepairPolicy;
  readonly budget: Budget;
}

/** An input between two changes. */
interface State {
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  readonly issues: readonly InputIssue[];
}

/**
 * Repairs a faulty input: read → validate → fixers → align, then the policy for undeclared keys. An
 * accepted input is here for its undeclared keys alone.
 */
export function* repairFaultyInput(
  given: GivenInput,
  accepted: Accepted | undefined,
): Steps<RepairSuccess | Refusal> {
  const { raw, tool, schema, options } = given;
  const policy = policyFor(tool, options);
  const budget = new Budget(policy.limits);
  const run: Run = { ...given, policy, budget };
  let issues = given.validation?.ok === false ? given.validation.issues : [];
  try {
    if (accepted !== undefined) return yield* applyUndeclaredPolicy(accepted, run);
    options.signal?.throwIfAborted();

    // Text becomes a value.
    const read = readAsAllowed(run);
    if (!read.ok) return { ok: false, issues: [read.issue], limit: read.limit };
    const { value, repairs } = read;
    budget.look();

    // The schema checks the value, and the text too if it does not say its type.
    const known = value === given.value ? given.validation : undefined;
    const validation = known ?? (yield* validate(value, run));
    let found = validation.ok ? accept(value, validation, repairs) : undefined;
    if (!validation.ok) {
      ({ issues } = validation);
      if (validation.limit) return { ok: false, issues, limit: validation.limit };
      if (schema.isOpen && typeof raw === "string") {
        const asText = yield* validate(raw, run);
        if (asText.ok) found = accept(raw, asText, []);
      }
    }

    // Fixers, then the edits: on the fixers' result, or else on their input.
    if (found === undefined) {
      const over = limitIssue(value, policy.limits);
      if (over !== undefined) return { ok: false, issues: [over.issue], limit: over.limit };
      const start = { value, repairs, issues };
      const truncated = read.truncated === true;
      const fixed = yield* runFixers(start, run, truncated, (one) => validate(one, run));
      const aligned = fixed.ok ? fixed : yield* alignStates(fixed, start, run, read);
      if (!aligned.ok) {
        const failure = fixed.ok ? undefined : causeOf(fixed.failures);
        const cause = failure ?? (validation.ok ? undefined : validation.cause);
        return refuse(aligned, start, run, cause);
      }
      found = aligned;
    }
    const rounded = roundedNumbers(found.toolInput, read.numbers());
    if (rounded.length > 0) return { ok: false, issues: rounded };

    // Keys that the tool would ignore.
    return yield* applyUndeclaredPolicy(found, run);
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    return { ok: false, issues: [...issues, error.issue], limit: error.limit };
  }
}

function accept(
  toolInput: JsonValue,
  { parsed }: Pick<Accepted, "parsed">,
  repairs: readonly Repair[],
): Accepted {
  return { ok: true, toolInput, parsed, repairs };
}

function validate(value: JsonValue, { schema, policy, budget }: Run): Steps<Validation> {
  return budget.wait(schema.validate(value, policy.limits.maxSteps));
}

/** An input that was read. */
type Read = Extract<ReadToolInput, { ok: true }>;

/** Reads what the model wrote as JSON, as far as the level and the switches of single edits allow. */
function readAsAllowed(run: Run): ReadToolInput {
  const { raw, schema, policy, budget, options } = run;
  const { truncated, parsed } = options;
  const exact = run.isParsed ? { value: run.value as JsonValue | undefined } : undefined;
  if (typeof raw === "string") budget.step(raw.length >> 6);
  const about = { truncated, parsed, exact, step: () => budget.step(1) };
  const read = readToolInput(raw, schema, policy, about);
  const forbidden = (one: Read) => one.repairs.find((made) => !allowsEdit(policy, made));
  if (read.ok && !read.unread) {
    const edit = forbidden(read);
    if (edit === undefined) return read;
    const message = `not JSON as it stands, and "${edit.fixer}" is switched off (option edits)`;
    return { ok: false, issue: { path: "", code: ISSUE.notJson, message } };
  }
  if (policy.level === "eager" || !allowsMore(policy)) return read;
  const further = readToolInput(raw, schema, { ...policy, level: "eager" }, about);
  return further.ok && !further.unread && forbidden(further) === undefined ? further : read;
}

/** Schema-driven repair of the fixers' result, or else of their input. */
function* alignStates(
  fixed: State,
  start: State,
  run: Run,
  read: Read,
): Steps<Accepted | NotAligned> {
  if (read.truncated || read.unread || read.mustFit || read.hasTwinKeys()) return NOT_ALIGNED;
  const { raw, policy, options } = run;
  const isToolCall = options.isToolCall === true || options.toolCall !== undefined;
  const about = {
    spellings: () => read.numbers().spellings,
    undeclared: { allow: allowedKeys(policy), drops: policy.undeclaredKeys !== "refuse" },
    bareText: bareTextOf(raw, read.value, isToolCall, options.parsed === true),
  };
  const first = jsonEquals(fixed.value, start.value) ? start : fixed;
  const found = yield* align(first, run, about);
  return found.ok || first === start ? found : yield* align(start, run, about);
}

/** Schema-driven repair. Over a limit, the input is refused, even if the schema accepts it. */
function* align(
  { value, issues, repairs }: State,
  { raw, tool, schema, policy, budget }: Run,
  more: Partial<AlignRequest>,
): Steps<Accepted | NotAligned> {
  const toolDescription = tool.description;
  const spellings = () => writtenNumbersOf(raw).spellings;
  const about = { ...policy, schema, budget, toolDescription, spellings, ...more };
  const given = raw === undefined && value === null ? undefined : value;
  const found = yield* alignToolInput({ ...about, value: given, issues });
  if (found.ok) return accept(found.value, found, [...repairs, ...found.repairs]);
  return found;
}

/** Explains why an input is refused that neither fixers nor edits could repair. */
function refuse(
  { reason, hints, candidates }: NotAligned,
  start: State,
  { raw, schema }: Run,
  cause: unknown,
): Refusal {
  if (raw === undefined) {
    const wanted = { expected: describeSchema(schema.jsonSchema), received: "nothing" };
    const message = "no arguments were given";
    return { ok: false, issues: [{ path: "", message, code: ISSUE.nothing, ...wanted }], cause };
  }
  const which = candidates && candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  const whyNot = reason === "ambiguous" ? [{ path: "", code: ISSUE.ambiguous, message }] : [];
  const issues = [...start.issues, ...whyNot];
  const hinted = () => [...withHints(start.issues, start.value, hints()), ...whyNot];
  return { ok: false, issues, hinted, cause, candidates };
}

/** The result of the registered fixers. */
type FixerOutcome =
  | Accepted
  | (State & { readonly ok: false; readonly failures: readonly Error[] });

/**
 * Runs a tool's registered fixers, each on a copy of the best input so far, until a result is
 * accepted. One that is still rejected is the next fixer's input if it is no worse: the whole has a
 * better type, or the same quality with no more issues. A fixer that throws, takes too long or
 * returns no JSON is skipped and named in `failures`.
 */
function* runFixers(
  start: State,
  run: Run,
  truncated: boolean,
  judge: (value: JsonValue) => Steps<Validation>,
): Steps<FixerOutcome> {
  const { options, policy } = run;
  const { fixersTimeoutMs } = policy.limits;
  const failures: Error[] = [];
  const deadline = performance.now() + (fixersTimeoutMs || Number.POSITIVE_INFINITY);
  let best = start;
  for (const [index, fixer] of policy.fixers.entries()) {
    const name = cutText(String(fixer.name), MAX_NAME) || `fixer ${index + 1}`;
    options.signal?.throwIfAborted();
    const left = deadline - performance.now();
    if (left <= 0) {
      const which = `${name} and those after it were not run: all`;
      failures.push(fixerError(`${which} took longer than ${fixersTimeoutMs} ms`));
      break;
    }
    let value: JsonValue | undefined;
    try {
      value = yield* attempt(fixer, name, best, { run, truncated, left });
    } catch (error) {
      if (!isFixerError(error)) throw error;
      failures.push(error);
      options.tried?.push({ step: "fixer", says: error.message });
      continue;
    }
    const did = value === undefined ? "leaves it alone" : `makes it ${showValue(value, 300)}`;
    options.tried?.push({ step: "fixer", says: `${name} ${did}` });
    if (value === undefined || jsonEquals(value, best.value)) continue;
    const change = { path: "", before: best.value, after: value };
    const repairs = [...best.repairs, { fixer: name, ...change, level: "strict" as const }];
    const validation = yield* judge(value);
    if (validation.ok) return accept(value, validation, repairs);
    const next = { value, repairs, issues: validation.issues };
    if (isNoWorse(next, best)) best = next;
  }
  return { ok: false, ...best, failures };
}

/** The most characters of a fixer's name in a message. */
const MAX_NAME = 80;

/** Runs one fixer on a copy, and copies its result: the validated value is the one that runs. */
function* attempt(
  fixer: Fixer,
  name: string,
  { value, issues }: State,
  { run, truncated, left }: { readonly run: Run; truncated: boolean; left: number },
): Steps<JsonValue | undefined> {
  const { fixerTimeoutMs, fixersTimeoutMs } = run.policy.limits;
  const { signal } = run.options;
  const each = fixerTimeoutMs || Number.POSITIVE_INFINITY;
  const work = (either: AbortSignal) =>
    fixer(structuredClone(value) as FixerInput, contextFor(run, issues, truncated, either));
  let returned: JsonValue | undefined;
  try {
    returned = yield* run.budget.wait(runLimited(work, Math.min(each, left), signal));
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CannotWait) throw error;
    if (!(error instanceof TimedOut)) throw fixerError(`${name} threw`, error);
    const [limit, whose] = each <= left ? [each, ""] : [fixersTimeoutMs, "with all others "];
    throw fixerError(`${name} ${whose}took longer than ${limit} ms`, error);
  }
  return returned === undefined ? undefined : copyReturned(returned, name, run.policy);
}

/** A fixer's context: copies of its own, made when they are read. */
function contextFor(
  { raw, tool, schema, options }: Run,
  issues: readonly InputIssue[],
  truncated: boolean,
  signal: AbortSignal,
): FixContext {
  const { action, toolCall } = options;
  return {
    toolName: tool.name,
    tool,
    issues: issues.map((issue) => ({ ...issue })),
    truncated,
    signal,
    ...(action && { action }),
    ...(toolCall && { toolCall }),
    get jsonSchema() {
      return copySchema(schema.jsonSchema);
    },
    get rawToolInput() {
      return structuredClone(raw as JsonValue | undefined);
    },
  };
}

/** Copies what a fixer returned, if that is JSON: a getter of it may throw. */
function copyReturned(returned: JsonValue, name: string, { limits }: RepairPolicy): JsonValue {
  const { maxDepth, maxLength } = limits;
  let reason: string | undefined;
  try {
    reason = whyNotJson(returned, maxDepth, maxLength);
    if (reason === undefined) return structuredClone(returned);
  } catch (error) {
    throw fixerError(`${name} returned no JSON: it cannot be copied`, error);
  }
  throw reason === TOO_LONG
    ? fixerError(`${name} returned a value ${new OverLimit("maxLength", maxLength).message}`)
    : fixerError(`${name} returned no JSON: ${reason}`);
}

function isNoWorse(next: State, best: State): boolean {
  // An issue with the whole input hides the issues with its parts.
  const isWhole = ({ issues }: State) => issues.some(({ path }) => path === "");
  return isWhole(next) === isWhole(best) ? next.issues.length <= best.issues.length : isWhole(best);
}

/**
 * Names the fixer that failed. The error that it threw is the cause, and stays out of the message:
 * messages reach models, and foreign errors may hold anything.
 */
function fixerError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: FIXER_ERROR });
}

function isFixerError(error: unknown): error is Error {
  return error instanceof Error && error.name === FIXER_ERROR;
}

/** The most failed fixers that a message names. */
const MAX_NAMED = 5;

function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const named = failures.slice(0, MAX_NAMED).map(({ message }) => message);
  if (failures.length > MAX_NAMED) named.push(`and ${failures.length - MAX_NAMED} more`);
  return Object.assign(new AggregateError(failures, named.join("; ")), { name: FIXER_ERROR });
}

/** More undeclared keys than this are no misspellings. */
const MAX_EDITED = 10_000;

/**
 * Applies the policy for undeclared keys to an accepted input: tries the fixers, then the edits of
 * keys. If nothing applies, the input is returned by reference.
 */
function* applyUndeclaredPolicy(accepted: Accepted, run: Run): Steps<RepairSuccess | Refusal> {
  const { policy } = run;
  let best = withUndeclared(accepted, run);
  if (best.undeclared.length === 0) return best;
  let hints = NO_HINTS;
  const isJson = whyNotJson(accepted.toolInput, policy.limits.maxDepth) === undefined;
  if (policy.undeclaredKeys !== "leave" && isJson) {
    best = yield* fixUndeclared(best, run);
    const { length } = best.undeclared;
    if (length > 0 && length <= MAX_EDITED) {
      const strays = new Set(best.undeclared);
      const undeclared = { allow: allowedKeys(policy), drops: false, strays };
      const found = yield* align(stateOf(best), run, { undeclared });
      if (found.ok) best = withUndeclared(found, run);
      else ({ hints } = found);
    }
  }
  if (policy.undeclaredKeys !== "refuse" || best.undeclared.length === 0) return best;
  const { value, issues } = stateOf(best);
  return { ok: false, issues, hinted: () => withHints(issues, value, hints()) };
}

/**
 * Runs the fixers as if the schema forbade the keys. Their result counts if it has no more
 * undeclared keys than before, and every value at a declared key is unchanged.
 */
function* fixUndeclared(given: RepairSuccess, run: Run): Steps<RepairSuccess> {
  if (run.policy.fixers.length === 0) return given;
  const fixed = yield* runFixers(stateOf(given), run, false, function* (value) {
    const validation = yield* validate(value, run);
    if (!validation.ok) return validation;
    const left = withUndeclared(accept(value, validation, []), run);
    return left.undeclared.length === 0 ? validation : { ok: false, issues: stateOf(left).issues };
  });
  const value = fixed.ok ? fixed.toolInput : fixed.value;
  if (jsonEquals(value, given.toolInput) || !keepsDeclared(value, given)) return given;

  // A value that a fixer moved to its key may still be wrong there: `"5"` for a number.
  const validation = fixed.ok ? fixed : yield* validate(value, run);
  const { repairs } = fixed;
  const ready = validation.ok
    ? accept(value, validation, repairs)
    : yield* align({ value, repairs, issues: validation.issues }, run, {});
  const left = ready.ok ? withUndeclared(ready, run) : given;
  return left.undeclared.length > given.undeclared.length ? given : left;
}

function withUndeclared(accepted: Accepted, { schema, policy }: Run): RepairSuccess {
  const allowed = allowedKeys(policy);
  const found = findUndeclared(accepted.toolInput, schema.jsonSchema, accepted.parsed);
  const isAllowed = (path: string) => allowed.has(parsePointer(path).at(-1) ?? "");
  return { ...accepted, undeclared: found.filter((path) => !isAllowed(path)) };
}

/** The names that a policy treats as declared. */
function allowedKeys({ undeclaredKeys }: RepairPolicy): ReadonlySet<string> {
  return new Set(typeof undeclaredKeys === "object" ? undeclaredKeys.allow : []);
}

/** The input as if the schema forbade its undeclared keys. */
function stateOf({ toolInput: value, undeclared, repairs }: RepairSuccess): State {
  const issues = undeclared.map((path) => ({
    path,
    message: NOT_A_FIELD,
    code: "undeclared",
    received: showReceived(getAt(value, path)),
  }));
  return { value, repairs, issues };
}

/** Whether all values at declared keys are unchanged: only undeclared ones moved. */
function keepsDeclared(fixed: JsonValue, { toolInput, undeclared }: RepairSuccess): boolean {
  const moved = new Set(undeclared);
  const keeps = (before: JsonValue, after: JsonValue | undefined, path: string): boolean => {
    if (moved.has(path)) return true;
    if (!isContainer(before) || !isContainer(after)) return jsonEquals(before, after);
    if (Array.isArray(before) !== Array.isArray(after)) return false;
    if (Array.isArray(before) && before.length !== Object.keys(after).length) return false;
    return Object.entries(before).every(([key, child]) => {
      const step = toPointer([key]);
      return keeps(child, getAt(after, step), path + step);
    });
  };
  return keeps(toolInput, fixed, "");
}
