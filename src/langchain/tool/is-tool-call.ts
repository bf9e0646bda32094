import type { ToolCall } from "@langchain/core/messages/tool";

/** As LangChain tells a tool call from an input. */
export function isToolCall(input: unknown): input is ToolCall {
  return (
    input !== null && typeof input === "object" && "type" in input && input.type === "tool_call"
  );
}
