import { parseExactly } from "../json.ts";
import type { JsonValue } from "../types.ts";

/** A language of texts. One parser reads all of them. */
export interface Dialect {
  /** The quotes that open a string. */
  readonly quotes: string;
  /** The words that stand for a value. */
  readonly literals: Readonly<Record<string, JsonValue>>;
  /** Whether faults are repaired if one reading is left, and a word without quotes may be a string. */
  readonly isLoose: boolean;
}

const JSON_LITERALS = { true: true, false: false, null: null };
const PYTHON_LITERALS = { ...JSON_LITERALS, True: true, False: false, None: null };
const OTHER_LITERALS = { TRUE: true, FALSE: false, NULL: null, Null: null, undefined: null };

/** JSON as `JSON.parse` accepts it. */
export const JSON_DIALECT: Dialect = { quotes: '"', literals: JSON_LITERALS, isLoose: false };

/** Python's literals: `(1, 2)` is a list, and a comma may follow the last element. */
export const PYTHON_DIALECT: Dialect = { quotes: "\"'", literals: PYTHON_LITERALS, isLoose: false };

/** The variants that models write instead of JSON. */
export const LOOSE_DIALECT: Dialect = {
  quotes: "\"'`“”„‟‘’‚＂",
  literals: { ...PYTHON_LITERALS, ...OTHER_LITERALS },
  isLoose: true,
};

/** Thrown if a text cannot be read, or ends too early; caught by `parse`. */
export const REFUSED: Error = new Error("no JSON, or more than one reading");
export const CUT: Error = new Error("ends too early");

export function fail(): never {
  throw REFUSED;
}

/** White space of any script and invisible marks, as a class of a pattern. */
export const BLANK = "\\s\\u0085\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069";

const BLANKS = new RegExp(`[${BLANK}]*`, "y");
const BLANKS_OR_ESCAPES = new RegExp(`(?:[${BLANK}]|\\\\[nrt])*`, "y");

/** The index after white space; if ` ` between tokens is written in two signs, after those too. */
export function skipBlanks(text: string, at: number, isLoose = false): number {
  const char = text.charAt(at);
  if (char > " " && char <= "~" && char !== "\\") return at;
  return endOf(isLoose ? BLANKS_OR_ESCAPES : BLANKS, text, at);
}

/** The index after a sticky pattern's match at an index; the same index without a match. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  return matchesAt(pattern, text, at) ? pattern.lastIndex : at;
}

/** Whether a sticky pattern matches at an index. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The end of the text or of the code fence around it. */
export function isEnd(text: string, at: number): boolean {
  return at >= text.length || text.startsWith("```", at);
}

/**
 * Skips white space and comments that consist of signs only. `undefined` for a comment with
 * content: it may qualify its neighbor. Before a value, `#buy` is a word and `# buy` a comment.
 */
export function skipSpace(text: string, from: number, beforeValue: boolean): number | undefined {
  for (let at = skipBlanks(text, from, true); ; at = skipBlanks(text, at, true)) {
    if (!isCommentStart(text, at, beforeValue)) return at;
    const end = endOf(EMPTY_COMMENT, text, at);
    if (end === at) return undefined;
    at = end;
  }
}

const EMPTY_COMMENT =
  /\/\*[\s/*#=_~-]*?(?:\*\/|$)|<!--[\s/*#=_~-]*?(?:-->|$)|(?:\/\/|#)(?:[^\S\n]|[/*#=_~-])*(?=\n|$)/y;

function isCommentStart(text: string, at: number, beforeValue: boolean): boolean {
  const char = text.charAt(at);
  if (char !== "/" && char !== "<" && char !== "#") return false;
  return matchesAt(beforeValue ? COMMENT_BEFORE_VALUE : COMMENT_START, text, at);
}

const COMMENT_START = /\/[/*]|<!--|#/y;
const COMMENT_BEFORE_VALUE = new RegExp(`/[/*]|<!--|#(?:[${BLANK}]|$)`, "y");

/** The ASCII form of fullwidth punctuation; `;` and `、` become a comma. */
export function asPunctuation(char: string): string {
  if (char < ";" || (char > ";" && char <= "~")) return char;
  const index = "｛｝［］（），、；：＝;".indexOf(char);
  return index < 0 ? char : "{}[](),,,:=,".charAt(index);
}

/** Reads the string whose quote stands at an index. It ends at the first quote without a backslash. */
export function readString(
  text: string,
  at: number,
  dialect: Dialect,
): { readonly value: string; readonly end: number } {
  const quote = text.charAt(at);
  const end = endOfQuoted(text, at + 1, quote);
  if (end < 0) throw CUT;
  return { value: decode(text.slice(at + 1, end), dialect, quote), end: end + 1 };
}

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  if ("“”„‟".includes(quote)) return '”“„"';
  return "‘’‚".includes(quote) ? "’‘'" : quote;
}

function endOfQuoted(text: string, from: number, quote: string): number {
  const closing = closingQuotes(quote);
  QUOTE_OR_ESCAPE.lastIndex = from;
  while (QUOTE_OR_ESCAPE.test(text)) {
    const at = QUOTE_OR_ESCAPE.lastIndex - 1;
    if (text.charAt(at) === "\\") QUOTE_OR_ESCAPE.lastIndex += 1;
    else if (closing.includes(text.charAt(at))) return at;
  }
  return -1;
}

const QUOTE_OR_ESCAPE = new RegExp(`[\\\\${LOOSE_DIALECT.quotes}]`, "g");
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|.|$)/gs;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** A drive's path whose first name begins no escape. */
const PATH = /^[A-Za-z]:\\(?![nrtbfx/]|u[\da-fA-F]{4})[^\s\\]\S*$/;

/**
 * The content of a string. One escape that JSON does not know makes every backslash literal (`\d`).
 * Beside an escape of a line break or another character, that is certain only in a drive's path.
 */
function decode(body: string, { isLoose, quotes }: Dialect, quote: string): string {
  if (quote === "`" && /(?<!\\)\$\{/.test(body)) fail(); // code fills in its value
  if (quotes === '"') {
    const value = parseExactly(`"${body}"`);
    return typeof value === "string" ? value : fail();
  }
  if (!body.includes("\\")) return body;
  const escapes = body.match(ESCAPE) ?? [];
  const known = isLoose ? /^\\(?:["'\\/nrtbf]|u.{4})$/ : /^\\(?:["'\\nrt]|u.{4}|x.{2})$/;
  const isKnown = (one: string) => known.test(one) || one.charAt(1) === quote;
  if (!escapes.every(isKnown)) {
    const isMixed = escapes.some((one) => isKnown(one) && !/^\\[bf]$/.test(one));
    const isDoubled = escapes.some((one) => /^\\["'`\\]/.test(one));
    return !isLoose || isDoubled || (isMixed && !PATH.test(body)) ? fail() : body;
  }
  // a path, or a letter and a line break; the shell's quotes
  if (/^[A-Za-z]:\\[^\\"]\S*$/.test(body) || (quote === '"' && body.includes("'\\''"))) fail();
  return body.replace(ESCAPE, (one) => {
    const code = /^\\[ux](.+)$/.exec(one)?.[1];
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return CONTROLS[one.charAt(1)] ?? one.slice(1);
  });
}
