import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { showValue, whyNotJson } from "../../repair/json/json-value.ts";
import { notifyRepair } from "../../repair/notify.ts";
import { repairToolCall } from "../../repair/repair-tool-call.ts";
import {
  type Resolution,
  type ResolveOptions,
  resolveToolInput,
} from "../../repair/resolve-tool-input.ts";
import type { JsonValue, NameRepair, ToolLike } from "../../repair/types.ts";
import { unfixableHandler } from "../../repair/unfixable-handler.ts";

/** The tool that a call means. */
export interface NamedTool {
  readonly tool: ToolLike;
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
}

/** What becomes of a call that is not run. */
export type Refusal = Exclude<Resolution, { readonly kind: "run" }>;

/**
 * Finds the tool that a call means, by its name or by a name that `repairToolCall` repairs.
 *
 * @param name The name as the model wrote it.
 * @param raw The input as the model wrote it, for the error.
 * @param tools The tools that were offered.
 * @param options Fixers and level.
 * @returns The tool, or the error that there is none.
 */
export async function findNamedTool(
  name: string,
  raw: unknown,
  tools: readonly ToolLike[],
  options: ResolveOptions,
): Promise<NamedTool | ToolInputError> {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return { tool: exact };
  const { fixers, level, toolCall } = options;
  const accepting = tools.map((tool) => ({ name: tool.name, schema: {} }));
  const named = await repairToolCall({ name, args: {} }, accepting, { fixers, level, toolCall });
  if (named.ok) {
    const tool = tools.find((offered) => offered.name === named.name) as ToolLike;
    return { tool, ...(named.nameRepair && { nameRepair: named.nameRepair }) };
  }
  const isJson = whyNotJson(raw, 1_000) === undefined;
  const { issues } = named.error;
  const causingData = isJson ? (raw as JsonValue) : showValue(raw, 2_000);
  return new ToolInputError({ toolName: name, issues, toolCall, causingData });
}

/**
 * Resolves the input of a call as `resolveToolInput` does, and tells `onRepair` of the name too.
 *
 * @param raw The input as the model wrote it.
 * @param named The tool.
 * @param options How to repair, and the handlers.
 */
export async function resolveNamedCall(
  raw: unknown,
  { tool, nameRepair }: NamedTool,
  options: ResolveOptions,
): Promise<Resolution> {
  const resolution = await resolveToolInput(raw, tool, options);
  if (resolution.kind === "run") {
    const { toolInput, parsed, repairs } = resolution;
    const done = { ok: true as const, toolInput, parsed, repairs };
    notifyRepair(raw, tool, { ...done, ...(nameRepair && { nameRepair }) }, options);
  }
  return resolution;
}

/**
 * Resolves a call of a tool that does not exist: there is none to run, so a handler can only say
 * what the model is told.
 *
 * @param error That there is none.
 * @param options The handlers.
 */
export async function resolveUnknownCall(
  error: ToolInputError,
  { onUnfixable, action }: ResolveOptions,
): Promise<Refusal> {
  const answer = await unfixableHandler(onUnfixable)?.(error, error.causingData, action);
  return typeof answer === "string"
    ? { kind: "observation", text: answer, error }
    : { kind: "refused", error };
}
