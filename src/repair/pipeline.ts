import {
  alignToolInput,
  NO_HINTS,
  NOT_ALIGNED,
  type NotAligned,
} from "./align/align-tool-input.ts";
import { bareTextOf } from "./align/bare-text.ts";
import { isRespelling } from "./align/edits/tables.ts";
import { runLimited, type Steps, TimedOut } from "./drive.ts";
import { allowsEdit, allowsMore } from "./edit-switches.ts";
import {
  FIXER_ERROR,
  ToolInputError,
  type ToolInputErrorFields,
  toCausingData,
  withHints,
} from "./errors.ts";
import { soundCause } from "./foreign.ts";
import {
  copyJson,
  cutText,
  getAt,
  isContainer,
  jsonEquals,
  parseExactly,
  parsePointer,
  showValue,
  toPointer,
  whyNotJson,
} from "./json.ts";
import { Budget, limitIssue, OverLimit } from "./limits.ts";
import {
  type InputOptions,
  limitsOf,
  policyFor,
  type RepairPolicy,
} from "./policy.ts";
import { twinKeysIssue } from "./read/encoded.ts";
import {
  MAY_LOSE_DIGITS,
  roundedNumbers,
  writtenNumbersOf,
} from "./read/numbers.ts";
import { hasTwinKeys } from "./read/parse.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import { lostKeysIn } from "./respelled-keys.ts";
import type { AcceptedInput, RepairOutcome } from "./result.ts";
import {
  awaitSchema,
  type CompiledSchema,
  type Validation,
} from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/in-words.ts";
import { findUndeclared } from "./schema/node.ts";
import { copySchema } from "./schema/part.ts";
import {
  NOT_A_FIELD,
  UNDECLARED_CODE,
  undeclaredIssue,
} from "./schema/validate.ts";
import {
  type FixContext,
  type Fixer,
  type FixerInput,
  type InputIssue,
  ISSUE,
  type JsonValue,
  type ReachedLimit,
  type Repair,
  type RepairLimits,
  type ToolLike,
} from "./types.ts";
import { warnProcess } from "./usage.ts";

/**
 * The way of an input. A valid one whose keys are declared ends here, as most
 * do.
 */
