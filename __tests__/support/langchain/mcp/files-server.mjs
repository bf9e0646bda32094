// An MCP server over stdio, started by auto-level.test.ts: node files-server.mjs
// One tool only reads, one deletes, and one says nothing about itself.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const inputSchema = {
  type: "object",
  properties: { directory: { type: "string" }, depth: { type: "integer" } },
  required: ["directory"],
  additionalProperties: false,
};

const tools = [
  {
    name: "list_files",
    description: "Lists the files of a directory.",
    inputSchema,
    annotations: { title: "List files", readOnlyHint: true },
  },
  {
    name: "delete_files",
    description: "Deletes the files of a directory.",
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
  { name: "touch_files", description: "Touches the files of a directory.", inputSchema },
];

const server = new Server({ name: "files", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
// It validates nothing, and returns what it was called with.
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify({ ran: params.name, args: params.arguments }) }],
}));
await server.connect(new StdioServerTransport());
