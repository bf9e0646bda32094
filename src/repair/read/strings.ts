import { parseExactly } from "./parse-exactly.ts";
import { BLANK, CUT, type Dialect, fail, matchesAt, REFUSED, skipBlanks } from "./tokens.ts";

/** A string, its end, and whether it holds quotes that are not escaped. */
export interface ReadString {
  readonly value: string;
  readonly end: number;
  readonly hasInnerQuotes: boolean;
}

/** Returns the index after plain JSON at an index; `undefined` if there is no JSON. */
type EndOfJson = (text: string, at: number) => number | undefined;

/**
 * Reads the string whose quote stands at an index. The loose dialect accepts quotes of any kind,
 * and inner quotes without an escape if only one reading is left.
 *
 * @param bracket The innermost bracket around a value; `""` for a key.
 */
export function readString(
  text: string,
  at: number,
  dialect: Dialect,
  bracket: string,
  endOfJson: EndOfJson,
): ReadString {
  const quote = text.charAt(at);
  const isTripled = dialect.hasTuples && /["']/.test(quote) && text.startsWith(quote.repeat(3), at);
  if (!isTripled && dialect.isLoose && bracket !== "") {
    const { end, hasInnerQuotes } = endOfLoose(text, at, bracket, endOfJson);
    return { value: decode(text.slice(at + 1, end), dialect, quote), end: end + 1, hasInnerQuotes };
  }
  const width = isTripled ? 3 : 1;
  const end = endOfQuoted(text, at + width, quote, width);
  if (end < 0) throw CUT;
  const value = decode(text.slice(at + width, end), dialect, quote);
  return { value, end: end + width, hasInnerQuotes: false };
}

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  if ("“”„‟".includes(quote)) return '”“„"';
  return "‘’‚".includes(quote) ? "’‘'" : quote;
}

