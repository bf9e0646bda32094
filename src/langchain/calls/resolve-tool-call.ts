import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { unknownToolError } from "../../repair/errors/unknown-tool-error.ts";
import { findTool } from "../../repair/find-tool.ts";
import { notifyRepair } from "../../repair/notify.ts";
import {
  type Resolution,
  type ResolveOptions,
  resolveToolInput,
} from "../../repair/resolve-tool-input.ts";
import type { NameRepair, ToolLike } from "../../repair/types.ts";
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
 * Finds the tool that a call means.
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
  const found = await findTool(name, tools, options);
  if (found.ok) return found;
  const { action, toolCall } = options;
  return unknownToolError(name, raw, tools, { ...found, action, toolCall });
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
    const { kind: _, ...made } = resolution;
    const done = { ok: true as const, ...made };
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
