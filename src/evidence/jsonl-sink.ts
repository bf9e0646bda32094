import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { EvidenceSink } from "../repair/events/event.ts";
import {
  aContentLevel,
  type ContentLevel,
  contentOrDefault,
  type Redact,
} from "../repair/events/plain-event.ts";
import {
  aFunction,
  type Check,
  type Checks,
  checkArguments,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../repair/usage.ts";
import { LineWriter, type LogLine } from "./log-line.ts";

/** What a log holds, and how it is written. */
export interface JsonlSinkOptions {
  /**
   * How much of what models write is logged. Default: `TOOLMEND_CONTENT` of the
   * environment, else `"none"`.
   */
  readonly content?: ContentLevel | undefined;
  /**
   * Changes values before they are written, at content `full`. Default: none.
   */
  readonly redact?: Redact | undefined;
  /**
   * Whether valid calls are counted, one line a minute, or written each.
   * Default: `"count"`.
   */
  readonly valid?: "count" | "each" | undefined;
}

const aFile: Check = {
  must: 'a path, as in "logs/toolmend-%p.jsonl"',
  isMet: (value) => typeof value === "string" && value !== "",
};

const JSONL_USAGE: OptionsUsage = {
  of: "jsonlSink",
  example: 'jsonlSink(file, { content: "keys" })',
  checks: {
    content: aContentLevel,
    redact: aFunction,
    valid: oneOf("count", "each"),
  } satisfies Checks<JsonlSinkOptions>,
};

/** A sink that keeps lines back for a while. */
type FlushedSink = EvidenceSink & Required<Pick<EvidenceSink, "flush">>;

/**
 * Creates a sink that appends events to a file, one JSON object a line (see
 * `LogLine`). Lines are written after a second at the latest, and when the
 * process ends by itself or by `process.exit`; await `flush()` where it may end
 * otherwise, by a signal for example. Needs Node, Deno or Bun.
 *
 * @param file The file; `%p` in it stands for the id of the process.
 * @param options What is logged.
 * @returns The sink. Where the file cannot be written to, a warning says so
 *   once, and runs go on.
 * @throws TypeError for a wrong use: what is not a path, an unknown option, a
 *   value that an option cannot have.
 * @example
 * ```ts
 * const log = jsonlSink("logs/toolmend-%p.jsonl", { content: "keys" });
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ onToolCall: [log] })] });
 * await log.flush();
 * ```
 */
export function jsonlSink(
  file: string,
  options: JsonlSinkOptions = {},
): FlushedSink {
  checkArguments("jsonlSink(file, options?)", { file }, { file: aFile });
  checkOptions(options, JSONL_USAGE);
  const { redact, valid = "count" } = options;
  const content = contentOrDefault(options.content);
  const name = file.replaceAll("%p", String(process.pid));
  const log = new LogFile(name, () => writer.schemas);
  const writer = new LineWriter((line) => log.append(line), {
    content,
    redact,
    valid,
  });
  const flush = () => {
    writer.flush();
    log.flush();
  };
  if (open.size === 0) process.on("exit", flushAll);
  open.add(flush);
  const sink: EvidenceSink = (event) => writer.add(event);
  return Object.assign(sink, { flush: async () => flush() });
}

/** What is written out when the process ends. */
const open = new Set<() => void>();

function flushAll(): void {
  for (const flush of open) flush();
}

/** The most lines that are kept back, and for how long, in milliseconds. */
const MAX_LINES = 256;
const MAX_DELAY = 1_000;

/** Readable by their owner alone. */
const MODE = 0o600;

/**
 * Appends lines to a file in batches, each in one write. The file is opened for
 * each batch, as it may have been moved away, removed or emptied by what
 * rotates logs. A new one begins with the lines of `head`, and so does what
 * follows a batch that was lost.
 */
class LogFile {
  readonly #file: string;
  readonly #head: () => readonly LogLine[];
  #lines: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the last write may have left a part of a line. */
  #isTorn = false;
  #hasWritten = false;
  #hasLost = false;
  #hasWarned = false;

  constructor(file: string, head: () => readonly LogLine[]) {
    this.#file = file;
    this.#head = head;
  }

  append(line: LogLine): void {
    this.#lines.push(JSON.stringify(line));
    if (this.#lines.length >= MAX_LINES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), MAX_DELAY).unref();
  }

  /** Writes out what is kept back. Never throws. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const batch = this.#lines;
    this.#lines = [];
    try {
      this.#write(batch);
    } catch (error) {
      this.#hasLost = true;
      if (!this.#hasWarned)
        process.emitWarning(describe(this.#file, error), {
          code: "TOOLMEND_LOG",
        });
      this.#hasWarned = true;
    }
  }

  #write(batch: readonly string[]): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const descriptor = openSync(this.#file, "a", MODE);
    try {
      const isNew = fstatSync(descriptor).size === 0;
      const needsHead = this.#hasLost || (isNew && this.#hasWritten);
      const head = needsHead
        ? this.#head().map((line) => JSON.stringify(line))
        : [];
      const text = [...head, ...batch].map((line) => `${line}\n`).join("");
      const separator = this.#isTorn && !isNew ? "\n" : "";
      this.#isTorn = true;
      writeAll(descriptor, Buffer.from(separator + text));
      this.#isTorn = false;
      this.#hasWritten = true;
      this.#hasLost = false;
    } finally {
      closeSync(descriptor);
    }
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written);
}

function describe(file: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  const what = `toolmend could not write to its log ${file}, and goes on without what it was to hold`;
  return `${what}: ${why}. Check that the folder can be written to and the disk is not full.`;
}
