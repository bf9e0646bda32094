import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { repairCalls } from "toolmend/mcp";
import { ROLL } from "../../support/mcp/connection.ts";

const INFO = { name: "dice", version: "1.0.0" };

test("a tool does not run after its host has gone, though the list comes then", async () => {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  let list = (_tools: object) => {};
  const ran: unknown[] = [];
  server.setRequestHandler(
    ListToolsRequestSchema,
    () => new Promise((resolve) => (list = (tools) => resolve({ tools } as never))),
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    ran.push(params.arguments);
    return { content: [] };
  });
  const [atHost, atServer] = InMemoryTransport.createLinkedPair();
  await server.connect(repairCalls(atServer, "server", { listTimeoutMs: 50 }));
  const host = new Client(INFO);
  await host.connect(atHost);
  const call = host.callTool({ name: "roll", arguments: { count: "5" } });
  const failed = expect(call).rejects.toThrow("Connection closed");
  await new Promise((resolve) => setTimeout(resolve, 10));
  await host.close();
  await failed;
  list([ROLL]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(ran).toEqual([]);
});

test("over streamable HTTP, what a server sends while it lists its tools goes with the call", async () => {
  const server = new Server(INFO, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async (_, { sendNotification }) => {
    const params = { level: "info", data: "listing" } as const;
    await sendNotification({ method: "notifications/message", params });
    return { tools: [ROLL] } as never;
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "session" });
  await server.connect(repairCalls(transport as never, "server"));
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const host = new Client(INFO);
  await host.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)) as never,
  );
  const result = await host.callTool({ name: "roll", arguments: { count: "5" } });
  expect(result.content).toEqual([{ type: "text", text: '{"count":5}' }]);
  await host.close();
  http.closeAllConnections();
  http.close();
});
