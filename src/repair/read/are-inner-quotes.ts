import { isBlank, isLetter, isLetterOrDigit } from "./characters.ts";
import { skipBlanks } from "./skip-space.ts";

/** A string with quotes inside that are not escaped. */
interface QuotedText {
  readonly text: string;
  /** The index of the quote that opens it. */
  readonly open: number;
  /** The index of the quote that closes it. */
  readonly close: number;
  /** The indices of the quotes inside. */
  readonly inner: readonly number[];
  /** The innermost bracket around it. */
  readonly bracket: string | undefined;
}

/**
 * Checks whether quotes inside a string are its own, and none of them ends it or begins another:
 * they come in pairs around words, or each is an inch mark, or each closes a low quote (`„so"`), or
 * there is one, at or in a word of a sentence. None touches the next, and none makes what looks
 * like a key outside of braces. In a list, where strings follow each other, quotes show less.
 */
export function areInnerQuotes(quoted: QuotedText): boolean {
  const { open, close, inner } = quoted;
  if (inner.some((index, nth) => nth > 0 && index === (inner[nth - 1] ?? 0) + 1)) return false;
  if (inner[0] === open + 1 && inner.at(-1) === close - 1) return false;
  if (!hasKeysInBracesOnly(quoted)) return false;
  return arePairs(quoted) || areInches(quoted) || closeLowQuotes(quoted) || isInSentence(quoted);
}

function arePairs(quoted: QuotedText): boolean {
  const { text, inner } = quoted;
  if (inner.length % 2 === 1) return false;
  return inner.every((index, nth) => {
    if (nth % 2 === 1) return true;
    const end = inner[nth + 1] ?? index;
    return opens(quoted, index) && closes(quoted, end) && holdsWord(text, index, end);
  });
}

/** An opening quote does not follow a word, and a word or sign follows it at once. */
function opens({ text, open, bracket }: QuotedText, index: number): boolean {
  const before = text.charAt(index - 1);
  const next = text.charAt(index + 1);
  if (isBlank(next) || ",;:.)]}".includes(next)) return false;
  if (index - 1 === open || isBlank(before)) return true;
  if (isLetterOrDigit(text, index - 1)) return isPrefixInCode(text, index - 1);
  return bracket === "{" || "([{=<>".includes(before);
}

/** A letter that stands before a string in code: `f"…"`, `r"…"`. */
function isPrefixInCode(text: string, at: number): boolean {
  return "rbfuRBFU".includes(text.charAt(at)) && "([{=".includes(text.charAt(at - 1));
}

function closes({ text, close, bracket }: QuotedText, index: number): boolean {
  const before = text.charAt(index - 1);
  if (isBlank(before) || "([{".includes(before)) return false;
  if (bracket !== "{" && ",;:".includes(before)) return false;
  return index + 1 === close || !isLetterOrDigit(text, index + 1);
}

/** Between two strings of a list there may be anything but words. After `=` and `(` it is code. */
function holdsWord(text: string, from: number, to: number): boolean {
  return "=(".includes(text.charAt(from - 1)) || WORD.test(text.slice(from, to));
}

const WORD = /[\p{L}\p{N}]/u;

/** `72" wide`, `a 5" x 7" print`, `(5'3")`: a small number, and no id, with its unit. */
function areInches({ text, open, close, inner }: QuotedText): boolean {
  return inner.every((index, nth) => {
    const before = text.slice(Math.max(open + 1, index - 12), index);
    const isHeight = FEET.test(before);
    if (!isHeight && !SMALL_NUMBER.test(before)) return false;
    const at = skipBlanks(text, index + 1);
    if (at >= close) return at === index + 1 && (isHeight || nth > 0);
    if (isLetter(text, at)) return true;
    return text.charAt(at) === ")" && closesParenthesis(text, open, index);
  });
}

const FEET = /(?:^|[^\p{L}\p{N}])\d['’′]\s?\d{1,2}(?:\.\d)?$/u;
const SMALL_NUMBER = /(?:^|[^\p{L}\p{N}_-])[1-9]\d{0,2}(?:[./]\d{1,3})?$/u;

function closesParenthesis(text: string, from: number, to: number): boolean {
  const inside = text.slice(Math.max(from + 1, to - 200), to);
  return inside.lastIndexOf("(") > inside.lastIndexOf(")");
}

/** German and Polish typing: `„so"`. */
function closeLowQuotes({ text, open, inner }: QuotedText): boolean {
  return inner.every((index, nth) => {
    const from = nth === 0 ? open : (inner[nth - 1] ?? open);
    const before = text.slice(from + 1, index);
    return /[„‚]/.test(before) && !/[“”]/.test(before) && !isLetterOrDigit(text, index + 1);
  });
}

/** One quote in a value of several words, before a letter or behind one: a word of it is quoted by half. */
function isInSentence({ text, open, close, inner, bracket }: QuotedText): boolean {
  const [index] = inner;
  if (bracket !== "{" || inner.length !== 1 || index === undefined) return false;
  if (!SEVERAL_WORDS.test(text.slice(open + 1, close))) return false;
  if (isLetter(text, index + 1))
    return isLetter(text, index - 1) || isBlank(text.charAt(index - 1));
  return isLetter(text, index - 1) && isLetter(text, skipBlanks(text, index + 1));
}

const SEVERAL_WORDS = /\p{L}\s+\S+\s+\S/u;

/** `"a, "b": 1` lacks a closing quote; in `"{"a": 1}"` the key is the string's own. */
function hasKeysInBracesOnly({ text, open, close, inner }: QuotedText): boolean {
  let depth = 0;
  let from = open + 1;
  let hasKeys = false;
  for (const index of inner) {
    depth += bracesIn(text.slice(from, index));
    from = index;
    if (text.charAt(skipBlanks(text, index + 1)) !== ":") continue;
    if (depth <= 0) return false;
    hasKeys = true;
  }
  return !hasKeys || depth + bracesIn(text.slice(from, close)) === 0;
}

function bracesIn(text: string): number {
  let depth = 0;
  for (const char of text) depth += char === "{" ? 1 : char === "}" ? -1 : 0;
  return depth;
}
