import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { jsonlSink } from "../evidence/jsonl-sink.ts";
import type { Message } from "../mcp/messages.ts";
import { repairMessages } from "../mcp/repair-messages.ts";
import { isJsonObject, parseExactly } from "../repair/json.ts";
import type { Fixers } from "../repair/policy.ts";
import { aRegistry } from "../repair/usage.ts";
import type { Command } from "./commands.ts";
import { importOption } from "./files.ts";

/** A line as it came, and the message in it. */
interface Line {
  readonly bytes: Buffer;
  readonly message: unknown;
}

/** The exit code of a shell for a command that cannot be started. */
const NOT_STARTED = 127;

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `toolmend mcp`: starts a server of MCP, and repairs the calls on their way to it. The standard output has
 * nothing but the protocol. The exit code is the server's.
 */
export const mcp: Command<"mcp"> = async ({ names, ...options }, terminal) => {
  const [command, ...args] = names;
  if (command === undefined) {
    throw new TypeError("No server is named: toolmend mcp [options] -- COMMAND [ARGUMENT…]");
  }
  const fixers = await importOption<Fixers>("fixers", options.fixers, terminal, aRegistry);
  const log =
    options.log === undefined ? undefined : jsonlSink(resolve(terminal.folder, options.log));
  const server = spawn(command, args, {
    cwd: terminal.folder,
    stdio: ["pipe", "pipe", "inherit"],
    // npx and npm are scripts there.
    shell: process.platform === "win32",
  });
  const toServer = (message: Message, line?: Line) => server.stdin.write(toBytes(message, line));
  const toClient = (message: Message, line?: Line) => process.stdout.write(toBytes(message, line));
  const { fromClient, fromServer } = repairMessages<Line | undefined>(
    {
      toServer,
      toClient,
      ask: (request) => toServer(request),
      answer: (answer) => toClient(answer),
    },
    { level: options.level, fixers, onToolCall: log },
  );
  const held = new Set<Promise<unknown>>();
  readLines(process.stdin, (line) => {
    const { bytes, message } = line;
    const passed = isJsonObject(message) ? fromClient(message, line) : server.stdin.write(bytes);
    if (!(passed instanceof Promise)) return;
    held.add(passed);
    void passed.finally(() => held.delete(passed));
  });
  readLines(server.stdout, (line) => {
    const { bytes, message } = line;
    if (isJsonObject(message)) fromServer(message, line);
    else process.stdout.write(bytes);
  });
  // Calls that wait for the list or for their repair come before the end.
  process.stdin.on("end", () => void Promise.allSettled(held).then(() => server.stdin.end()));
  // Its exit says so, too.
  server.stdin.on("error", () => {});
  const passOn = (signal: NodeJS.Signals) => void server.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, passOn);

  const code = await exitCodeOf(server).catch((error: Error) => {
    terminal.err(`toolmend mcp: ${command} cannot be started: ${error.message}`);
    return NOT_STARTED;
  });
  for (const signal of PASSED_ON) process.off(signal, passOn);
  process.stdin.destroy();
  await log?.flush();
  return code;
};

/** A message that was not changed goes on as the bytes that came. */
function toBytes(message: Message, line: Line | undefined): Buffer | string {
  return message === line?.message ? line.bytes : `${JSON.stringify(message)}\n`;
}

/** Reads a stream line by line. A line that is not JSON has no message. */
function readLines(stream: Readable, take: (line: Line) => void): void {
  let begun: Buffer[] = [];
  const takeBytes = (end: Buffer) => {
    const bytes = Buffer.concat([...begun, end]);
    begun = [];
    if (bytes.length > 0) take({ bytes, message: parseExactly(bytes.toString("utf8")) });
  };
  stream.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      takeBytes(chunk.subarray(start, at + 1));
      start = at + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  });
  stream.on("end", () => takeBytes(Buffer.alloc(0)));
}

const LINE_FEED = 10;

/** Waits for a process; one that a signal ended has the exit code that a shell gives it. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code, signal) => {
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
