// An MCP server over stdio, started by mcp.test.ts: node shop-server.mjs NAME
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , name = "shop"] = process.argv;
const server = new Server({ name, version: "1.0.0" }, { capabilities: { tools: {} } });

// Hand-written JSON Schemas, and no validation: the server returns its arguments.
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: "search",
      description: `Searches ${name}.`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string" },
          limit: { type: "integer", minimum: 1 },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["query"],
        additionalProperties: false,
      },
    },
    {
      name: "order",
      description: `Orders at ${name}.`,
      inputSchema: {
        type: "object",
        properties: {
          item: { $ref: "#/$defs/item" },
          express: { type: "boolean" },
        },
        required: ["item"],
        $defs: {
          item: {
            type: "object",
            properties: { id: { type: "string" }, count: { type: "integer" } },
            required: ["id", "count"],
          },
        },
      },
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify({ server: name, ...params }) }],
}));

await server.connect(new StdioServerTransport());
