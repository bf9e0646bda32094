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

/** A string, where it ends, and whether it holds quotes that are not escaped. */
export interface ReadString {
  readonly value: string;
  readonly end: number;
  readonly hasInnerQuotes: boolean;
}

/** What is around a string: the brackets that are open, outermost first; `undefined` for a key. */
type Around = readonly string[] | undefined;

/** The index after JSON as it stands at an index; `undefined` for none. */
type ReadJson = (text: string, at: number) => number | undefined;

/**
 * Reads a string. In the loose dialect its quotes may be of any kind, and quotes inside that should
 * have been escaped are its own where one reading is left.
 *
 * @param source The text; `at` is the opening quote.
 * @param around The brackets around a value; `undefined` for a key, which the first quote ends.
 * @param readJson The index after JSON as it stands at an index: `"{"a": 1}"` holds it whole.
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

/** The index of the mark that closes a string, escapes passed over. */
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

/** The index of the next backslash or closing quote; -1 when there is none. */
function nextOf(text: string, at: number, closing: string): number {
  const pattern = PATTERNS.get(closing) ?? new RegExp(`[\\\\${closing}]`, "g");
  PATTERNS.set(closing, pattern);
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - 1 : -1;
}

const PATTERNS = new Map<string, RegExp>();

/** Where a string with a fault ends: at the first quote behind which the text goes on as JSON does. */
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

/** Text that ends so is complete: a string in it whose end was not found is not cut off. */
const ENDS_CLOSED = /[}\])]\s*(?:```\s*)?$/;

/** A quote between two letters: `it's`. */
function isApostrophe(text: string, at: number): boolean {
  return /['’]/.test(text.charAt(at)) && isLetter(text, at - 1) && isLetter(text, at + 1);
}

function isLetter(text: string, at: number): boolean {
  return /\p{L}/u.test(text.charAt(at));
}

/**
 * Checks whether a quote can be the end of a string value, by what follows: a comma and then a key
 * (in an object) or a value (in a list), closing brackets that fit, or the end of the text. What
 * follows is read no further than the next quote, so that all quotes of a text cost linear time.
 *
 * @param hasInner Whether quotes were passed over before; else what follows may have a fault.
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
  if (sign === "+") return matchesAt(QUOTE, text, skipBlanks(text, at + 1, true));
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
  "(?:\"(?:[^\"\\\\\\n]|\\\\.){0,200}\"|'(?:[^'\\\\\\n]|\\\\.){0,200}'|`[^`\\n]{0,200}`|[“”„‟][^“”„\"\\n]{0,200}[“”„\"]|[‘’‚][^‘’'\\n]{0,200}[‘’'])";
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

/** The same where the comma before it is missing: in quotes, or on a line of its own. */
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
 * Checks whether quotes inside a string are its own, and none of them ends it or begins another:
 * they come in pairs around words, each is an inch mark, or each closes a low quote (`„so"`). In a
 * list, where strings follow each other, a pair shows that only in code: `a[href="x"]`, `f("x")`.
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
  if (inner.length % 2 === 0 && inner.every(isPair)) return true;
  return inner.every((at, nth) => {
    const before = text.slice(Math.max((inner[nth - 1] ?? open) + 1, at - 100), at);
    if (/„[^“”„]*$/.test(before)) return !/[\p{L}\p{N}]/u.test(text.charAt(at + 1));
    return INCHES.test(before.slice(-12)) && /^(?:\)|\s\p{L})/u.test(text.slice(at + 1, at + 3));
  });
}

const INCHES = /(?:^|[\s(])(?:\d['’]\s?)?[1-9]\d{0,2}(?:[./]\d{1,3})?$/;

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
 * What stands between the quotes of a string. One escape that JSON does not know makes every
 * backslash of a string literal (`\d`, `C:\Users\new`); where some are doubled or escape a quote,
 * it has no one reading. So is that of a drive's path without white space.
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
