import { hasLetterOrDigit, isUnspaced } from "../text.ts";
import { Fault } from "./faults.ts";
import { nextQuote } from "./strings.ts";
import {
  asPunctuation,
  BARE_NAME,
  BLANK,
  CLOSING_BRACKET,
  closingQuotes,
  matchesAt,
  skipBlanks,
} from "./tokens.ts";

/**
 * A bracket that is open around a string, and how the keys of its object are
 * written.
 */
export interface OpenBracket {
  readonly bracket: string;
  readonly keys: "quoted" | "bare" | undefined;
}

/**
 * Finds the end of a string that may hold quotes without a backslash:
 * `"He said "stop" and left."`.
 *
 * A quote ends it only before a comma and a key (in a list: before the next
 * element), or before closing brackets behind which the text goes on as JSON.
 * The quotes within stand in pairs, each around words. If one of them may end
 * the string or a key, there is a second reading.
 *
 * @param open The index of the quote that opens the string.
 * @returns The index of the quote that closes it.
 * @throws Fault if there is no such quote, or a second reading.
 */
export function endOfQuotedText(
  text: string,
  open: number,
  around: readonly OpenBracket[],
): number {
  const quotes = closingQuotes(text.charAt(open));
  const isMember = around.at(-1)?.bracket === "{";
  /** The quotes within, each that opens a quotation before the one that closes it. */
  const inner: number[] = [];
  let at = open;
  for (;;) {
    at = nextMark(text, at + 1, quotes);
    const role = roleOf(text, at + 1, around);
    const opened = inner.length % 2 === 1 ? inner.at(-1) : undefined;
    if (role === "end" && opened === undefined) break;
    if (role !== "inner" || !standsInside(text, opened, at, isMember))
      throw new Fault("unescaped_quote", at);
    inner.push(at);
  }
  if (isWholeQuotation(inner, open, at)) throw new Fault("unescaped_quote", at);
  return at;
}

/** The next quote that is no apostrophe. */
function nextMark(text: string, from: number, quotes: string): number {
  let at = nextQuote(text, from, quotes);
  while (at >= 0 && isApostrophe(text, at))
    at = nextQuote(text, at + 1, quotes);
  if (at < 0) throw new Fault("open_string", text.length);
  return at;
}

/** Whether a quote opens a quotation, or closes the one that is open. */
function standsInside(
  text: string,
  opened: number | undefined,
  at: number,
  isMember: boolean,
): boolean {
  if (opened === undefined) return opensQuotation(text, at, isMember);
  return closesQuotation(text, opened, at, isMember);
}

/** Whether a string is one quotation: `""hi""` may be hi, or "hi". */
function isWholeQuotation(
  inner: readonly number[],
  open: number,
  close: number,
): boolean {
  const [opened, closed] = inner;
  if (inner.length !== 2) return false;
  return opened === open + 1 && closed === close - 1;
}

const APOSTROPHES = new Set("'’");

/** Whether a quote stands inside a word, as in `it's`. */
function isApostrophe(text: string, at: number): boolean {
  if (!APOSTROPHES.has(text.charAt(at))) return false;
  return endsWord(text, at) && beginsWord(text, at + 1);
}

/**
 * Whether a quote opens a quotation: `say "no` or `("no`, not `19"` and not
 * `say" no`.
 */
function opensQuotation(text: string, at: number, isMember: boolean): boolean {
  if (endsWord(text, at) && !needsNoSpace(text.charAt(at - 1), isMember))
    return false;
  if (mayBeginElement(text, at, isMember)) return false;
  if (isEmptyAttribute(text, at)) return true;
  const isPoint = text.charAt(at + 1) === ".";
  const next = text.charAt(isPoint ? at + 2 : at + 1);
  return next.trim() !== "" && !NEVER_FIRST.includes(next);
}

/** Whether the two quotes of an empty attribute stand at an index: `alt=""`. */
function isEmptyAttribute(text: string, at: number): boolean {
  return text.charAt(at - 1) === "=" && text.charAt(at + 1) === text.charAt(at);
}

