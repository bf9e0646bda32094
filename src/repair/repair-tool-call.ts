import { repairToolName } from "./align/repair-tool-name.ts";
import { drive } from "./drive.ts";
import { allowsEdit } from "./edit-switches.ts";
import { ToolInputError, toCausingData } from "./errors.ts";
import { emitCall } from "./events/report.ts";
import { showValue } from "./json.ts";
import {
  type NoHandler,
  type NotRegistry,
  policyFor,
  REPAIR_USAGE,
  type RepairOptions,
  toRegistry,
} from "./policy.ts";
import { reportedSteps } from "./repair-tool-input.ts";
import type { RepairFailure, RepairSuccess } from "./result.ts";
import {
  ISSUE,
  type NameRepair,
  type OtherToolName,
  type RepairLevel,
  type ToolInput,
  type ToolLike,
  type ToolOutput,
} from "./types.ts";
import { anObject, checkOptions, checkToolList, nameThing } from "./usage.ts";

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
    throw new TypeError(
      `repairToolCall(call, tools, options) needs a call { name, args, id? }; ${what}.`,
    );
  }
  checkToolList(tools, "repairToolCall(call, tools, options)");
  checkOptions(options, REPAIR_USAGE);
  const found = findTool(name, tools, options);
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

/** The tool that a name means, and how the name was changed; or what was probably meant. */
export type FoundTool<Tool extends ToolLike = ToolLike> =
  | { readonly ok: true; readonly tool: Tool; readonly nameRepair?: NameRepair }
  | { readonly ok: false; readonly didYouMean?: string | undefined };

/**
 * Finds the tool that a name means: the tool of that name, else the one registered for the name,
 * else the one that a repair of the name finds, if the level of that tool allows it.
 */
export function findTool<Tool extends ToolLike>(
  name: string,
  tools: readonly Tool[],
  options: RepairOptions & { readonly caseIsFree?: boolean },
): FoundTool<Tool> {
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