/** The index of the quote that closes a string, or of the first of three; -1 if none does. */
export function endOfQuoted(text: string, from: number, quote: string, width = 1): number {
  const closing = closingQuotes(quote);
  for (let at = nextOf(text, from, closing); at >= 0; at = nextOf(text, at + 1, closing)) {
    if (text.charAt(at) === "\\") at += 1;
    else if (width === 1 || text.startsWith(quote.repeat(width), at)) return at;
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

const NEXT = new Map<string, RegExp>();

/** The end of a faulty string: the first quote that is followed by what JSON allows. */
function endOfLoose(
  text: string,
  open: number,
  bracket: string,
  endOfJson: EndOfJson,
): { readonly end: number; readonly hasInnerQuotes: boolean } {
  const closing = closingQuotes(text.charAt(open));
  if (matchesAt(EMBEDDED, text, open + 1)) {
    const end = skipBlanks(text, endOfJson(text, skipBlanks(text, open + 1)) ?? text.length);
    const isEnded = end < text.length && closing.includes(text.charAt(end));
    if (isEnded && endsString(text, end + 1, bracket, true)) return { end, hasInnerQuotes: true };
  }
  const inner: number[] = [];
  for (let at = nextOf(text, open + 1, closing); at >= 0; at = nextOf(text, at + 1, closing)) {
    if (text.charAt(at) === "\\") at += 1;
    else if (endsString(text, at + 1, bracket, inner.length > 0)) {
      if (inner.length === 0) return { end: at, hasInnerQuotes: false };
      if (skipBlanks(text, at + 1) >= text.length) throw CUT;
      return areInnerQuotes(text, open, at, inner, bracket)
        ? { end: at, hasInnerQuotes: true }
        : fail();
    } else if (!/^\p{L}['’]\p{L}/u.test(text.slice(at - 1, at + 3))) inner.push(at); // it's
  }
  // text that ends in a bracket is complete: such a string is not cut off
  throw inner.length > 0 && /[}\])]\s*(?:```\s*)?$/.test(text.slice(-20)) ? REFUSED : CUT;
}

const EMBEDDED = /\s{0,20}[{[]\s{0,20}["{[]/y;

const SPACE = `(?:[${BLANK}]|\\\\[nrt])*`;
const QUOTED =
  "(?:\"(?:[^\"\\\\\\n]|\\\\.){0,200}\"|'(?:[^'\\\\\\n]|\\\\.){0,200}'|`[^`\\n]{0,200}`|" +
  "[“”„‟][^“”„\"\\n]{0,200}[“”„\"]|[‘’‚][^‘’'\\n]{0,200}[‘’'])";
const KEY =
  `(?:${QUOTED}|[\\p{L}_$][\\p{L}\\p{N}_$-]{0,99}["']?|\\d{1,15}["']?)${SPACE}(?:[:：=＝]|$)` +
  `|["'“][^"”]{0,200}$`;
const LITERAL = "(?:true|false|null|True|False|None)";
const ITEM = `["'\`“”„‟‘’‚＂{[(｛［（]|[-+]?\\.?\\d|${LITERAL}(?![\\w$])`;
const BARE_ITEM = "[\\p{L}_#.@~/][^\\s\"'{}\\[\\],:]{0,200}[^\\S\\n]*[,\\]]";
const KEY_AHEAD = new RegExp(KEY, "uy");
const QUOTED_ITEM = new RegExp(`${QUOTED}${SPACE}(?:[,，、;；\\]］"'“”‘’]|$)`, "y");
const LITERAL_ITEM = new RegExp(`(?:-?\\d[\\d.]{0,20}|${LITERAL})[^\\S\\n]*[,\\]]`, "y");

const END = "$|```";
const COMMA = "[,;，、；]";
const CLOSING = "[}\\])｝］）]";
const COMMENT = "\\/[/*]|<!--";

/** What follows a string in a bracket: beyond doubt, or if it holds no quotes of its own. */
function endings(close: string, next: string, bareNext: string) {
  const sure = `${SPACE}(?:${END}|[${close}]|${COMMA}${SPACE}(?:${END}|${next}))`;
  const behindComma = `${END}|${CLOSING}|${COMMA}|${COMMENT}|#|\\.{3}|…|${bareNext}`;
  const behindBracket = `${CLOSING}${SPACE}(?:${END}|${COMMA}|${CLOSING})`;
  const comment = `${COMMENT}|(?<!["'\`“”„‟‘’‚＂])#`;
  const likely = `${sure}|${SPACE}(?:${COMMA}${SPACE}(?:${behindComma})|${behindBracket}|${comment})`;
  return { sure: new RegExp(sure, "uy"), likely: new RegExp(likely, "uy") };
}

const ENDINGS: Readonly<Record<string, { readonly sure: RegExp; readonly likely: RegExp }>> = {
  "{": endings("}｝", KEY, KEY),
  "[": endings("\\]］", ITEM, `${ITEM}|${BARE_ITEM}`),
  "(": endings(")）", ITEM, `${ITEM}|${BARE_ITEM}`),
};

/**
 * Whether a quote can end a string value, by what follows: a comma and then a key or a value, a
 * closing bracket, the end of the text, or a member or element whose comma is missing. The patterns
 * read little further than the next quote, so that all quotes of a text take linear time.
 */
function endsString(text: string, after: number, bracket: string, hasInner: boolean): boolean {
  const { sure, likely } = ENDINGS[bracket] ?? fail();
  if (matchesAt(hasInner ? sure : likely, text, after)) return true;
  if (hasInner) return false;
  const at = skipBlanks(text, after, true);
  if (bracket === "{") return isMemberAhead(text, at, text.slice(after, at));
  return at > after && (matchesAt(QUOTED_ITEM, text, at) || isLiteralItem(text, at));
}

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

/**
 * Checks whether quotes inside a string are its own, and none ends it or begins another: they come
 * in pairs around words. In a list, where strings follow each other, a pair shows that only in
 * code: `a[href="x"]`, `f("x")`.
 */
function areInnerQuotes(
  text: string,
  open: number,
  close: number,
  inner: readonly number[],
  bracket: string,
): boolean {
  if (inner.length % 2 === 1 || (inner[0] === open + 1 && inner.at(-1) === close - 1)) return false;
  return inner.every((at, nth) => {
    if (inner[nth - 1] === at - 1 || text.charAt(skipBlanks(text, at + 1)) === ":") return false;
    const end = inner[nth + 1] ?? at;
    if (nth % 2 === 1) return true;
    const before = text.slice(at - 2, at);
    const isArgument = /[=(]$/.test(before);
    const isApart = at - 1 === open || STARTS_WORDS.test(before);
    const opens = isArgument || /[=([][rbf]$/i.test(before) || (bracket === "{" && isApart);
    if (!opens || /[\s,;:.)\]}]/.test(text.charAt(at + 1))) return false;
    if (ENDS_NO_WORD.test(text.charAt(end - 1))) return false;
    if (!isArgument && !LETTER.test(text.slice(at, end))) return false;
    return end + 1 === close || !LETTER.test(text.charAt(end + 1));
  });
}

const STARTS_WORDS = new RegExp(`[${BLANK}[{<>]$`);
const ENDS_NO_WORD = new RegExp(`[${BLANK}([{]`);
const LETTER = /[\p{L}\p{N}]/u;

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
