import { repairToolName } from "./align/repair-tool-name.ts";
import { drive } from "./drive.ts";
import { allowsEdit } from "./edit-switches.ts";
import { ToolInputError, toCausingData } from "./errors.ts";
import { emitCall } from "./events/report.ts";
import { cutText, jsonEquals, parseExactly, showValue } from "./json.ts";
import {
  type ForTools,
  type InputOptions,
  type NoHandler,
  type NotRegistry,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  type ResolveOptions,
  toRegistry,
} from "./policy.ts";
import { hasTwinKeys } from "./read/parse.ts";
import { reportedSteps, resolveToolInput } from "./repair-tool-input.ts";
import type { RepairFailure, RepairSuccess, Resolution } from "./result.ts";
import {
  ISSUE,
  type JsonValue,
  type NameRepair,
  type OtherToolName,
  type Repair,
  type ToolInput,
  type ToolLike,
  type ToolOutput,
} from "./types.ts";
import {
  anObject,
  checkOptions,
  checkToolList,
  nameThing,
  warnOfFixerNames,
} from "./usage.ts";
import { isNoArguments } from "./words/vocabulary.ts";

/** A tool call as a model makes it. `args` may be text or a parsed value. */
interface RawToolCall {
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
export type ToolCallRepairResult<
  Tools extends readonly ToolLike[] = readonly ToolLike[],
> = RepairedCallOf<Tools[number]> | RepairFailure;

/** The tools whose name is a literal type. */
export type LiteralTool<Tool extends ToolLike> =
  Tool extends ToolLike<infer Name>
    ? string extends Name
      ? never
      : Tool
    : never;

/** Tools with a literal name have a member each; the others share one. */
type RepairedCallOf<Tool extends ToolLike, All extends ToolLike = Tool> =
  Tool extends LiteralTool<Tool>
    ? RepairedToolCall<Tool>
    : RepairedToolCall<
        ToolLike<[LiteralTool<All>] extends [never] ? string : OtherToolName>
      >;

/**
 * Repairs a tool call: the tool's name, then its input as `repairToolInput`
 * does. Arguments that stand in the name (`search{"query": "cats"}`) become the
 * input if the call has no other arguments.
 *
 * @param call The call.
 * @param tools The tools that were offered.
 * @param options Fixers, level and limits.
 * @returns The call to run with every change that was made, or the error. Never
 *   throws for a bad call.
 * @throws TypeError for wrong use: something that is not a call or a list of
 *   tools, a schema of an unknown kind, an unknown option, or an invalid value
 *   of an option.
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
  options: ForTools<RepairOptions, Tools> & NotRegistry & NoHandler = {},
): Promise<ToolCallRepairResult<Tools>> {
  const { name, args: raw, id } = Object(call) as RawToolCall;
  if (!anObject.isMet(call) || typeof name !== "string") {
    const named = `the name of this one is ${nameThing(name)}`;
    const what = anObject.isMet(call) ? named : `this is ${nameThing(call)}`;
    throw new TypeError(
      `repairToolCall(call, tools, options) needs a call { name, args, id? }; ${what}.`,
    );
  }
  checkHasArgs(call);
  checkToolList(tools, "repairToolCall(call, tools, options)");
  checkOptions(options, REPAIR_USAGE);
  const repairing = options as RepairOptions;
  // The offered tools may change with each call.
  warnOfFixerNames(repairing.fixers, tools);
  const plainCall = { name, args: raw, id };
  return repairFoundCall(
    findTool(plainCall, tools, repairing),
    plainCall,
    tools,
    repairing,
  );
}

/**
 * A call without arguments is one to a tool that needs none; other libraries
 * have them elsewhere.
 */
function checkHasArgs(call: RawToolCall): void {
  if ("args" in call) return;
  const other = ["arguments", "input", "function"].find((key) => key in call);
  if (other === undefined) return;
  const from =
    other === "function" ? "call.function.arguments" : `call.${other}`;
  throw new TypeError(
    `The call of repairToolCall has "${other}" and no "args": pass { name, args: ${from}, id }.`,
  );
}

/**
 * As `repairToolCall`, of a call, tools and options that are known to be right.
 *
 * @param match What `findTool` finds for the call.
 */
export async function repairFoundCall<const Tools extends readonly ToolLike[]>(
  match: FoundTool,
  { name, args: raw, id }: RawToolCall,
  tools: Tools,
  options: InputOptions,
): Promise<ToolCallRepairResult<Tools>> {
  if (!match.ok) {
    const error = unknownToolError(name, raw, tools, { ...options, ...match });
    const resolution = { kind: "refused" as const, error };
    await emitCall({ raw, callId: id, tool: undefined, resolution }, options);
    return { ok: false, error, repairs: [] };
  }
  const { tool, nameRepair, moved } = match;
  const asCall = { ...options, isToolCall: true };
  const facts = { callId: id, nameRepair, moved: moved?.repair };
  const steps = reportedSteps(moved?.input ?? raw, tool, asCall, facts);
  const result = await drive(steps, options.signal);
  if (!result.ok) return result;
  const named = {
    ...(id !== undefined && { id }),
    ...(nameRepair && { nameRepair }),
  };
  return {
    ...result,
    name: tool.name,
    ...named,
  } as ToolCallRepairResult<Tools>;
}

/**
 * The tool that a call means, and how the call was changed to name it; or what
 * is wrong with the name.
 */
export type FoundTool<Tool extends ToolLike = ToolLike> =
  | ToolOfCall<Tool>
  | NoToolOfCall;

export interface ToolOfCall<Tool extends ToolLike = ToolLike> {
  readonly ok: true;
  readonly tool: Tool;
  readonly nameRepair?: NameRepair;
  /**
   * The arguments, if they stood in the name; absent if they are those that
   * were given.
   */
  readonly moved?: MovedArguments;
}

/**
 * Resolves the input of a call: of arguments that stood in its tool's name, the
 * move is the first repair.
 */
export async function resolveFoundInput<Tool extends ToolLike>(
  raw: unknown,
  { tool, moved }: ToolOfCall<Tool>,
  options: ResolveOptions,
  resolve: ResolveInput<Tool> = resolveToolInput,
): Promise<Resolution> {
  if (moved === undefined) return resolve(raw, tool, options);
  const resolution = await resolve(moved.input, tool, {
    ...options,
    parsed: false,
  });
  if (resolution.kind !== "run") return resolution;
  return { ...resolution, repairs: [moved.repair, ...resolution.repairs] };
}

type ResolveInput<Tool> = (
  raw: unknown,
  tool: Tool,
  options: ResolveOptions,
) => Resolution | Promise<Resolution>;

interface NoToolOfCall {
  readonly ok: false;
  readonly didYouMean?: string | undefined;
  /**
   * What the name holds beside the name of `didYouMean`; absent if that is not
   * the fault.
   */
  readonly holds?: "more" | "other arguments";
}

/** Arguments that stood in the tool's name. */
interface MovedArguments {
  /** Their text, which is repaired in place of what was given. */
  readonly input: string;
  /** The first change of the input. */
  readonly repair: Repair;
}

/**
 * Finds the tool that a call means: the tool of that name, else the one
 * registered for the name, else the one that a repair of the name finds, if the
 * level of that tool allows it.
 */
export function findTool<Tool extends ToolLike>(
  { name, args }: RawToolCall,
  tools: readonly Tool[],
  options: RepairOptions & { readonly caseIsFree?: boolean },
): FoundTool<Tool> {
  const toolNamed = (wanted: string) =>
    tools.find((tool) => tool.name === wanted);
  const exact = toolNamed(name);
  if (exact !== undefined) return { ok: true, tool: exact };
  const before = cutText(name, MAX_RECORDED_NAME);
  const registered = toRegistry(options.fixers).toolNamed(name);
  if (registered !== undefined) {
    // A registered name means its tool, even if that tool is not offered: then
    // no tool is found.
    const tool = toolNamed(registered);
    if (tool === undefined) return { ok: false };
    const fixer = `renameTool(${name} → ${registered})`;
    return {
      ok: true,
      tool,
      nameRepair: { fixer, before, after: tool.name, level: "strict" },
    };
  }
  const guess = repairToolName(name, toolNames(tools));
  if (!guess.ok) {
    const { didYouMean, overfull } = guess;
    if (overfull === undefined) return { ok: false, didYouMean };
    return { ok: false, didYouMean, holds: "more" };
  }
  const { fixer, args: inName } = guess;
  const tool = toolNamed(guess.name) as Tool;
  const isFree = options.caseIsFree === true && isSameWord(name, tool.name);
  const level = isFree ? "strict" : guess.level;
  if (!allowsNameEdit({ fixer, level }, tool, options))
    return { ok: false, didYouMean: tool.name };
  const nameRepair = { fixer, before, after: tool.name, level };
  if (inName === undefined) return { ok: true, tool, nameRepair };
  return takeArgumentsFromName(inName, args, tool, nameRepair);
}

/** Whether a name is that of a tool but for its case and the space around it. */
function isSameWord(name: string, toolName: string): boolean {
  return toolName.toLowerCase() === name.trim().toLowerCase();
}

function allowsNameEdit(
  edit: Pick<NameRepair, "fixer" | "level">,
  tool: ToolLike,
  options: RepairOptions,
): boolean {
  if (edit.level === "strict") return true;
  return allowsEdit(policyFor(tool, options), edit);
}

/**
 * Takes the arguments that stand in a tool's name, unless the call has other
 * ones.
 */
function takeArgumentsFromName<Tool extends ToolLike>(
  inName: string,
  args: unknown,
  tool: Tool,
  nameRepair: NameRepair,
): FoundTool<Tool> {
  const after = parseExactly(inName) as JsonValue;
  const written = toCausingData(args);
  if (!isNoArguments(written)) {
    const value = typeof written === "string" ? parseExactly(written) : written;
    const isSame = value !== undefined && jsonEquals(value, after);
    if (isSame) return { ok: true, tool, nameRepair };
    return { ok: false, didYouMean: tool.name, holds: "other arguments" };
  }
  // Of two values of a key, one would be lost.
  if (hasTwinKeys(inName))
    return { ok: false, didYouMean: tool.name, holds: "more" };
  const { fixer, level } = nameRepair;
  const reason = "stood in the tool's name";
  const change = {
    fixer,
    path: "",
    before: args as JsonValue | undefined,
    after,
  };
  const moved = { input: inName, repair: { ...change, level, reason } };
  return { ok: true, tool, nameRepair, moved };
}

/** The longest name that a record holds, in characters. */
const MAX_RECORDED_NAME = 1_000;

/** Makes the error for a call of a tool that was not offered. */
export function unknownToolError(
  name: string,
  args: unknown,
  tools: readonly ToolLike[],
  details: Pick<RepairOptions, "action" | "toolCall"> &
    Omit<NoToolOfCall, "ok">,
): ToolInputError {
  const { didYouMean, holds, action, toolCall } = details;
  const shown = toolNames(tools).map((toolName) => showValue(toolName));
  const list = shown.join(", ");
  const known = {
    message: `there is no tool of that name; there are ${list || "none"}`,
    expected: list === "" ? "no tool call" : `one of ${list}`,
    received: showValue(name),
    ...(didYouMean !== undefined && { didYouMean: showValue(didYouMean) }),
  };
  const fault =
    holds === undefined
      ? known
      : overfullName(name, showValue(didYouMean), holds);
  const issue = { path: "", code: ISSUE.unknownTool, ...fault };
  const causingData = toCausingData(args);
  return new ToolInputError({
    toolName: name,
    causingData,
    issues: [issue],
    action,
    toolCall,
  });
}

/** What is wrong with a name that holds more than the name of a tool. */
function overfullName(
  name: string,
  meant: string,
  holds: "more" | "other arguments",
) {
  const isOther = holds === "other arguments";
  const why = isOther
    ? "; the arguments in it are not those that were given"
    : "; put arguments into the call's arguments, as JSON";
  return {
    message: "the tool's name holds more than a name",
    expected: `${meant} and nothing else${why}`,
    received: showValue(name, 300),
  };
}

/** The names of tools. A provider's own tool has none. */
function toolNames(tools: readonly ToolLike[]): readonly string[] {
  return tools
    .map(({ name }) => name)
    .filter((name) => typeof name === "string");
}
