import { drive, notLoaded, runLimited, type Steps, TimedOut } from "./drive.ts";
import { ISSUE } from "./errors/refusal-reason.ts";
import { copyError, ToolInputError, toCausingData } from "./errors/tool-input-error.ts";
import { emitCall } from "./events/emit.ts";
import type { CallOutcome } from "./events/report.ts";
import { isJsonObject, jsonEquals, showValue, typeName } from "./json/json-value.ts";
import { Budget, limitIssue, OverLimit, overLimit } from "./limits.ts";
import { loadRepair, type RepairCode } from "./load.ts";
import {
  type CallInputOptions,
  limitsOf,
  type NoHandler,
  type NotRegistry,
  type PolicyOptions,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  type RepairRun,
  type RepairTask,
  type ResolveOptions,
  readOptions,
} from "./policy.ts";
import { isContainer, parseExactly } from "./read/parse-exactly.ts";
import {
  type Accepted,
  type Faults,
  type Refusal,
  type RepairResult,
  type RepairSuccess,
  type Resolution,
  toResolution,
  unfixableHandler,
  withoutFaults,
} from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import { compileSchema } from "./schema/compile-schema.ts";
import { NOT_A_FIELD } from "./schema/describe.ts";
import { findUndeclared } from "./schema/node.ts";
import type { InputIssue, JsonValue, Repair, ToolInput, ToolLike, ToolOutput } from "./types.ts";
import { checkOptions, checkTool } from "./usage.ts";

/**
 * Repairs a tool's input, or says why it cannot: parse → validate → registered fixers →
 * schema-driven repair. The tool's own schema validates each result. A valid input is returned
 * unchanged, by reference.
 *
 * @param raw What the model wrote: text, a parsed value, or `undefined` for no arguments.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits.
 * @returns The input to run with every change that was made, or the error. Never throws for a bad
 * input.
 * @throws TypeError for wrong use: something that is not a tool, a schema of an unknown kind, an
 * unknown option, or an invalid value of an option.
 * @throws The reason of `options.signal` if it is aborted.
 * @example
 * ```ts
 * const result = await repairToolInput('{"element": "#buy"}', click, { fixers });
 * if (result.ok) console.log(result.toolInput.selector); // #buy
 * else console.error(result.error.toModelMessage());
 * ```
 */
export async function repairToolInput<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions & NotRegistry & NoHandler = NO_OPTIONS,
): Promise<RepairResult<ToolInput<Tool>, ToolOutput<Tool>>> {
  checkTool(tool, "repairToolInput(raw, tool, options)");
  checkOptions(options, REPAIR_USAGE);
  const result = await drive(reportedSteps(raw, tool, options));
  return result as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
}

/** Repairs one input, with its event and its explanation. */
export function* reportedSteps(
  raw: unknown,
  tool: ToolLike,
  options: CallInputOptions,
  call: Pick<CallOutcome, "callId" | "nameRepair"> = {},
): Steps<RepairResult> {
  const result = yield* repairSteps(raw, tool, options);
  yield emitCall({ raw, tool, resolution: toResolution(result), ...call }, options);
  return yield* explainIfAsked(withoutFaults(result), raw, tool, options);
}

/** Adds the steps to a result if `explain` asks for them. */
function* explainIfAsked<Result extends RepairResult>(
  result: Result,
  raw: unknown,
  tool: ToolLike,
  options: CallInputOptions,
): Steps<Result> {
  if (!options.explain) return result;
  const code: RepairCode = yield loadRepair();
  const repair = (changes: PolicyOptions) => repairSteps(raw, tool, { ...options, ...changes });
  const steps = yield* code.explain(result, { raw, fixers: options.fixers, repair });
  return { ...result, steps };
}

/** One shared object, so that it is checked once. */
export const NO_OPTIONS: Readonly<Record<never, never>> = Object.freeze({});

