import { closeSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { EvidenceSink } from "../repair/events/event.ts";
import { type Content, contentOrDefault, type Redact } from "../repair/events/redact.ts";
import {
  aFunction,
  type Check,
  type Checks,
  checkArguments,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../repair/usage.ts";
import type { LogLine } from "./log-line.ts";
import { createLineWriter } from "./write-lines.ts";

/** What a log holds, and how it is written. */
export interface JsonlSinkOptions {
  /** How much of what models write is logged. Default: `TOOLMEND_CONTENT` of the environment, else `"none"`. */
  readonly content?: Content | undefined;
  /** Changes values before they are written, at content `full`. Default: they are written as they are. */
  readonly redact?: Redact | undefined;
  /** Whether valid calls are counted, one line a minute, or written each. Default: `"count"`. */
  readonly valid?: "count" | "each" | undefined;
}

/** Where a log is. */
const aFile: Check = {
  must: 'a path, as in "logs/toolmend-%p.jsonl"',
  isMet: (value) => typeof value === "string" && value !== "",
};

/** How `jsonlSink` is called. */
const JSONL_USAGE: OptionsUsage = {
  of: "jsonlSink",
  example: 'jsonlSink(file, { content: "keys" })',
  checks: {
    content: oneOf("none", "keys", "full"),
    redact: aFunction,
    valid: oneOf("count", "each"),
  } satisfies Checks<JsonlSinkOptions>,
};

/** A sink that keeps lines back for a while. */
export type FlushedSink = EvidenceSink & Required<Pick<EvidenceSink, "flush">>;

/**
 * Creates a sink that appends events to a file, one JSON object a line (see `LogLine`). Lines are
 * written after a second at the latest, and when the process ends by itself or by `process.exit`; await
 * `flush()` where it may end otherwise, by a signal for example. Needs Node, Deno or Bun.
 *
 * @param file The file; `%p` in it stands for the id of the process.
 * @param options What is logged.
 * @returns The sink. Where the file cannot be written to, a warning says so once, and runs go on.
 * @throws TypeError for a wrong use: what is not a path, an unknown option, a value that an option cannot have.
 * @example
 * ```ts
 * const log = jsonlSink("logs/toolmend-%p.jsonl", { content: "keys" });
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ onToolCall: [log] })] });
 * await log.flush();
 * ```
 */
export function jsonlSink(file: string, options: JsonlSinkOptions = {}): FlushedSink {
  checkArguments("jsonlSink(file, options?)", { file: [file, aFile] });
  checkOptions(options, JSONL_USAGE);
  const { redact, valid = "count" } = options;
  const lineOptions = { content: contentOrDefault(options.content), redact };
  const log = openLog(file.replaceAll("%p", String(process.pid)), {
    atEnd: () => writer.flush(),
    head: () => writer.schemas().map((line) => JSON.stringify(line)),
  });
  const append = (line: LogLine) => log.append(JSON.stringify(line));
  const writer = createLineWriter(append, { ...lineOptions, valid });
  const sink: EvidenceSink = (event) => writer.add(event);
  return Object.assign(sink, {
    async flush() {
      writer.flush();
      log.flush();
    },
  });
}

/** The most lines that are kept back, and for how long, in milliseconds. */
const MAX_LINES = 256;
const MAX_DELAY = 1_000;

/** Readable by their owner alone. */
const MODE = 0o600;

/** What is written out when the process ends. */
const open = new Set<() => void>();

/**
 * Opens a file for lines. They are written in batches, each in one piece at the end of the file, so
 * that several processes can append to one; and when the process ends by itself or by `process.exit`.
 */
function openLog(
  file: string,
  { atEnd, head }: { readonly atEnd: () => void; readonly head: () => readonly string[] },
) {
  let lines: string[] = [];
  let descriptor: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTorn = false;
  let hasWritten = false;
  let hasWarned = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    try {
      if (descriptor !== undefined && !isSameFile(descriptor, file)) {
        tryClose(descriptor);
        descriptor = undefined;
      }
      descriptor ??= openForAppending(file);
      // Also where a log was copied and emptied.
      const isBegunAnew = hasWritten && fstatSync(descriptor).size === 0;
      const all = isBegunAnew ? [...head(), ...lines] : lines;
      const text = `${isTorn && !isBegunAnew ? "\n" : ""}${all.join("\n")}\n`;
      lines = [];
      isTorn = true;
      writeAll(descriptor, Buffer.from(text));
      isTorn = false;
      hasWritten = true;
    } catch (error) {
      lines = [];
      if (descriptor !== undefined) tryClose(descriptor);
      descriptor = undefined;
      if (!hasWarned) process.emitWarning(describe(file, error), { code: "TOOLMEND_LOG" });
      hasWarned = true;
    }
  }

  if (open.size === 0) process.on("exit", flushAll);
  open.add(() => {
    atEnd();
    flush();
  });
  return {
    /** Writes out what is kept back. Never throws. */
    flush,
    append(line: string): void {
      lines.push(line);
      if (lines.length >= MAX_LINES) flush();
      else timer ??= setTimeout(flush, MAX_DELAY).unref();
    },
  };
}

function flushAll(): void {
  for (const flush of open) flush();
}

function openForAppending(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a", MODE);
}

/** A log that was moved away or removed while it was open, as those do that rotate logs, is begun anew. */
function isSameFile(descriptor: number, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(descriptor);
  return there?.ino === ino && there.dev === dev;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function tryClose(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // It could not be written to: what it is has been told.
  }
}

function describe(file: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  const what = `toolmend could not write to its log ${file}, and goes on without what it was to hold`;
  return `${what}: ${why}. Check that the folder can be written to and the disk is not full.`;
}
