import { drive, runLimited, type Steps, TimedOut } from "./drive.ts";
import { allowsEdit, LEVELS } from "./edit-switches.ts";
import { copyError, ToolInputError, toCausingData, wrongUse } from "./errors.ts";
import { emitCall } from "./events/emit.ts";
import type { CallOutcome } from "./events/report.ts";
import { isContainer, isJsonObject, parseExactly, showValue, typeName } from "./json.ts";
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
  toRegistry,
} from "./policy.ts";
import type {
  ExplainedStep,
  OnUnfixable,
  RepairFailure,
  RepairOutcome,
  RepairResult,
  RepairSuccess,
  Resolution,
  Unfixable,
} from "./result.ts";
import { compileSchema, type Validation } from "./schema/compile-schema.ts";
import { findUndeclared } from "./schema/node.ts";
import { orElse } from "./schema/part.ts";
import {
  ISSUE,
  type JsonValue,
  type NameRepair,
  type OtherToolName,
  type Repair,
  type RepairLevel,
  type ToolInput,
  type ToolLike,
  type ToolOutput,
} from "./types.ts";
import { anObject, checkOptions, checkTool, checkToolList, nameThing } from "./usage.ts";

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
  const result = await drive(reportedSteps(raw, tool, options), options.signal);
  return result as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
}

/** A tool call as a model makes it. `args` may be text or a parsed value. */
export interface RawToolCall {
  readonly name: string;
  readonly args?: unknown;
  readonly id?: string | undefined;
}

/** A repaired call of one tool. */
export interface RepairedToolCall<Tool extends ToolLike = ToolLike>
  extends RepairSuccess<ToolInput<Tool>, ToolOutput<Tool>> {
  readonly name: Tool["name"];
  readonly id?: string;
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
}

/** A repaired call, discriminated by the tool's name, or the error. */
export type ToolCallRepairResult<Tools extends readonly ToolLike[] = readonly ToolLike[]> =
  | RepairedCallOf<Tools[number]>
  | RepairFailure;

/** The tools whose name is a literal type. */
export type LiteralTool<Tool extends ToolLike> =
  Tool extends ToolLike<infer Name> ? (string extends Name ? never : Tool) : never;

/** Tools with a literal name have a member each; the others share one. */
type RepairedCallOf<Tool extends ToolLike, All extends ToolLike = Tool> =
  Tool extends LiteralTool<Tool>
    ? RepairedToolCall<Tool>
    : RepairedToolCall<ToolLike<[LiteralTool<All>] extends [never] ? string : OtherToolName>>;

/**
 * Repairs a tool call: the tool's name, then its input as `repairToolInput` does.
 *
 * @param call The call.
 * @param tools The tools that were offered.
 * @param options Fixers, level and limits.
 * @returns The call to run with every change that was made, or the error. Never throws for a bad
 * call.
 * @throws TypeError for wrong use: something that is not a call or a list of tools, a schema of an
 * unknown kind, an unknown option, or an invalid value of an option.
 * @example
 * ```ts
 * const call = { name: "Click", args: '{"element": "#buy"}' };
 * const result = await repairToolCall(call, tools, { fixers });
 * if (result.ok) console.log(result.name, result.toolInput); // click { selector: '#buy' }
 * ```
 */
export async function repairToolCall<const Tools extends readonly ToolLike[]>(
  call: RawToolCall,
  tools: Tools,
  options: RepairOptions & NotRegistry & NoHandler = {},
): Promise<ToolCallRepairResult<Tools>> {
  const { name, args: raw, id } = Object(call) as RawToolCall;
  if (!anObject.isMet(call) || typeof name !== "string") {
    const named = `the name of this one is ${nameThing(name)}`;
    const what = anObject.isMet(call) ? named : `this is ${nameThing(call)}`;
    throw wrongUse(
      `repairToolCall(call, tools, options) needs a call { name, args, id? }; ${what}.`,
    );
  }
  checkToolList(tools, "repairToolCall(call, tools, options)");
  checkOptions(options, REPAIR_USAGE);
  const found = await findTool(name, tools, options);
  if (!found.ok) {
    const error = unknownToolError(name, raw, tools, { ...options, ...found });
    const resolution = { kind: "refused" as const, error };
    await emitCall({ raw, callId: id, tool: undefined, resolution }, options);
    return { ok: false, error, repairs: [] };
  }
  const { tool, nameRepair } = found;
  const asCall = { ...options, isToolCall: true };
  const steps = reportedSteps(raw, tool, asCall, { callId: id, nameRepair });
  const result = await drive(steps, options.signal);
  if (!result.ok) return result;
  const named = { ...(id !== undefined && { id }), ...(nameRepair && { nameRepair }) };
  return { ...result, name: tool.name, ...named } as ToolCallRepairResult<Tools>;
}

