import { cutText, isContainer, toPointer } from "../json.ts";
import { isDigits } from "../text.ts";
import type { InputIssue, JsonValue } from "../types.ts";

/**
 * How the numbers of an input are written, by value; `undefined` if one is
 * written in several ways.
 */
export type NumberSpellings = ReadonlyMap<number, string | undefined>;

/**
 * How the numbers of an input are written. Empty if each is written as `String`
 * does.
 */
export interface WrittenNumbers {
  readonly spellings: NumberSpellings;
  /** The text of numbers with digits that the value does not hold, by value. */
  readonly rounded: ReadonlyMap<number, string>;
}

/**
 * Collects how the numbers of an input are written. In JSON, strings count only
 * if they may hold JSON themselves; in any other text every number counts, so
 * that a value written in two ways has no spelling rather than a wrong one.
 */
export function writtenNumbersOf(
  raw: unknown,
  isJson: boolean = typeof raw !== "string",
): WrittenNumbers {
  const spellings = new Map<number, string | undefined>();
  const rounded = new Map<number, string>();
  const text = typeof raw === "string" ? raw : (JSON.stringify(raw) ?? "");
  for (const [written, isPlain] of numbersIn(text, isJson)) {
    const digits = written.replaceAll("_", "");
    const number = Number(digits);
    if (Number.isNaN(number)) continue;
    spellings.set(number, spellings.has(number) ? undefined : written);
    if (mayLoseDigits(digits, number, isPlain)) rounded.set(number, written);
  }
  forgetUsualSpellings(spellings);
  return { spellings, rounded };
}

/** Removes the numbers that are written as `String` does. */
function forgetUsualSpellings(spellings: Map<number, string | undefined>) {
  for (const [number, written] of spellings) {
    if (written === String(number)) spellings.delete(number);
  }
}

/** Whether digits matter that a number would not keep. */
function mayLoseDigits(
  digits: string,
  number: number,
  isPlain: boolean,
): boolean {
  if (isPlain) {
    // The tool takes the numbers of plain JSON unchanged: only those that may
    // be an id matter.
    const isFraction = Number.isFinite(number) && !Number.isInteger(number);
    if (isFraction) return false;
  } else if (!BEGINS_NUMBER.test(digits)) return false;
  return losesDigits(digits, number);
}

/** A number that is no id with zeros before it: 1.5, 0.5, .5; not 007. */
const BEGINS_NUMBER = /^[+-]?(?:0?\.|0$|0e|[1-9])/i;

/** The numbers as written in a text, and whether plain JSON writes each so. */
function numbersIn(
  text: string,
  isJson: boolean,
): ReadonlyMap<string, boolean> {
  const numbers = new Map<string, boolean>();
  if (!MAY_BE_ODD.some((form) => form.test(text))) return numbers;
  if (!isJson) {
    collectNumbers(text, false, numbers);
    return numbers;
  }
  collectNumbers(text.replace(STRING, '""'), true, numbers);
  for (const [string] of text.matchAll(STRING)) {
    if (MAY_HOLD_JSON.test(string)) collectNumbers(string, false, numbers);
  }
  return numbers;
}

function collectNumbers(
  text: string,
  isPlain: boolean,
  numbers: Map<string, boolean>,
): void {
  for (const [written] of text.matchAll(NUMBERS)) {
    numbers.set(written, isPlain && numbers.get(written) !== false);
  }
}

/**
 * A number that may have more digits than a double holds, or a larger value:
 * 1234567890123456, 1e400; not 15.
 */
export const MAY_LOSE_DIGITS: RegExp = /\d[\d._]{15}|\d[eE]/;

/**
 * Numbers that `String` would write otherwise, or that a double may not hold.
 */
const MAY_BE_ODD: readonly RegExp[] = [
  MAY_LOSE_DIGITS,
  // beside a point: .5, 5., 1.50, 0.0000001; not 0.5, 1.05
  /(?<!\d)\.\d|\d\.(?!\d)|\.\d*0(?!\d)|0\.0{6}/,
  // beside other signs, or zeros before digits: +5, -0, 0x1F, 1_000, 007; not 100
  /\+\.?\d|-0|\d[xX_]|(?<![\d.])0\d/,
];

/** A number in any spelling: 1, +1.5e3, .5, 1_000, 0x1F. */
const DECIMAL = String.raw`\.?\d[\d_]*(?:\.\d[\d_]*)*\.?(?:[eE][+-]?\d+)?`;
const NUMBERS = new RegExp(
  String.raw`[+-]?(?:0[xX][\da-fA-F]+|${DECIMAL})`,
  "g",
);
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;
const MAY_HOLD_JSON = /^"(?:\\[nrt]|[\s\\"'`])*[[{(`<]/;

/**
 * Finds the numbers of a value that were written with more digits than they
 * hold: an id would become another.
 */
export function roundedNumbers(
  value: JsonValue,
  numbers: WrittenNumbers,
  path = "",
): InputIssue[] {
  if (numbers.rounded.size === 0) return [];
  if (isContainer(value)) {
    return Object.entries(value).flatMap(([key, child]) =>
      roundedNumbers(child as JsonValue, numbers, path + toPointer([key])),
    );
  }
  if (typeof value !== "number") return [];
  const written = numbers.rounded.get(value);
  if (written === undefined) return [];
  const received = cutText(written, 60);
  const message = `${received} has more digits than a number holds; it would become ${value}`;
  const expected = "a number that a double holds";
  return [{ path, code: "inexact_number", message, expected, received }];
}

/**
 * Whether JSON text has a whole number, outside its strings, that `JSON.parse`
 * would change.
 */
export function hasRoundedNumbers(json: string): boolean {
  if (!MAY_LOSE_DIGITS.test(json)) return false;
  const { rounded } = writtenNumbersOf(json.replace(STRING, '""'), true);
  return rounded.size > 0;
}

/** A number as JSON has it. */
export const JSON_NUMBER: RegExp =
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a number, also with `+`, if a double holds each of its digits. */
export function readExactNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(withoutPlus(text))) return undefined;
  const number = Number(text);
  if (losesDigits(text, number)) return undefined;
  if (isDigits(withoutSign(text)) && !Number.isSafeInteger(number))
    return undefined;
  return number;
}

/** A number without its plus: `5` of `+5`; `+-5` stays. */
export function withoutPlus(text: string): string {
  return text.replace(/^\+(?=[\d.])/, "");
}

function withoutSign(text: string): string {
  return text.replace(/^[+-]/, "");
}

/** Whether a number differs from its text. */
export function losesDigits(text: string, number: number): boolean {
  const written = String(number);
  if (written === text) return false;
  return !Number.isFinite(number) || decimalOf(text) !== decimalOf(written);
}

/**
 * The digits without zeros around them, and the place of the point: the same
 * for `10`, `10.0`, `1e1`.
 */
function decimalOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = withoutSign(mantissa).split(".");
  const digits = whole + fraction;
  let start = 0;
  while (digits.charAt(start) === "0") start++;
  if (start === digits.length) return "0";
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const point = Number(exponent) - fraction.length + digits.length - end;
  return `${digits.slice(start, end)}e${point}`;
}
