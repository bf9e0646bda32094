import type { CallEvent, InputEvent } from "../repair/events/event.ts";
import { plainBase } from "../repair/events/plain-event.ts";
import type { ContentOptions } from "../repair/events/redact.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import { NAMED_PARTS } from "../repair/schema/keywords.ts";
import { isShortLine, type LogLine, type SchemaLine, toLogLine } from "./log-line.ts";

/** What a log holds. */
export interface WriteOptions extends ContentOptions {
  /** Whether valid calls are counted, one line a minute, or written each. */
  readonly valid: "count" | "each";
}

/** Writes events as lines. */
export interface LineWriter {
  add(event: InputEvent): void;
  /** Writes what was counted so far. */
  flush(): void;
  /** The schemas that were written so far, for the head of another file. */
  schemas(): readonly SchemaLine[];
}

const MINUTE = 60_000;

/**
 * Creates a writer of events as the lines of one log: each schema once, and valid calls as asked for. Of
 * counted ones there is a line for each minute, tool, schema, model and seam, written with the first call
 * after the minute.
 */
export function createLineWriter(
  append: (line: LogLine) => void,
  options: WriteOptions,
): LineWriter {
  const schemas = new Map<string, SchemaLine>();
  const counted = new Map<string, { readonly event: CallEvent; n: number }>();
  let minute = Number.NaN;

  function flush(): void {
    for (const { event, n } of counted.values()) {
      const base = plainBase({ ...event, time: minute }, options);
      append({ kind: "count", ...base, seam: event.seam, n });
    }
    counted.clear();
  }

  function count(event: CallEvent): void {
    const { toolName, schemaHash, model, provider, seam, time } = event;
    const begun = time - (time % MINUTE);
    if (begun !== minute) flush();
    minute = begun;
    const key = [toolName, schemaHash, model, provider, seam].join("\n");
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { event, n: 1 });
    else known.n += 1;
  }

  return {
    flush,
    schemas: () => [...schemas.values()],
    add(event) {
      const { jsonSchema, schemaHash, toolName } = event;
      const key = `${schemaHash} ${toolName}`;
      if (typeof jsonSchema === "object" && !schemas.has(key)) {
        const line = toSchemaLine(event, options);
        schemas.set(key, line);
        append(line);
      }
      const isValid = event.kind === "call" && event.outcome === "valid";
      if (isValid && options.valid === "count") count(event);
      else append(toLogLine(event, options));
    },
  };
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
