import type { InputEvent, Outcome, Seam } from "../repair/events/event.ts";
import {
  type PlainBase,
  type PlainCall,
  type PlainCorrection,
  toPlainEvent,
} from "../repair/events/plain-event.ts";
import type { ContentOptions } from "../repair/events/redact.ts";
import { isJsonObject } from "../repair/json/json-value.ts";

/** What became of one call. Valid ones have such a line only where a sink is asked for `valid: "each"`. */
export interface CallLine extends PlainCall, Cut {}

/** The fields that were left out because the line was too long. */
interface Cut {
  readonly cut?: readonly string[];
}

/** How many calls were valid in one minute; `t` is its start. Several lines may count one minute. */
export interface CountLine extends PlainBase {
  readonly kind: "count";
  readonly seam: Seam;
  readonly n: number;
}

/** A tool's schema, once for each hash and process. */
export interface SchemaLine extends PlainBase, Cut {
  readonly kind: "schema";
  readonly schema: string;
  /** Without its descriptions where it would be too long; with them left out still too long: absent. */
  readonly jsonSchema?: unknown;
}

/** Which input stands for one that was refused. It can be read without the lines of the calls. */
export interface CorrectionLine extends PlainCorrection, Cut {}

/** One line of a log, an object of JSON of at most 8 KB. */
export type LogLine = CallLine | CountLine | SchemaLine | CorrectionLine;

const OUTCOMES: ReadonlySet<unknown> = new Set<Outcome>([
  "valid",
  "repaired",
  "rescued",
  "answered",
  "refused",
  "corrected",
]);

/**
 * Tells a line of a log from other JSON. Everything that a reader goes by is checked; what only
 * some lines have, and what the model wrote, is not.
 */
export function isLogLine(value: unknown): value is LogLine {
  if (!isJsonObject(value) || value.v !== 1 || typeof value.tool !== "string") return false;
  if (typeof value.t !== "string" || Number.isNaN(Date.parse(value.t))) return false;
  if (!isTextOrAbsent(value.model) || !isTextOrAbsent(value.schema)) return false;
  switch (value.kind) {
    case "call":
      return (
        OUTCOMES.has(value.outcome) &&
        areRows(value.issues, "path", "code") &&
        areRows(value.repairs, "fixer", "path", "level")
      );
    case "count":
      return Number.isSafeInteger(value.n) && (value.n as number) >= 0;
    case "schema":
      return typeof value.schema === "string";
    case "correction":
      return typeof value.source === "string" && areRows(value.issues, "path", "code");
    default:
      return false;
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function areRows(list: unknown, ...fields: readonly string[]): boolean {
  const isRow = (one: unknown) =>
    isJsonObject(one) && fields.every((field) => typeof one[field] === "string");
  return Array.isArray(list) && list.every(isRow);
}

/**
 * Names a call by its run and, as a person may answer in a later run, by its thread. Some models count
 * their calls from 1: where two have one name, nothing is known of them by it.
 */
export function callIds(
  { run, thread }: Pick<CallLine, "run" | "thread">,
  call: string | undefined,
): readonly string[] {
  if (call === undefined) return [];
  // With its length before it, no run and id give the name of others.
  const ids: string[] = [];
  if (run) ids.push(`run ${run.length} ${run} ${call}`);
  if (thread) ids.push(`thread ${thread.length} ${thread} ${call}`);
  return ids.length === 0 ? [`call ${call}`] : ids;
}

/** The longest line, in bytes, its end not counted. */
const MAX_BYTES = 8_190;

/** What is left out first, of what a line can do without; what is shortened after that, and to how many. */
const DROPPED = ["toolInput", "raw", "correctedShape", "shape"] as const;
const SHORTENED = ["repairs", "issues", "undeclared"] as const;
const SHORTENED_TO = [20, 5, 1] as const;

/** Returns an event as a line: what makes it too long is left out, and named in `cut`. */
export function toLogLine(event: InputEvent, options: ContentOptions): CallLine | CorrectionLine {
  try {
    return fitLine(toPlainEvent(event, options));
  } catch {
    // What is no JSON after all, of a redaction say, or throws when it is looked at.
    const cut = options.content === "keys" ? ["shape"] : ["raw", "toolInput"];
    return { ...fitLine(toPlainEvent(event, { content: "none" })), cut };
  }
}

function fitLine<Line extends PlainCall | PlainCorrection>(line: Line): Line & Cut {
  const isFull = (one: object) => !isShortLine(one);
  let fitted = { ...line } as Line & Record<string, unknown>;
  const cut = new Set<string>();
  const change = (field: string, value: unknown) => {
    cut.add(field);
    fitted = { ...fitted, [field]: value, cut: [...cut] };
  };
  if (isFull(fitted) && line.kind === "call") {
    change(
      "repairs",
      line.repairs.map(({ before: _, after: __, ...repair }) => repair),
    );
  }
  for (const field of DROPPED) {
    if (field in fitted && isFull(fitted)) change(field, undefined);
  }
  for (const most of SHORTENED_TO) {
    for (const field of SHORTENED) {
      const list = fitted[field];
      const isLong = Array.isArray(list) && list.length > most;
      if (isLong && isFull(fitted)) change(field, list.slice(0, most));
    }
  }
  return fitted;
}

/** Tells whether a line is no longer than a line of a log may be. */
export function isShortLine(line: object): boolean {
  const text = JSON.stringify(line);
  // No character takes more than three bytes for each of its code units.
  return text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES;
}
