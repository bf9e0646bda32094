import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { makeProject } from "../../support/langchain/register/make-project.ts";

const root = join(__dirname, "..", "..", "..");
const echo = join(root, "__tests__", "support", "mcp", "echo-server.mjs");
const folder = join(root, "node_modules", ".cache", "toolmend");
const cli = join(folder, `cli-${process.pid}.mjs`);

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, "src", "cli.ts")],
    outfile: cli,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, "src", "cli.ts")).href) },
  });
});
afterAll(() => rmSync(cli, { force: true }));

/** A proxy before a server, and what it has written. */
interface Proxy {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: () => string;
  readonly err: () => string;
  /** The messages on the standard output. */
  readonly messages: () => Answer[];
  readonly code: Promise<number | null>;
}

interface Answer {
  readonly id?: number | string;
  readonly result: { readonly line: string };
}

function start(options: readonly string[], server: readonly string[] = [echo], cwd = root): Proxy {
  const args = [cli, "mcp", ...options, "--", process.execPath, ...server];
  const child = spawn(process.execPath, args, { cwd });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => void out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => void err.push(chunk));
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
  const messages = () =>
    text(out)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { child, out: () => text(out), err: () => text(err), messages, code };
}

/** Gives a proxy its whole input, and waits for its end. */
async function pipe(input: string, ...given: Parameters<typeof start>): Promise<Proxy> {
  const proxy = start(...given);
  proxy.child.stdin.end(input);
  await proxy.code;
  return proxy;
}

const roll = (id: number | string, args: unknown) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "roll", arguments: args },
  });

describe("the standard output and the server's input", () => {
  test("have valid messages as the lines that came, and a repaired call as JSON", async () => {
    const valid =
      '{ "id":1,"jsonrpc" : "2.0", "method":"tools/call","params":{"name":"roll","arguments":{"count":5e0,"text":"\\u00e9 é"}}}\r';
    const other = '{"jsonrpc":"2.0","id":"x","method":"ping","a":1.0}';
    const { messages, code, out } = await pipe(
      `${valid}\n${other}\n${roll(2, { count: "5" })}\n`,
      [],
    );
    expect(await code).toBe(0);
    const lines = new Map(messages().map(({ id, result }) => [id, result.line]));
    expect(lines.get(1)).toBe(valid);
    expect(lines.get("x")).toBe(other);
    expect(JSON.parse(lines.get(2) ?? "")).toEqual(JSON.parse(roll(2, { count: 5 })));
    expect(messages()).toHaveLength(3);
    expect(out()).not.toContain("toolmend-");
  });

  test("pass on what is no message: junk, batches, empty lines, a last line without an end", async () => {
    const batch = `[${roll(1, { count: "5" })}]`;
    const input = `no JSON\n\n${batch}\n{"id": 2, "method": "ping"}`;
    const { code, out } = await pipe(input, [], ["-e", "process.stdin.pipe(process.stdout)"]);
    expect(await code).toBe(0);
    expect(out()).toBe(input);
  });

  test("carry calls that wait for the list when the input ends", async () => {
    const { messages } = await pipe(
      `${roll(1, { count: "5" })}\n`,
      [],
      [echo, "--slow-list", "300"],
    );
    expect(messages().map(({ result }) => JSON.parse(result.line))).toEqual([
      JSON.parse(roll(1, { count: 5 })),
    ]);
  });

  test("carry 2 MB in one message, and 200 calls at once", async () => {
    const text = "é".repeat(1_000_000);
    const calls = Array.from({ length: 200 }, (_, id) => roll(id, { count: String(id) }));
    const { messages, err } = await pipe(
      `${roll("big", { count: "5", text })}\n${calls.join("\n")}\n`,
      [],
    );
    const received = new Map(messages().map(({ id, result }) => [id, JSON.parse(result.line)]));
    expect(received.size).toBe(201);
    expect(received.get("big").params.arguments).toEqual({ count: 5, text });
    for (const [id] of calls.entries())
      expect(received.get(id).params.arguments).toEqual({ count: id });
    expect(err()).toBe("ready\n");
  });
});

describe("the end", () => {
  test("has the server's exit code", async () => {
    expect(await (await pipe("", [], [echo, "--exit", "7"])).code).toBe(7);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s reaches the server", async (signal) => {
    const { child, code, err } = start([], [echo, "--exit", "5"]);
    while (!err().includes("ready")) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    const codes = { SIGTERM: 5, SIGINT: 130, SIGHUP: 129 };
    expect(await code).toBe(codes[signal]);
  });

  test("comes when the server ends, though the client goes on", async () => {
    const { code } = start([], ["-e", "process.exit(3)"]);
    expect(await code).toBe(3);
  });

  test("comes at once with 127 if the server cannot be started, and says so on stderr", async () => {
    const child = spawn(process.execPath, [cli, "mcp", "--", "no-such-command"], { cwd: root });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(127);
    expect([out, err]).toEqual(["", expect.stringContaining("no-such-command cannot be started")]);
  });
});

describe("the options", () => {
  test("log each call once, set the level and register fixers; the server's own are its own", async () => {
    const project = makeProject({
      "fixers.mjs": "export default { roll: [(input) => ({ count: input.dice })] };",
    });
    const options = ["--log", "log.jsonl", "--level", "eager", "--fixers", "fixers.mjs"];
    const server = [echo, "--level", "none", "--help"];
    const inputs = [{ count: 1 }, { count: "2" }, { dice: 3 }, { cuont: 4 }, { count: "five" }];
    const input = inputs.map((args, id) => `${roll(id, args)}\n`).join("");
    const { messages, code } = await pipe(input, options, server, project);
    expect(await code).toBe(0);
    const ran = new Map(
      messages().map(({ id, result }) => [id, JSON.parse(result.line).params.arguments]),
    );
    expect([...ran].sort(([one], [other]) => Number(one) - Number(other))).toEqual([
      [0, { count: 1 }],
      [1, { count: 2 }],
      [2, { count: 3 }],
      [3, { count: 4 }],
      [4, { count: "five" }],
    ]);
    const log = readFileSync(join(project, "log.jsonl"), "utf8").trim().split("\n");
    const lines = log.map((line) => JSON.parse(line)).filter(({ kind }) => kind !== "schema");
    const outcomes = lines.map(({ kind, outcome, n }) => outcome ?? `${kind} ${n}`).sort();
    expect(outcomes).toEqual(["count 1", "passed", "repaired", "repaired", "repaired"]);
    expect(lines.every(({ seam }) => seam === "mcp")).toBe(true);
  });

  test.each([
    [["--level", "wild", "--", "node"], /--level must be strict or safe or eager or auto/],
    [["--wrong", "--", "node"], /--wrong/],
    [["--fixers", "nowhere.mjs", "--", "node"], /nowhere\.mjs cannot be imported/],
    [[], /No server is named: toolmend mcp \[options\] -- COMMAND/],
  ])("are checked: %j", async (args, message) => {
    const child = spawn(process.execPath, [cli, "mcp", ...args], { cwd: root });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
    expect([out, err]).toEqual(["", expect.stringMatching(message)]);
  });
});
