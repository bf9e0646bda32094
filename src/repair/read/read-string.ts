import { closingQuotes, isBlank } from "./characters.ts";
import { endsString } from "./ends-string.ts";
import { skipBlanks } from "./skip-space.ts";
import { writeString } from "./write-string.ts";

/** What a quote turned out to begin. */
export type ReadString =
  | {
      readonly kind: "string";
      readonly json: string;
      readonly end: number;
      /** Whether the string holds quotes that are not escaped. */
      readonly hasInnerQuotes: boolean;
    }
  /** The text ends inside the string. */
  | { readonly kind: "cut" }
  /** Where the string ends is not certain, or what it holds. */
  | { readonly kind: "refused"; readonly at: number };

/**
 * Reads a string in quotes of any kind, with quotes inside that should have been escaped.
 *
 * Inner quotes are kept where one reading is left: they come in pairs, or each is an inch mark
 * (`5"`), none touches the next, and none makes what looks like a key outside of braces.
 *
 * @param text The text.
 * @param at The index of the opening quote.
 * @param brackets The brackets open around a value, outermost first; `undefined` for a key, which
 * the first quote ends.
 */
export function readString(
  text: string,
  at: number,
  brackets: readonly string[] | undefined,
): ReadString {
  const quote = text.charAt(at);
  const closing = closingQuotes(quote) ?? quote;
  if (brackets && (text.startsWith('"""', at) || text.startsWith("'''", at))) {
    return readTripleQuoted(text, at, quote);
  }
  const inner: number[] = [];
  const embedded = createBracketCounter(text, at + 1);
  for (
    let index = nextOf(text, at + 1, closing);
    index >= 0;
    index = nextOf(text, index + 1, closing)
  ) {
    const char = text.charAt(index);
    if (char === "\\") index++;
    else if (closing.includes(char)) {
      const isInside = inner.length > 0 && embedded.isOpenAt(index, inner[0]);
      if (!brackets || (!isInside && endsString(text, index + 1, inner.length, brackets))) {
        if (inner.length > 0) {
          if (skipBlanks(text, index + 1) >= text.length) return { kind: "cut" };
          const isSure =
            isExact(text.slice(at + 1, index)) || areInnerQuotes(text, at, inner, index);
          if (!isSure) return refused(index);
        }
        return written(text, quote, at + 1, index, index + 1, inner.length > 0);
      }
      if (!isApostrophe(text, index)) inner.push(index);
    }
  }
  return { kind: "cut" };
}

/** Counts brackets in a string that begins as JSON does (`"{"a": …`): it ends after they are closed. */
function createBracketCounter(
  text: string,
  from: number,
): { isOpenAt(index: number, firstQuote: number | undefined): boolean } {
  let at = from;
  let depth = 0;
  const first = text.charAt(skipBlanks(text, from));
  const afterFirst = skipBlanks(text, skipBlanks(text, from) + 1);
  return {
    isOpenAt(index, firstQuote) {
      if ((first !== "{" && first !== "[") || firstQuote !== afterFirst) return false;
      for (; at < index; at++) {
        const char = text.charAt(at);
        if (char === "{" || char === "[") depth++;
        else if (char === "}" || char === "]") depth--;
      }
      return depth > 0;
    },
  };
}

/** The index of the next backslash or closing quote; -1 when there is none. */
function nextOf(text: string, at: number, closing: string): number {
  const pattern = PATTERNS.get(closing) ?? new RegExp(`[\\\\${closing}]`, "g");
  PATTERNS.set(closing, pattern);
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - 1 : -1;
}

const PATTERNS = new Map<string, RegExp>();

function readTripleQuoted(text: string, at: number, quote: string): ReadString {
  const mark = quote.repeat(3);
  let index = at + 3;
  for (let char = text.charAt(index); char !== ""; char = text.charAt(index)) {
    if (char === quote && text.startsWith(mark, index)) {
      return written(text, quote, at + 3, index, index + 3, false);
    }
    index += char === "\\" ? 2 : 1;
  }
  return { kind: "cut" };
}

function written(
  text: string,
  quote: string,
  from: number,
  to: number,
  end: number,
  hasInnerQuotes: boolean,
): ReadString {
  const json = writeString(text.slice(from, to), quote);
  return json === undefined ? refused(end) : { kind: "string", json, end, hasInnerQuotes };
}

function areInnerQuotes(
  text: string,
  open: number,
  inner: readonly number[],
  close: number,
): boolean {
  const arePaired = inner.length % 2 === 0;
  const areInches = inner.every((index) => /\d/.test(text.charAt(index - 1)));
  if (!arePaired && !areInches) return false;
  if (!areInches && !inner.every((index, nth) => facesRightWay(text, index, nth % 2 === 0))) {
    return false;
  }
  if (inner.some((index, nth) => nth > 0 && index === (inner[nth - 1] ?? 0) + 1)) return false;
  if (inner[0] === open + 1 && inner.at(-1) === close - 1) return false;
  return hasKeysInBracesOnly(text, open, inner);
}

/** An opening quote does not end a word before a space, a closing one does not begin a word. */
function facesRightWay(text: string, index: number, opens: boolean): boolean {
  const outside = text.charAt(opens ? index - 1 : index + 1);
  const inside = text.charAt(opens ? index + 1 : index - 1);
  return !(isBlank(inside) && /[\p{L}\p{N}]/u.test(outside));
}

/** `"a, "b": 1` lacks a closing quote; in `"{"a": 1}"` the key is the string's own. */
function hasKeysInBracesOnly(text: string, open: number, inner: readonly number[]): boolean {
  let depth = 0;
  let from = open + 1;
  for (const index of inner) {
    for (; from < index; from++) {
      const char = text.charAt(from);
      if (char === "{") depth++;
      else if (char === "}") depth--;
    }
    if (depth <= 0 && text.charAt(skipBlanks(text, index + 1)) === ":") return false;
  }
  return true;
}

function isExact(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object";
  } catch {
    return false;
  }
}

function isApostrophe(text: string, at: number): boolean {
  const char = text.charAt(at);
  return (
    (char === "'" || char === "’") && isLetter(text.charAt(at - 1)) && isLetter(text.charAt(at + 1))
  );
}

function isLetter(char: string): boolean {
  return char !== "" && !isBlank(char) && /\p{L}/u.test(char);
}

function refused(at: number): ReadString {
  return { kind: "refused", at };
}
