import {
  asPunctuation,
  closingBracket,
  closingQuotes,
  fail,
  isBlank,
  isClosingBracket,
  isCommentStart,
  isEnd,
  type Source,
  skipBlanks,
  Unreadable,
} from "./tokens.ts";

/** A string, its end, and whether it holds quotes that are not escaped. */
export interface ReadString {
  readonly value: string;
  readonly end: number;
  readonly hasInnerQuotes: boolean;
}

/** The open brackets around a string, outermost first; `undefined` for a key. */
type Around = readonly string[] | undefined;

/** Returns the index after plain JSON at an index; `undefined` if there is no JSON. */
type ReadJson = (text: string, at: number) => number | undefined;

/**
 * Reads a string. The loose dialect accepts quotes of any kind, and inner quotes without an escape
 * if only one reading is left.
 */
export function readString(source: Source, around: Around, readJson: ReadJson): ReadString {
  const { text, at, dialect } = source;
  const quote = text.charAt(at);
  if (text.charAt(at + 1) === quote && isTripled(source)) {
    const to = endOfQuoted(text, at + 3, quote.repeat(3));
    const value = decode(text.slice(at + 3, to), source, quote);
    return { value, end: to + 3, hasInnerQuotes: false };
  }
  if (dialect.isLoose && around !== undefined) {
    const { end, hasInnerQuotes } = endOfLoose(text, at, around, readJson);
    return { value: decode(text.slice(at + 1, end), source, quote), end: end + 1, hasInnerQuotes };
  }
  const end = endOfQuoted(text, at + 1, quote, closingQuotes(quote));
  const value = decode(text.slice(at + 1, end), source, quote);
  return { value, end: end + 1, hasInnerQuotes: false };
}

/** `"""` and `'''`, of Python. */
function isTripled({ text, at, dialect }: Source): boolean {
  const quote = text.charAt(at);
  return dialect.hasTuples && "\"'".includes(quote) && text.startsWith(quote.repeat(3), at);
}

/** The index of the mark that closes a string; skips escapes. */
function endOfQuoted(text: string, from: number, mark: string, closing = mark.charAt(0)): number {
  for (let at = nextOf(text, from, closing); at >= 0; at = nextOf(text, at + 1, closing)) {
    if (text.charAt(at) === "\\") at += 1;
    else if (mark.length === 1 || text.startsWith(mark, at)) return at;
  }
  throw new Unreadable("cut");
}

/** The index of the quote that closes a string of JSON that begins at `from`, or the text's length. */
export function endOfJsonString(text: string, from: number): number {
  for (let at = nextOf(text, from, '"'); at >= 0; at = nextOf(text, at + 1, '"')) {
    if (text.charAt(at) === '"') return at;
    at += 1;
  }
  return text.length;
}

/** The index of the next backslash or closing quote; -1 if none follows. */
function nextOf(text: string, at: number, closing: string): number {
  const pattern = PATTERNS.get(closing) ?? new RegExp(`[\\\\${closing}]`, "g");
  PATTERNS.set(closing, pattern);
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - 1 : -1;
}

const PATTERNS = new Map<string, RegExp>();

