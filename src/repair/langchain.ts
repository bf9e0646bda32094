// All that src/repair takes from LangChain. `toolmend/core` is built with
// `without-langchain.ts` in its place.

export type { AgentAction } from "@langchain/core/agents";
export type { ToolCall } from "@langchain/core/messages/tool";
export { ToolInputParsingException } from "@langchain/core/tools";
export { toJsonSchema } from "@langchain/core/utils/json_schema";