/** Repairs one input, with its event and its explanation. */
export function* reportedSteps(
  raw: unknown,
  tool: ToolLike,
  given: InputOptions,
  call: Pick<CallOutcome, "callId" | "nameRepair"> = {},
): Steps<RepairResult> {
  const options = { ...given, tried: [] as string[] };
  const outcome = yield* repairSteps(raw, tool, options);
  yield emitCall({ raw, tool, resolution: toResolution(outcome), ...call }, options);
  const { faults: _, microseconds: __, ...result } = outcome;
  if (!options.explain) return result;
  return { ...result, steps: yield* explain(result, raw, tool, options) };
}

/**
 * Explains a result step by step: the schema's verdict, what each fixer did, the edits, why the
 * input was refused, and which level would repair it.
 */
function* explain(
  result: RepairResult,
  raw: unknown,
  tool: ToolLike,
  options: InputOptions,
): Steps<readonly ExplainedStep[]> {
  const repairWith = (changes: CommonOptions) => repairSteps(raw, tool, { ...options, ...changes });
  const plain = { ...policyFor(tool, options), fixers: undefined };
  // At this level, without fixers and switches, only the schema is asked.
  const asWritten = yield* repairWith({ ...plain, level: "strict", edits: {} });
  const would: string[] = [];
  for (const level of result.ok ? [] : LEVELS) {
    const { ok, repairs } = yield* repairWith({ ...plain, level });
    const names = repairs.map(({ fixer }) => fixer).join(", ");
    if (ok && names !== "") would.push(`"${level}" would repair it, by ${names}`);
  }
  const say = (step: ExplainedStep["step"], ...lines: readonly string[]) =>
    lines.map((says) => ({ step, says }));
  const listed = (what: string, items: readonly string[] = []) =>
    items.length === 0 ? "" : `; ${what}: ${items.join(", ")}`;
  const accepts = asWritten.repairs.length === 0 ? "it as it is" : "what is read from it";
  const verdict = asWritten.ok
    ? asWritten.undeclared.map((path) => `${path} is not declared: the tool ignores it`)
    : asWritten.error.issues.map(({ path, message, expected, received }) => {
        const given = received === undefined ? "" : `, received ${received}`;
        return `${path || "the whole input"}: ${expected ? `expected ${expected}` : message}${given}`;
      });
  const edits = result.repairs.map(({ fixer, path, before, after, level, reason }) => {
    const change = `${showValue(before, 120)} → ${showValue(after, 120)}${reason ? `: ${reason}` : ""}`;
    return `${fixer} (${level}) at ${path || "the whole input"}: ${change}`;
  });
  const outcome = result.ok
    ? `runs with ${showValue(result.toolInput, 300)}${listed("not declared", result.undeclared)}`
    : `refused, ${result.error.reason}${listed("it could mean", result.error.candidates)}`;
  return [
    ...say("read", `the model wrote ${showValue(raw, 300)}`),
    ...say("schema", ...(asWritten.ok ? [`accepts ${accepts}`] : []), ...verdict),
    ...say("fixer", ...(options.tried ?? [])),
    ...say("edit", ...edits),
    ...say("level", ...would.slice(0, 1)),
    ...say("result", outcome),
  ];
}

/** The way of an input. A valid one whose keys are declared ends here, as most do. */
function* repairSteps(raw: unknown, tool: ToolLike, options: InputOptions): Steps<RepairOutcome> {
  options.signal?.throwIfAborted();
  const schema = compileSchema(tool.schema);
  const { truncated, parsed } = options;
  const isText = typeof raw === "string" && !schema.takesString;
  const mayParse = isText && !parsed && !truncated && raw.length <= limitsOf(options).maxLength;
  const exact = mayParse ? { value: parseExactly(raw.trim()) } : undefined;
  const value = exact ? exact.value : raw;
  const mayAsk = mayParse
    ? isContainer(value) && !MAY_LOSE_DIGITS.test(raw)
    : !truncated && (!isText || (parsed && schema.isOpen));
  const validation: Validation | undefined = mayAsk
    ? yield schema.validate(value, limitsOf(options).maxSteps)
    : undefined;
  if (validation?.ok) {
    const { parsed } = validation;
    const toolInput = value as JsonValue;
    const undeclared = findUndeclared(toolInput, schema.jsonSchema, parsed);
    if (undeclared.length === 0) return { ok: true, toolInput, parsed, repairs: [], undeclared };
  }
  const code: RepairCode = yield loadRepair();
  return yield* code.repairFaultyInput({ raw, tool, schema, options, exact, value, validation });
}

/** Matches a number that may have more digits than a double holds. */
const MAY_LOSE_DIGITS = /\d[\d._]{15}|\d[eE]/;

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
  return drive(resolveSteps(raw, tool, options), options.signal);
}

