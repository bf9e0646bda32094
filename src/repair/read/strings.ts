import { parseExactly } from "../json.ts";
import { Fault } from "./faults.ts";
import {
  closingQuotes,
  type Dialect,
  LOOSE_DIALECT,
  matchesAt,
} from "./tokens.ts";

/**
 * The index of the quote that closes the string whose opening quote stands at
 * an index: the first without a backslash.
 */
export function endOfString(text: string, open: number): number {
  const close = nextQuote(text, open + 1, closingQuotes(text.charAt(open)));
  if (close < 0) throw new Fault("open_string", text.length);
  return close;
}

/** The next of some quotes that has no backslash; or -1. */
export function nextQuote(text: string, from: number, quotes: string): number {
  QUOTE_OR_ESCAPE.lastIndex = from;
  while (QUOTE_OR_ESCAPE.test(text)) {
    const at = QUOTE_OR_ESCAPE.lastIndex - 1;
    const char = text.charAt(at);
    if (char === "\\") QUOTE_OR_ESCAPE.lastIndex += 1;
    else if (quotes.includes(char)) return at;
  }
  return -1;
}

const QUOTE_OR_ESCAPE = new RegExp(`[\\\\»${LOOSE_DIALECT.quotes}]`, "g");

/**
 * Whether a quote with backslashes stands at an index: `\"`, in a text that was
 * escaped twice.
 */
export function isEscapedQuote(text: string, at: number): boolean {
  return matchesAt(ESCAPED_QUOTE, text, at);
}

const ESCAPED_QUOTE = /\\{1,3}["']/y;

/**
 * Reads a string whose two quotes are escaped alike: `\"foo\"`. With another
 * backslash or quote within, what it was escaped for is unknown.
 */
export function readEscapedString(
  text: string,
  at: number,
): ReadString | undefined {
  if (!matchesAt(ESCAPED_QUOTE, text, at)) return undefined;
  const from = ESCAPED_QUOTE.lastIndex;
  const mark = text.slice(at, from);
  const end = text.indexOf(mark, from);
  const content = text.slice(from, end < 0 ? text.length : end);
  const inner = content.search(/["'\\]/);
  if (inner >= 0) throw new Fault("bad_escape", from + inner);
  if (end < 0) throw new Fault("open_string", text.length);
  return { value: content, end: end + mark.length };
}

/** The content of a string, and the index behind it. */
interface ReadString {
  readonly value: string;
  readonly end: number;
}

/**
 * Reads a string of several lines in Python's triple quotes. On one line the
 * quotes may be a pair inside the string; and what a backslash means depends on
 * the program.
 */
export function readTripleQuoted(
  text: string,
  at: number,
  { isLoose }: Dialect,
): ReadString | undefined {
  if (!isLoose) return undefined;
  const mark = TRIPLE_QUOTES.find((quotes) => text.startsWith(quotes, at));
  if (mark === undefined) return undefined;
  const from = at + mark.length;
  const end = text.indexOf(mark, from);
  const value = text.slice(from, end);
  const isSure = end >= 0 && value.includes("\n") && !value.includes("\\");
  return isSure ? { value, end: end + mark.length } : undefined;
}

const TRIPLE_QUOTES = ['"""', "'''"];

const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|.|$)/gsu;
const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
};

/** A letter that is not ASCII: é, not d. */
const FOREIGN_LETTER = /^(?![\0-\x7f])\p{L}$/u;
/**
 * A drive's path whose first name begins no escape: `C:\Data`, not `C:\new`.
 */
const DRIVE_PATH = /^[A-Za-z]:\\(?![nrtbfx/]|u[\da-fA-F]{4})[^\s\\]\S*$/;
/** A drive's path of names that all may begin an escape: `C:\new`. */
const DOUBTFUL_PATH = /^[A-Za-z]:\\[^\\"]\S*$/;

/** The content of the string whose quotes stand at two indexes. */
export function decodeString(
  text: string,
  open: number,
  close: number,
  dialect: Dialect,
): string {
  const quote = text.charAt(open);
  const body = text.slice(open + 1, close);
  if (quote === "`" && /(?<!\\)\$\{/.test(body))
    throw new Fault("filled_in_by_code", open);
  if (dialect.quotes === '"') {
    const value = parseExactly(`"${body}"`);
    if (typeof value !== "string") throw new Fault("bad_escape", open);
    return value;
  }
  return body.includes("\\") ? unescaped(body, open, quote, dialect) : body;
}

/**
 * A string whose backslashes have a meaning. Every backslash stands for itself
 * if one escape that JSON does not know shows that the writer did not escape:
 * `\d`.
 */
function unescaped(
  body: string,
  open: number,
  quote: string,
  { escapes, isLoose }: Dialect,
): string {
  const isKnown = (sign: string) => escapes.has(sign) || sign === quote;
  const written = [...body.matchAll(ESCAPE)];
  const signs = written.map(([sequence]) => escapedSign(sequence));
  // a writer of codes may put a backslash before a letter of another script
  const mayBeForeign = signs.includes("\\u");
  const unknown = signs.findIndex((sign) => {
    if (isKnown(sign)) return false;
    return !mayBeForeign || !FOREIGN_LETTER.test(sign);
  });
  const fault = (at = 0) => new Fault("bad_escape", open + 1 + at);
  if (unknown < 0) {
    const at = doubtfulEscape(body, quote);
    if (at >= 0) throw fault(at);
    return body.replace(ESCAPE, meaningOfEscape);
  }
  if (isLoose && standForThemselves(signs, isKnown, body)) return body;
  throw fault(written[unknown]?.index);
}

/** Where a backslash that could escape is probably meant as one; or -1. */
function doubtfulEscape(body: string, quote: string): number {
  if (DOUBTFUL_PATH.test(body)) return body.indexOf("\\");
  // an apostrophe between quotes of a shell
  return quote === '"' ? body.indexOf("'\\''") : -1;
}

/**
 * Whether every backslash stands for itself, beside one that can escape
 * nothing. With an escape of a line break or another character, that is certain
 * only in a drive's path.
 */
function standForThemselves(
  signs: readonly string[],
  isKnown: (sign: string) => boolean,
  body: string,
): boolean {
  if (signs.some((sign) => SURELY_ESCAPED.has(sign))) return false;
  const isMixed = signs.some((sign) => isKnown(sign) && !HARDLY_USED.has(sign));
  return !isMixed || DRIVE_PATH.test(body);
}

const SURELY_ESCAPED = new Set("\"'`\\");
/** Backspace and form feed. */
const HARDLY_USED = new Set("bf");

/** The sign behind a backslash; `\u` or `\x` for one that is written as a code. */
function escapedSign(sequence: string): string {
  const isCode = sequence.length > "\\x".length + 1;
  return isCode ? sequence.slice(0, 2) : sequence.slice(1);
}

function meaningOfEscape(sequence: string): string {
  const sign = escapedSign(sequence);
  if (sign === "\\u" || sign === "\\x")
    return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  return CONTROLS[sign] ?? sign;
}
