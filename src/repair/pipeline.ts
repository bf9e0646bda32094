import { drive, notLoaded, runLimited, type Steps, TimedOut } from "./drive.ts";
import { copyError, ToolInputError, toCausingData } from "./errors.ts";
import { emitCall } from "./events/emit.ts";
import type { CallOutcome } from "./events/report.ts";
import { isJsonObject, jsonEquals, showValue, typeName } from "./json/json-value.ts";
import { Budget, limitIssue, OverLimit, overLimit } from "./limits.ts";
import { loadRepair, type RepairCode } from "./load.ts";
import {
  type InputOptions,
  limitsOf,
  type NoHandler,
  type NotRegistry,
  type PolicyOptions,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  type ResolveOptions,
} from "./policy.ts";
import { isContainer, parseExactly } from "./read/parse-exactly.ts";
import {
  type Accepted,
  type Faults,
  type Refusal,
  type RepairResult,
  type RepairSuccess,
  type Resolution,
  unfixableHandler,
} from "./result.ts";
import { type CompiledSchema, compileSchema, type Validation } from "./schema/compile-schema.ts";
import { NOT_A_FIELD } from "./schema/describe.ts";
import { findUndeclared } from "./schema/node.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonValue,
  type Repair,
  type ToolInput,
  type ToolLike,
  type ToolOutput,
} from "./types.ts";
import { checkOptions, checkTool, NO_OPTIONS } from "./usage.ts";

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
  options: InputOptions,
  call: Pick<CallOutcome, "callId" | "nameRepair"> = {},
): Steps<RepairResult> {
  const result = yield* repairSteps(raw, tool, options);
  yield emitCall({ raw, tool, resolution: toResolution(result), ...call }, options);
  const shown = result.microseconds === undefined ? result : withoutFaults(result);
  if (!options.explain) return shown;
  const code: RepairCode = yield loadRepair();
  const repair = (changes: PolicyOptions) => repairSteps(raw, tool, { ...options, ...changes });
  const steps = yield* code.explain(shown, { raw, fixers: options.fixers, repair });
  return { ...shown, steps };
}

function withoutFaults({ faults: _, microseconds: __, ...shown }: RepairResult & Faults) {
  return shown;
}