/** What begins no quotation. */
const NEVER_FIRST = ".,;:\"')]}";

/**
 * Whether a quote stands behind a comma in a list: there it may begin the next
 * element.
 */
function mayBeginElement(text: string, at: number, isMember: boolean): boolean {
  if (isMember) return false;
  let before = at - 1;
  while (text.charAt(before).trim() === "" && before > 0) before -= 1;
  return asPunctuation(text.charAt(before)) === ",";
}

/**
 * Whether a quote closes a quotation: `"no" and` or `href="/">`, not `" no "`
 * and not `"no"w`.
 */
function closesQuotation(
  text: string,
  opened: number,
  at: number,
  isMember: boolean,
): boolean {
  if (beginsWord(text, at + 1) && !needsNoSpace(text.charAt(at + 1), isMember))
    return false;
  const quoted = text.slice(opened + 1, at);
  const isAttribute = text.charAt(opened - 1) === "=";
  return quoted === quoted.trim() && (isAttribute || hasLetterOrDigit(quoted));
}

/**
 * Whether no space stands between a letter and a quotation: in scripts without
 * spaces, unless the quote may part two elements of a list.
 */
function needsNoSpace(letter: string, isMember: boolean): boolean {
  return isMember && isUnspaced(letter);
}

const WORD_AT = /[\p{L}\p{N}]/uy;
const WORD_BEFORE = /(?<=[\p{L}\p{N}])/uy;

/** Whether a letter or digit stands at an index. */
function beginsWord(text: string, at: number): boolean {
  return matchesAt(WORD_AT, text, at);
}

/** Whether a letter or digit stands before an index. */
function endsWord(text: string, at: number): boolean {
  return matchesAt(WORD_BEFORE, text, at);
}

/**
 * What a quote may be by what follows it: the end of the string, the end of a
 * key (then the string would hold a member of the object), or a quote inside
 * the string.
 */
function roleOf(
  text: string,
  behind: number,
  around: readonly OpenBracket[],
): "end" | "key" | "inner" {
  let at = skipBlanks(text, behind, true);
  if (asPunctuation(text.charAt(at)) === ":") return "key";
  let depth = around.length - 1;
  let parent = around[depth];
  while (parent !== undefined && closes(text.charAt(at), parent)) {
    depth -= 1;
    parent = around[depth];
    at = skipBlanks(text, at + 1, true);
  }
  if (parent === undefined)
    return matchesAt(OUTSIDE, text, at) ? "end" : "inner";
  if (asPunctuation(text.charAt(at)) !== ",") return "inner";
  return roleBeforeComma(text, skipBlanks(text, at + 1, true), parent);
}

function roleBeforeComma(
  text: string,
  next: number,
  parent: OpenBracket,
): "end" | "key" | "inner" {
  if (closes(text.charAt(next), parent)) return "end";
  if (parent.bracket !== "{")
    return ELEMENT_START.has(text.charAt(next)) ? "end" : "inner";
  const isQuoted = matchesAt(QUOTED_KEY, text, next);
  if (!isQuoted && !matchesAt(BARE_KEY, text, next)) return "inner";
  return (parent.keys === "bare") === isQuoted ? "key" : "end";
}

function closes(char: string, { bracket }: OpenBracket): boolean {
  return asPunctuation(char) === CLOSING_BRACKET[bracket];
}

/**
 * The end of the text, or a sign: what may stand behind the outermost bracket.
 * No word, no quote.
 */
const OUTSIDE = new RegExp(
  `$|[^${BLANK}\\p{L}\\p{N}"'“”]|(?:Observation|Thought):`,
  "uy",
);
const ELEMENT_START = new Set("\"'“„«{[");
const QUOTED_KEY = /["'“„«`][^"'“”„«»`\n]{1,100}["'”“»`]\s{0,20}[:：]/y;
const BARE_KEY = new RegExp(`${BARE_NAME}\\s{0,20}[:：]`, "uy");
