import { isUnknownTool } from "../../repair/errors/messages.ts";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";

/**
 * Says which tool a model must call to correct itself, as LangChain's `tool_choice`.
 *
 * @param errors What is wrong.
 * @returns The name of the tool, or `"any"` where it is several, or one that does not exist.
 */
export function toolChoiceFor(errors: readonly ToolInputError[]): string {
  const [name, ...others] = new Set(errors.map(({ toolName }) => toolName));
  const isUnknown = errors.some(({ issues }) => isUnknownTool(issues));
  return name === undefined || others.length > 0 || isUnknown ? "any" : name;
}

/**
 * Whether a model can be made to call a tool, by what it says of itself. Nothing said: it can.
 *
 * @param model A chat model, or one with tools bound to it.
 */
export function canBeForced(model: unknown): boolean {
  const { profile, bound } = (model ?? {}) as {
    profile?: { toolChoice?: boolean };
    bound?: unknown;
  };
  if (profile?.toolChoice === false) return false;
  return bound === undefined || canBeForced(bound);
}
