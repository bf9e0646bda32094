import { Fault } from "./faults.ts";
import { nextQuote } from "./strings.ts";
import { asPunctuation, BLANK, matchesAt, skipBlanks } from "./tokens.ts";

/** A bracket that is open around a string, and how the keys of its object are written. */
export interface OpenBracket {
  readonly bracket: string;
  readonly keys: "quoted" | "bare" | undefined;
}

/**
 * Finds the end of a string that may hold quotes without a backslash: `"He said "stop" and left."`.
 *
 * A quote ends it only before a comma and a key (in a list: before the next element), or before
 * closing brackets behind which the text goes on as JSON. The quotes within stand in pairs, each
 * around words. If one of them may end the string or a key, there is a second reading.
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
  const quote = text.charAt(open);
  let pairs = 0;
  let isInPair = false;
  let last = open;
  for (let at = nextQuote(text, open + 1, quote); at >= 0; at = nextQuote(text, at + 1, quote)) {
    if (isApostrophe(text, at)) continue;
    const role = roleOf(text, at + 1, around);
    if (role === "end" && !isInPair) {
      // `""hi""` may be hi, or "hi"
      const isOnePair = pairs === 1 && last === at - 1 && opensQuotation(text, open + 1);
      if (isOnePair && text.charAt(open + 1) === quote) throw new Fault("unescaped_quote", at);
      return at;
    }
    const fitsPair = isInPair ? closesQuotation(text, last, at) : opensQuotation(text, at);
    if (role !== "inner" || !fitsPair) throw new Fault("unescaped_quote", at);
    if (isInPair) pairs += 1;
    isInPair = !isInPair;
    last = at;
  }
  throw new Fault("open_string", text.length);
}

/** Whether a quote stands inside a word, as in `it's`. */
function isApostrophe(text: string, at: number): boolean {
  return "'’".includes(text.charAt(at)) && matchesAt(INSIDE_WORD, text, at);
}

const INSIDE_WORD = /(?<=\p{L}).\p{L}/uy;

/** Whether a quote opens a quotation: before a word, and not inside of one. `say "no`, not `19"`. */
function opensQuotation(text: string, at: number): boolean {
  return matchesAt(BEFORE_QUOTED, text, at);
}

const BEFORE_QUOTED = /(?<![\p{L}\p{N}]).(?=\.?[^\s.,;:"')\]}])/uy;

/** Whether a quote closes a quotation: `"no" and` or `href="/">`, not `" no "` and not `"no"w`. */
function closesQuotation(text: string, opened: number, at: number): boolean {
  if (matchesAt(BEFORE_WORD, text, at)) return false;
  const quoted = text.slice(opened + 1, at);
  const isAttribute = text.charAt(opened - 1) === "=";
  return quoted === quoted.trim() && (isAttribute || HAS_WORD.test(quoted));
}

const BEFORE_WORD = /.[\p{L}\p{N}]/uy;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * What a quote may be by what follows it: the end of the string, the end of a key (then the string
 * would hold a member of the object), or a quote inside the string.
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
  if (parent === undefined) return matchesAt(OUTSIDE, text, at) ? "end" : "inner";
  if (asPunctuation(text.charAt(at)) !== ",") return "inner";
  return roleBeforeComma(text, skipBlanks(text, at + 1, true), parent);
}

function roleBeforeComma(text: string, next: number, parent: OpenBracket): "end" | "key" | "inner" {
  if (closes(text.charAt(next), parent)) return "end";
  if (parent.bracket !== "{") return matchesAt(ELEMENT_START, text, next) ? "end" : "inner";
  const isQuoted = matchesAt(QUOTED_KEY, text, next);
  if (!isQuoted && !matchesAt(BARE_KEY, text, next)) return "inner";
  return (parent.keys === "bare") === isQuoted ? "key" : "end";
}

function closes(char: string, open: OpenBracket | undefined): boolean {
  const sign = asPunctuation(char);
  return sign !== "" && sign === "}])".charAt("{[(".indexOf(open?.bracket ?? " "));
}

/** The end of the text, or a sign: what may stand behind the outermost bracket. No word, no quote. */
const OUTSIDE = new RegExp(`$|[^${BLANK}\\p{L}\\p{N}"'“”]|(?:Observation|Thought):`, "uy");
const ELEMENT_START = /["'“„«{[]/y;
const QUOTED_KEY = /["'“„«`][^"'“”„«»`\n]{1,100}["'”“»`]\s{0,20}[:：]/y;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s{0,20}[:：]/uy;
