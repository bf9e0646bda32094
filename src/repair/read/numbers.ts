import { toPointer } from "../json/json-pointer.ts";
import type { InputIssue, JsonValue } from "../types.ts";
import { isContainer } from "./parse-exactly.ts";
import { endOfQuoted } from "./strings.ts";

/** How the numbers of an input are written, by value; `undefined` if one is written in several ways. */
export type NumberSpellings = ReadonlyMap<number, string | undefined>;

/** How the numbers of an input are written. Empty if each is written as `String` does. */
export interface WrittenNumbers {
  readonly spellings: NumberSpellings;
  /** The text of numbers with digits that the value does not hold, by value. */
  readonly rounded: ReadonlyMap<number, string>;
}

/**
 * Collects how the numbers of an input are written. In JSON text, strings count only if they may
 * hold JSON themselves; in any other text every number counts, so that a value written in two ways
 * has no spelling rather than a wrong one.
 */
export function writtenNumbersOf(raw: unknown, isJson = false): WrittenNumbers {
  const spellings = new Map<number, string | undefined>();
  const rounded = new Map<number, string>();
  const all = new Map<string, boolean>();
  if (typeof raw !== "string") collect(raw, true, all);
  else if (MAY_BE_ODD.test(raw)) collect(raw, isJson, all);
  for (const [text, isPlain] of all) {
    const digits = text.replaceAll("_", "");
    const number = Number(digits);
    if (Number.isNaN(number)) continue;
    spellings.set(number, spellings.has(number) ? undefined : text);
    // The tool takes the numbers of plain JSON unchanged: only those that may be an id.
    const isId = !Number.isFinite(number) || Number.isInteger(number);
    const mayLose = isPlain ? isId : /^[+-]?(?:0?\.|0$|0e|[1-9])/i.test(digits);
    if (mayLose && losesDigits(digits, number)) rounded.set(number, text);
  }
  for (const [number, text] of spellings) if (text === String(number)) spellings.delete(number);
  return { spellings, rounded };
}

/** A number that `String` would write otherwise, or that a double may not hold, or JSON in a string. */
const MAY_BE_ODD =
  /\.\d*0(?!\d)|\d[eExX_]|\+\.?\d|-0|(?<!\d)\.\d|(?<![\d.])0\d|\d[\d.]{15}|"[\s\\"'`]*[[{(`<]/;

/** Collects numbers as written, and whether plain JSON writes each so. */
function collect(value: unknown, isJson: boolean, all: Map<string, boolean>): void {
  const addAll = (numbers: readonly string[] | null) => {
    for (const text of numbers ?? []) all.set(text, isJson && all.get(text) !== false);
  };
  if (typeof value === "number") addAll([String(value)]);
  if (typeof value === "string" && !isJson) addAll(value.match(NUMBERS));
  if (isContainer(value)) {
    for (const child of Object.values(value)) {
      if (typeof child !== "string") collect(child, true, all);
      else if (MAY_HOLD_JSON.test(child)) collect(child, false, all);
    }
  }
  if (typeof value !== "string" || !isJson) return;
  let at = 0;
  for (let open = value.indexOf('"'); open >= 0; open = value.indexOf('"', at)) {
    addAll(value.slice(at, open).match(NUMBERS));
    const end = endOfQuoted(value, open + 1, '"');
    const inner = value.slice(open + 1, end < 0 ? value.length : end);
    if (MAY_HOLD_JSON.test(inner)) collect(inner, false, all);
    if (end < 0) return;
    at = end + 1;
  }
  addAll(value.slice(at).match(NUMBERS));
}

const NUMBERS = /[+-]?(?:0[xX][\da-fA-F]+|\.?\d[\d_]*(?:\.\d[\d_]*)*(?:[eE][+-]?\d+)?)/g;
const MAY_HOLD_JSON = /^[\s\\"'`]*[[{(`<]/;

/**
 * Finds the numbers of a value that were written with more digits than they hold: an id would
 * become another.
 */
export function roundedNumbers(
  value: JsonValue,
  { rounded }: Pick<WrittenNumbers, "rounded">,
  path = "",
): InputIssue[] {
  if (rounded.size === 0) return [];
  if (isContainer(value)) {
    return Object.entries(value).flatMap(([key, child]) =>
      roundedNumbers(child as JsonValue, { rounded }, path + toPointer([key])),
    );
  }
  const written = typeof value === "number" ? rounded.get(value) : undefined;
  if (written === undefined) return [];
  const received = written.length <= 60 ? written : `${written.slice(0, 59)}…`;
  const message = `${received} has more digits than a number holds; it would become ${value}`;
  const expected = "a number that a double holds";
  return [{ path, code: "inexact_number", message, expected, received }];
}

/** A number as JSON has it. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a number, also with `+`, if a double holds each of its digits. */
export function readExactNumber(text: string): number | undefined {
  const number = Number(text);
  if (!JSON_NUMBER.test(text.replace(/^\+/, "")) || losesDigits(text, number)) return undefined;
  return Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text) ? number : undefined;
}

/** Whether a number differs from its text. */
export function losesDigits(text: string, number: number): boolean {
  const written = String(number);
  return written !== text && (!Number.isFinite(number) || decimalOf(text) !== decimalOf(written));
}

/** The digits without zeros around them, and the place of the point: the same for `10`, `10.0`, `1e1`. */
function decimalOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const point = Number(exponent) - fraction.length + digits.length - end;
  return end === 0 ? "0" : `${digits.slice(0, end)}e${point}`;
}