/** Repairs an untyped input without an event: the caller reports the call. */
export async function repairInput(
  raw: unknown,
  tool: ToolLike,
  options: CallInputOptions,
): Promise<RepairResult & Faults> {
  return drive(repairSteps(raw, tool, options));
}

function* repairSteps(
  raw: unknown,
  tool: ToolLike,
  options: CallInputOptions,
): Steps<RepairResult & Faults> {
  const schema = compileSchema(tool.schema);
  const task: RepairTask = { raw, tool, schema, options };
  const { value, isParsed, mayAsk } = asGiven(task);
  const known = options.checked;
  const validation: Validation | undefined =
    known ?? (mayAsk ? yield schema.validate(value, limitsOf(options).maxSteps) : undefined);
  const given: Given = { value, isParsed, validation };
  const accepted = validation?.ok ? accept(value as JsonValue, validation.parsed, []) : undefined;
  if (accepted !== undefined && !hasUndeclared(accepted, schema)) {
    return { ...accepted, undeclared: [] };
  }
  const begun = performance.now();
  const outcome = yield* repairFaulty(task, given, accepted);
  const microseconds = Math.round((performance.now() - begun) * 1000);
  if (!outcome.ok) return { ok: false, error: toError(outcome, task), repairs: [], microseconds };
  const faults = validation?.ok === false ? validation.issues : unseenFaults(given, outcome);
  return { ...outcome, faults, microseconds };
}

/**
 * Repairs a faulty input: read → validate → fixers → align, then the policy for undeclared keys.
 */
function* repairFaulty(
  task: RepairTask,
  given: Given,
  accepted: Accepted | undefined,
): Steps<RepairSuccess | Refusal> {
  const { raw, tool, schema, options } = task;
  let issues = given.validation?.ok === false ? given.validation.issues : [];
  let code: RepairCode;
  try {
    code = yield loadRepair();
  } catch (cause) {
    const known = issues.filter((issue) => issue.code !== ISSUE.notLoaded);
    return { ok: false, issues: [...known, notLoaded()], cause };
  }
  const policy = policyFor(tool, options);
  const budget = new Budget(policy.limits);
  const run: RepairRun = { ...task, policy, budget };
  try {
    let found = accepted;
    if (found === undefined) {
      options.signal?.throwIfAborted();

      // Text becomes a value.
      const exact = given.isParsed ? { value: given.value as JsonValue | undefined } : undefined;
      const read = code.readAsAllowed(run, exact);
      if (!read.ok) return { ok: false, issues: [read.issue], limit: read.limit };
      budget.look();

      // The schema checks the value, and the text too if it does not say its type.
      const { value, repairs } = read;
      const known = value === given.value ? given.validation : undefined;
      const validation =
        known ?? (yield* budget.wait(schema.validate(value, policy.limits.maxSteps)));
      if (validation.ok) found = accept(value, validation.parsed, repairs);
      else issues = validation.issues;
      if (!validation.ok && validation.limit) return { ok: false, issues, limit: validation.limit };
      if (found === undefined && schema.isOpen && typeof raw === "string") {
        const asText = yield* budget.wait(schema.validate(raw, policy.limits.maxSteps));
        if (asText.ok) found = accept(raw, asText.parsed, []);
      }
      const over =
        found === undefined && !read.isJson ? limitIssue(value, policy.limits) : undefined;
      if (over !== undefined) return { ok: false, issues: [over.issue], limit: over.limit };

      // Fixers, then the edits: on the fixers' result, or else on their input.
      if (found === undefined) {
        const start = { value, repairs, issues };
        const fixed = yield* code.runFixers(start, run, read.truncated === true);
        const isSame = fixed.ok || jsonEquals(fixed.value, value);
        const aligned = fixed.ok
          ? accept(fixed.value, fixed.parsed, fixed.repairs)
          : yield* code.alignStates(isSame ? [start] : [fixed, start], run, read);
        if (!aligned.ok) return code.refuse(run, start, { fixed, aligned, validation });
        found = aligned;
      }
      const rounded = code.roundedNumbers(found.toolInput, read.numbers());
      if (rounded.length > 0) return { ok: false, issues: rounded };
    }

    // Keys that the tool would ignore.
    if (!hasUndeclared(found, schema)) return { ...found, undeclared: [] };
    return yield* code.applyUndeclaredPolicy(found, run);
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    const { limit } = error;
    return { ok: false, issues: [...issues, overLimit(limit)], limit };
  }
}

