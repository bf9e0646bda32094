import type { InputIssue, JsonValue } from "../types.ts";
import { toPointer } from "./json-pointer.ts";

/**
 * By value, how the numbers of an input are written whose spelling is not `String(number)`
 * (`3.10`, `1e3`, `+5`); `undefined` where the same value is written in several ways.
 */
export type NumberSpellings = ReadonlyMap<number, string | undefined>;

/** How the numbers of an input are written. */
export interface WrittenNumbers {
  readonly spellings: NumberSpellings;
  /** By value, what was written for it with digits that the value does not hold. */
  readonly rounded: ReadonlyMap<number, string>;
}

const NUMBER = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;

/**
 * Reads a number that a double holds, digit for digit.
 *
 * @param text The text, without white space around it.
 * @returns The number; `undefined` for what is no number, for one with a leading zero, which is an
 * id, and for one whose digits would change: an integer beyond 2^53, too many digits, `1e-400`.
 */
export function readExactNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  const isRounded = INTEGER.test(text) ? !Number.isSafeInteger(number) : losesDigits(text, number);
  return isRounded ? undefined : number;
}

/**
 * Checks whether a number is other than it was written.
 *
 * @param text How it was written.
 * @param number What was read.
 */
export function losesDigits(text: string, number: number): boolean {
  if (!Number.isFinite(number)) return true;
  const written = String(number);
  return written !== text && decimalOf(text) !== decimalOf(written);
}

/** The digits without zeros around them, and where the point stands: the same for `10`, `10.0`, `1e1`. */
function decimalOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const point = Number(exponent) - fraction.length + digits.length - end;
  return end === 0 ? "0" : `${digits.slice(0, end)}e${point}`;
}

/**
 * Finds the numbers of a value that were written with more digits than they hold: an id would be
 * another one.
 *
 * @param value The value.
 * @param numbers How the numbers of the input that it came from are written.
 * @returns An issue for each place.
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