function* resolveSteps(raw: unknown, tool: ToolLike, options: ResolveOptions): Steps<Resolution> {
  const first = yield* repairSteps(raw, tool, options);
  const handle = unfixableHandler(options.onUnfixable);
  if (first.ok || handle === undefined) return toResolution(first);
  const { error, microseconds } = first;
  const refuse = (changes: Parameters<typeof copyError>[1]) =>
    toResolution({ ...first, error: copyError(error, changes) });

  const { handlerTimeoutMs: value } = limitsOf(options);
  const ask = () => handle(error, structuredClone(error.causingData), error.action);
  let answer: JsonValue | undefined;
  try {
    answer = yield runLimited(ask, value, options.signal);
  } catch (cause) {
    if (!(cause instanceof TimedOut)) throw cause;
    return refuse({ reason: "handler_timeout", limit: { name: "handlerTimeoutMs", value }, cause });
  }
  if (answer === undefined || answer === null) return toResolution(first);
  if (typeof answer === "string") return { kind: "observation", text: answer, error, microseconds };

  // A copy, so that the validated value is the one that runs. A value that is not JSON has none.
  const after = orElse<JsonValue | undefined>(() => structuredClone(answer), undefined);
  // The length of a list is not meant as an input: `(error) => errors.push(error)`.
  const isInput =
    isJsonObject(after) ||
    (after !== undefined && (yield compileSchema(tool.schema).validate(after)).ok);
  const changed = { ...options, truncated: false };
  const second = isInput ? yield* repairSteps(after, tool, changed) : undefined;
  if (second?.ok) {
    const { faults: _, ...corrected } = second;
    const before = raw as JsonValue | undefined;
    const repair: Repair = { fixer: "onUnfixable", path: "", before, after, level: "strict" };
    const repairs = [repair, ...second.repairs];
    return { kind: "run", ...corrected, repairs, corrects: error, microseconds };
  }
  const other = `what is not an input of this tool: the ${typeName(answer)} ${showValue(answer)}`;
  const message = `onUnfixable returned ${second ? "an input that was rejected, too" : other}`;
  const issues = [...error.issues, { path: "", code: ISSUE.badCorrection, message }];
  const cause = second?.error ?? error;
  return refuse({ issues, cause, reason: undefined, candidates: undefined, limit: undefined });
}

/** Returns the handler that a choice stands for. */
export function unfixableHandler(onUnfixable: Unfixable | undefined): OnUnfixable | undefined {
  return onUnfixable === "tellModel" ? (error) => error.toModelMessage() : onUnfixable;
}

function toResolution(result: RepairOutcome): Resolution {
  return result.ok ? { kind: "run", ...result } : { kind: "refused", ...result };
}

/** The tool that a name means, and how the name was changed; or what was probably meant. */
export type FoundTool<Tool extends ToolLike = ToolLike> =
  | { readonly ok: true; readonly tool: Tool; readonly nameRepair?: NameRepair }
  | { readonly ok: false; readonly didYouMean?: string | undefined };

/**
 * Finds the tool that a name means: the tool of that name, else the one registered for the name,
 * else the one that a repair of the name finds, if the level of that tool allows it.
 */
export async function findTool<Tool extends ToolLike>(
  name: string,
  tools: readonly Tool[],
  options: RepairOptions & { readonly caseIsFree?: boolean },
): Promise<FoundTool<Tool>> {
  const toolNamed = (wanted: string) => tools.find((tool) => tool.name === wanted);
  const exact = toolNamed(name);
  if (exact !== undefined) return { ok: true, tool: exact };
  const renamed = (tool: Tool, fixer: string, level: RepairLevel) =>
    ({ ok: true, tool, nameRepair: { fixer, before: name, after: tool.name, level } }) as const;
  const registered = options.fixers && toRegistry(options.fixers).toolNamed(name);
  if (registered !== undefined) {
    // A registered name means its tool, even if that tool is not offered: then no tool is found.
    const tool = toolNamed(registered);
    return tool ? renamed(tool, `renameTool(${name} → ${registered})`, "strict") : { ok: false };
  }
  const { repairToolName } = await loadRepair();
  const guess = repairToolName(name, toolNames(tools));
  if (!guess.ok) return guess;
  const { fixer } = guess;
  const tool = toolNamed(guess.name) as Tool;
  const isCase = tool.name.toLowerCase() === name.trim().toLowerCase();
  const level = options.caseIsFree && isCase ? "strict" : guess.level;
  return level === "strict" || allowsEdit(policyFor(tool, options), { fixer, level })
    ? renamed(tool, fixer, level)
    : { ok: false, didYouMean: tool.name };
}

/** Makes the error for a call of a tool that was not offered. */
export function unknownToolError(
  name: string,
  args: unknown,
  tools: readonly ToolLike[],
  about: Pick<RepairOptions, "action" | "toolCall"> & { readonly didYouMean?: string | undefined },
): ToolInputError {
  const { didYouMean, action, toolCall } = about;
  const list = toolNames(tools)
    .map((one) => showValue(one))
    .join(", ");
  const issue = {
    path: "",
    code: ISSUE.unknownTool,
    message: `there is no tool of that name; there are ${list || "none"}`,
    expected: list === "" ? "no tool call" : `one of ${list}`,
    received: showValue(name),
    ...(didYouMean !== undefined && { didYouMean: showValue(didYouMean) }),
  };
  const causingData = toCausingData(args);
  return new ToolInputError({ toolName: name, causingData, issues: [issue], action, toolCall });
}

/** The names of tools. A provider's own tool has none. */
function toolNames(tools: readonly ToolLike[]): readonly string[] {
  return tools.map(({ name }) => name).filter((name) => typeof name === "string");
}
