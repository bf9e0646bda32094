import {
  type ChildProcess,
  type ChildProcessByStdio,
  spawn,
} from "node:child_process";
import { Console } from "node:console";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { jsonlSink } from "../evidence/jsonl-sink.ts";
import type { Message } from "../mcp/messages.ts";
import { type McpOptions, MessageRepair } from "../mcp/repair-messages.ts";
import { isJsonObject, parseExactly } from "../repair/json.ts";
import { hasRoundedNumbers } from "../repair/read/numbers.ts";
import type { Command } from "./commands.ts";
import { importFixers } from "./files.ts";

/** A line as it came, as text, and the message in it. */
interface Line {
  readonly bytes: Buffer;
  readonly text: string;
  readonly message: unknown;
}

type TakeMessage = (message: Message, line: Line) => void;

/** A server on its standard input and output. */
type Server = ChildProcessByStdio<Writable, Readable, null>;

/** The exit code of a shell for a command that cannot be started. */
const NOT_STARTED = 127;

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * How long calls wait for the list of tools after the input has ended, in
 * milliseconds.
 */
const HOLD_AFTER_END_MS = 1_000;

/**
 * How long the host has to read what is left, after a signal has ended the
 * server, in milliseconds.
 */
const READ_AFTER_SIGNAL_MS = 1_000;

/**
 * `toolmend mcp`: starts a server of MCP, and repairs the calls on their way to
 * it. The standard output has nothing but the protocol. The exit code is the
 * server's.
 */
export const mcp: Command<"mcp"> = async ({ names, ...options }, terminal) => {
  const [command, ...args] = names;
  if (command === undefined) {
    throw new TypeError(
      "No server is named: toolmend mcp [options] -- COMMAND [ARGUMENT…]",
    );
  }
  // What a module of fixers prints must not come between the messages.
  globalThis.console = new Console(process.stderr, process.stderr);
  const fixers = await importFixers(options.fixers, terminal);
  const log =
    options.log === undefined
      ? undefined
      : jsonlSink(resolve(terminal.folder, options.log));
  const server = spawn(command, args, {
    cwd: terminal.folder,
    stdio: ["pipe", "pipe", "inherit"],
    // npx and npm are scripts there.
    shell: process.platform === "win32",
  });
  // The host is gone, and with this process the server's input ends.
  process.stdout.on("error", ({ message }) => {
    terminal.err(
      `toolmend mcp: the messages of the server cannot be delivered: ${message}`,
    );
    process.exit(1);
  });
  const { level, rejections } = options;
  const repair = connect(server, {
    level,
    rejections,
    fixers,
    onToolCall: log,
  });
  const stopSignals = passSignals(server);
  const code = await exitCodeOf(server).catch((error: Error) => {
    terminal.err(
      `toolmend mcp: ${command} cannot be started: ${error.message}`,
    );
    return NOT_STARTED;
  });
  stopSignals();
  repair.close();
  process.stdin.destroy();
  await log?.flush();
  return code;
};

/** Connects the standard input and output with a server's. */
function connect(
  server: Server,
  options: McpOptions,
): MessageRepair<Line | undefined> {
  const toServer = (message: Message, line?: Line) =>
    server.stdin.write(toBytes(message, line));
  const toClient = (message: Message, line?: Line) =>
    process.stdout.write(toBytes(message, line));
  const repair = new MessageRepair<Line | undefined>(
    {
      toServer,
      toClient,
      ask: toServer,
      answer: toClient,
      whyUnchangeable,
    },
    options,
  );
  const held = new Set<Promise<unknown>>();

  passLines(process.stdin, server.stdin, (message, line) => {
    const passed = repair.fromClient(message, line);
    if (!(passed instanceof Promise)) return;
    held.add(passed);
    void passed.finally(() => held.delete(passed));
  });
  passLines(server.stdout, process.stdout, (message, line) => {
    repair.fromServer(message, line);
  });

  /** Calls that wait for the list or for their repair come before the end. */
  async function endInput(): Promise<void> {
    const havePassed = Promise.allSettled(held);
    await Promise.race([
      havePassed,
      delay(HOLD_AFTER_END_MS, undefined, { ref: false }),
    ]);
    repair.release();
    await havePassed;
    server.stdin.end();
  }
  process.stdin.on("end", () => void endInput());
  // Its exit says so, too.
  server.stdin.on("error", () => {});
  return repair;
}

/** Passes signals on to a server, and returns the undo. */
function passSignals(server: Server): () => void {
  const passOn = (passed: NodeJS.Signals) => {
    server.kill(passed);
    // A host that does not read must not keep a process that a signal has
    // ended.
    server.once("exit", (code, signal) => {
      setTimeout(
        () => process.exit(toExitCode(code, signal)),
        READ_AFTER_SIGNAL_MS,
      ).unref();
    });
  };
  for (const signal of PASSED_ON) process.on(signal, passOn);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  };
}

/** A message that was not changed goes on as the bytes that came. */
function toBytes(message: Message, line: Line | undefined): Buffer | string {
  return message === line?.message
    ? line.bytes
    : `${JSON.stringify(message)}\n`;
}

/**
 * A message with digits that JavaScript would lose, in an id for example,
 * passes as it came.
 */
function whyUnchangeable(line: Line | undefined): string | undefined {
  if (line === undefined || !hasRoundedNumbers(line.text)) return undefined;
  return "it holds a number with more digits than JavaScript keeps";
}

/**
 * Reads a stream line by line, as fast as what is written for it is read. A
 * line that is no message passes as it came.
 */
function passLines(source: Readable, sink: Writable, take: TakeMessage): void {
  let begun: Buffer[] = [];
  const takeLine = () => {
    const line = Buffer.concat(begun);
    begun = [];
    passLine(line, sink, take);
  };
  source.on("data", (chunk: Buffer) => {
    for (const part of splitLines(chunk)) {
      begun.push(part);
      if (part.at(-1) === LINE_FEED) takeLine();
    }
    if (!sink.writableNeedDrain) return;
    source.pause();
    sink.once("drain", () => source.resume());
  });
  source.on("end", takeLine);
}

function passLine(bytes: Buffer, sink: Writable, take: TakeMessage): void {
  if (bytes.length === 0) return;
  const text = bytes.toString("utf8");
  const message = parseExactly(text);
  if (isJsonObject(message)) take(message, { bytes, text, message });
  else sink.write(bytes);
}

const LINE_FEED = 10;

/** The lines of a chunk; the last may lack its end. */
function* splitLines(chunk: Buffer): Generator<Buffer> {
  for (let start = 0; start < chunk.length; ) {
    const at = chunk.indexOf(LINE_FEED, start);
    const end = at < 0 ? chunk.length : at + 1;
    yield chunk.subarray(start, end);
    start = end;
  }
}

/** Waits for a process, and for its output. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code, signal) => done(toExitCode(code, signal)));
  });
}

/**
 * The exit code of a process; one that a signal ended has that which a shell
 * gives it.
 */
function toExitCode(
  code: number | null,
  signal: NodeJS.Signals | null,
): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
