// repairCalls and the proxy with protocol 2026-07-28, which SDK 2 speaks: each request says of its client what it is.
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { build } from "esbuild";
import { repairCalls } from "toolmend/mcp";
import { z } from "zod";

const VERSION = "2026-07-28";
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const runTs = join(root, "scripts", "run-ts.mjs");

/** Makes a server of the tool `buy`, which answers with its input. */
function makeServer(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const inputSchema = z.object({ items: z.array(z.string()) });
  server.registerTool("buy", { inputSchema }, (input) => ({
    content: [{ type: "text", text: JSON.stringify(input) }],
  }));
  return server;
}

// Started by the tests below.
if (process.argv.includes("--serve")) serveStdio(makeServer);
else describe(`protocol ${VERSION}`, testProtocol);

/** Connects a client that speaks this version and no other. */
async function connectClient(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: "host", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: VERSION } } },
  );
  await client.connect(transport);
  assert.equal(client.getNegotiatedProtocolVersion(), VERSION);
  return client;
}

/** Calls `buy` validly, with a fault, and with one that cannot be repaired. */
async function expectRepaired(client: Client, reason: RegExp): Promise<void> {
  for (const items of [["tea"], '["tea"]']) {
    const { content, isError } = await client.callTool({ name: "buy", arguments: { items } });
    assert.deepEqual([content, isError ?? false], [[textOf('{"items":["tea"]}')], false]);
  }
  const rejected = await client.callTool({ name: "buy", arguments: { items: { tea: 1 } } });
  assert.equal(rejected.isError, true);
  assert.match(JSON.stringify(rejected.content.at(-1)), reason);
}

function textOf(text: string) {
  return { type: "text", text };
}

function testProtocol(): void {
  const cli = join(root, "node_modules", ".cache", "toolmend", `modern-cli-${process.pid}.mjs`);
  before(async () => {
    mkdirSync(dirname(cli), { recursive: true });
    const entry = join(root, "src", "cli.ts");
    const define = { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) };
    const format = { bundle: true, format: "esm", platform: "node", packages: "external" } as const;
    await build({ entryPoints: [entry], outfile: cli, define, ...format });
  });
  after(() => rmSync(cli, { force: true }));

  const AT_SERVER = /The input of tool .*buy.* was not accepted/;
  const AT_CLIENT = /The input does not fit the schema that the server lists/;
  const serve = [runTs, join(here, "modern-protocol.ts"), "--serve"];
  const startServer = (args: readonly string[]) =>
    new StdioClientTransport({ command: process.execPath, args: [...args], stderr: "ignore" });

  test("in memory, at the server", async () => {
    const [atClient, atServer] = InMemoryTransport.createLinkedPair();
    serveStdio(makeServer, { transport: repairCalls(atServer, "server") });
    const client = await connectClient(atClient);
    await expectRepaired(client, AT_SERVER);
    await client.close();
  });

  test("in memory, at the client", async () => {
    const [atClient, atServer] = InMemoryTransport.createLinkedPair();
    serveStdio(makeServer, { transport: atServer });
    const client = await connectClient(repairCalls(atClient, "client"));
    await expectRepaired(client, AT_CLIENT);
    await client.close();
  });

  test("stdio, at the client", async () => {
    const client = await connectClient(repairCalls(startServer(serve), "client"));
    await expectRepaired(client, AT_CLIENT);
    await client.close();
  });

  test("stdio, through the proxy", async () => {
    const proxy = startServer([cli, "mcp", "--", process.execPath, ...serve]);
    const client = await connectClient(proxy);
    await expectRepaired(client, AT_CLIENT);
    await client.close();
  });

  test("HTTP, at the client", async () => {
    const handler = createMcpHandler(makeServer);
    const fetch = async (url: string | URL, init?: RequestInit) =>
      handler.fetch(new Request(url, init));
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch });
    const client = await connectClient(repairCalls(transport, "client"));
    await expectRepaired(client, AT_CLIENT);
    await client.close();
  });

  test("the list is read again where the client listens for changes, in a subscription", async () => {
    const [atClient, atServer] = InMemoryTransport.createLinkedPair();
    let server: McpServer | undefined;
    const make = () => {
      server = makeServer();
      return server;
    };
    serveStdio(make, { transport: atServer });
    let changes = 0;
    const onChanged = () => {
      changes += 1;
    };
    const listChanged = { tools: { onChanged, autoRefresh: false, debounceMs: 0 } };
    const versionNegotiation = { mode: { pin: VERSION } };
    const client = new Client(
      { name: "host", version: "1.0.0" },
      { versionNegotiation, listChanged },
    );
    await client.connect(repairCalls(atClient, "client"));
    await client.callTool({ name: "buy", arguments: { items: ["tea"] } });
    const inputSchema = z.object({ weight: z.number() });
    server?.registerTool("sell", { inputSchema }, (input) => ({
      content: [{ type: "text", text: JSON.stringify(input) }],
    }));
    while (changes === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const sold = await client.callTool({ name: "sell", arguments: { weight: "5" } });
    assert.deepEqual(sold.content, [textOf('{"weight":5}')]);
    await client.close();
  });
}
