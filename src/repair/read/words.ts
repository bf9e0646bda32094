import { losesDigits } from "./numbers.ts";
import { fail, isEnd, type Source, skipBlanks, Unreadable } from "./tokens.ts";

/** The meaning of a word without quotes, and its end. */
export interface ReadWord {
  readonly kind: "number" | "literal" | "bare";
  readonly value: string | number | boolean | null;
  readonly end: number;
}

/**
 * Reads a number, a literal, or in the loose dialect a string without quotes: one word.
 *
 * A number is converted only where it is unmistakable (`+5`, `.5`, `0x1F`, `1_000`). Digits that a
 * number would not keep become a string: `007`, too many digits. Refused: `NaN`, expressions
 * (`1/6`, `f(x)`, `a["b"]`), ranges, units, and several words.
 */
export function readWord(source: Source, mayBeText: boolean): ReadWord {
  const { text, at, dialect } = source;
  let end = endOf(PLAIN_NUMBER, text, at);
  if (end > at) return { kind: "number", value: Number(text.slice(at, end)), end };
  end = endOf(dialect.isLoose ? WORD : PLAIN_WORD, text, at);
  const word = text.slice(at, end);
  const read = meaningOf(word, source, mayBeText);
  const mayGoOn = read !== undefined || BEGINS_VALUE.test(word);
  if (mayGoOn && isEnd(text, skipBlanks(text, end))) throw new Unreadable("cut");
  if (read === undefined) return fail();
  if (read.kind === "bare" && endOf(AFTER_BARE, text, end) === end) fail();
  return { ...read, end };
}

/** The index after a pattern's match at an index; the same index without a match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A number whose digits a double holds, and its delimiter. */
const PLAIN_NUMBER = /-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?(?=[,}\]])/y;
const PLAIN_WORD = /[\w+.-]+/y;
const BEGINS_VALUE = /^(?:[-+.]?|-?\d[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** `2024-10-18T18:35:22Z`, `2024-10-18 18:35`, `10:30`. */
const TIME =
  "(?:\\d{4}-\\d{2}-\\d{2}[T ])?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?";
const URL_WORD = "https?://[^\\s\"'`“”‘’,;<>\\\\{}()[\\]]+";
/** White space, invisible marks, punctuation and quotes, fullwidth too. */
const NOT_WORD =
  "\\s\\u0085\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069,;:={}()[\\]\"'`“”„‟‘’‚＂｛｝［］（），、；：＝";
const WORD = new RegExp(
  `${URL_WORD}|${TIME}(?=\\s*[,}\\]])|(?:(?!/\\*|\\\\[nrt])[^${NOT_WORD}])+`,
  "y",
);
/** What follows a string without quotes: the end of its line, a comma, a bracket or a comment. */
const AFTER_BARE = /[^\S\n\r]*(?:[\n\r\\,}\])#]|\/[/*]|<!--)/y;

function meaningOf(
  word: string,
  { dialect: { literals, isLoose } }: Source,
  mayBeText: boolean,
): Omit<ReadWord, "end"> | undefined {
  if (Object.hasOwn(literals, word))
    return { kind: "literal", value: literals[word] as boolean | null };
  const digits = JSON_NUMBER.test(word) ? word : isLoose ? asJsonNumber(word) : undefined;
  if (digits !== undefined) {
    const value = Number(digits);
    if (!isLoose) return { kind: "number", value };
    if (!Number.isFinite(value)) return undefined;
    return losesDigits(digits, value) ? { kind: "bare", value: digits } : { kind: "number", value };
  }
  const isText = AS_TEXT.test(word) || (BARE.test(word) && !NOT_BARE.test(word));
  return mayBeText && isText && word.length <= MAX_WORD ? { kind: "bare", value: word } : undefined;
}

const MAX_WORD = 2_000;

/** A number as JSON has it. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Other unmistakable spellings of a number, as JSON. */
function asJsonNumber(word: string): string | undefined {
  if (/^\+(?:0|[1-9]\d*)(?:\.\d+)?$/.test(word)) return word.slice(1);
  if (/^-?(?:0|[1-9]\d*)\.$/.test(word)) return word.slice(0, -1);
  if (/^-?\.\d+$/.test(word)) return word.replace(".", "0.");
  if (/^[1-9]\d{0,2}(?:_\d{3})+$/.test(word)) return word.replaceAll("_", "");
  return /^0[xX][0-9a-fA-F]{1,12}$/.test(word) ? String(Number(word)) : undefined;
}

const AS_TEXT = new RegExp(
  `^(?:https?://.+|0\\d+|\\d{4}-\\d{2}-\\d{2}|${TIME}|[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}|\\d+(?:\\.\\d+){2,})$`,
  "i",
);
const BARE = /^(?:[#.@~/]{1,3}[\p{L}\p{N}_$]|[\p{L}_$])[\p{L}\p{M}\p{N}_$@#~./-]*[!?]?$/u;
/** Literals that run into each other, words for no number, an omission, a regular expression. */
const NOT_BARE =
  /^(?:true|false|null|none)(?:[-\d]|true|false|null|none|$)|^(?:nan|[+-]?inf(?:inity)?|nil|void)$|\.\.|^\/.*\/[dgimsuvy]*$|^\.\d/i;