function accept(toolInput: JsonValue, parsed: unknown, repairs: readonly Repair[]): Accepted {
  return { ok: true, toolInput, parsed, repairs };
}

/** What is known of an input before any repair. */
interface Given {
  /** The input; if `isParsed`, its text's JSON value, `undefined` if the text is no JSON. */
  readonly value: unknown;
  readonly isParsed: boolean;
  /** The schema's verdict on the value; `undefined` if it was not asked. */
  readonly validation: Validation | undefined;
}

/**
 * Returns the input as given, or the value of plain JSON text, and whether the schema can check it.
 * A valid input needs no more than that.
 */
function asGiven({ raw, schema, options }: RepairTask): {
  readonly value: unknown;
  readonly isParsed: boolean;
  readonly mayAsk: boolean;
} {
  const { truncated, parsed, checked, signal } = options;
  const isText = typeof raw === "string" && !schema.takesString;
  if (checked !== undefined || !isText || parsed) {
    const mayAsk = !truncated && !(isText && !schema.isOpen);
    return { value: raw, isParsed: false, mayAsk };
  }
  if (truncated) return { value: raw, isParsed: false, mayAsk: false };
  signal?.throwIfAborted();
  if (raw.length > limitsOf(options).maxLength) {
    return { value: raw, isParsed: false, mayAsk: false };
  }
  const value = parseExactly(raw.trim());
  return { value, isParsed: true, mayAsk: isContainer(value) && !MAY_LOSE_DIGITS.test(raw) };
}

/** Matches a number that may have more digits than a double holds. */
const MAY_LOSE_DIGITS = /\d[\d._]{15}|\d[eE]/;

/** Whether a schema does not declare some key of an input that it accepts. */
function hasUndeclared(
  { toolInput, parsed }: Pick<Accepted, "toolInput" | "parsed">,
  { jsonSchema }: CompiledSchema,
): boolean {
  return findUndeclared(toolInput, jsonSchema, parsed).length > 0;
}

/** The faults of an input that no schema checked, or that it accepts. */
function unseenFaults({ validation }: Given, { repairs }: RepairSuccess): readonly InputIssue[] {
  const [first] = repairs;
  if (first === undefined) return [];
  return validation === undefined
    ? [{ path: "", code: ISSUE.notJson, message: "is text that is not JSON as it stands" }]
    : [{ path: first.path, code: "undeclared_key", message: NOT_A_FIELD }];
}

function toError(refusal: Refusal, { raw, tool, schema, options }: RepairTask): ToolInputError {
  const { issues, cause, candidates, limit } = refusal;
  const { action, toolCall } = options;
  return new ToolInputError({
    toolName: tool.name,
    causingData: toCausingData(raw),
    issues,
    action,
    toolCall,
    cause,
    candidates,
    limit,
    jsonSchema: schema.jsonSchema,
    verbose: tool.verboseParsingErrors,
  });
}

/** The verdict on an unchanged input. */
export interface ValidatedUnchanged {
  /** Whether the schema accepts it, and declares all its keys. */
  readonly accepted: boolean;
  /** The schema's verdict, if it was asked. */
  readonly checked?: Validation;
}

