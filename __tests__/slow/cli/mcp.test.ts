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

describe("numbers with more digits than JavaScript keeps", () => {
  const many = '{"id":12345678901234567890,"method":"ping","jsonrpc":"2.0"}';
  const faulty = roll(1, { count: "5", text: "t" }).replace('"t"', "1234567890123456789");

  test("keep their digits in a call that would be repaired, which is logged as not checked", async () => {
    const project = makeProject({});
    const input = `${faulty}\n${many}\n`;
    const { out } = await pipe(input, ["--log", "log.jsonl"], [echo], project);
    expect(out()).toContain(JSON.stringify(faulty));
    expect(out()).toContain(JSON.stringify(many));
    const log = readFileSync(join(project, "log.jsonl"), "utf8");
    expect(log).toContain('"outcome":"passed"');
    expect(log).toContain('"not_checked"');
  });

  test("keep their digits in an answer that would get a reason", async () => {
    const answer = '{"id":1,"result":{"content":[],"isError":true,"n":1234567890123456789}}';
    const server = `
      const write = (text) => process.stdout.write(text + "\\n");
      const schema = { type: "object", properties: { count: { type: "integer" } } };
      const tools = [{ name: "roll", inputSchema: schema }];
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        write(method === "tools/list" ? JSON.stringify({ id, result: { tools } }) : '${answer}');
      });`;
    const { out } = await pipe(`${roll(1, { count: "five" })}\n`, [], ["-e", server]);
    expect(out()).toBe(`${answer}\n`);
  });
});

describe("the end", () => {
  test("comes at once when the server ends while a call waits for the list", async () => {
    const begun = performance.now();
    const { child, code } = start([], [echo, "--die-at-list", "4"]);
    child.stdin.write(`${roll(1, { count: "5" })}\n`);
    expect(await code).toBe(4);
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  test("comes soon after that of the input, though the server never lists; the call goes on unchanged", async () => {
    const begun = performance.now();
    const call = roll(1, { count: "5" });
    const { messages, code } = await pipe(`${call}\n`, [], [echo, "--slow-list", "never"]);
    expect(await code).toBe(0);
    expect(messages().map(({ result }) => result.line)).toEqual([call]);
    expect(performance.now() - begun).toBeLessThan(8_000);
  });

  test("comes soon after a signal, though the host does not read", async () => {
    const { child, out } = start([], [echo]);
    child.stdin.write('{"id":0,"method":"ping"}\n');
    while (out() === "") await new Promise((resolve) => setTimeout(resolve, 20));
    child.stdout.removeAllListeners("data");
    child.stdout.pause();
    const text = "x".repeat(8_000_000);
    child.stdin.write(`${JSON.stringify({ id: 1, method: "ping", params: { text } })}\n`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const code = await Promise.race([
      exited,
      new Promise((resolve) => setTimeout(resolve, 6_000, "alive")),
    ]);
    child.kill("SIGKILL");
    child.stdout.resume();
    expect(code).toBe(9);
  });

  test("has the exit code 1 if the host no longer reads, and says so on stderr", async () => {
    const { child, code, err } = start([], [echo]);
    child.stdout.destroy();
    while (!err().includes("ready")) await new Promise((resolve) => setTimeout(resolve, 20));
    child.stdin.on("error", () => {});
    child.stdin.write('{"id":0,"method":"ping"}\n');
    expect(await code).toBe(1);
    expect(err()).toMatch(/toolmend mcp: the messages of the server cannot be delivered: .*EPIPE/);
  });

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

test("a server that does not read is not read for: the host waits", async () => {
  const { child, code } = start([], [echo, "--deaf"]);
  // What was not read when it ended.
  child.stdin.on("error", () => {});
  const line = `${JSON.stringify({ id: 1, method: "ping", params: "x".repeat(100_000) })}\n`;
  for (let count = 0; count < 200; count++) child.stdin.write(line);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(child.stdin.writableLength).toBeGreaterThan(15_000_000);
  child.kill("SIGTERM");
  await code;
});

describe("the options", () => {
  test("what a module of fixers prints goes to the standard error", async () => {
    const module = `
      console.log("loaded");
      export default { roll: [() => { console.info("called"); return { count: 3 }; }] };`;
    const project = makeProject({ "fixers.mjs": module });
    const input = `${roll(1, { dice: 3 })}\n`;
    const { messages, err } = await pipe(input, ["--fixers", "fixers.mjs"], [echo], project);
    expect(messages()).toHaveLength(1);
    expect(err()).toContain("loaded\n");
    expect(err()).toContain("called\n");
  });

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

  test("--rejections toolmend answers a call that cannot be repaired, and the server does not see it", async () => {
    const input = `${roll(1, { count: "five" })}\n${roll(2, { count: "2" })}\n`;
    const { child, code, messages } = start(["--rejections", "toolmend"]);
    child.stdin.write(input);
    while (messages().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    child.stdin.end();
    await code;
    const results = new Map(messages().map(({ id, result }) => [id, result]));
    expect(results.get(1)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("count") }],
    });
    expect(JSON.parse(results.get(2)?.line ?? "")).toEqual(JSON.parse(roll(2, { count: 2 })));
  });

  test.each([
    [["--rejections", "host", "--", "node"], /--rejections must be toolmend or server/],
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
