import { LEVELS } from "../repair/edit-switches.ts";
import type {
  CallEvent,
  InputEvent,
  Outcome,
  Seam,
} from "../repair/events/event.ts";
import {
  type ContentOptions,
  type PlainBase,
  type PlainCall,
  type PlainCorrection,
  plainBase,
  toPlainEvent,
} from "../repair/events/plain-event.ts";
import { isJsonObject } from "../repair/json.ts";
import { NAMED_PARTS } from "../repair/schema/part.ts";
import { isDigits } from "../repair/text.ts";
import type { RepairLevel } from "../repair/types.ts";

/**
 * What became of one call. Valid ones have such a line only where a sink is
 * asked for `valid: "each"`.
 */
export interface CallLine extends PlainCall, Cut {}

/** The fields that were left out because the line was too long. */
interface Cut {
  readonly cut?: readonly string[];
}

/**
 * How many calls were valid in one minute; `t` is its start. Several lines may
 * count one minute.
 */
export interface CountLine extends PlainBase {
  readonly kind: "count";
  readonly seam: Seam;
  readonly n: number;
}

/** A tool's schema: it comes before the calls that were checked by it. */
export interface SchemaLine extends PlainBase, Cut {
  readonly kind: "schema";
  readonly schema: string;
  /**
   * Without its descriptions where it would be too long; with them left out
   * still too long: absent.
   */
  readonly jsonSchema?: unknown;
}

/**
 * Which input stands for one that was rejected. It can be read without the
 * lines of the calls.
 */
export interface CorrectionLine extends PlainCorrection, Cut {}

/** One line of a log, an object of JSON of at most 8 KB. */
export type LogLine = CallLine | CountLine | SchemaLine | CorrectionLine;

export const OUTCOMES: readonly Outcome[] = [
  "valid",
  "repaired",
  "rescued",
  "answered",
  "refused",
  "passed",
  "unused",
  "corrected",
];

/**
 * Who makes corrections, the least certain first: a person's word counts before
 * the model's.
 */
export const SOURCES: readonly unknown[] = [
  "later-call",
  "self-correct",
  "handler",
  "human",
];

/** The fields that are text where they are there. */
const TEXTS = [
  "model",
  "provider",
  "schema",
  "run",
  "thread",
  "call",
  "of",
  "by",
];

type Fields = { readonly [field: string]: unknown };

/** What readers go by of each kind of line. */
const KINDS: Readonly<Record<LogLine["kind"], (line: Fields) => boolean>> = {
  call: ({ outcome, issues, repairs, nameRepair }) =>
    OUTCOMES.includes(outcome as Outcome) &&
    areRows(issues, "path", "code") &&
    areRows(repairs, "fixer", "path", "level") &&
    (nameRepair === undefined || isRow(nameRepair, ["fixer", "level"])),
  count: ({ n }) =>
    Number.isSafeInteger(n) && (n as number) >= 0 && (n as number) < 1e9,
  schema: ({ schema }) => typeof schema === "string",
  correction: ({ source, issues }) =>
    SOURCES.includes(source) && areRows(issues, "path", "code"),
};

/**
 * Whether JSON is a line of a log. What no reader goes by, and what the model
 * wrote, is not checked.
 */
