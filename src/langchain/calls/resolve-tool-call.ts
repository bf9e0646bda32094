import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { emitCall } from "../../repair/events/emit.ts";
import type { MarkRun } from "../../repair/events/event.ts";
import { resolveToolInput } from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { type Resolution, unfixableHandler } from "../../repair/result.ts";
import { findTool, unknownToolError } from "../../repair/tool-call.ts";
import type { NameRepair, ToolLike } from "../../repair/types.ts";

/** The tool that a call means. */
export interface NamedTool {
  readonly tool: ToolLike;
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** Whether LangChain would have lost the call. */
  readonly rescued?: boolean;
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
 * Resolves the input of a call as `resolveToolInput` does, and tells what became of it.
 *
 * @param raw The input as the model wrote it.
 * @param named The tool.
 * @param options How to repair, and the handlers.
 * @returns What becomes of it, and what marks the run of the tool.
 */
export async function resolveNamedCall(
  raw: unknown,
  { tool, nameRepair, rescued }: NamedTool,
  options: ResolveOptions,
): Promise<Resolution & { readonly markRun?: MarkRun | undefined }> {
  const resolution = await resolveToolInput(raw, tool, options);
  const outcome = { raw, tool, resolution, nameRepair, rescued, isHandedOn: true };
  const emitting = emitCall(outcome, options);
  return emitting === undefined ? resolution : { ...resolution, markRun: await emitting };
}

/**
 * Resolves a call of a tool that does not exist: there is none to run, so a handler can only say
 * what the model is told.
 *
 * @param raw The input as the model wrote it.
 * @param error That there is none.
 * @param options The handlers.
 */
export async function resolveUnknownCall(
  raw: unknown,
  error: ToolInputError,
  options: ResolveOptions,
): Promise<Refusal> {
  const { onUnfixable, action } = options;
  const answer = await unfixableHandler(onUnfixable)?.(error, error.causingData, action);
  const resolution: Refusal =
    typeof answer === "string"
      ? { kind: "observation", text: answer, error }
      : { kind: "refused", error };
  await emitCall({ raw, tool: undefined, resolution }, options);
  return resolution;
}
