import type { InvocableTool } from "./invocable-tool.ts";
import { isRunnableToolLike } from "./is-runnable-tool-like.ts";
import { isToolCall } from "./is-tool-call.ts";

/**
 * Returns an input in the form in which a tool applies its schema to it: a `RunnableToolLike` does so
 * to a tool call only.
 *
 * @param tool The tool.
 * @param input The input, or a tool call.
 */
export function toToolCallInput(tool: InvocableTool, input: unknown): unknown {
  if (!isRunnableToolLike(tool) || isToolCall(input)) return input;
  return { type: "tool_call", name: tool.name, args: input };
}
