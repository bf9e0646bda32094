import type { EvidenceSink } from "../repair/events/event.ts";
import {
  aFunction,
  type Check,
  type Checks,
  checkArguments,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../repair/usage.ts";
import { contentOrDefault } from "./line-options.ts";
import type { Content, LogLine } from "./log-line.ts";
import { openLog } from "./open-log.ts";
import type { Redact } from "./redact.ts";
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
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ evidence: [log] })] });
 * await log.flush();
 * ```
 */
export function jsonlSink(file: string, options: JsonlSinkOptions = {}): FlushedSink {
  checkArguments("jsonlSink(file, options?)", { file: [file, aFile] });
  checkOptions(options, JSONL_USAGE);
  const { redact, valid = "count" } = options;
  const lineOptions = { content: contentOrDefault(options.content), redact };
  const log = openLog(file.replaceAll("%p", String(process.pid)), () => writer.flush());
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