/** The end of a faulty string: the first quote that is followed by what JSON allows. */
function endOfLoose(
  text: string,
  open: number,
  around: readonly string[],
  readJson: ReadJson,
): { readonly end: number; readonly hasInnerQuotes: boolean } {
  const closing = closingQuotes(text.charAt(open));
  const inner: number[] = [];
  const mayEmbed = "{[ \n".includes(text.charAt(open + 1) || "-");
  const embedded =
    mayEmbed && /^\s{0,20}[{[]\s{0,20}["{[]/.test(text.slice(open + 1, open + 50))
      ? readJson(text, skipBlanks(text, open + 1))
      : undefined;
  if (embedded !== undefined) {
    const end = skipBlanks(text, embedded);
    const isEnded = end < text.length && closing.includes(text.charAt(end));
    if (isEnded && endsString(text, end + 1, true, around)) return { end, hasInnerQuotes: true };
  }
  for (let at = nextOf(text, open + 1, closing); at >= 0; at = nextOf(text, at + 1, closing)) {
    if (text.charAt(at) === "\\") at += 1;
    else if (endsString(text, at + 1, inner.length > 0, around)) {
      if (inner.length === 0) return { end: at, hasInnerQuotes: false };
      if (skipBlanks(text, at + 1) >= text.length) throw new Unreadable("cut");
      if (!areInnerQuotes(text, open, at, inner, around.at(-1) === "{")) fail();
      return { end: at, hasInnerQuotes: true };
    } else if (!isApostrophe(text, at)) inner.push(at);
  }
  if (inner.length > 0 && ENDS_CLOSED.test(text.slice(-20))) fail();
  throw new Unreadable("cut");
}

/** Text with this end is complete: a string without an end in it is not cut off. */
const ENDS_CLOSED = /[}\])]\s*(?:```\s*)?$/;

/** A quote between two letters: `it's`. */
function isApostrophe(text: string, at: number): boolean {
  return /^\p{L}['’]\p{L}/u.test(text.slice(at - 1, at + 3));
}

/**
 * Checks whether a quote can end a string value, by what follows: a comma and then a key (in an
 * object) or a value (in a list), matching closing brackets, or the end of the text. It reads no
 * further than the next quote, so that all quotes of a text take linear time.
 */
function endsString(
  text: string,
  after: number,
  hasInner: boolean,
  around: readonly string[],
): boolean {
  const at = skipBlanks(text, after, true);
  if (isEnd(text, at)) return true;
  const sign = asPunctuation(text.charAt(at));
  const isObject = around.at(-1) === "{";
  if (sign === ",") return goesOnBehindComma(text, at + 1, hasInner, isObject);
  if (isClosingBracket(sign)) {
    if (sign === closingBracket(around.at(-1) ?? "")) return true;
    const next = skipBlanks(text, at + 1, true);
    const isBehind = isEnd(text, next) || /[,}\])]/.test(asPunctuation(text.charAt(next)));
    return !hasInner && isBehind;
  }
  if (hasInner) return false;
  if (isCommentStart(text, at, false)) return at > after || sign !== "#";
  if (isObject) return isMemberAhead(text, at, text.slice(after, at));
  return at > after && (matchesAt(QUOTED_ITEM, text, at) || isLiteralItem(text, at));
}

function goesOnBehindComma(
  text: string,
  from: number,
  hasInner: boolean,
  isObject: boolean,
): boolean {
  const at = skipBlanks(text, from, true);
  if (isEnd(text, at)) return true;
  if (isClosingBracket(asPunctuation(text.charAt(at))) || isCommentStart(text, at, false))
    return !hasInner;
  if (asPunctuation(text.charAt(at)) === "," || matchesAt(OMISSION, text, at)) return !hasInner;
  if (isObject) return isKeyAhead(text, at);
  return matchesAt(hasInner ? ITEM_START : BARE_ITEM_START, text, at);
}

const QUOTED =
  "(?:\"(?:[^\"\\\\\\n]|\\\\.){0,200}\"|'(?:[^'\\\\\\n]|\\\\.){0,200}'|`[^`\\n]{0,200}`|" +
  "[“”„‟][^“”„\"\\n]{0,200}[“”„\"]|[‘’‚][^‘’'\\n]{0,200}[‘’'])";
const SPACE = "(?:\\s|\\\\[nrt]|[\\u200b\\ufeff])*";
const QUOTE = /["'`“”„‟‘’‚＂]/y;
const OMISSION = /\.\.\.|…/y;
const KEY_AHEAD = new RegExp(
  `(?:${QUOTED}|[\\p{L}_$][\\p{L}\\p{N}_$-]{0,99}["']?|\\d{1,15}["']?)${SPACE}(?:[:：=＝]|$)|["'“][^"”]{0,200}$`,
  "uy",
);
const QUOTED_ITEM = new RegExp(`${QUOTED}${SPACE}(?:[,，、;；\\]］"'“”‘’]|$)`, "y");
const LITERAL_ITEM = /(?:-?\d[\d.]{0,20}|true|false|null|True|False|None)[^\S\n]*[,\]]/y;
const ITEM = "[\"'`“”„‟‘’‚＂{[(｛［（]|[-+]?\\.?\\d|(?:true|false|null|True|False|None)(?![\\w$])";
const ITEM_START = new RegExp(ITEM, "y");
const BARE_ITEM_START = new RegExp(
  `${ITEM}|[\\p{L}_#.@~/][^\\s"'{}\\[\\],:]{0,200}[^\\S\\n]*[,\\]]`,
  "uy",
);

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Whether a key and its colon stand at an index. */
export function isKeyAhead(text: string, at: number): boolean {
  return matchesAt(KEY_AHEAD, text, at);
}