/** Checks whether an input is valid unchanged. Text that must be parsed first is not. */
export function validateUnchanged(
  raw: unknown,
  schema: CompiledSchema,
): ValidatedUnchanged | Promise<ValidatedUnchanged> {
  if (typeof raw === "string" && !schema.takesString && !schema.isOpen) return { accepted: false };
  const judge = (checked: Validation): ValidatedUnchanged => ({
    checked,
    accepted:
      checked.ok && !hasUndeclared({ toolInput: raw as JsonValue, parsed: checked.parsed }, schema),
  });
  const checked = schema.validate(raw);
  return checked instanceof Promise ? checked.then(judge) : judge(checked);
}

/**
 * Repairs a tool's input and, if that fails, asks `onUnfixable`. All wrappers use it, and report
 * the call themselves (`emitCall`), because only they know every change.
 */
export async function resolveToolInput(
  raw: unknown,
  tool: ToolLike,
  options: ResolveOptions = {},
): Promise<Resolution> {
  return drive(resolveSteps(raw, tool, options));
}

function* resolveSteps(raw: unknown, tool: ToolLike, options: ResolveOptions): Steps<Resolution> {
  const first = yield* repairSteps(raw, tool, options);
  if (first.ok) return toResolution(first);
  const { error, microseconds } = first;
  const about = { faults: error.issues, microseconds };
  const { policy, handler } = readOptions(options);
  const handle = unfixableHandler(handler);
  if (handle === undefined) return { kind: "refused", error, ...about };

  const { handlerTimeoutMs } = policyFor(tool, policy).limits;
  const ask = () => handle(error, structuredClone(error.causingData), options.action);
  let answer: JsonValue | undefined;
  try {
    answer = yield runLimited(ask, handlerTimeoutMs, options.signal);
  } catch (cause) {
    if (!(cause instanceof TimedOut)) throw cause;
    const limit = { name: "handlerTimeoutMs" as const, value: cause.timeoutMs };
    const late = copyError(error, { reason: "handler_timeout", limit, cause });
    return { kind: "refused", error: late, ...about };
  }
  if (answer === undefined || answer === null) return { kind: "refused", error, ...about };
  if (typeof answer === "string") return { kind: "observation", text: answer, error, ...about };

  const correction = cloneAnswer(answer);
  // The length of a list is not meant as an input: `(error) => errors.push(error)`.
  const isInput =
    isJsonObject(correction) || (correction !== undefined && (yield* isAccepted(correction, tool)));
  if (!isInput) return { kind: "refused", error: badCorrection(error, answer), ...about };
  const { truncated: _, checked: __, ...whole } = options;
  const second = yield* repairSteps(correction, tool, whole);
  if (!second.ok) {
    return { kind: "refused", error: copyError(second.error, { cause: error }), ...about };
  }
  const before = raw as JsonValue | undefined;
  const repair: Repair = {
    fixer: "onUnfixable",
    path: "",
    before,
    after: correction,
    level: "strict",
  };
  return {
    kind: "run",
    ...second,
    repairs: [repair, ...second.repairs],
    corrects: error,
    ...about,
  };
}

function* isAccepted(value: JsonValue, { schema }: ToolLike): Steps<boolean> {
  const validation: Validation = yield compileSchema(schema).validate(value);
  return validation.ok;
}

/** The first error, with the handler's mistake added. */
function badCorrection(error: ToolInputError, returned: JsonValue): ToolInputError {
  const what = `${typeName(returned)} ${showValue(returned)}`;
  const message = `onUnfixable returned what is not an input of this tool: the ${what}`;
  const issues = [...error.issues, { path: "", code: ISSUE.badCorrection, message }];
  const why = { reason: undefined, candidates: undefined, limit: undefined };
  return copyError(error, { issues, cause: error, ...why });
}

/** A copy, so that the validated value is the one that runs; `undefined` if it cannot be copied. */
function cloneAnswer(answer: JsonValue): JsonValue | undefined {
  try {
    return structuredClone(answer);
  } catch {
    return undefined;
  }
}
