import type { CallEvent, InputEvent } from "../repair/events/event.ts";
import { plainBase } from "../repair/events/plain-event.ts";
import type { ContentOptions } from "../repair/events/redact.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import { NAMED_PARTS } from "../repair/schema/keywords.ts";
import {
  type CountLine,
  isShortLine,
  type LogLine,
  type SchemaLine,
  toLogLine,
} from "./log-line.ts";

/** What a log holds. */
export interface WriteOptions extends ContentOptions {
  /** Whether valid calls are counted, one line a minute, or written each. */
  readonly valid: "count" | "each";
}

/** Writes events as lines. */
export interface LineWriter {
  add(event: InputEvent): void;
  /** Hands on what was counted so far. */
  flush(): void;
  /** The schemas that were written so far, for the head of another file. */
  schemas(): readonly SchemaLine[];
}

/**
 * Creates a writer of events as the lines of one log: each schema once, valid calls as asked for.
 */
export function createLineWriter(
  append: (line: LogLine) => void,
  options: WriteOptions,
): LineWriter {
  const schemas = new Map<string, SchemaLine>();
  /** The same by reference, which is faster. */
  const seen = new WeakMap<object, string>();
  const counts = countValidCalls(append, options);
  return {
    flush: counts.flush,
    schemas: () => [...schemas.values()],
    add(event) {
      const { jsonSchema, toolName } = event;
      if (typeof jsonSchema === "object" && seen.get(jsonSchema) !== toolName) {
        seen.set(jsonSchema, toolName);
        const key = `${toolName} ${event.schemaHash}`;
        if (!schemas.has(key)) {
          const line = toSchemaLine(event, options);
          schemas.set(key, line);
          append(line);
        }
      }
      const isValid = event.kind === "call" && event.outcome === "valid";
      if (isValid && options.valid === "count") counts.add(event);
      else append(toLogLine(event, options));
    },
  };
}

const MINUTE = 60_000;

/**
 * Creates a counter of valid calls: one line for each minute, tool, schema, model and seam. When a
 * minute is over, its lines are handed on with the next call or flush.
 */
function countValidCalls(append: (line: CountLine) => void, options: ContentOptions) {
  let minute = Number.NaN;
  /** By the name of the tool: of its schemas, models and seams there are few. */
  const counted = new Map<string, { readonly event: CallEvent; n: number }[]>();

  function flush(): void {
    for (const { event, n } of [...counted.values()].flat()) {
      const { seam } = event;
      const t = new Date(minute).toISOString();
      append({ kind: "count", ...plainBase(event, options), t, seam, n });
    }
    counted.clear();
  }

  return {
    flush,
    add(event: CallEvent): void {
      const begun = event.time - (event.time % MINUTE);
      if (begun !== minute) flush();
      minute = begun;
      const counts = counted.get(event.toolName);
      const known = counts?.find((count) => isSameKind(count.event, event));
      if (known !== undefined) known.n += 1;
      else counted.set(event.toolName, [...(counts ?? []), { event, n: 1 }]);
    },
  };
}

function isSameKind(one: CallEvent, other: CallEvent): boolean {
  return (
    one.model === other.model &&
    one.seam === other.seam &&
    one.provider === other.provider &&
    (one.jsonSchema === other.jsonSchema || one.schemaHash === other.schemaHash)
  );
}

/** The keywords that say something to people and models only. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "$comment",
  "deprecated",
  "markdownDescription",
]);

/**
 * Returns the line that says what a hash stands for: the tool's schema, shortened where it must be.
 */
function toSchemaLine(event: InputEvent, options: ContentOptions): SchemaLine {
  const { schemaHash: schema = "", jsonSchema } = event;
  const base = { kind: "schema" as const, ...plainBase(event, options), schema };
  const whole = { ...base, jsonSchema };
  if (isShortLine(whole)) return whole;
  const plain = { ...base, jsonSchema: withoutAnnotations(jsonSchema), cut: ["descriptions"] };
  return isShortLine(plain) ? plain : { ...base, cut: ["jsonSchema"] };
}

function withoutAnnotations(schema: unknown, areNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutAnnotations(part));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key]) => areNames || !ANNOTATIONS.has(key))
    .map(([key, part]) => [key, withoutAnnotations(part, !areNames && NAMED_PARTS.includes(key))]);
  return Object.fromEntries(entries);
}
