import type { Variant } from "../schema/node.ts";
import { isDigits, isUnspaced } from "../text.ts";
import { holdsAny, MAX_WORD } from "./bare-text.ts";
import type { Want } from "./types.ts";

/** The kinds of elements of the wanted lists. */
export function elementsOf({ node }: Pick<Want, "node">): readonly Variant[] {
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

/** The signs between parts; other commas count as this one. */
const SIGNS = ["\n", ";", ","];

/**
 * The parts of a text between line breaks, semicolons or commas, if it has only
 * one of these signs.
 */
export function partsOf(text: string): readonly string[] {
  if (text.length > MAX_LIST) return [];
  const trimmed = text.trim().replaceAll("，", ",").replaceAll("、", ",");
  const signs = SIGNS.filter((sign) => trimmed.includes(sign));
  const [sign = ""] = signs;
  if (signs.length !== 1) return [];
  return trimmed.split(sign).map((part) => part.trim());
}

/** A comma or semicolon with a space behind it, and with none. */
const SPACED_SIGN = /[,;，、]\s/;
const TIGHT_SIGN = /[,;，、]\S/;

/**
 * Whether some commas or semicolons have a space behind them, and others none.
 */
export function isPartedUnevenly(text: string): boolean {
  const trimmed = text.trim();
  return SPACED_SIGN.test(trimmed) && TIGHT_SIGN.test(trimmed);
}

/**
 * Whether its commas have no space behind them: Chinese and Japanese ones never
 * have, and so say nothing.
 */
export function isTight(text: string): boolean {
  const trimmed = text.trim();
  if (SPACED_SIGN.test(trimmed) || holdsAny(trimmed, "，、\n")) return false;
  return trimmed.slice(0, -1).includes(",");
}

/** A mark before an element of a list: `- a`, `* a`, `1. a`, `2) a`. */
const LIST_MARK = /^(?:[-*•]|\d{1,3}[.)])\s+/;

/** The parts without their list marks, if each has one. */
export function withoutMarks(parts: readonly string[]): readonly string[] {
  const areMarked = parts.every((part) => LIST_MARK.test(part));
  return areMarked ? parts.map((part) => part.replace(LIST_MARK, "")) : parts;
}

/**
 * Whether a text with commas may be one number: `1,234,567`, or `1,5`, which is
 * no whole one.
 */
export function mayBeOneNumber(text: string, isWhole: boolean): boolean {
  const trimmed = text.trim();
  const figures = trimmed.startsWith("-") ? trimmed.slice(1) : trimmed;
  const [first = "", ...groups] = figures.split(",");
  // `1, 5` are two
  if (![first, ...groups].every(isDigits)) return false;
  if (groups.length === 1 && !isWhole) return true;
  const areThousands = groups.every((group) => group.length === 3);
  return groups.length > 0 && first.length < 4 && areThousands;
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

/** Letters, digits and the signs of codes and addresses: `it's`, not `(a`. */
const WORD = /^[\p{L}\p{M}\p{N}@#./:~_'’+-]+$/u;
/** The first of them: not `'a` or `-a`. */
const WORD_START = /^[\p{L}\p{N}@#./~_]/u;

/** Whether a text begins as a word, an address, a path or a selector does. */
export function beginsAsWord(text: string): boolean {
  return WORD_START.test(text);
}

/**
 * Whether a part is up to so many words without quotes, brackets or a sign of
 * more.
 */
export function isOfWords(part: string, most: number): boolean {
  if (part.length > MAX_WORD) return false;
  if (!beginsAsWord(part) || part.endsWith(".")) return false;
  const words = part.split(" ");
  if (words.length > most || isRange(part)) return false;
  if (!words.every((word) => WORD.test(word))) return false;
  // In a script without spaces, a word may be stuck to a code: `A2以外` leaves
  // `A2` out.
  return !(isUnspaced(part) && /\w/.test(part));
}

/** Where a range begins: behind no letter, digit or hyphen. */
const RANGE_START = String.raw`(?<![\p{L}\p{N}-])`;
const DASH = "[-–—~〜～]";
/** `9`, `14A` */
const FIGURE = String.raw`\d+\p{L}?`;
/** `a`, `Mon` */
const SHORT_NAME = String.raw`(?:\p{L}|\p{Lu}\p{Ll}{1,2})`;
/** From one number to another: `A1-A9`, `3..5`, `10–12`; not `A1-B2`. */
const NUMBER_RANGE = new RegExp(
  String.raw`${RANGE_START}(\p{L}*)${FIGURE}(?:${DASH}|\.{2,}|…)\1${FIGURE}(?![\w-])`,
  "u",
);
/** From one letter or short name to another: `a-f`, `Mon-Fri`; not `in-out`. */
const NAME_RANGE = new RegExp(
  `${RANGE_START}${SHORT_NAME}${DASH}${SHORT_NAME}$`,
  "u",
);

/** Whether a text is a range. */
export function isRange(text: string): boolean {
  return NUMBER_RANGE.test(text) || NAME_RANGE.test(text);
}
