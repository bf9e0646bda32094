import { isJsonObject } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import type { ToolLike } from "../../repair/types.ts";
import { type LineReader, type ReadPlaces, readFiles } from "../read-files.ts";

/** The longest entry, in characters: a run holds the whole prompt. */
const LONGEST = 256 * 1024 * 1024;

/** The last moment that can be written as a date, in milliseconds since 1970. */
const LAST = 8.64e15;

/** What was read of exports. */
export interface ExportRead {
  readonly calls: readonly RecordedCall[];
  readonly files: number;
  /** How many runs, or lines of spans. */
  readonly entries: number;
  /** Lines that are no JSON, or too long. */
  readonly torn: number;
  /** Entries and calls that are nested too deeply, and calls of a time that is none. */
  readonly odd: number;
}

/**
 * Reads the calls in exported files: JSON Lines, or one JSON value, which may be a list. What is in them
 * that is no export stops nothing, and is counted.
 */
export async function readExport(
  names: readonly string[],
  read: ReadExport,
  places: ReadPlaces,
): Promise<ExportRead> {
  const calls: RecordedCall[] = [];
  const counts = { entries: 0, torn: 0, odd: 0 };
  const addEntry = (entry: unknown) => {
    counts.entries += 1;
    for (const call of callsIn(entry, read)) {
      if (call === undefined || isOdd(call)) counts.odd += 1;
      else calls.push(call);
    }
  };
  const add = (value: unknown) => {
    const list = Array.isArray(value) ? value : asItems(asFields(value).runs);
    for (const entry of list.length > 0 ? list : [value]) addEntry(entry);
  };
  const { files } = await readFiles(names, { ...places, longest: LONGEST }, () =>
    readEntries(add, () => {
      counts.torn += 1;
    }),
  );
  return { calls, files, ...counts };
}

/** What is nested so deeply that it cannot be looked through is one thing that is passed over. */
function callsIn(entry: unknown, read: ReadExport): readonly (RecordedCall | undefined)[] {
  try {
    return read(entry);
  } catch (error) {
    if (error instanceof RangeError) return [undefined];
    throw error;
  }
}

function isOdd({ time, args }: RecordedCall): boolean {
  return !(Math.abs(time) <= LAST) || isTooDeep(args);
}

/**
 * Reads the lines of one file: each is a value, or, where the first is none, all of them together are
 * one.
 */
function readEntries(add: (value: unknown) => void, skip: () => void): LineReader {
  let whole: string[] = [];
  let length = 0;
  let isFirst = true;
  const addOrSkip = (line: string) => {
    const value = parseExactly(line);
    if (value === undefined) skip();
    else add(value);
  };
  /** It was no one value: what can be read alone is, but not the parts of a list. */
  const giveUp = () => {
    for (const line of whole) {
      if (/^\s*[{[].*[}\]]\s*$/.test(line)) addOrSkip(line);
      else skip();
    }
    whole = [];
  };
  return {
    add(line) {
      const value = isFirst ? parseExactly(line) : undefined;
      if (value !== undefined) add(value);
      else if (isFirst || whole.length > 0) {
        whole.push(line);
        length += line.length + 1;
        if (length > LONGEST) giveUp();
      } else addOrSkip(line);
      isFirst = false;
    },
    skip() {
      skip();
      isFirst = false;
    },
    end() {
      const value = whole.length === 0 ? undefined : parseExactly(whole.join("\n"));
      if (value === undefined) giveUp();
      else add(value);
    },
  };
}

/** What exports hold: objects whose fields may be anything. */
export type LooseFields = { readonly [key: string]: unknown };

/** Takes a value as an object. Whatever is none has no fields. */
export function plainFields(value: unknown): LooseFields {
  return isJsonObject(value) ? value : {};
}

/** Takes a value as a list. Whatever is none has no items. */
export function plainItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Takes a value as an object, where the export may have it as JSON text. */
export function asFields(value: unknown): LooseFields {
  return plainFields(asParsed(value));
}

/** Takes a value as a list, where the export may have it as JSON text. */
export function asItems(value: unknown): readonly unknown[] {
  return plainItems(asParsed(value));
}

/** The first of the values that is text with something in it. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

/** Nesting down to which an export's values are looked at: nobody's tool has as much. */
const DEEPEST = 500;

/** Tells whether a value is nested more deeply than anything that goes through all of it can follow. */
export function isTooDeep(value: unknown, left: number = DEEPEST): boolean {
  if (value === null || typeof value !== "object") return false;
  return left === 0 || Object.values(value).some((one) => isTooDeep(one, left - 1));
}

function asParsed(value: unknown): unknown {
  return typeof value === "string" ? parseExactly(value) : value;
}

/** A call that somebody's trace holds. */
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
  /** Whether it is of the tool's own record, and no model's: what ran, not what was written. */
  readonly isRun: boolean;
}

/** Reads the calls in one entry of an export: a run, a span. Whatever it is not, it has no calls. */
export type ReadExport = (entry: unknown) => readonly RecordedCall[];
