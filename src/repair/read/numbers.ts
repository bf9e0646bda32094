import { toPointer } from "../json/json-pointer.ts";
import type { InputIssue, JsonValue } from "../types.ts";
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
  if (isJson && typeof raw === "string" && !MAY_BE_ODD.test(raw)) return { spellings, rounded };
  const all = new Map<string, boolean>();
  collect(raw, isJson || typeof raw !== "string", all);
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
const MAY_BE_ODD = /\.\d*0(?!\d)|\d[eE]|-0|\d[\d.]{15}|"[\s\\"'`]*[[{(`<]/;

/** Collects numbers as written, and whether plain JSON writes each so. */
function collect(value: unknown, isJson: boolean, all: Map<string, boolean>): void {
  const add = (text: string) => all.set(text, isJson && all.get(text) !== false);
  if (typeof value === "number") add(String(value));
  else if (value !== null && typeof value === "object") {
    for (const child of Object.values(value)) {
      if (typeof child !== "string" || MAY_HOLD_JSON.test(child))
        collect(child, typeof child !== "string", all);
    }
  } else if (typeof value === "string") {
    const token = new RegExp(isJson ? `"|${ANY_NUMBER}` : ANY_NUMBER, "g");
    for (let match = token.exec(value); match !== null; match = token.exec(value)) {
      if (match[0] !== '"') add(match[0]);
      else {
        const end = endOfQuoted(value, token.lastIndex, '"');
        const inner = value.slice(token.lastIndex, end < 0 ? value.length : end);
        if (MAY_HOLD_JSON.test(inner)) collect(inner, false, all);
        if (end < 0) break;
        token.lastIndex = end + 1;
      }
    }
  }
}

const ANY_NUMBER = "[+-]?(?:0[xX][\\da-fA-F]+|\\.?\\d[\\d_]*(?:\\.\\d[\\d_]*)*(?:[eE][+-]?\\d+)?)";
const MAY_HOLD_JSON = /^[\s\\"'`]*[[{(`<]/;

/**
 * Finds the numbers of a value that were written with more digits than they hold: an id would
 * become another.
 */
export function roundedNumbers(value: JsonValue, { rounded }: WrittenNumbers): InputIssue[] {
  if (rounded.size === 0) return [];
  const issues: InputIssue[] = [];
  const open: [path: string, value: JsonValue][] = [["", value]];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [path, inner] = place;
    const written = typeof inner === "number" ? rounded.get(inner) : undefined;
    if (written !== undefined) issues.push(issueOf(path, written, inner));
    if (inner === null || typeof inner !== "object") continue;
    for (const [key, child] of Object.entries(inner).reverse()) {
      if (child !== undefined) open.push([path + toPointer([key]), child]);
    }
  }
  return issues;
}

function issueOf(path: string, written: string, number: unknown): InputIssue {
  const shown = written.length <= 60 ? written : `${written.slice(0, 59)}…`;
  return {
    path,
    code: "inexact_number",
    message: `${shown} has more digits than a number holds; it would become ${String(number)}`,
    expected: "a number that a double holds",
    received: shown,
  };
}

/** A number as JSON has it. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;

/** Reads a number if a double holds each of its digits. */
export function readExactNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  const isRounded = INTEGER.test(text) ? !Number.isSafeInteger(number) : losesDigits(text, number);
  return isRounded ? undefined : number;
}

/** Whether a number differs from its text. */
export function losesDigits(text: string, number: number): boolean {
  if (!Number.isFinite(number)) return true;
  const written = String(number);
  return written !== text && decimalOf(text) !== decimalOf(written);
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
