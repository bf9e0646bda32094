import { isUnspaced } from "../words/unspaced.ts";
import { Fault } from "./faults.ts";
import { nextQuote } from "./strings.ts";
import {
  asPunctuation,
  BLANK,
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
  let openedAt: number | undefined;
  let closedAt = open;
  let pairs = 0;
  for (
    let at = nextQuote(text, open + 1, quotes);
    at >= 0;
    at = nextQuote(text, at + 1, quotes)
  ) {
    if (isApostrophe(text, at)) continue;
    const role = roleOf(text, at + 1, around);
    if (role === "end" && openedAt === undefined) {
      // `""hi""` may be hi, or "hi"
      const isQuotation =
        pairs === 1 &&
        closedAt === at - 1 &&
        quotes.includes(text.charAt(open + 1));
      return isQuotation ? rejectQuote(at) : at;
    }
    if (role !== "inner") return rejectQuote(at);
    if (openedAt === undefined) {
      if (!opensQuotation(text, at, around)) return rejectQuote(at);
      openedAt = at;
    } else {
      if (!closesQuotation(text, openedAt, at, around)) return rejectQuote(at);
      pairs += 1;
      closedAt = at;
      openedAt = undefined;
    }
  }
  throw new Fault("open_string", text.length);
}

/** Rejects a quote that has a second reading. */
function rejectQuote(at: number): never {
  throw new Fault("unescaped_quote", at);
}

/** Whether a quote stands inside a word, as in `it's`. */
function isApostrophe(text: string, at: number): boolean {
  return (
    "'’".includes(text.charAt(at)) &&
    endsWord(text, at) &&
    beginsWord(text, at + 1)
  );
}

/**
 * Whether a quote opens a quotation: `say "no` or `("no`, not `19"` and not
 * `say" no`.
 */
function opensQuotation(
  text: string,
  at: number,
  around: readonly OpenBracket[],
): boolean {
  if (endsWord(text, at) && !needsNoSpace(text.charAt(at - 1), around))
    return false;
  if (mayBeginElement(text, at, around)) return false;
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
function mayBeginElement(
  text: string,
  at: number,
  around: readonly OpenBracket[],
): boolean {
  if (around.at(-1)?.bracket === "{") return false;
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
  around: readonly OpenBracket[],
): boolean {
  if (beginsWord(text, at + 1) && !needsNoSpace(text.charAt(at + 1), around))
    return false;
  const quoted = text.slice(opened + 1, at);
  const isAttribute = text.charAt(opened - 1) === "=";
  return quoted === quoted.trim() && (isAttribute || HAS_WORD.test(quoted));
}

/**
 * Whether no space stands between a letter and a quotation: in scripts without
 * spaces, unless the quote may part two elements of a list.
 */
function needsNoSpace(letter: string, around: readonly OpenBracket[]): boolean {
  return around.at(-1)?.bracket === "{" && isUnspaced(letter);
}

const HAS_WORD = /[\p{L}\p{N}]/u;
const WORD_BEFORE = /(?<=[\p{L}\p{N}])/uy;

/** Whether a letter or digit stands at an index. */
function beginsWord(text: string, at: number): boolean {
  const char = text.charAt(at);
  if (char <= "~") return isAsciiWord(char);
  return HAS_WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Whether a letter or digit stands before an index. */
function endsWord(text: string, at: number): boolean {
  const char = text.charAt(at - 1);
  return char <= "~" ? isAsciiWord(char) : matchesAt(WORD_BEFORE, text, at);
}

function isAsciiWord(char: string): boolean {
  const lower = char.toLowerCase();
  return (lower >= "a" && lower <= "z") || (char >= "0" && char <= "9");
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
  let depth = around.length;
  let at = skipBlanks(text, behind, true);
  if (asPunctuation(text.charAt(at)) === ":") return "key";
  while (depth > 0 && closes(text.charAt(at), around[depth - 1])) {
    depth -= 1;
    at = skipBlanks(text, at + 1, true);
  }
  const parent = around[depth - 1];
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
    return matchesAt(ELEMENT_START, text, next) ? "end" : "inner";
  const isQuoted = matchesAt(QUOTED_KEY, text, next);
  if (!isQuoted && !matchesAt(BARE_KEY, text, next)) return "inner";
  return (parent.keys === "bare") === isQuoted ? "key" : "end";
}

function closes(char: string, open: OpenBracket | undefined): boolean {
  const sign = asPunctuation(char);
  return (
    sign !== "" && sign === "}])".charAt("{[(".indexOf(open?.bracket ?? " "))
  );
}

/**
 * The end of the text, or a sign: what may stand behind the outermost bracket.
 * No word, no quote.
 */
const OUTSIDE = new RegExp(
  `$|[^${BLANK}\\p{L}\\p{N}"'“”]|(?:Observation|Thought):`,
  "uy",
);
const ELEMENT_START = /["'“„«{[]/y;
const QUOTED_KEY = /["'“„«`][^"'“”„«»`\n]{1,100}["'”“»`]\s{0,20}[:：]/y;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s{0,20}[:：]/uy;
