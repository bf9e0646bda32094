import { asValue, isJsonObject, parseExactly } from "../../repair/json.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  isTooDeep,
  type LineReader,
  type ReadPlaces,
  readFiles,
} from "../read-log.ts";

/** The longest entry, in characters: a run holds the whole prompt. */
const LONGEST = 256 * 1024 * 1024;

/**
 * The last moment that can be written as a date, in milliseconds since 1970.
 */
const LAST = 8.64e15;

/** What was read of exports. */
export interface ExportRead {
  readonly calls: readonly RecordedCall[];
  readonly files: number;
  /** How many runs, or lines of spans. */
  readonly entries: number;
  /** Lines that are no JSON, or too long. */
  readonly torn: number;
  /**
   * Entries and calls that are nested too deeply, and calls of a time that is
   * none.
   */
  readonly odd: number;
}

/**
 * Reads exports: JSON Lines, or one JSON value, which may be a list. What is no
 * export is counted, and stops nothing.
 */
export async function readExport(
  names: readonly string[],
  read: ReadExport,
  places: ReadPlaces,
): Promise<ExportRead> {
  const collected = new CollectedCalls(read);
  const files = await readFiles(
    names,
    places,
    LONGEST,
    () => new EntryReader(collected),
  );
  return { ...collected, files };
}

class CollectedCalls {
  readonly calls: RecordedCall[] = [];
  entries = 0;
  torn = 0;
  odd = 0;
  readonly #read: ReadExport;

  constructor(read: ReadExport) {
    this.#read = read;
  }

  addLine(line: string): void {
    const value = parseExactly(line);
    if (value === undefined) this.torn += 1;
    else this.addValue(value);
  }

  /** Adds an entry, or a list of entries. */
  addValue(value: unknown): void {
    const list = Array.isArray(value) ? value : asItems(asFields(value).runs);
    for (const entry of list.length > 0 ? list : [value]) this.#addEntry(entry);
  }

  #addEntry(entry: unknown): void {
    this.entries += 1;
    try {
      for (const call of this.#read(entry)) this.#addCall(call);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Nested so deeply that nothing can look through it.
      this.odd += 1;
    }
  }

  #addCall(call: RecordedCall): void {
    const hasTime = Math.abs(call.time) <= LAST;
    if (hasTime && !isTooDeep(call.args)) this.calls.push(call);
    else this.odd += 1;
  }
}

/**
 * Takes each line of a file as a value; where the first is none, all lines
 * together.
 */
class EntryReader implements LineReader {
  readonly #collected: CollectedCalls;
  #takes: "first line" | "lines" | "whole" = "first line";
  #whole: string[] = [];
  #length = 0;

  constructor(collected: CollectedCalls) {
    this.#collected = collected;
  }

  add(line: string): void {
    if (this.#takes === "first line") {
      this.#takes = parseExactly(line) === undefined ? "whole" : "lines";
    }
    if (this.#takes === "lines") {
      this.#collected.addLine(line);
      return;
    }
    this.#whole.push(line);
    this.#length += line.length + 1;
    if (this.#length > LONGEST) this.#giveUp();
  }

  skip(): void {
    this.#collected.torn += 1;
  }

  end(): void {
    const value = parseExactly(this.#whole.join("\n"));
    if (value === undefined) this.#giveUp();
    else this.#collected.addValue(value);
  }

  /**
   * The lines are no value together: each that looks like a whole one is read,
   * but not the parts of a list.
   */
  #giveUp(): void {
    for (const line of this.#whole) {
      if (/^\s*[{[].*[}\]]\s*$/.test(line)) this.#collected.addLine(line);
      else this.skip();
    }
    this.#whole = [];
    this.#takes = "lines";
  }
}

/** What exports hold: objects whose fields may be anything. */
export type LooseFields = { readonly [key: string]: unknown };

/** Returns a JSON object, or an empty one for any other value. */
export function plainFields(value: unknown): LooseFields {
  return isJsonObject(value) ? value : {};
}

/** Returns a list, or an empty one for any other value. */
export function plainItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Takes a value as an object, where the export may have it as JSON text. */
export function asFields(value: unknown): LooseFields {
  return plainFields(asValue(value));
}

/** Takes a value as a list, where the export may have it as JSON text. */
export function asItems(value: unknown): readonly unknown[] {
  return plainItems(asValue(value));
}

/** Takes a value as a list of objects. */
export function asRows(value: unknown): readonly LooseFields[] {
  return asItems(value).map(asFields);
}

/** The first of the values that is text with something in it. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}

/** A call in an exported trace. */
export interface RecordedCall {
  readonly name: string;
  /** As text where the trace holds the text; else as it was parsed. */
  readonly args: unknown;
  readonly id?: string | undefined;
  /** The tools that the model could call. */
  readonly tools: readonly ToolLike[];
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** What belongs together: the trace. */
  readonly run?: string | undefined;
  readonly thread?: string | undefined;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** Whether the model's output is known to have been cut off. */
  readonly truncated: boolean;
  /**
   * Whether it is of the tool's own record, and no model's: what ran, not what
   * was written.
   */
  readonly isRun: boolean;
}

/**
 * Reads the calls in one entry of an export (a run, a span). Any other value
 * has no calls.
 */
export type ReadExport = (entry: unknown) => readonly RecordedCall[];

/** A call as a message has it. */
export type OutputCall = Pick<
  RecordedCall,
  "name" | "args" | "id" | "truncated"
>;

/** What a run or a span says of calls. */
interface ExportedCalls {
  readonly origin: Pick<
    RecordedCall,
    "model" | "provider" | "run" | "thread" | "time"
  >;
  /** The call that ran, where it is a tool's. */
  readonly ran: Omit<OutputCall, "truncated"> | undefined;
  readonly written: readonly OutputCall[];
  /** The tools that the model was offered, by each place that may hold them. */
  readonly offered: readonly (readonly ToolLike[])[];
}

/**
 * Returns the calls of a run or a span: what a tool ran with, else what a model
 * wrote; none without a time.
 */
export function toRecordedCalls(
  exported: ExportedCalls,
): readonly RecordedCall[] {
  const { origin, ran, written, offered } = exported;
  if (Number.isNaN(origin.time)) return [];
  if (ran !== undefined)
    return [{ ...origin, ...ran, tools: [], truncated: false, isRun: true }];
  const tools = offered.find((list) => list.length > 0) ?? [];
  return written.map((call) => ({ ...origin, ...call, tools, isRun: false }));
}
