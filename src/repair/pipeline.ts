import { drive, notLoaded, runLimited, type Steps, TimedOut } from "./drive.ts";
import { copyError, ToolInputError, toCausingData } from "./errors.ts";
import { emitCall } from "./events/emit.ts";
import type { CallOutcome } from "./events/report.ts";
import { isJsonObject, showValue, typeName } from "./json/json-value.ts";
import { loadRepair, type RepairCode } from "./load.ts";
import {
  type CommonOptions,
  type InputOptions,
  limitsOf,
  type NoHandler,
  type NotRegistry,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  type ResolveOptions,
} from "./policy.ts";
import { isContainer, parseExactly } from "./read/parse-exactly.ts";
import type { GivenInput } from "./repairing.ts";
import {
  type Accepted,
  type ExplainedStep,
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
  options: RepairOptions & NotRegistry & NoHandler = {},
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
  const fixers: ExplainedStep[] = [];
  const result = yield* repairSteps(raw, tool, { ...options, tried: fixers });
  yield emitCall({ raw, tool, resolution: toResolution(result), ...call }, options);
  const shown = result.microseconds === undefined ? result : withoutFaults(result);
  if (!options.explain) return shown;
  const code: RepairCode = yield loadRepair();
  const repair = (changes: CommonOptions) => repairSteps(raw, tool, { ...options, ...changes });
  const about = { raw, fixers, policy: policyFor(tool, options), repair };
  const steps = yield* code.explain(shown, about);
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

function* repairSteps(
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Steps<RepairResult & Faults> {
  const schema = compileSchema(tool.schema);
  const { value, isParsed, mayAsk } = parseGiven(raw, schema, options);
  const validation: Validation | undefined = mayAsk
    ? yield schema.validate(value, limitsOf(options).maxSteps)
    : undefined;
  let accepted: Accepted | undefined;
  if (validation?.ok) {
    const { parsed } = validation;
    accepted = { ok: true, toolInput: value as JsonValue, parsed, repairs: [] };
    const isDeclared = findUndeclared(accepted.toolInput, schema.jsonSchema, parsed).length === 0;
    if (isDeclared) return { ...accepted, undeclared: [] };
  }
  const given: GivenInput = { raw, tool, schema, options, value, isParsed, validation };
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
): Pick<GivenInput, "value" | "isParsed"> & { readonly mayAsk: boolean } {
  const { truncated, parsed } = options;
  const isText = typeof raw === "string" && !schema.takesString;
  if (!isText || parsed) {
    return { value: raw, isParsed: false, mayAsk: !truncated && (!isText || schema.isOpen) };
  }
  options.signal?.throwIfAborted();
  if (truncated || raw.length > limitsOf(options).maxLength) {
    return { value: raw, isParsed: false, mayAsk: false };
  }
  const value = parseExactly(raw.trim());
  return { value, isParsed: true, mayAsk: isContainer(value) && !MAY_LOSE_DIGITS.test(raw) };
}

/** Matches a number that may have more digits than a double holds. */
const MAY_LOSE_DIGITS = /\d[\d._]{15}|\d[eE]/;

/** Repairs an input that is not valid, or has undeclared keys. */
function* repairFaulty(
  given: GivenInput,
  accepted: Accepted | undefined,
): Steps<RepairSuccess | Refusal> {
  let code: RepairCode;
  try {
    code = yield loadRepair();
  } catch (cause) {
    const issues = given.validation?.ok === false ? given.validation.issues : [];
    return { ok: false, issues: [...issues, notLoaded()], cause };
  }
  return yield* code.repairFaultyInput(given, accepted);
}

/** The faults of a repaired input: the schema's issues, if it was asked and rejects it. */
function faultsOf(
  { validation }: GivenInput,
  { repairs: [first] }: RepairSuccess,
): readonly InputIssue[] {
  if (validation?.ok === false) return validation.issues;
  if (first === undefined) return [];
  return validation === undefined
    ? [{ path: "", code: ISSUE.notJson, message: "is text that is not JSON as it stands" }]
    : [{ path: first.path, code: "undeclared_key", message: NOT_A_FIELD }];
}

function toError(
  { ok: _, ...why }: Refusal,
  { raw, tool, schema, options }: GivenInput,
): ToolInputError {
  return new ToolInputError({
    ...why,
    toolName: tool.name,
    causingData: toCausingData(raw),
    action: options.action,
    toolCall: options.toolCall,
    jsonSchema: schema.jsonSchema,
  });
}

/**
 * Repairs a tool's input and, if that fails, asks `onUnfixable`. Makes no promise unless a schema, a
 * fixer or the handler does. All wrappers use it, and report the call themselves (`emitCall`),
 * because only they know every change.
 */
export function resolveToolInput(
  raw: unknown,
  tool: ToolLike,
  options: ResolveOptions = {},
): Resolution | Promise<Resolution> {
  return drive(resolveSteps(raw, tool, options));
}

function* resolveSteps(raw: unknown, tool: ToolLike, options: ResolveOptions): Steps<Resolution> {
  const first = yield* repairSteps(raw, tool, options);
  if (first.ok || options.onUnfixable === undefined) return toResolution(first);
  const { error, microseconds } = first;
  const refuse = (changes: Parameters<typeof copyError>[1]) =>
    toResolution({ ...first, error: copyError(error, changes) });

  const handle = unfixableHandler(options.onUnfixable);
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
  // A copy, so that the validated value is the one that runs.
  let after: JsonValue | undefined;
  try {
    after = structuredClone(answer);
  } catch {
    // It is no JSON: the type of the answer says what it is.
  }
  // The length of a list is not meant as an input: `(error) => errors.push(error)`.
  const isInput =
    isJsonObject(after) ||
    (after !== undefined && (yield compileSchema(tool.schema).validate(after)).ok);
  if (after === undefined || !isInput) {
    const what = `the ${typeName(answer)} ${showValue(answer)}`;
    return reject(`what is not an input of this tool: ${what}`, error);
  }
  const second = yield* repairSteps(after, tool, { ...options, truncated: false });
  if (!second.ok) return reject("an input that was rejected, too", second.error);
  const { faults: _, ...corrected } = second;
  const before = raw as JsonValue | undefined;
  const repair: Repair = { fixer: "onUnfixable", path: "", before, after, level: "strict" };
  const repairs = [repair, ...second.repairs];
  return { kind: "run", ...corrected, repairs, corrects: error, microseconds };
}

function toResolution(result: RepairResult & Faults): Resolution {
  return result.ok ? { kind: "run", ...result } : { kind: "refused", ...result };
}
