// Both versions of the official SDK, in the words that they share.

import {
  Client as Client2,
  StreamableHTTPClientTransport as HttpClient2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpClient1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as Memory1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as Server1 } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport as StdioServer1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport as HttpServer1 } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { WebStandardStreamableHTTPServerTransport as WebServer1 } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  McpServer as McpServer2,
  InMemoryTransport as Memory2,
  Server as Server2,
  WebStandardStreamableHTTPServerTransport as WebServer2,
} from "@modelcontextprotocol/server";
import { StdioServerTransport as StdioServer2 } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** A transport of either SDK. */
export interface Transport {
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
}

/** What a call returns, and what a server answers. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export interface Client {
  connect(transport: Transport): Promise<void>;
  callTool(call: { name: string; arguments?: unknown }): Promise<CallResult>;
  listTools(): Promise<{ tools: readonly { name: string; inputSchema: object }[] }>;
  close(): Promise<void>;
}

export interface Server {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

/** A web-standard transport of HTTP. */
export interface WebTransport extends Transport {
  handleRequest(request: Request): Promise<Response>;
}

type Make<Made, Given extends unknown[] = []> = new (...given: Given) => Made;

/** The SDK of one version. */
export interface Sdk {
  readonly name: string;
  readonly Client: Make<Client, [object]>;
  readonly Stdio: Make<Transport, [object]>;
  readonly HttpClient: Make<Transport, [URL, object?]>;
  readonly StdioServer: Make<Transport>;
  readonly WebServer: Make<WebTransport, [object]>;
  /** Two transports that are connected. */
  pair(): readonly [Transport, Transport];
  makeServer(kind: ServerKind, ran: unknown[]): Server;
}

/** `Server` validates nothing itself; `declared` has declared its tools before any handler is there. */
export type ServerKind = "McpServer" | "Server";
export const KINDS: readonly ServerKind[] = ["McpServer", "Server"];

const schema = z.object({
  items: z.array(z.string()),
  count: z.int().optional(),
  giftWrap: z.boolean().optional(),
});
const INFO = { name: "shop", version: "1.0.0" };
const BUY = { name: "buy", inputSchema: z.toJSONSchema(schema, { io: "input" }) };
const capabilities = { tools: {} };

/** Answers calls of `buy`, and notes their inputs. */
function answering(ran: unknown[]) {
  return async (input: unknown) => {
    ran.push(input);
    return { content: [{ type: "text" as const, text: "bought" }] };
  };
}

function makeServer1(kind: ServerKind, ran: unknown[]): unknown {
  const run = answering(ran);
  if (kind === "McpServer") {
    const server = new McpServer1(INFO);
    server.registerTool("buy", { inputSchema: schema.shape }, run);
    return server;
  }
  const server = new Server1(INFO, { capabilities });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [BUY] }) as never);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => run(params.arguments));
  return server;
}

function makeServer2(kind: ServerKind, ran: unknown[]): unknown {
  const run = answering(ran);
  if (kind === "McpServer") {
    const server = new McpServer2(INFO);
    server.registerTool("buy", { inputSchema: schema }, run);
    return server;
  }
  const server = new Server2(INFO, { capabilities });
  server.setRequestHandler("tools/list", async () => ({ tools: [BUY] }) as never);
  server.setRequestHandler("tools/call", async ({ params }) => run(params.arguments));
  return server;
}

const sdk1 = {
  name: "SDK 1",
  Client: Client1,
  Stdio: Stdio1,
  HttpClient: HttpClient1,
  StdioServer: StdioServer1,
  WebServer: WebServer1,
  pair: () => Memory1.createLinkedPair(),
  makeServer: makeServer1,
};

const sdk2 = {
  name: "SDK 2",
  Client: Client2,
  Stdio: Stdio2,
  HttpClient: HttpClient2,
  StdioServer: StdioServer2,
  WebServer: WebServer2,
  pair: () => Memory2.createLinkedPair(),
  makeServer: makeServer2,
};

export const SDKS: readonly Sdk[] = [sdk1 as unknown as Sdk, sdk2 as unknown as Sdk];

/** The transport of SDK 1 for HTTP servers of Node.js. */
export { HttpServer1 };
