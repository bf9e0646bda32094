import { toPointer } from "../json/json-pointer.ts";
import type { InputIssue, JsonValue } from "../types.ts";
import { endOfJsonString } from "./strings.ts";

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

/**
 * Collects how the numbers of an input are written. In text that is JSON, its strings count only
 * where they may hold JSON themselves; in any other text every number counts, so that a value that
 * is written in two ways has no spelling rather than a wrong one.
 *
 * @param raw What the model wrote: text, or a parsed value, whose own numbers are `String(number)`.
 * @param isJson Whether a text is JSON as it stands.
 */
export function writtenNumbersOf(raw: unknown, isJson = false): WrittenNumbers {
  const spellings = new Map<number, string | undefined>();
  const rounded = new Map<number, string>();
  const read = (add: AddNumber) =>
    typeof raw === "string" ? readNumbers(raw, isJson, add) : readNumbersIn(raw, add);
  read(addOtherwiseSpelled);
  // As `String` writes it, too: then there are two spellings.
  if (spellings.size > 0) read(addPlain);
  return { spellings, rounded };

  function addOtherwiseSpelled(text: string, isPlain: boolean): void {
    if (PLAIN_INTEGER.test(text)) return;
    const number = Number(text.replaceAll("_", ""));
    if (Number.isNaN(number) || String(number) === text) return;
    const isNew = !spellings.has(number) || spellings.get(number) === text;
    spellings.set(number, isNew ? text : undefined);
    if (isPlain ? losesWholeDigits(text, number) : isInexact(text)) rounded.set(number, text);
  }

  function addPlain(text: string): void {
    const number = Number(text);
    if (spellings.has(number) && String(number) === text) spellings.set(number, undefined);
  }
}

/** How `String` writes a number. */
const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/;

type AddNumber = (text: string, isPlain: boolean) => void;

/** Of the numbers of plain JSON, which the tool takes as they are, only what may be an id. */
function losesWholeDigits(text: string, number: number): boolean {
  return (!Number.isFinite(number) || Number.isInteger(number)) && losesDigits(text, number);
}

function isInexact(text: string): boolean {
  const digits = text.replaceAll("_", "");
  return /^[+-]?(?:0?\.|0$|0e|[1-9])/i.test(digits) && losesDigits(digits, Number(digits));
}

function readNumbersIn(value: unknown, add: AddNumber): void {
  const open: unknown[] = [value];
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    if (typeof inner === "number") add(String(inner), true);
    else if (typeof inner === "string" && MAY_HOLD_JSON.test(inner)) readNumbers(inner, false, add);
    else if (inner !== null && typeof inner === "object") {
      for (const child of Object.values(inner)) if (child !== undefined) open.push(child);
    }
  }
}

function readNumbers(text: string, isJson: boolean, add: AddNumber): void {
  const token = new RegExp(isJson ? `"|${ANY_NUMBER}` : ANY_NUMBER, "g");
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] !== '"') add(match[0], isJson);
    else {
      const end = endOfJsonString(text, token.lastIndex);
      const inner = text.slice(token.lastIndex, end);
      if (MAY_HOLD_JSON.test(inner)) readNumbers(inner, false, add);
      token.lastIndex = end + 1;
    }
  }
}

const ANY_NUMBER = "[+-]?(?:0[xX][\\da-fA-F]+|\\.?\\d[\\d_]*(?:\\.\\d[\\d_]*)*(?:[eE][+-]?\\d+)?)";
const MAY_HOLD_JSON = /^[\s\\"'`]*[[{(`<]/;

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
