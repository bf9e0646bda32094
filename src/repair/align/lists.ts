import type { Variant } from "../schema/node.ts";
import { isUnspaced } from "../words/unspaced.ts";
import { MAX_WORD } from "./bare-text.ts";
import type { Want } from "./types.ts";

/** The kinds of elements of the wanted lists. */
export function elementsOf({ node }: Want): readonly Variant[] {
  return node.of("array").flatMap((list) => list.itemAt(0)?.variants() ?? []);
}

/**
 * Whether the wanted lists say what their elements are, and each kind passes a
 * test.
 */
export function everyElement(
  want: Want,
  test: (element: Variant) => boolean,
): boolean {
  const elements = elementsOf(want);
  return elements.length > 0 && elements.every(test);
}

/** A longer text is no list of tokens. */
const MAX_LIST = 20_000;

const LINE_BREAK = /\n/;
const SEMICOLON = /;/;
const COMMA = /[,，、]/;

/**
 * The parts of a text between line breaks, semicolons or commas, if it has only
 * one of these signs.
 */
export function partsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  const signs = [LINE_BREAK, SEMICOLON, COMMA].filter((sign) =>
    sign.test(trimmed),
  );
  const [sign = ""] = signs;
  if (text.length > MAX_LIST || signs.length !== 1) return [];
  return trimmed.split(sign).map((part) => part.trim());
}

/**
 * Whether some commas or semicolons have a space behind them, and others none.
 */
export function isPartedUnevenly(text: string): boolean {
  const trimmed = text.trim();
  return /[,;，、]\s/.test(trimmed) && /[,;，、]\S/.test(trimmed);
}

/**
 * Whether its commas have no space behind them: Chinese and Japanese ones never
 * have, and so say nothing.
 */
export function isTight(text: string): boolean {
  const trimmed = text.trim();
  return /,\S/.test(trimmed) && !/[,;，、]\s|[，、\n]/.test(trimmed);
}

/** A mark before an element of a list: `- a`, `* a`, `1. a`, `2) a`. */
const LIST_MARK = /^(?:[-*•]|\d{1,3}[.)])\s+/;

/** The parts without their list marks, if each has one. */
export function withoutMarks(parts: readonly string[]): readonly string[] {
  const areMarked = parts.every((part) => LIST_MARK.test(part));
  return areMarked ? parts.map((part) => part.replace(LIST_MARK, "")) : parts;
}

/** Commas that may stand in one number: `1,5`, `1,234`, `1,234,567`. */
const MAY_BE_ONE_NUMBER = /^-?(?:\d+,\d+|\d{1,3}(?:,\d{3})+)$/;
/**
 * The same for a whole number, which has no decimals: `1,234`, but not `1,5`.
 */
const MAY_BE_ONE_WHOLE_NUMBER = /^-?\d{1,3}(?:,\d{3})+$/;

/** Whether a text with commas may be one number. */
export function mayBeOneNumber(text: string, isWhole: boolean): boolean {
  return (isWhole ? MAY_BE_ONE_WHOLE_NUMBER : MAY_BE_ONE_NUMBER).test(
    text.trim(),
  );
}

/**
 * A part with letters and other signs, which is no word of a language: `A1`,
 * `a.txt`, `x_y`.
 */
const CODE = /^(?=.*\p{L})(?=.*[\d_@./])\S+$/u;
/** Digits in groups, joined by hyphens, as in a UUID. */
const HEX_GROUPS = /^[\da-f]+(?:-[\da-f]+)+$/i;

export function isCode(part: string): boolean {
  return CODE.test(part) || HEX_GROUPS.test(part);
}

/**
 * Letters, digits and the signs of codes and addresses, and single spaces
 * between words.
 */
const WORDS =
  /^[\p{L}\p{N}@#./~_](?:[\p{L}\p{M}\p{N}@#./:~_'’+-]| (?=\S))*(?<!\.)$/u;

/**
 * Whether a part is up to so many words without quotes, brackets or a sign of
 * more.
 */
export function isOfWords(part: string, most: number): boolean {
  if (part.length > MAX_WORD || !WORDS.test(part) || isRange(part))
    return false;
  // In a script without spaces, a word may be stuck to a code: `A2以外` leaves
  // `A2` out.
  if (isUnspaced(part) && /\w/.test(part)) return false;
  return part.split(" ").length <= most;
}

/** From one number to another: `A1-A9`, `3..5`, `10–12`. */
const NUMBER_RANGE =
  /(?<![\p{L}\p{N}-])(\p{L}*)\d+\p{L}?(?:[-–—~〜～]|\.{2,}|…)\1\d+\p{L}?(?![\w-])/u;
/** From one letter or short name to another: `a-f`, `Mon-Fri`. */
const NAME_RANGE =
  /(?<![\p{L}\p{N}-])(?:\p{L}|\p{Lu}\p{Ll}{1,2})[-–—~〜～](?:\p{L}|\p{Lu}\p{Ll}{1,2})$/u;

/** Whether a text is a range. */
export function isRange(text: string): boolean {
  return NUMBER_RANGE.test(text) || NAME_RANGE.test(text);
}