export function isLogLine(value: unknown): value is LogLine {
  if (!isRow(value, ["kind", "t", "tool"]) || value.v !== 1) return false;
  const { kind, t, level } = value;
  if (Number.isNaN(Date.parse(t))) return false;
  if (!TEXTS.every((name) => isTextOrAbsent(value[name]))) return false;
  if (level !== undefined && !LEVELS.includes(level as RepairLevel))
    return false;
  return Object.hasOwn(KINDS, kind) && KINDS[kind as LogLine["kind"]](value);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function areRows(list: unknown, ...fields: readonly string[]): boolean {
  return Array.isArray(list) && list.every((row) => isRow(row, fields));
}

function isRow<Field extends string>(
  row: unknown,
  fields: readonly Field[],
): row is Fields & Readonly<Record<Field, string>> {
  return (
    isJsonObject(row) && fields.every((field) => typeof row[field] === "string")
  );
}

/**
 * Names a call by its run and by its thread, as a person may answer in a later
 * run.
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

/** Lists each fault once: the same fault in several items of a list is one. */
export function distinctFaults<
  Fault extends { readonly path: string; readonly code: string },
>(faults: readonly Fault[]): readonly Fault[] {
  const distinct = new Map<string, Fault>();
  for (const fault of faults) {
    const path = withoutIndexes(fault.path);
    distinct.set(`${fault.code} ${path}`, { ...fault, path });
  }
  return [...distinct.values()];
}

/** Writes the index of every list item in a path as `*`. */
export function withoutIndexes(path: string): string {
  const [first, ...keys] = path.split("/");
  const places = keys.map((key) => (isDigits(key) ? "*" : key));
  return [first, ...places].join("/");
}

/** The longest line, in bytes, its end not counted. */
const MAX_BYTES = 8_190;

/**
 * Changes the value of a field into a shorter one; `undefined` leaves the field
 * out.
 */
type Shorten = (value: unknown) => unknown;

/** How a line that is too long gets shorter, step by step. */
const CUTS: readonly (readonly [field: string, shorten: Shorten])[] = [
  ["repairs", withoutValues],
  ["toolInput", () => undefined],
  ["raw", () => undefined],
  ...shortenLists(20),
  ...shortenLists(5),
  ...shortenLists(1),
];

function withoutValues(repairs: unknown): unknown {
  return (repairs as CallLine["repairs"]).map(({ fixer, path, level }) => ({
    fixer,
    path,
    level,
  }));
}

function shortenLists(most: number): readonly (readonly [string, Shorten])[] {
  const shorten = (list: unknown) =>
    Array.isArray(list) && list.length > most ? list.slice(0, most) : list;
  return ["repairs", "issues", "undeclared"].map((field) => [field, shorten]);
}

/**
 * Returns an event as a line: what makes it too long is left out, and named in
 * `cut`.
 */
function toLogLine(
  event: InputEvent,
  options: ContentOptions,
): CallLine | CorrectionLine {
  try {
    return fitLine(toPlainEvent(event, options));
  } catch {
    // What is no JSON after all, of a redaction say, or throws when it is
    // looked at.
    return {
      ...fitLine(toPlainEvent(event, { content: "none" })),
      cut: ["raw", "toolInput"],
    };
  }
}

function fitLine(line: PlainCall | PlainCorrection): CallLine | CorrectionLine {
  let fitted: Record<string, unknown> & Cut = { ...line };
  for (const [field, shorten] of CUTS) {
    if (isShortLine(fitted)) break;
    const before = fitted[field];
    if (before === undefined) continue;
    const after = shorten(before);
    const cut = new Set(fitted.cut).add(field);
    if (after !== before) fitted = { ...fitted, [field]: after, cut: [...cut] };
  }
  return fitted as unknown as CallLine | CorrectionLine;
}

/** Tells whether a line is no longer than a line of a log may be. */
function isShortLine(line: object): boolean {
  const text = JSON.stringify(line);
  // No character takes more than three bytes for each of its code units.
  return text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES;
}

const MINUTE = 60_000;

/**
 * The most schemas and counts that are kept: no fewer than the lines that a
 * sink keeps back.
 */
const MOST_SCHEMAS = 256;

/**
 * Writes each schema once, or again after many others, and counts valid calls
 * by the minute, tool, schema, model and seam.
 */
export class LineWriter {
  readonly #append: (line: LogLine) => void;
  readonly #options: LineWriterOptions;
  readonly #schemas = new Map<string, SchemaLine>();
  readonly #counted = new Map<
    string,
    { readonly event: CallEvent; n: number }
  >();
  #minute = Number.NaN;

  constructor(append: (line: LogLine) => void, options: LineWriterOptions) {
    this.#append = append;
    this.#options = options;
  }

  /** The schemas of the latest lines, for the head of another file. */
  get schemas(): readonly SchemaLine[] {
    return [...this.#schemas.values()];
  }

  add(event: InputEvent): void {
    const isValid = event.kind === "call" && event.outcome === "valid";
    const isCounted = isValid && this.#options.valid === "count";
    if (typeof event.jsonSchema === "object") this.#addSchema(event, isCounted);
    if (isCounted) this.#count(event);
    else this.#append(toLogLine(event, this.#options));
  }

  /** Writes what was counted so far. */
  flush(): void {
    for (const { event, n } of this.#counted.values()) {
      const base = plainBase({ ...event, time: this.#minute }, this.#options);
      this.#append({ kind: "count", ...base, seam: event.seam, n });
    }
    this.#counted.clear();
  }

  #count(event: CallEvent): void {
    const { toolName, schemaHash, model, provider, seam, time } = event;
    const minute = time - (time % MINUTE);
    if (minute !== this.#minute || this.#counted.size >= MOST_SCHEMAS)
      this.flush();
    this.#minute = minute;
    const key = [toolName, schemaHash, model, provider, seam].join("\n");
    const known = this.#counted.get(key);
    if (known === undefined) this.#counted.set(key, { event, n: 1 });
    else known.n += 1;
  }

  #addSchema(event: InputEvent, isCounted: boolean): void {
    const key = `${event.schemaHash} ${event.toolName}`;
    const known = this.#schemas.get(key);
    // A call that is only counted moves no schema up, so those of all lines
    // kept back stay.
    if (known !== undefined && isCounted) return;
    const line = known ?? toSchemaLine(event, this.#options);
    this.#schemas.delete(key);
    this.#schemas.set(key, line);
    const [oldest = key] = this.#schemas.keys();
    if (this.#schemas.size > MOST_SCHEMAS) this.#schemas.delete(oldest);
    if (known === undefined) this.#append(line);
  }
}

interface LineWriterOptions extends ContentOptions {
  readonly valid: "count" | "each";
}

/** The keywords that say something to people and models only. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description examples $comment deprecated markdownDescription".split(
    " ",
  ),
);

/** The schema behind a hash, shortened where it must be. */
function toSchemaLine(event: InputEvent, options: ContentOptions): SchemaLine {
  const { schemaHash: schema = "", jsonSchema } = event;
  const base = {
    kind: "schema" as const,
    ...plainBase(event, options),
    schema,
  };
  const whole = { ...base, jsonSchema };
  if (isShortLine(whole)) return whole;
  const plain = {
    ...base,
    jsonSchema: withoutAnnotations(jsonSchema),
    cut: ["descriptions"],
  };
  return isShortLine(plain) ? plain : { ...base, cut: ["jsonSchema"] };
}

function withoutAnnotations(schema: unknown, areNames = false): unknown {
  if (Array.isArray(schema))
    return schema.map((part) => withoutAnnotations(part));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key]) => areNames || !ANNOTATIONS.has(key))
    .map(([key, part]) => [
      key,
      withoutAnnotations(part, !areNames && NAMED_PARTS.includes(key)),
    ]);
  return Object.fromEntries(entries);
}
