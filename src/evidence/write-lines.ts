import type { InputEvent } from "../repair/events/event.ts";
import { countValidCalls } from "./count-valid-calls.ts";
import type { LineOptions } from "./line-options.ts";
import type { LogLine } from "./log-line.ts";
import { toLogLine } from "./to-log-line.ts";
import { toSchemaLine } from "./to-schema-line.ts";

/** What a log holds. */
export interface WriteOptions extends LineOptions {
  /** Whether valid calls are counted, one line a minute, or written each. */
  readonly valid: "count" | "each";
}

/** Writes events as lines. */
export interface LineWriter {
  add(event: InputEvent): void;
  /** Hands on what was counted so far. */
  flush(): void;
}

/**
 * Creates a writer of events as the lines of one log: each schema once, valid calls as asked for.
 *
 * @param append Takes the lines, in their order.
 * @param options What the log holds.
 */
export function createLineWriter(
  append: (line: LogLine) => void,
  options: WriteOptions,
): LineWriter {
  const schemas = new Set<string>();
  /** The same by reference, which is faster. */
  const seen = new WeakMap<object, string>();
  const counts = countValidCalls(append, options);
  return {
    flush: counts.flush,
    add(event) {
      const { jsonSchema, toolName } = event;
      if (typeof jsonSchema === "object" && seen.get(jsonSchema) !== toolName) {
        seen.set(jsonSchema, toolName);
        const key = `${toolName} ${event.schemaHash}`;
        if (!schemas.has(key)) append(toSchemaLine(event, options));
        schemas.add(key);
      }
      const isValid = event.kind === "call" && event.outcome === "valid";
      if (isValid && options.valid === "count") counts.add(event);
      else append(toLogLine(event, options));
    },
  };
}
