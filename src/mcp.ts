/**
 * Repair of the tool calls of MCP, at a server, at a client, or between them.
 * Requires neither LangChain nor an SDK of MCP.
 *
 * @module toolmend/mcp
 */

export { repairCalls } from "./mcp/repair-calls.ts";
export type { McpOptions } from "./mcp/repair-messages.ts";