/** The same with a missing comma before it: in quotes, or on a line of its own. */
export function isMemberAhead(text: string, at: number, gap: string): boolean {
  const isQuoted = matchesAt(QUOTE, text, at);
  if (isQuoted ? !/[\p{L}\p{N}_$@#]/u.test(text.charAt(at + 1)) : !/\n|\\n/.test(gap)) return false;
  return isKeyAhead(text, at);
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
  isObject: boolean,
): boolean {
  if (inner[0] === open + 1 && inner.at(-1) === close - 1) return false;
  if (inner.some((at, nth) => inner[nth - 1] === at - 1)) return false;
  if (inner.some((at) => text.charAt(skipBlanks(text, at + 1)) === ":")) return false;
  const isPair = (at: number, nth: number) => {
    const end = inner[nth + 1] ?? at;
    return (
      nth % 2 === 1 || (opensPair(text, open, at, isObject) && closesPair(text, at, end, close))
    );
  };
  return inner.length % 2 === 0 && inner.every(isPair);
}

function opensPair(text: string, open: number, at: number, isObject: boolean): boolean {
  const before = text.charAt(at - 1);
  if (/[\s,;:.)\]}]/.test(text.charAt(at + 1))) return false;
  if ("=(".includes(before)) return true;
  if (/[rbf]/i.test(before)) return "=([".includes(text.charAt(at - 2));
  return isObject && (at - 1 === open || isBlank(before) || "[{<>".includes(before));
}

function closesPair(text: string, from: number, at: number, close: number): boolean {
  if (isBlank(text.charAt(at - 1)) || "([{".includes(text.charAt(at - 1))) return false;
  const holdsWord =
    "=(".includes(text.charAt(from - 1)) || /[\p{L}\p{N}]/u.test(text.slice(from, at));
  return holdsWord && (at + 1 === close || !/[\p{L}\p{N}]/u.test(text.charAt(at + 1)));
}

const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|.|$)/gs;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * The content of a string. One escape that JSON does not know makes every backslash literal (`\d`,
 * `C:\Users
 * ew`); if some are doubled or escape a quote, no single reading is left. A drive's path without
 * white space is literal, too.
 */
function decode(body: string, { dialect }: Source, quote: string): string {
  if (quote === "`" && /(?<!\\)\$\{/.test(body)) fail(); // code fills in its value
  if (!dialect.isLoose && dialect.quotes === '"') return decodeJson(body);
  if (!body.includes("\\")) return body;
  const escapes = body.match(ESCAPE) ?? [];
  const isKnown = (one: string) =>
    /^\\(?:["'\\/nrt]|u.{4})$/.test(one) ||
    one.charAt(1) === quote ||
    (dialect.isLoose ? /^\\[bf]$/ : /^\\x/).test(one);
  const isPath = /^[A-Za-z]:\\[^\\"]/.test(body) && !/\s/.test(body);
  if (isPath || !escapes.every(isKnown)) {
    if (!dialect.isLoose || escapes.some((one) => /["'`\\]/.test(one.slice(1)))) fail();
    // Amid other words, `\n` may be the line break that it mostly is.
    if (/\s/.test(body) && escapes.some((one) => isKnown(one))) fail();
    return body;
  }
  if (quote === '"' && body.includes("'\\''")) fail(); // the shell's
  return body.replace(ESCAPE, (one) => {
    const code = /^\\[ux](.+)$/.exec(one)?.[1];
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return ESCAPES[one.charAt(1)] ?? one.slice(1);
  });
}

function decodeJson(body: string): string {
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return fail();
  }
}
