import { areInnerQuotes } from "./are-inner-quotes.ts";
import { closingQuotes, isApostrophe } from "./characters.ts";
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
 * Inner quotes are kept where one reading is left (see `areInnerQuotes`).
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
            isExact(text.slice(at + 1, index)) ||
            areInnerQuotes({ text, open: at, close: index, inner, bracket: brackets?.at(-1) });
          if (!isSure) return refusedAt(index);
        }
        return written(text, quote, at + 1, index, index + 1, inner.length > 0);
      }
      if (!isApostrophe(text, index)) inner.push(index);
    }
  }
  const isCut = inner.length === 0 || !ENDS_CLOSED.test(text.slice(-20));
  return isCut ? { kind: "cut" } : refusedAt(text.length);
}

/** Text that ends so is complete: a string in it whose end was not found is not cut off. */
const ENDS_CLOSED = /[}\])]\s*(?:```\s*)?$/;

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
  const body = text.slice(from, to);
  if (quote === "`" && /(?<!\\)\$\{/.test(body)) return refusedAt(end); // code fills in its value
  const json = writeString(body, quote);
  return json === undefined ? refusedAt(end) : { kind: "string", json, end, hasInnerQuotes };
}

function isExact(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object";
  } catch {
    return false;
  }
}

function refusedAt(at: number): ReadString {
  return { kind: "refused", at };
}
