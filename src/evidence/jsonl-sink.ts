import { wrongUse } from "../repair/errors/usage-error.ts";
import type { EvidenceSink } from "../repair/events/input-event.ts";
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
 * @throws TypeError when `content` or `valid` is none of its values.
 * @example
 * ```ts
 * const log = jsonlSink("logs/toolmend-%p.jsonl", { content: "keys" });
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ evidence: [log] })] });
 * await log.flush();
 * ```
 */
export function jsonlSink(file: string, options: JsonlSinkOptions = {}): FlushedSink {
  const { redact, valid = "count" } = options;
  const lineOptions = { content: contentOrDefault(options.content), redact };
  if (valid !== "count" && valid !== "each") {
    throw wrongUse(`jsonlSink: valid must be "count" or "each", not ${JSON.stringify(valid)}.`);
  }
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
