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
  if (!isLoose || !matchesAt(TRIPLE_QUOTE, text, at)) return undefined;
  const from = TRIPLE_QUOTE.lastIndex;
  const end = text.indexOf(text.slice(at, from), from);
  const value = text.slice(from, end);
  const isSure = end >= 0 && value.includes("\n") && !value.includes("\\");
  return isSure ? { value, end: end + 3 } : undefined;
}

const TRIPLE_QUOTE = /"""|'''/y;

const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|.|$)/gsu;
const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
};

/** An escape of JSON, or `\'`: `\n`, `\u00e9`; not `\d`. */
const KNOWN_ESCAPE = /^\\(?:["'\\/nrtbf]|u.{4})$/;
/** An escape of Python: `\n`, `\xe9`; not `\/`. */
const KNOWN_IN_PYTHON = /^\\(?:["'\\nrt]|u.{4}|x.{2})$/;
/**
 * A backslash before a letter or a character that is not ASCII: `\é`; not `\d`.
 */
const ESCAPED_FOREIGN = /^\\(?![\0-\x7f])\p{L}$/u;
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
  if (!body.includes("\\")) return body;
  const faulty = faultyEscape(body, quote, dialect);
  if (faulty === "literal") return body;
  if (faulty !== undefined) throw new Fault("bad_escape", open + 1 + faulty);
  return body.replace(ESCAPE, meaningOfEscape);
}

/**
 * Where a string has a backslash of unknown meaning. `"literal"` if every
 * backslash stands for itself: one escape that JSON does not know shows that
 * the writer did not escape (`\d`). Beside an escape of a line break or another
 * character, that is certain only in a drive's path.
 */
function faultyEscape(
  body: string,
  quote: string,
  { isLoose }: Dialect,
): number | "literal" | undefined {
  const known = isLoose ? KNOWN_ESCAPE : KNOWN_IN_PYTHON;
  const escapes = [...body.matchAll(ESCAPE)];
  const isKnown = (written: string) =>
    known.test(written) || written.charAt(1) === quote;
  const hasCodes = escapes.some(([written]) => /^\\u.{4}$/.test(written));
  const isForeign = (written: string) =>
    hasCodes && ESCAPED_FOREIGN.test(written);
  const unknown = escapes.find(
    ([written]) => !isKnown(written) && !isForeign(written),
  );
  if (unknown === undefined) {
    if (DOUBTFUL_PATH.test(body)) return body.indexOf("\\");
    const shellQuote = quote === '"' ? body.indexOf("'\\''") : -1;
    return shellQuote < 0 ? undefined : shellQuote;
  }
  const isMixed = escapes.some(
    ([written]) => isKnown(written) && !/^\\[bf]$/.test(written),
  );
  const isDoubled = escapes.some(([written]) => /^\\["'`\\]/.test(written));
  const isSure = isLoose && !isDoubled && (!isMixed || DRIVE_PATH.test(body));
  return isSure ? "literal" : unknown.index;
}

function meaningOfEscape(written: string): string {
  const code = /^\\[ux](.+)$/.exec(written)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return CONTROLS[written.charAt(1)] ?? written.slice(1);
}
