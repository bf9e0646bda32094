// repairCalls and the proxy with both versions of the SDK, and before published servers.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { InputEvent } from "toolmend/core";
import { repairCalls } from "toolmend/mcp";
import {
  type Client,
  HttpServer1,
  KINDS,
  SDKS,
  type Sdk,
  type ServerKind,
  type Transport,
} from "./sdks.ts";
import { EVERYTHING, FILESYSTEM, folderOf } from "./servers.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const runTs = join(root, "scripts", "run-ts.mjs");

const valid = { items: ["tea"], count: 2 };
const faulty: readonly (readonly [what: string, args: unknown, ran: unknown])[] = [
  [
    "lists, numbers and booleans as text",
    { items: '["tea"]', count: "2", giftWrap: "true" },
    { ...valid, giftWrap: true },
  ],
  ["null for an optional field", { items: ["tea"], count: 2, giftWrap: null }, valid],
  [
    "a key in another spelling",
    { items: ["tea"], count: 2, gift_wrap: true },
    { ...valid, giftWrap: true },
  ],
];

/** Connects a client of an SDK. */
async function connectClient({ Client }: Sdk, transport: Transport): Promise<Client> {
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

/** Calls `buy` validly, and with each fault, and compares what ran. */
async function expectRepaired(client: Client, ran: readonly unknown[]): Promise<void> {
  await client.callTool({ name: "buy", arguments: valid });
  assert.deepEqual(ran.at(-1), valid);
  for (const [what, args, wanted] of faulty) {
    const result = await client.callTool({ name: "buy", arguments: args });
    assert.equal(result.isError ?? false, false, what);
    assert.deepEqual(ran.at(-1), wanted, what);
  }
}

for (const sdk of SDKS) {
  for (const kind of KINDS) describe(`${sdk.name}, ${kind}`, () => testServer(sdk, kind));
}

function testServer(sdk: Sdk, kind: ServerKind): void {
  test("in memory, at the server", async () => {
    const ran: unknown[] = [];
    const events: InputEvent[] = [];
    const server = sdk.makeServer(kind, ran);
    const [atClient, atServer] = sdk.pair();
    await server.connect(
      repairCalls(atServer, "server", { onToolCall: (event) => void events.push(event) }),
    );
    const client = await connectClient(sdk, atClient);
    await expectRepaired(client, ran);
    const refused = await client.callTool({ name: "buy", arguments: { count: 2 } });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0]?.text ?? "", /^The input of tool "buy" was not accepted/);
    assert.deepEqual(
      events.map(({ outcome }) => outcome),
      ["valid", "repaired", "repaired", "repaired", "refused"],
    );
    assert.equal(ran.length, 4);
    await client.close();
  });

  test("in memory, at the client", async () => {
    const ran: unknown[] = [];
    const server = sdk.makeServer(kind, ran);
    const [atClient, atServer] = sdk.pair();
    await server.connect(atServer);
    const client = await connectClient(sdk, repairCalls(atClient, "client"));
    await expectRepaired(client, ran);
    const passed = await client
      .callTool({ name: "buy", arguments: { count: 2 } })
      .then(({ isError, content }) => ({ isError, text: content.at(-1)?.text ?? "" }))
      .catch((error: Error) => ({ isError: true, text: error.message }));
    if (kind === "McpServer")
      assert.match(passed.text, /The input does not fit the schema that the/);
    else assert.deepEqual(ran.at(-1), { count: 2 });
    await client.close();
  });

  test("in memory, without repairCalls", async () => {
    const ran: unknown[] = [];
    const server = sdk.makeServer(kind, ran);
    const [atClient, atServer] = sdk.pair();
    await server.connect(atServer);
    const client = await connectClient(sdk, atClient);
    const [, args] = faulty[0] ?? assert.fail();
    await client.callTool({ name: "buy", arguments: args }).catch(() => {});
    assert.deepEqual(ran, kind === "McpServer" ? [] : [args]);
    await client.close();
  });

  test("arguments as text, which the SDK itself rejects", async () => {
    const ran: unknown[] = [];
    const server = sdk.makeServer(kind, ran);
    const [atClient, atServer] = sdk.pair();
    await server.connect(repairCalls(atServer, "server"));
    const client = await connectClient(sdk, atClient);
    const answered = new Promise((resolve) => {
      const { onmessage } = atClient as Transport & { onmessage?: (message: object) => void };
      Object.assign(atClient, {
        onmessage: (message: { id?: unknown }) =>
          message.id === "raw" ? resolve(message) : onmessage?.(message),
      });
    });
    const params = { name: "buy", arguments: JSON.stringify(valid) };
    await atClient.send({ jsonrpc: "2.0", id: "raw", method: "tools/call", params } as never);
    const { result } = (await answered) as { result?: { isError?: boolean } };
    assert.equal(result?.isError ?? false, false);
    assert.deepEqual(ran, [valid]);
    await client.close();
  });

  for (const isStateful of [true, false]) {
    test(`streamable HTTP, ${isStateful ? "stateful" : "stateless"}`, async () => {
      const ran: unknown[] = [];
      const make = async () => {
        const sessionIdGenerator = isStateful ? () => randomUUID() : undefined;
        const transport = new sdk.WebServer({ sessionIdGenerator });
        await sdk.makeServer(kind, ran).connect(repairCalls(transport, "server"));
        return transport;
      };
      const session = isStateful ? await make() : undefined;
      const fetch = async (url: string | URL, init?: RequestInit) =>
        (session ?? (await make())).handleRequest(new Request(url, init));
      const client = await connectClient(
        sdk,
        new sdk.HttpClient(new URL("http://127.0.0.1/mcp"), { fetch }),
      );
      await expectRepaired(client, ran);
      await client.close();
    });
  }

  test("stdio, at the server", async () => {
    const at = String(SDKS.indexOf(sdk));
    const args = [runTs, join(here, "stdio-server.ts"), at, kind];
    const transport = new sdk.Stdio({ command: process.execPath, args, cwd: here, stderr: "pipe" });
    const { stderr } = transport as Transport & { stderr: Readable };
    const ran: unknown[] = [];
    stderr.on("data", (chunk) => {
      for (const line of String(chunk).trim().split("\n")) ran.push(JSON.parse(line));
    });
    const client = await connectClient(sdk, transport);
    await expectRepaired(client, ran);
    await client.close();
  });
}

