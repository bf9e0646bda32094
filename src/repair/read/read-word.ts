import { losesDigits } from "../json/exact-number.ts";
import {
  asPunctuation,
  closingBracket,
  closingQuotes,
  isBlank,
  isClosingBracket,
} from "./characters.ts";
import { isCommentStart } from "./skip-space.ts";

/** What stands where a value must, without quotes. */
export type ReadWord =
  | { readonly kind: "word"; readonly json: string; readonly end: number }
  /** The text ends with it: more of it may have been to come. */
  | { readonly kind: "cut" }
  | { readonly kind: "refused"; readonly at: number };

const LITERALS: Readonly<Record<string, string>> = {
  true: "true",
  True: "true",
  TRUE: "true",
  false: "false",
  False: "false",
  FALSE: "false",
  null: "null",
  Null: "null",
  NULL: "null",
  None: "null",
  undefined: "null",
};

/**
 * Reads a number, a literal of JSON, Python or JavaScript, or a string without quotes.
 *
 * A number is converted only where it is unmistakable (`+5`, `.5`, `0x1F`, `1_000`). Digits that a
 * number would not keep become a string: `007`, too many digits. Refused: `NaN`,
 * `Infinity`, expressions (`1/6`, `f(x)`, `a["b"]`), ranges and units.
 *
 * @param text The text.
 * @param at Where it begins.
 * @param allowStrings Whether a string without quotes may stand there.
 */
export function readWord(text: string, at: number, allowStrings: boolean): ReadWord {
  const end = endOfWord(text, at);
  const word = text.slice(at, end).trimEnd();
  const json = writeLiteral(word) ?? (allowStrings ? writeUnquoted(word) : undefined);
  if (end >= text.length || text.startsWith("```", end)) {
    return json !== undefined || (allowStrings ? IS_CUT : IS_CUT_LITERAL).test(word)
      ? { kind: "cut" }
      : { kind: "refused", at };
  }
  const next = asPunctuation(text.charAt(end));
  const ends = next === "," || next === "\n" || next === "\r" || isClosingBracket(next);
  const isSeparate = at + word.length < end && writeLiteral(word) !== undefined;
  const isComment = isCommentStart(text, end, false);
  return json !== undefined && (ends || isSeparate || isComment)
    ? { kind: "word", json, end: at + word.length }
    : { kind: "refused", at: end };
}

function endOfWord(text: string, at: number): number {
  for (const word of [URL_WORD, TIME_WORD]) {
    word.lastIndex = at;
    if (word.test(text)) return word.lastIndex;
  }
  let index = at;
  for (let char = text.charAt(index); char !== ""; char = text.charAt(++index)) {
    if (ENDS_WORD.includes(char) || asPunctuation(char) !== char) break;
    if (closingQuotes(char) !== undefined || closingBracket(char) !== undefined) break;
    if (isBlank(text.charAt(index - 1)) && index > at && isCommentStart(text, index, false)) break;
    if (text.startsWith("/*", index)) break;
  }
  return index;
}

const ENDS_WORD = ",}])\n\r:=";
const URL_WORD = /https?:\/\/[^\s"'`“”‘’,;<>\\{}()[\]]+/y;
/** `2024-10-18T18:35:22Z`, `2024-10-18 18:35`, `10:30`. */
const TIME =
  "(?:\\d{4}-\\d{2}-\\d{2}[T ])?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?";
const TIME_WORD = new RegExp(`${TIME}(?=\\s*[,}\\]])`, "y");
const IS_TIME = new RegExp(`^${TIME}$`);
const IS_UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const IS_CUT = /^[-+.]?$|^[\p{L}\p{N}_$#@~./+-][^\\]*$/u;
const IS_CUT_LITERAL = /^(?:[-+.]|-?\d[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

function writeLiteral(word: string): string | undefined {
  if (Object.hasOwn(LITERALS, word)) return LITERALS[word];
  if (JSON_NUMBER.test(word)) return writeNumber(word);
  if (/^\+\d+(?:\.\d+)?$/.test(word) && !/^\+0\d/.test(word)) return writeNumber(word.slice(1));
  if (/^-?(?:0|[1-9]\d*)\.$/.test(word)) return writeNumber(word.slice(0, -1));
  if (/^-?\.\d+$/.test(word)) return writeNumber(word.replace(".", "0."));
  if (/^\d{1,3}(?:_\d{3})+$/.test(word)) return writeNumber(word.replaceAll("_", ""), "0");
  return /^0[xX][0-9a-fA-F]{1,12}$/.test(word) ? String(Number(word)) : undefined;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function writeNumber(digits: string, refusedStart = ""): string | undefined {
  if (refusedStart !== "" && digits.startsWith(refusedStart)) return undefined;
  const number = Number(digits);
  if (!Number.isFinite(number)) return undefined;
  return losesDigits(digits, number) ? `"${digits}"` : digits;
}

function writeUnquoted(word: string): string | undefined {
  const isString =
    /^https?:\/\//.test(word) ||
    /^0\d+$/.test(word) ||
    /^\d{4}-\d{2}-\d{2}$/.test(word) ||
    IS_TIME.test(word) ||
    IS_UUID.test(word) ||
    /^\d+(?:\.\d+){2,}$/.test(word) ||
    (UNQUOTED.test(word) && !NOT_UNQUOTED.test(word.replace(/[!?]$/, "")));
  return isString ? JSON.stringify(word) : undefined;
}

const UNQUOTED = /^(?:[#.@~/]{1,3}[\p{L}\p{N}_$]|[\p{L}_$])[\p{L}\p{M}\p{N}_$@#~./ -]*[!?]?$/u;
/** Not two literals without a comma, a number, an omission, an expression, a regular expression. */
const NOT_UNQUOTED =
  /^(?:true|false|null|none)(?:[-\d]|true|false|null|none)|^(?:nan|[+-]?inf(?:inity)?|nil|void|none)$|\.\.|\s[-/]|[-/]\s|\s#|^\/.*\/[dgimsuvy]*$|^\.\d/iu;
