import { parseExactly } from "./parse-exactly.ts";
import { BLANK, CUT, type Dialect, fail, matchesAt } from "./tokens.ts";

/**
 * Reads the string whose quote stands at an index. It ends at the first quote that may close it: a
 * quote inside must be escaped, or be an apostrophe in the loose dialect.
 */
export function readString(
  text: string,
  at: number,
  dialect: Dialect,
): { readonly value: string; readonly end: number } {
  const quote = text.charAt(at);
  const isTripled = dialect.hasTuples && /["']/.test(quote) && text.startsWith(quote.repeat(3), at);
  const width = isTripled ? 3 : 1;
  const end = endOfQuoted(text, at + width, quote, width, dialect.isLoose);
  if (end < 0) throw CUT;
  return { value: decode(text.slice(at + width, end), dialect, quote), end: end + width };
}

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  if ("“”„‟".includes(quote)) return '”“„"';
  return "‘’‚".includes(quote) ? "’‘'" : quote;
}

/** The index of the quote that closes a string, or of the first of three; -1 if none does. */
export function endOfQuoted(
  text: string,
  from: number,
  quote: string,
  width = 1,
  isLoose = false,
): number {
  const closing = closingQuotes(quote);
  const isInner = (at: number) => isLoose && APOSTROPHE.test(text.slice(at - 1, at + 2));
  for (let at = nextOf(text, from, closing); at >= 0; at = nextOf(text, at + 1, closing)) {
    if (text.charAt(at) === "\\") at += 1;
    else if (width === 1 ? !isInner(at) : text.startsWith(quote.repeat(width), at)) return at;
  }
  return -1;
}

/** The index of the next backslash or closing quote; -1 if none follows. */
function nextOf(text: string, at: number, closing: string): number {
  const pattern = NEXT.get(closing) ?? new RegExp(`[\\\\${closing}]`, "g");
  NEXT.set(closing, pattern);
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - 1 : -1;
}

const APOSTROPHE = /^\p{L}['’]\p{L}/u;
const NEXT = new Map<string, RegExp>();

const SPACE = `(?:[${BLANK}]|\\\\[nrt])*`;
const QUOTED =
  "(?:\"(?:[^\"\\\\\\n]|\\\\.){0,200}\"|'(?:[^'\\\\\\n]|\\\\.){0,200}'|`[^`\\n]{0,200}`|" +
  "[“”„‟][^“”„\"\\n]{0,200}[“”„\"]|[‘’‚][^‘’'\\n]{0,200}[‘’'])";
const KEY =
  `(?:${QUOTED}|[\\p{L}_$][\\p{L}\\p{N}_$-]{0,99}["']?|\\d{1,15}["']?)${SPACE}(?:[:：=＝]|$)` +
  `|["'“][^"”]{0,200}$`;
const LITERAL = "(?:true|false|null|True|False|None)";
const KEY_AHEAD = new RegExp(KEY, "uy");
const LITERAL_ITEM = new RegExp(`(?:-?\\d[\\d.]{0,20}|${LITERAL})[^\\S\\n]*[,\\]]`, "y");

/** Whether a key and its colon stand at an index. */
export function isKeyAhead(text: string, at: number): boolean {
  return matchesAt(KEY_AHEAD, text, at);
}

/** The same with a missing comma before it: in quotes, or on a line of its own. */
export function isMemberAhead(text: string, at: number, gap: string): boolean {
  const isQuoted = /["'`“”„‟‘’‚＂]/.test(text.charAt(at));
  const isApart = isQuoted ? /[\p{L}\p{N}_$@#]/u.test(text.charAt(at + 1)) : /\n|\\n/.test(gap);
  return isApart && isKeyAhead(text, at);
}

/** A number or literal in a list, with a comma or bracket behind it. */
export function isLiteralItem(text: string, at: number): boolean {
  return matchesAt(LITERAL_ITEM, text, at);
}

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
