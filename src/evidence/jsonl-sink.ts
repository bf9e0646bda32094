import type { EvidenceSink, InputEvent } from "../repair/events/input-event.ts";
import type { Content } from "./log-line.ts";

/** What a log holds, and how it is written. */
export interface JsonlSinkOptions {
  /** How much of what models write is logged. Default: `TOOLMEND_CONTENT` of the environment, else `"none"`. */
  readonly content?: Content | undefined;
  /**
   * Changes values before they are written, at content `full`: it is given each string and number,
   * with its place as a JSON Pointer, and returns what is to stand there. Default: as they are.
   */
  readonly redact?: ((value: unknown, path: string) => unknown) | undefined;
  /** Whether valid calls are counted, one line a minute, or written each. Default: `"count"`. */
  readonly valid?: "count" | "each" | undefined;
}

/**
 * Creates a sink that appends events to a file, one JSON object a line (see `LogLine`).
 *
 * @param file The file; `%p` in it stands for the id of the process.
 * @param options What is logged.
 * @returns The sink.
 */
export function jsonlSink(file: string, options: JsonlSinkOptions = {}): EvidenceSink {
  const lines: InputEvent[] = [];
  const sink: EvidenceSink = (event) => lines.push(event);
  return Object.assign(sink, { flush: async () => void [file, options] });
}
