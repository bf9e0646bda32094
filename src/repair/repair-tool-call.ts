import { unknownToolError } from "./errors/unknown-tool-error.ts";
import { emitCall, hasListeners } from "./events/emit.ts";
import { findTool } from "./find-tool.ts";
import type { OtherToolName, ToolInput, ToolOutput } from "./infer.ts";
import type { NoHandler } from "./no-handler.ts";
import type { RepairOptions } from "./options.ts";
import { repairInput } from "./pipeline.ts";
import type { RepairFailure, RepairSuccess } from "./repair-result.ts";
import { toResolution, withoutFaults } from "./resolution.ts";
import type { NameRepair, ToolLike } from "./types.ts";
import { checkOptions } from "./usage/check-options.ts";
import { checkToolCall } from "./usage/check-tool-call.ts";
import { checkToolList } from "./usage/check-tools.ts";
import type { NotRegistry } from "./usage/not-registry.ts";
import { REPAIR_USAGE } from "./usage/repair-checks.ts";

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
  | (NamedCall<Tools[number]> extends infer Named
      ? [Named] extends [never]
        ? RepairedToolCall
        : Named | OtherCall<Tools[number]>
      : never)
  | RepairFailure;

/** The calls of tools with a literal name. */
type NamedCall<Tool extends ToolLike> =
  Tool extends ToolLike<infer Name>
    ? string extends Name
      ? never
      : RepairedToolCall<Tool>
    : never;

/** The calls of tools of whose name only `string` is known, where there are such. */
type OtherCall<Tool extends ToolLike> = string extends Tool["name"]
  ? RepairedToolCall<ToolLike<OtherToolName>>
  : never;

/**
 * Makes a tool call right: the tool's name, then its input as `repairToolInput` does.
 *
 * @param call The call.
 * @param tools The tools that were offered.
 * @param options Fixers, level and limits.
 * @returns The call to run with every change that was made, or the error. Never throws for a bad
 * call.
 * @throws TypeError for a wrong use: what is not a call or a list of tools, a schema of an unknown kind,
 * an unknown option, a value that an option cannot have.
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
  checkToolCall(call);
  checkToolList(tools, "repairToolCall(call, tools, options)");
  checkOptions(options, REPAIR_USAGE);
  return (await repairAnyToolCall(call, tools, options)) as ToolCallRepairResult<Tools>;
}

async function repairAnyToolCall(
  call: RawToolCall,
  tools: readonly ToolLike[],
  options: RepairOptions,
): Promise<RepairedToolCall | RepairFailure> {
  const found = await findTool(call.name, tools, options);
  if (!found.ok) {
    const { action, toolCall } = options;
    const error = unknownToolError(call.name, call.args, tools, { ...found, action, toolCall });
    const refused = { kind: "refused" as const, error };
    const told = { raw: call.args, callId: call.id };
    await emitCall({ ...told, tool: undefined, resolution: refused }, options);
    return { ok: false, error, repairs: [] };
  }
  const { tool, nameRepair } = found;
  const known = await repairInput(call.args, tool, options);
  if (hasListeners(options)) {
    const told = { raw: call.args, callId: call.id, tool, nameRepair };
    await emitCall({ ...told, resolution: toResolution(known) }, options);
  }
  const result = withoutFaults(known);
  if (!result.ok) return result;
  return {
    ...result,
    name: tool.name,
    ...(call.id === undefined ? {} : { id: call.id }),
    ...(nameRepair === undefined ? {} : { nameRepair }),
  };
}
