import { losesDigits } from "./numbers.ts";
import {
  asPunctuation,
  closingBracket,
  fail,
  isBlank,
  isClosingBracket,
  isCommentStart,
  isEnd,
  LOOSE_DIALECT,
  type Source,
  skipBlanks,
  Unreadable,
} from "./tokens.ts";

/** What a word without quotes means, and where it ends. */
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
 *
 * @param source The text; `at` is the word.
 * @param mayBeText Whether a string without quotes may stand there.
 */
export function readWord(source: Source, mayBeText: boolean): ReadWord {
  const { text, at, dialect } = source;
  PLAIN_NUMBER.lastIndex = at;
  if (PLAIN_NUMBER.test(text)) {
    const end = PLAIN_NUMBER.lastIndex;
    return { kind: "number", value: Number(text.slice(at, end)), end };
  }
  PLAIN_WORD.lastIndex = at;
  const endOfPlain = () => (PLAIN_WORD.test(text) ? PLAIN_WORD.lastIndex : at);
  const end = dialect.isLoose ? endOfWord(text, at) : endOfPlain();
  const word = text.slice(at, end);
  const read = meaningOf(word, source, mayBeText);
  const mayGoOn = read !== undefined || BEGINS_VALUE.test(word);
  if (mayGoOn && isEnd(text, skipBlanks(text, end))) throw new Unreadable("cut");
  if (read === undefined) return fail();
  if (dialect.isLoose && read.kind === "bare" && !mayEndBare(text, end)) fail();
  return { ...read, end };
}

/** A number whose digits a double holds, and what ends it. */
const PLAIN_NUMBER = /-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?(?=[,}\]])/y;
const PLAIN_WORD = /[\w+.-]+/y;
const BEGINS_VALUE = /^(?:[-+.]?|-?\d[\d.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

function endOfWord(text: string, at: number): number {
  for (const word of [URL_WORD, TIME_WORD]) {
    word.lastIndex = at;
    if (word.test(text)) return word.lastIndex;
  }
  let index = at;
  for (let char = text.charAt(index); char !== ""; char = text.charAt(++index)) {
    if (isBlank(char) || ",}])=:".includes(char) || asPunctuation(char) !== char) break;
    if (LOOSE_DIALECT.quotes.includes(char) || closingBracket(char) !== "") break;
    if (text.startsWith("/*", index) && index > at) break;
    if (char === "\\" && /[nrt]/.test(text.charAt(index + 1))) break;
  }
  return index;
}

/** Behind a string without quotes: the end of its line, a comma, a bracket or a comment. */
function mayEndBare(text: string, end: number): boolean {
  let at = end;
  while (/[^\S\n\r]/.test(text.charAt(at))) at += 1;
  const char = text.charAt(at);
  return (
    char === "\n" ||
    char === "\r" ||
    char === "\\" ||
    char === "," ||
    isClosingBracket(char) ||
    isCommentStart(text, at, false)
  );
}

const URL_WORD = /https?:\/\/[^\s"'`“”‘’,;<>\\{}()[\]]+/y;
/** `2024-10-18T18:35:22Z`, `2024-10-18 18:35`, `10:30`. */
const TIME =
  "(?:\\d{4}-\\d{2}-\\d{2}[T ])?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?";
const TIME_WORD = new RegExp(`${TIME}(?=\\s*[,}\\]])`, "y");
const AS_TEXT = new RegExp(
  `^(?:https?://.+|0\\d+|\\d{4}-\\d{2}-\\d{2}|${TIME}|[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}|\\d+(?:\\.\\d+){2,})$`,
  "i",
);

type Meaning = Omit<ReadWord, "end"> | undefined;

function meaningOf(word: string, { dialect }: Source, mayBeText: boolean): Meaning {
  if (Object.hasOwn(dialect.literals, word)) {
    return { kind: "literal", value: dialect.literals[word] as boolean | null };
  }
  const digits = asJsonNumber(word, dialect.isLoose);
  if (digits !== undefined) return readDigits(digits, dialect.isLoose);
  const isText = mayBeText && (AS_TEXT.test(word) || (BARE.test(word) && !NOT_BARE.test(word)));
  return isText && word.length <= MAX_WORD ? { kind: "bare", value: word } : undefined;
}

const MAX_WORD = 2_000;

/** A word as a number of JSON; `undefined` where it is none. */
function asJsonNumber(word: string, isLoose: boolean): string | undefined {
  if (JSON_NUMBER.test(word)) return word;
  if (!isLoose) return undefined;
  if (/^\+(?:0|[1-9]\d*)(?:\.\d+)?$/.test(word)) return word.slice(1);
  if (/^-?(?:0|[1-9]\d*)\.$/.test(word)) return word.slice(0, -1);
  if (/^-?\.\d+$/.test(word)) return word.replace(".", "0.");
  if (/^[1-9]\d{0,2}(?:_\d{3})+$/.test(word)) return word.replaceAll("_", "");
  return /^0[xX][0-9a-fA-F]{1,12}$/.test(word) ? String(Number(word)) : undefined;
}

/** A number as JSON has it. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readDigits(digits: string, isLoose: boolean): Meaning {
  const number = Number(digits);
  if (!isLoose) return { kind: "number", value: number };
  if (!Number.isFinite(number)) return undefined;
  return losesDigits(digits, number)
    ? { kind: "bare", value: digits }
    : { kind: "number", value: number };
}

const BARE = /^(?:[#.@~/]{1,3}[\p{L}\p{N}_$]|[\p{L}_$])[\p{L}\p{M}\p{N}_$@#~./-]*[!?]?$/u;
/** Literals that run into each other, words for no number, an omission, a regular expression. */
const NOT_BARE =
  /^(?:true|false|null|none)(?:[-\d]|true|false|null|none|$)|^(?:nan|[+-]?inf(?:inity)?|nil|void)$|\.\.|^\/.*\/[dgimsuvy]*$|^\.\d/i;
