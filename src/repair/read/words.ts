import { withoutEnd } from "../text.ts";
import type { JsonValue } from "../types.ts";
import { toHalfWidth } from "../words/names.ts";
import { JSON_NUMBER, losesDigits, withoutPlus } from "./numbers.ts";
import { BLANK, type Dialect, endOf } from "./tokens.ts";

/**
 * What a word without quotes stands for. `bare`: a text whose quotes are
 * missing.
 */
export interface Meaning {
  readonly kind: "number" | "literal" | "bare";
  readonly value: JsonValue;
}

/** A number whose digits a double holds, and its delimiter. */
export const PLAIN_NUMBER: RegExp =
  /-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?(?=[,}\]])/y;

/** The end of the word at an index. */
export function endOfWord(
  text: string,
  at: number,
  { isLoose }: Dialect,
): number {
  return endOf(isLoose ? WORD : PLAIN_WORD, text, at);
}

const PLAIN_WORD = /[\w+.-]+/y;

const URL_WORD = "https?://[^\\s\"'`“”‘’,;<>\\\\{}()[\\]]+";
const DELIMITERS = ",;:={}()[\\]\"'`“”„‟‘’‚«»＂｛｝［］（），、；：＝";
const WORD = new RegExp(
  `${URL_WORD}|(?:(?!/\\*|\\\\[nrt])[^${BLANK}${DELIMITERS}])+`,
  "y",
);

/**
 * Whether a string without quotes ends here: before the end of its line, a
 * comma, a bracket or a comment.
 */
export const AFTER_BARE: RegExp =
  /[^\S\n\r]*(?:[\n\r\\,;，、；}｝\]］)#]|\/[/*]|<!--)/y;

const LITERAL_START = "t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?";

/** What may be the beginning of a number or literal: `-1.`, `tru`. */
export const BEGINS_VALUE: RegExp = new RegExp(
  String.raw`^(?:[-+.]?|-?\d[\d.eE+-]*|${LITERAL_START})$`,
);

/** Longer words are no string without quotes. */
const MAX_WORD = 2_000;

/**
 * What a word stands for. It is a number only if unmistakable (`+5`, `.5`,
 * `0x1F`, `1_000`). Digits that a number would not keep become a string: `007`,
 * too many digits. Nothing: `NaN`, expressions (`1/6`, `f(x)`, `a["b"]`),
 * ranges, units, and several words.
 */
export function meaningOf(
  word: string,
  dialect: Dialect,
  mayBeText: boolean,
): Meaning | undefined {
  const { literals } = dialect;
  if (Object.hasOwn(literals, word))
    return { kind: "literal", value: literals[word] ?? null };
  if (!dialect.isLoose) {
    const isNumber = JSON_NUMBER.test(word);
    return isNumber ? { kind: "number", value: Number(word) } : undefined;
  }
  const number = toHalfWidth(word);
  if (LOOSE_NUMBER.test(number)) return meaningOfNumber(number);
  const isText = mayBeText && word.length <= MAX_WORD && isBareText(word);
  return isText ? { kind: "bare", value: word } : undefined;
}

function meaningOfNumber(word: string): Meaning | undefined {
  const digits = withoutEnd(withoutPlus(word.replaceAll("_", "")), ".");
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  const isHex = digits.charAt(1).toLowerCase() === "x";
  const isKept = isHex || !losesDigits(digits, value);
  return isKept ? { kind: "number", value } : { kind: "bare", value: digits };
}

/**
 * A number of JSON, also `+5`, `5.`, `.5`, `1_000`, `0x1F`; not `1,000`, `1/6`.
 */
const LOOSE_NUMBER = new RegExp(
  [
    String.raw`^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$`,
    String.raw`^[1-9]\d{0,2}(?:_\d{3})+$`,
    String.raw`^0[xX][\da-fA-F]{1,12}$`,
  ].join("|"),
);

/**
 * Whether a word can only be a text: a URL, digits that are no number, or a
 * word of letters.
 */
function isBareText(word: string): boolean {
  if (TEXT_OF_DIGITS.some((form) => form.test(word))) return true;
  if (NO_VALUES.has(word.toLowerCase())) return false;
  return BARE_WORD.test(word) && !NOT_BARE.some((form) => form.test(word));
}

const TEXT_OF_DIGITS: readonly RegExp[] = [
  // https://x.io/?q=1, not https:
  /^https?:\/\/.+$/,
  // 007, not 0
  /^0\d+$/,
  // 2024-10-18, not 10-20
  /^\d{4}-\d{2}-\d{2}$/,
  // a UUID, not 57eeeeb1
  /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  // 1.2.3, not 1.2
  /^\d+(?:\.\d+){2,}$/,
];

/** `#buy`, `red`, `/etc/passwd`, `hello!`; not `12px`, `a=b`. */
const BARE_START = String.raw`[#.@~/]{1,3}[\p{L}\p{N}_$]|[\p{L}_$]`;
const BARE_WORD = new RegExp(
  String.raw`^(?:${BARE_START})[\p{L}\p{M}\p{N}_$@#~./-]*[!?]?$`,
  "u",
);

/** Words for no number or value, in small letters. */
const NO_VALUES = new Set(["nan", "inf", "infinity", "nil", "void"]);

const NOT_BARE: readonly RegExp[] = [
  // literals that run into each other: true1, nullnull; not truth
  /^(?:true|false|null|none)(?:[-\d]|true|false|null|none|$)/i,
  // an omission, or a fraction without its zero: a..b, .5x; not a.b
  /\.\.|^\.\d/,
  // a regular expression: /x/g, not /etc/passwd
  /^\/.*\/[dgimsuvy]*$/i,
  // a variable, or a member of one: a$b, user.id; not user-id
  /\$|^[a-z_]\w*(?:\.[a-z_]\w*)+$/i,
];