/** Repairs an untyped input without an event: the caller reports the call. */
export async function repairInput(
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Promise<RepairResult & Faults> {
  return drive(repairSteps(raw, tool, options));
}

/** An input, and what is known of it before any repair. */
interface Given {
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

function* repairSteps(
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Steps<RepairResult & Faults> {
  const schema = compileSchema(tool.schema);
  const parsed = parseGiven(raw, schema, options);
  const { value, mayAsk } = parsed;
  const validation: Validation | undefined =
    options.checked ??
    (mayAsk ? yield schema.validate(value, limitsOf(options).maxSteps) : undefined);
  const accepted = validation?.ok ? accept(value as JsonValue, validation.parsed, []) : undefined;
  if (accepted !== undefined && !hasUndeclared(accepted, schema)) {
    return { ...accepted, undeclared: [] };
  }

  const given: Given = { raw, tool, schema, options, ...parsed, validation };
  const begun = performance.now();
  const outcome = yield* repairFaulty(given, accepted);
  const microseconds = Math.round((performance.now() - begun) * 1000);
  return outcome.ok
    ? { ...outcome, faults: faultsOf(given, outcome), microseconds }
    : { ok: false, error: toError(outcome, given), repairs: [], microseconds };
}

/**
 * Returns the input as given, or the value of plain JSON text, and whether the schema can check it.
 * A valid input needs no more than that.
 */
function parseGiven(
  raw: unknown,
  schema: CompiledSchema,
  options: InputOptions,
): Pick<Given, "value" | "isParsed"> & { readonly mayAsk: boolean } {
  const { truncated, parsed, checked, signal } = options;
  const isText = typeof raw === "string" && !schema.takesString;
  if (!isText || parsed || checked !== undefined) {
    return { value: raw, isParsed: false, mayAsk: !truncated && (!isText || schema.isOpen) };
  }
  signal?.throwIfAborted();
  if (truncated || raw.length > limitsOf(options).maxLength) {
    return { value: raw, isParsed: false, mayAsk: false };
  }
  const value = parseExactly(raw.trim());
  return { value, isParsed: true, mayAsk: isContainer(value) && !MAY_LOSE_DIGITS.test(raw) };
}

/** Matches a number that may have more digits than a double holds. */
const MAY_LOSE_DIGITS = /\d[\d._]{15}|\d[eE]/;

/**
 * Repairs a faulty input: read → validate → fixers → align, then the policy for undeclared keys.
 */
function* repairFaulty(
  given: Given,
  accepted: Accepted | undefined,
): Steps<RepairSuccess | Refusal> {
  const { raw, tool, schema, options } = given;
  let issues = given.validation?.ok === false ? given.validation.issues : [];
  let code: RepairCode;
  try {
    code = yield loadRepair();
  } catch (cause) {
    const known = issues.filter((issue) => issue.code !== ISSUE.notLoaded);
    return { ok: false, issues: [...known, notLoaded()], cause };
  }
  const policy = policyFor(tool, options);
  const { maxSteps } = policy.limits;
  const budget = new Budget(policy.limits);
  const run = { raw, tool, schema, options, policy, budget };
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
      const validation = known ?? (yield* budget.wait(schema.validate(value, maxSteps)));
      if (validation.ok) found = accept(value, validation.parsed, repairs);
      else issues = validation.issues;
      if (!validation.ok && validation.limit) return { ok: false, issues, limit: validation.limit };
      if (found === undefined && schema.isOpen && typeof raw === "string") {
        const asText = yield* budget.wait(schema.validate(raw, maxSteps));
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
    if (found !== accepted && !hasUndeclared(found, schema)) return { ...found, undeclared: [] };
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

/** Whether a schema does not declare some key of an input that it accepts. */
function hasUndeclared(
  { toolInput, parsed }: Pick<Accepted, "toolInput" | "parsed">,
  { jsonSchema }: CompiledSchema,
): boolean {
  return findUndeclared(toolInput, jsonSchema, parsed).length > 0;
}

/** The faults of a repaired input: the schema's issues, if it was asked and rejects it. */
function faultsOf({ validation }: Given, { repairs }: RepairSuccess): readonly InputIssue[] {
  if (validation?.ok === false) return validation.issues;
  const [first] = repairs;
  if (first === undefined) return [];
  return validation === undefined
    ? [{ path: "", code: ISSUE.notJson, message: "is text that is not JSON as it stands" }]
    : [{ path: first.path, code: "undeclared_key", message: NOT_A_FIELD }];
}

function toError(refusal: Refusal, { raw, tool, schema, options }: Given): ToolInputError {
  const { issues, hinted, cause, candidates, limit } = refusal;
  return new ToolInputError({
    issues,
    hinted,
    cause,
    candidates,
    limit,
    toolName: tool.name,
    causingData: toCausingData(raw),
    action: options.action,
    toolCall: options.toolCall,
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
  const { onUnfixable } = options;
  if (first.ok || onUnfixable === undefined) return toResolution(first);
  const { error, microseconds } = first;
  const refuse = (changes: Parameters<typeof copyError>[1]) =>
    toResolution({ ...first, error: copyError(error, changes) });

  const handle = unfixableHandler(onUnfixable);
  const ask = () => handle?.(error, structuredClone(error.causingData), error.action);
  let answer: JsonValue | undefined;
  try {
    answer = yield runLimited(ask, limitsOf(options).handlerTimeoutMs, options.signal);
  } catch (cause) {
    if (!(cause instanceof TimedOut)) throw cause;
    const limit = { name: "handlerTimeoutMs" as const, value: cause.timeoutMs };
    return refuse({ reason: "handler_timeout", limit, cause });
  }
  if (answer === undefined || answer === null) return toResolution(first);
  if (typeof answer === "string") {
    return { kind: "observation", text: answer, error, microseconds };
  }

  const reject = (what: string, cause: ToolInputError) => {
    const message = `onUnfixable returned ${what}`;
    const issues = [...error.issues, { path: "", code: ISSUE.badCorrection, message }];
    return refuse({ issues, cause, reason: undefined, candidates: undefined, limit: undefined });
  };
  const correction = copyAnswer(answer);
  // The length of a list is not meant as an input: `(error) => errors.push(error)`.
  const isInput =
    isJsonObject(correction) ||
    (correction !== undefined && (yield compileSchema(tool.schema).validate(correction)).ok);
  if (!isInput) {
    const what = `the ${typeName(answer)} ${showValue(answer)}`;
    return reject(`what is not an input of this tool: ${what}`, error);
  }
  const { truncated: _, checked: __, ...whole } = options;
  const second = yield* repairSteps(correction, tool, whole);
  if (!second.ok) return reject("an input that was rejected, too", second.error);
  const { faults: ___, ...corrected } = second;
  const before = raw as JsonValue | undefined;
  const change = { path: "", before, after: correction as JsonValue };
  const repair: Repair = { fixer: "onUnfixable", ...change, level: "strict" };
  const repairs = [repair, ...second.repairs];
  return { kind: "run", ...corrected, repairs, corrects: error, microseconds };
}

function toResolution(result: RepairResult & Faults): Resolution {
  return result.ok ? { kind: "run", ...result } : { kind: "refused", ...result };
}

/** A copy, so that the validated value is the one that runs; `undefined` if it cannot be copied. */
function copyAnswer(answer: JsonValue): JsonValue | undefined {
  try {
    return structuredClone(answer);
  } catch {
    return undefined;
  }
}
