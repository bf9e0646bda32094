import type { ToolMessage } from "@langchain/core/messages";

/** How the answer begins by which LangChain tells a model that a tool refused its input. */
export const TOOL_REFUSAL = "Error invoking tool '";

/**
 * Tells whether LangChain answered a call so because its tool refused the input: it has not run.
 *
 * @param answer The answer.
 */
export function isToolRefusal({ content, status }: ToolMessage): boolean {
  // LangChain 1.0 says nothing of the status.
  return status !== "success" && typeof content === "string" && content.startsWith(TOOL_REFUSAL);
}