export function* repairSteps(
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Steps<RepairOutcome> {
  options.signal?.throwIfAborted();
  const schema = yield* awaitSchema(tool.schema);
  const exact = parsedExactly(raw, schema, options);
  const value = exact === undefined ? raw : exact.value;
  const written: WrittenInput = { raw, tool, schema, options, exact, value };
  const validation: Validation | undefined = mayBeValid(written)
    ? yield schema.validate(value, limitsOf(options).maxSteps)
    : undefined;
  if (validation?.ok) {
    const { parsed } = validation;
    const toolInput = value as JsonValue;
    const undeclared = findUndeclared(toolInput, schema.jsonSchema, parsed);
    if (undeclared.length === 0)
      return { ok: true, toolInput, parsed, repairs: [], undeclared };
  }
  return yield* repairFaultyInput({ ...written, validation });
}

/**
 * Parses text unchanged. Text that was parsed before or cut off, and text for a
 * string, is no JSON.
 */
function parsedExactly(
  raw: unknown,
  schema: CompiledSchema,
  options: InputOptions,
): WrittenInput["exact"] {
  if (!standsForJson(raw, schema)) return undefined;
  if (options.parsed || options.truncated) return undefined;
  if (raw.length > limitsOf(options).maxLength) return undefined;
  return { value: parseExactly(raw.trim()) };
}

function standsForJson(raw: unknown, schema: CompiledSchema): raw is string {
  return typeof raw === "string" && !schema.takesString;
}

/**
 * Whether the schema is asked before anything else: the input is a value
 * already, or JSON to the digit.
 */
function mayBeValid({
  raw,
  schema,
  options,
  exact,
  value,
}: WrittenInput): boolean {
  if (options.truncated) return false;
  if (exact !== undefined)
    return isContainer(value) && !MAY_LOSE_DIGITS.test(String(raw));
  if (!standsForJson(raw, schema)) return true;
  return options.parsed === true && schema.isOpen;
}

/** An input as it was written. */
interface WrittenInput {
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: InputOptions;
  /**
   * What `JSON.parse` makes of its text; `undefined` if it is not to be parsed.
   */
  readonly exact: { readonly value: JsonValue | undefined } | undefined;
  /** The input, or its text's value. */
  readonly value: unknown;
}

/** An input, and what is known of it before any repair. */
interface GivenInput extends WrittenInput {
  /** The schema's verdict on the value; `undefined` if it was not asked. */
  readonly validation: Validation | undefined;
}

/** The repair of one input. */
interface RepairRun extends GivenInput {
  readonly policy: RepairPolicy;
  readonly budget: Budget;
  /** The names that count as declared. */
  readonly allow: ReadonlySet<string>;
  /** What went wrong with fixers. */
  readonly failures: Error[];
  /** The input, once it is read, and the schema's issues with it. */
  read: InputAsRead | undefined;
  issues: readonly InputIssue[];
}

type InputAsRead = Extract<ReadToolInput, { ok: true }>;

/**
 * A value between two changes: accepted, perhaps with undeclared keys, or
 * rejected.
 */
type Draft = AcceptedInput | RejectedDraft;

type RejectedDraft = Extract<Validation, { ok: false }> &
  Pick<AcceptedInput, "toolInput" | "repairs">;

/** Why an input is rejected, before it becomes an error. */
type InputRejection = { readonly ok: false } & Omit<
  ToolInputErrorFields,
  "toolName" | "causingData"
>;

/** Repairs an input that is not valid, or has undeclared keys. */
function* repairFaultyInput(input: GivenInput): Steps<RepairOutcome> {
  const { raw, tool, schema, options, validation } = input;
  const begun = performance.now();
  const policy = policyFor(tool, options);
  const { limits, undeclaredKeys } = policy;
  const run: RepairRun = {
    ...input,
    policy,
    budget: new Budget(limits),
    allow: new Set(
      typeof undeclaredKeys === "object" ? undeclaredKeys.allow : [],
    ),
    failures: [],
    read: undefined,
    issues: rejectionOf(validation) ?? [],
  };
  let outcome: AcceptedInput | InputRejection;
  try {
    outcome = yield* repair(run);
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    outcome = rejection([...run.issues, error.issue], error.limit);
  }
  const microseconds = Math.round((performance.now() - begun) * 1000);
  if (outcome.ok) {
    const changed = outcome.repairs
      .slice(0, 1)
      .map((first) => faultBehind(first, validation));
    const faults = rejectionOf(validation) ?? changed;
    return { ...outcome, faults, microseconds };
  }
  const { ok, ...why } = outcome;
  const error = new ToolInputError({
    ...why,
    toolName: tool.name,
    causingData: toCausingData(raw),
    action: options.action,
    toolCall: options.toolCall,
    jsonSchema: schema.jsonSchema,
  });
  return { ok, error, repairs: [], microseconds };
}

/** The issues of a value that the schema rejected. */
function rejectionOf(
  validation: Validation | undefined,
): readonly InputIssue[] | undefined {
  return validation?.ok === false ? validation.issues : undefined;
}

function rejection(
  issues: readonly InputIssue[],
  limit?: ReachedLimit | undefined,
): InputRejection {
  return { ok: false, issues, limit };
}

/**
 * What was wrong with an input that the schema accepted or was not asked about,
 * by its first repair.
 */
function faultBehind(
  { path, fixer }: Repair,
  validation: Validation | undefined,
): InputIssue {
  if (validation !== undefined)
    return { path, code: UNDECLARED_CODE, message: NOT_A_FIELD };
  if (fixer === "parse-json") {
    return {
      path: "",
      code: "json_as_text",
      message: "is text that holds the input as JSON",
    };
  }
  return {
    path: "",
    code: ISSUE.notJson,
    message: "is text that is not JSON as it stands",
  };
}

/** Read → validate → fixers → align, then the policy for undeclared keys. */
function* repair(run: RepairRun): Steps<AcceptedInput | InputRejection> {
  const { value, validation } = run;
  if (validation?.ok) {
    const accepted = accept(value as JsonValue, validation.parsed, [], run);
    return yield* applyUndeclaredPolicy(accepted, run);
  }

  // Text becomes a value.
  const read = readAsAllowed(run);
  if (!read.ok) return rejection([withExpected(read.issue, run)], read.limit);
  run.read = read;
  run.budget.look();

  // The schema checks the value; fixers and edits repair what it rejects.
  const draft = yield* judgeRead(read, run);
  const accepted = draft.ok ? draft : yield* repairRejected(draft, read, run);
  if (!accepted.ok) return accepted;
  const doubts = doubtsAbout(accepted, read);
  if (doubts.length > 0) return rejection(doubts);

  // Keys that the tool would ignore.
  const applied = yield* applyUndeclaredPolicy(accepted, run);
  if (!applied.ok || applied.repairs.length === 0) return applied;
  const lost = lostKeysIn(applied, run.schema.jsonSchema);
  if (lost.length > 0) return rejection([...run.issues, ...lost]);
  return applied;
}

/**
 * What speaks against an input that the schema accepts: undeclared keys, if it
 * was read with doubts, or numbers that lost digits.
 */
function doubtsAbout(
  accepted: AcceptedInput,
  read: InputAsRead,
): readonly InputIssue[] {
  const isUnsure = read.mustFit || read.truncated;
  if (isUnsure && accepted.undeclared.length > 0) return issuesOf(accepted);
  return roundedNumbers(accepted.toolInput, read.numbers());
}

/**
 * Asks the schema about what was read, and about the text too if it does not
 * say its type.
 */
function* judgeRead(read: InputAsRead, run: RepairRun): Steps<Draft> {
  const { raw, schema } = run;
  const draft = yield* judge(read.value, read.repairs, run);
  if (draft.ok) return draft;
  run.issues = draft.issues;
  if (draft.limit || !schema.isOpen) return draft;
  if (typeof raw !== "string") return draft;
  const asText = yield* judge(raw, [], run);
  if (asText.ok) return asText;
  return draft;
}

/**
 * Runs the fixers, then the edits: on the fixers' result, or else on their
 * input.
 */
function* repairRejected(
  draft: RejectedDraft,
  read: InputAsRead,
  run: RepairRun,
): Steps<AcceptedInput | InputRejection> {
  if (draft.limit) return rejection(draft.issues, draft.limit);
  const over = limitIssue(read.value, run.policy.limits);
  if (over !== undefined) return rejection([over.issue], over.limit);
  if (!read.unread && hasTwins(run)) return rejectTwins(draft, run);
  const fixed = yield* runFixers(draft, run);
  if (fixed.ok) return fixed;
  if (read.unread || read.mustFit) return rejectInput(NOT_ALIGNED, draft, run);
  const aligned = yield* align(fixed, run);
  if (aligned.ok) return aligned;
  if (fixed === draft) return rejectInput(aligned, draft, run);
  const unfixed = yield* align(draft, run);
  if (unfixed.ok) return unfixed;
  return rejectInput(unfixed, draft, run);
}

/**
 * Reads what the model wrote as JSON, as far as the level and the switches of
 * single edits allow.
 */
function readAsAllowed(run: RepairRun): ReadToolInput {
  const { raw, policy, budget } = run;
  if (typeof raw === "string") budget.step(raw.length >> 6);
  const read = readAt(policy.level, run);
  if (isRead(read) || !allowsMore(policy)) return read;
  const further = readAt("eager", run);
  return isRead(further) ? further : read;
}

/** Reads with the edits of a level; fails if one of them is switched off. */
function readAt(level: RepairPolicy["level"], run: RepairRun): ReadToolInput {
  const { raw, exact, schema, policy, budget, options } = run;
  const { truncated, parsed } = options;
  const facts = { truncated, parsed, exact, step: () => budget.step(1) };
  const read = readToolInput(raw, schema, { ...policy, level }, facts);
  if (!read.ok) return read;
  const edit = read.repairs.find((change) => !allowsEdit(policy, change));
  if (edit === undefined) return read;
  const message = `not JSON as it stands, and "${edit.fixer}" is switched off (option edits)`;
  return { ok: false, issue: { path: "", code: ISSUE.notJson, message } };
}

function isRead(read: ReadToolInput): boolean {
  return read.ok && !read.unread;
}

/**
 * Whether JSON text has one key twice, with different values. An input that the
 * schema accepts runs as LangChain runs it, with the last; once anything must
 * be repaired, which one was meant is unknown.
 */
function hasTwins({ read, raw, value }: RepairRun): boolean {
  if (read !== undefined) return read.hasTwinKeys();
  return typeof raw === "string" && hasTwinKeys(raw, value as JsonValue);
}

function rejectTwins(
  { issues }: RejectedDraft,
  run: RepairRun,
): InputRejection {
  const issue = withExpected(twinKeysIssue(String(run.raw)), run);
  return rejection([...issues, issue]);
}

/** An issue with a place in a text says what the arguments should be, too. */
function withExpected(issue: InputIssue, { schema }: RepairRun): InputIssue {
  if (issue.line === undefined) return issue;
  return { ...issue, expected: describeSchema(schema.jsonSchema) };
}

/** Asks the schema about a value, unless it is the one that was asked about. */
function* judge(
  toolInput: JsonValue,
  repairs: readonly Repair[],
  run: RepairRun,
): Steps<Draft> {
  const { value, schema, policy, budget } = run;
  const known = toolInput === value ? run.validation : undefined;
  const verdict =
    known ??
    (yield* budget.wait(schema.validate(toolInput, policy.limits.maxSteps)));
  if (verdict.ok) return accept(toolInput, verdict.parsed, repairs, run);
  return { ...verdict, toolInput, repairs };
}

function accept(
  toolInput: JsonValue,
  parsed: unknown,
  repairs: readonly Repair[],
  { schema, allow }: RepairRun,
): AcceptedInput {
  const undeclared = findUndeclared(
    toolInput,
    schema.jsonSchema,
    parsed,
  ).filter((path) => !allow.has(parsePointer(path).at(-1) ?? ""));
  return { ok: true, toolInput, parsed, repairs, undeclared };
}

/**
 * The issues with a value; with an accepted one, as if the schema forbade its
 * undeclared keys.
 */
function issuesOf(draft: Draft): readonly InputIssue[] {
  if (!draft.ok) return draft.issues;
  return draft.undeclared.map((path) => undeclaredIssue(draft.toolInput, path));
}

/**
 * Schema-driven repair, of undeclared keys alone if they are given. Over a
 * limit, the input is rejected, even if the schema accepts it.
 */
function* align(
  draft: Draft,
  run: RepairRun,
  ignoredPaths?: ReadonlySet<string>,
): Steps<AcceptedInput | NotAligned> {
  const { raw, tool, schema, options, policy, budget, allow, read } = run;
  const isToolCall =
    options.isToolCall === true || options.toolCall !== undefined;
  const drops =
    ignoredPaths === undefined && policy.undeclaredKeys !== "refuse";
  // A repaired input shares no part with the model's, which a history may hold:
  // tools change inputs.
  const value =
    typeof raw === "string" ? draft.toolInput : copyJson(draft.toolInput);
  const result = yield* alignToolInput({
    ...policy,
    schema,
    budget,
    toolDescription: tool.description,
    value: raw === undefined && value === null ? undefined : value,
    issues: issuesOf(draft),
    spellings: () => (read?.numbers() ?? writtenNumbersOf(raw)).spellings,
    bareText: bareTextOf(
      raw,
      read?.value ?? draft.toolInput,
      isToolCall,
      options.parsed === true,
    ),
    undeclared: { allow, drops, ignoredPaths },
    onObjection: options.onObjection,
  });
  if (!result.ok) return result;
  if (read?.mustKeepForm && !result.repairs.every(isRespelling))
    return NOT_ALIGNED;
  return accept(
    result.value,
    result.parsed,
    [...draft.repairs, ...result.repairs],
    run,
  );
}

/**
 * Explains why an input is rejected that neither fixers nor edits could repair.
 */
function rejectInput(
  aligned: NotAligned,
  draft: RejectedDraft,
  run: RepairRun,
): InputRejection {
  const { read, raw } = run;
  const cause = causeOf(run.failures) ?? draft.cause;
  if (read?.issue !== undefined) {
    // what is wrong with the text says more than that the schema wants no text
    const isMeant = read.mustKeepForm && !read.truncated;
    const issues = isMeant ? draft.issues : [];
    return { ...rejection([...issues, withExpected(read.issue, run)]), cause };
  }
  if (raw === undefined) return { ...rejection([noArguments(run)]), cause };
  const { hints, candidates } = aligned;
  const whyNot = aligned.reason === "ambiguous" ? [ambiguity(candidates)] : [];
  const hinted = () => [
    ...withHints(draft.issues, draft.toolInput, hints()),
    ...whyNot,
  ];
  const issues = [...draft.issues, ...whyNot];
  return { ok: false, issues, hinted, cause, candidates };
}

function noArguments({ schema }: RepairRun): InputIssue {
  return {
    path: "",
    message: "no arguments were given",
    code: ISSUE.nothing,
    expected: describeSchema(schema.jsonSchema),
    received: "nothing",
  };
}

/** The issue with an input that fits the schema after several repairs. */
function ambiguity(candidates: readonly string[] = []): InputIssue {
  const which = candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  return { path: "", code: ISSUE.ambiguous, message };
}

/**
 * Runs a tool's registered fixers, each on a copy of the best value so far,
 * until the schema accepts one (and, if it accepted the first, nothing
 * undeclared is left). A fixer that throws, takes too long or returns no JSON
 * is skipped. Its error stays out of the message, which models may read.
 */
function* runFixers(start: Draft, run: RepairRun): Steps<Draft> {
  const { signal } = run.options;
  let best = start;
  for (const [index, fixer] of run.policy.fixers.entries()) {
    const name = cutText(String(fixer.name), 80) || `fixer ${index + 1}`;
    signal?.throwIfAborted();
    const result = yield* runFixer(fixer, best, run);
    recordFixer(name, result, run);
    const { after } = result;
    const { toolInput: before, repairs } = best;
    if (after === undefined || jsonEquals(after, before)) continue;
    const repair: Repair = {
      fixer: name,
      path: "",
      before,
      after,
      level: "strict",
    };
    const next = yield* judge(after, [...repairs, repair], run);
    if (isDone(start, next)) return next;
    if (isNoWorse(issuesOf(next), issuesOf(best))) best = next;
  }
  return best;
}

/** Whether no further fixer is needed. */
function isDone(start: Draft, next: Draft): boolean {
  if (!next.ok) return false;
  return !start.ok || next.undeclared.length === 0;
}

/** Keeps what a fixer did, and its failure, unless the run was aborted. */
function recordFixer(
  name: string,
  { did, failure }: FixerResult,
  run: RepairRun,
): void {
  const { signal, tried } = run.options;
  if (failure !== undefined) {
    signal?.throwIfAborted();
    const error = new Error(`${name} ${did}`, failure);
    run.failures.push(Object.assign(error, { name: FIXER_ERROR }));
    warnOfFailure(name, run.tool.name);
  }
  tried?.push(`${name} ${did}`);
}

/** By tool and name: the functions may be new in each request. */
const warnedFixers = new Set<string>();

/**
 * Warns, once for each fixer of a tool, that it failed: where an edit repairs
 * the input after all, nothing else tells. What went wrong may hold an input,
 * and stays in the error.
 */
function warnOfFailure(name: string, toolName: string): void {
  const key = `${toolName} ${name}`;
  if (warnedFixers.has(key)) return;
  warnedFixers.add(key);
  warnProcess(
    `The fixer ${name} of "${toolName}" threw, or returned no JSON. Is it called, as renameKey must be?`,
    "TOOLMEND_FIXER_FAILED",
  );
}

/** What a fixer did: the value that it made, or why it made no value. */
interface FixerResult {
  readonly did: string;
  readonly after?: JsonValue;
  /** What it threw, or what is wrong with what it returned. */
  readonly failure?: { readonly cause: unknown };
}

function* runFixer(
  fixer: Fixer,
  best: Draft,
  run: RepairRun,
): Steps<FixerResult> {
  const { options, policy, budget } = run;
  const work = (signal: AbortSignal) =>
    fixer(
      structuredClone(best.toolInput) as FixerInput,
      contextFor(best, run, signal),
    );
  try {
    const limited = runLimited(
      work,
      policy.limits.fixerTimeoutMs,
      options.signal,
    );
    const returned = yield* budget.wait(limited);
    options.signal?.throwIfAborted();
    return copyReturned(returned, policy.limits);
  } catch (thrown) {
    const cause = soundCause(thrown);
    return {
      did: cause instanceof TimedOut ? cause.message : "threw",
      failure: { cause },
    };
  }
}

/** Copies what a fixer returned: the validated value is the one that runs. */
function copyReturned(returned: unknown, limits: RepairLimits): FixerResult {
  if (returned === undefined) return { did: "leaves it alone" };
  const why = whyNotJson(returned, limits.maxDepth, limits.maxLength);
  if (why !== undefined) return noJson(why);
  let copy: unknown;
  try {
    copy = structuredClone(returned);
  } catch (thrown) {
    return noJson("it cannot be copied", thrown);
  }
  // A getter may have returned another value for it, and a list may have keys.
  const whyCopy = whyNotJson(copy, limits.maxDepth, limits.maxLength);
  if (whyCopy !== undefined) return noJson(whyCopy);
  const after = JSON.parse(JSON.stringify(copy)) as JsonValue;
  return { did: `makes it ${showValue(after, 300)}`, after };
}

function noJson(why: string, thrown?: unknown): FixerResult {
  const did = `returned no JSON that can run: ${why}`;
  const cause = thrown === undefined ? new TypeError(did) : soundCause(thrown);
  return { did, failure: { cause } };
}

/** A fixer's context: copies of its own. */
function contextFor(
  best: Draft,
  run: RepairRun,
  signal: AbortSignal,
): FixContext {
  const { raw, tool, schema, read } = run;
  const { action, toolCall } = run.options;
  return {
    toolName: tool.name,
    tool,
    issues: issuesOf(best).map((issue) => ({ ...issue })),
    truncated: read?.truncated === true,
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

/** An issue with the whole input hides the issues with its parts. */
function isNoWorse(
  next: readonly InputIssue[],
  best: readonly InputIssue[],
): boolean {
  const isWhole = (issues: readonly InputIssue[]) =>
    issues.some(({ path }) => path === "");
  if (isWhole(next) !== isWhole(best)) return isWhole(best);
  return next.length <= best.length;
}

/** Names the failed fixers, or the first of many. */
function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const more = failures.length > 5 ? [`and ${failures.length - 5} more`] : [];
  const messages = [
    ...failures.slice(0, 5).map(({ message }) => message),
    ...more,
  ];
  return Object.assign(new AggregateError(failures, messages.join("; ")), {
    name: FIXER_ERROR,
  });
}

/** More undeclared keys than this are no misspellings. */
const MAX_EDITED = 10_000;

/**
 * Applies the policy for undeclared keys to an accepted input: tries the
 * fixers, as if the schema forbade the keys, then the edits of keys. If nothing
 * applies, it returns the input by reference.
 */
function* applyUndeclaredPolicy(
  accepted: AcceptedInput,
  run: RepairRun,
): Steps<AcceptedInput | InputRejection> {
  const { undeclaredKeys, limits } = run.policy;
  if (accepted.undeclared.length === 0) return accepted;
  if (undeclaredKeys === "leave") return accepted;
  const mayRepair =
    !hasTwins(run) &&
    whyNotJson(accepted.toolInput, limits.maxDepth) === undefined;
  const { best, hints } = mayRepair
    ? yield* repairUndeclared(accepted, run)
    : { best: accepted, hints: NO_HINTS };
  if (undeclaredKeys !== "refuse") return best;
  const issues = issuesOf(best);
  if (issues.length === 0) return best;
  const hinted = () => withHints(issues, best.toolInput, hints());
  return { ok: false, issues, hinted };
}

/**
 * An accepted input with fewer undeclared keys, and what those that are left
 * probably mean.
 */
interface WithFewerUndeclared extends Pick<NotAligned, "hints"> {
  readonly best: AcceptedInput;
}

function* repairUndeclared(
  accepted: AcceptedInput,
  run: RepairRun,
): Steps<WithFewerUndeclared> {
  const best = yield* fixUndeclared(accepted, run);
  const { length } = best.undeclared;
  if (length === 0 || length > MAX_EDITED) return { best, hints: NO_HINTS };
  const aligned = yield* align(best, run, new Set(best.undeclared));
  return aligned.ok
    ? { best: aligned, hints: NO_HINTS }
    : { best, hints: aligned.hints };
}

/**
 * Runs the fixers on an accepted input. Their result counts if they moved
 * undeclared keys alone.
 */
function* fixUndeclared(
  accepted: AcceptedInput,
  run: RepairRun,
): Steps<AcceptedInput> {
  const fixed = yield* runFixers(accepted, run);
  if (fixed === accepted) return accepted;
  const moved = new Set(accepted.undeclared);
  if (!keepsDeclared(accepted.toolInput, fixed.toolInput, moved))
    return accepted;
  // A value that a fixer moved to its key may still be wrong there: `"5"` for a
  // number.
  const ready = fixed.ok ? fixed : yield* align(fixed, run);
  if (!ready.ok) return accepted;
  if (ready.undeclared.length > moved.size) return accepted;
  return ready;
}

/**
 * Whether all values at declared keys are unchanged: only undeclared ones
 * moved.
 */
function keepsDeclared(
  before: JsonValue,
  after: JsonValue | undefined,
  moved: ReadonlySet<string>,
  path = "",
): boolean {
  if (moved.has(path)) return true;
  if (!isContainer(before) || !isContainer(after))
    return jsonEquals(before, after);
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  if (Array.isArray(before) && before.length !== Object.keys(after).length)
    return false;
  return Object.entries(before).every(([key, child]) => {
    const step = toPointer([key]);
    return keepsDeclared(child, getAt(after, step), moved, path + step);
  });
}