test("SDK 1, the transport of HTTP servers of Node.js", async () => {
  const [sdk] = SDKS;
  if (sdk === undefined) assert.fail();
  const ran: unknown[] = [];
  const transport = new HttpServer1({ sessionIdGenerator: () => randomUUID() });
  await sdk.makeServer("McpServer", ran).connect(repairCalls(transport as never, "server"));
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const client = await connectClient(
    sdk,
    new sdk.HttpClient(new URL(`http://127.0.0.1:${port}/mcp`)),
  );
  await expectRepaired(client, ran);
  await client.close();
  http.closeAllConnections();
  http.close();
});

describe("before published servers", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolmend-mcp-")));
  const cli = join(root, "node_modules", ".cache", "toolmend", `mcp-cli-${process.pid}.mjs`);
  before(async () => {
    writeFileSync(join(folder, "a.txt"), "first\nsecond\n");
    mkdirSync(dirname(cli), { recursive: true });
    const entry = join(root, "src", "cli.ts");
    const define = { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) };
    const format = { bundle: true, format: "esm", platform: "node", packages: "external" } as const;
    await build({ entryPoints: [entry], outfile: cli, define, ...format });
  });
  after(() => {
    rmSync(cli, { force: true });
    rmSync(folder, { recursive: true });
  });

  const filesystem = () => [join(folderOf(FILESYSTEM.package), FILESYSTEM.program), folder];
  const everything = () => [join(folderOf(EVERYTHING.package), EVERYTHING.program)];
  /** Connects to a server without repair, at the client's transport, or through the proxy. */
  const WAYS = {
    bare: (sdk: Sdk, args: readonly string[]) =>
      new sdk.Stdio({ command: process.execPath, args, stderr: "ignore" }),
    repairCalls: (sdk: Sdk, args: readonly string[]) => repairCalls(WAYS.bare(sdk, args), "client"),
    proxy: (sdk: Sdk, args: readonly string[], ...options: readonly string[]): Transport =>
      WAYS.bare(sdk, [cli, "mcp", ...options, "--", process.execPath, ...args]),
  };

  async function textOf(client: Client, name: string, args: object): Promise<string> {
    return client
      .callTool({ name, arguments: args })
      .then(({ isError, content }) => `${isError ? "error: " : ""}${content[0]?.text}`)
      .catch((error: Error) => `error: ${error.message}`);
  }

  for (const sdk of SDKS) {
    test(`server-filesystem reads what it rejects otherwise: ${sdk.name}`, async () => {
      const path = join(folder, "a.txt");
      for (const way of ["bare", "repairCalls", "proxy"] as const) {
        const client = await connectClient(sdk, WAYS[way](sdk, filesystem()));
        const paths = await textOf(client, "read_multiple_files", {
          paths: JSON.stringify([path]),
        });
        const head = await textOf(client, "read_text_file", { path, head: "1" });
        const untouched = await textOf(client, "read_text_file", { path });
        if (way === "bare") assert.match(`${paths}${head}`, /^error[\s\S]*error/);
        else assert.deepEqual([paths.includes("second"), head], [true, "first"], way);
        assert.equal(untouched, "first\nsecond\n");
        await client.close();
      }
    });

    test(`server-everything adds what it rejects otherwise: ${sdk.name}`, async () => {
      for (const way of ["bare", "repairCalls", "proxy"] as const) {
        const client = await connectClient(sdk, WAYS[way](sdk, everything()));
        const sum = await textOf(client, "get-sum", { a: "2", b: 3 });
        assert.match(sum, way === "bare" ? /^error/ : /\b5\b/, way);
        const rejected = await textOf(client, "get-sum", { a: "two", b: 3 });
        assert.match(rejected, /^error/, way);
        await client.close();
      }
    });
  }

  test("the proxy logs each call", async () => {
    const [sdk] = SDKS;
    if (sdk === undefined) assert.fail();
    const log = join(folder, "log.jsonl");
    const client = await connectClient(sdk, WAYS.proxy(sdk, everything(), "--log", log));
    await textOf(client, "get-sum", { a: "2", b: 3 });
    await textOf(client, "get-sum", { a: "two", b: 3 });
    await client.close();
    const outcomes = [...readFileSync(log, "utf8").matchAll(/"outcome":"(\w+)"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(outcomes, ["repaired", "passed"]);
  });
});
