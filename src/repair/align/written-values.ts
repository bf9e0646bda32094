import type { SchemaNode } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { elementsOf } from "./envelope.ts";
import { foldName, isSameName, slipOf } from "./names.ts";
import type { Want } from "./types.ts";

/** A longer text is no list of tokens. */
const MAX_LIST = 20_000;

/** A part that is one thing, not a word of a sentence or of a name. */
const TOKEN = /^[\p{L}\p{N}_@.+#%/&:-]*[\p{L}\p{N}]$/u;
/** A part with letters and other signs, which is no word of a language. */
const CODE = /\p{L}.*[\p{N}_@.#/:]|[\p{N}_@.#/:].*\p{L}/u;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Commas that can only part groups: two of them, or one before a point; `_` before each three digits. */
const GROUPED = /^-?[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+|(?:_\d{3})+)$/;
/** `1.250` is a little over one, or 1250 where a point groups. */
const THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/**
 * The JSON number that a text writes, also with a plus, without the zero before its point, and with
 * separators where they can only group: `"1,000"` and `"10.000"` may be read in two ways.
 */
export function jsonNumberOf(text: string): string | undefined {
  const plain = text.replace(/^\+(?=[\d.])/, "").replace(/^(-?)\.(?=\d)/, "$10.");
  const number = GROUPED.test(plain) ? plain.replace(/[,_]/g, "") : plain;
  return JSON_NUMBER.test(number) && !THOUSANDS.test(number) ? number : undefined;
}

/** The parts of a text between line breaks, semicolons or commas, whichever is the only sign. */
function splitText(text: string): string[] | undefined {
  if (text.length > MAX_LIST) return undefined;
  const trimmed = text.trim();
  const [sign, ...others] = [/\n/, /;/, /[,，、]/].filter((each) => each.test(trimmed));
  return sign === undefined || others.length > 0
    ? undefined
    : trimmed.split(sign).map((part) => part.trim());
}

/**
 * The parts of a plain list: single tokens, three or more, or two that are codes or stand on lines
 * of their own. Two words between commas may be one name.
 */
export function listParts(text: string, want: Want): readonly JsonValue[] | undefined {
  const lines = splitText(text);
  if (lines === undefined || lines.length < 2) return undefined;
  const isMarked = lines.every((line) => /^(?:[-*•]|\d+[.)]) /.test(line));
  const parts = isMarked ? lines.map((line) => line.replace(/^\S+ +/, "")) : lines;
  if (!parts.every((part) => TOKEN.test(part))) return undefined;
  const kinds = elementsOf(want);
  if (kinds.length > 0 && kinds.every(({ type }) => type === "number" || type === "integer")) {
    // `1,2` may be one and two tenths, and `- 5` five below zero.
    const isClear = !/,\S|^\s*- /.test(text);
    return isClear && parts.every((part) => JSON_NUMBER.test(part)) ? parts : undefined;
  }
  const takesText = kinds.every(({ type }) => type === "string" || type === undefined);
  const isSure = isMarked || parts.length > 2 || /\n/.test(text) || parts.every(isCode);
  return takesText && isSure && parts.every((part) => /\p{L}/u.test(part)) ? parts : undefined;
}

const isCode = (part: string) => CODE.test(part);

/** The parts of a text of which every one is a choice, in whatever spelling. */
export function choicesIn(
  text: string,
  isChoice: (part: string) => boolean,
): readonly string[] | undefined {
  if (text.length > MAX_LIST || isChoice(text)) return undefined;
  const sign = ["\n", ";", "|", ",", "，", "、"].find((each) => text.includes(each));
  const parts = sign === undefined ? [] : text.split(sign).map((part) => part.trim());
  return parts.length > 1 && parts.every(isChoice) ? parts : undefined;
}

/** Whether a text may itself be a list, or two values. */
export function mayBeSeveral(text: string): boolean {
  return /[,;|\n\t•、，；]|\s[&+/]\s/.test(text);
}

/** More choices than this, and one slip leads to another of them. */
const MAX_CHOICES = 500;

/** The texts that a place has to choose from. A single text in capitals is to be typed exactly so. */
export function choicesOf(node: SchemaNode): readonly string[] {
  const variants = node.variants();
  const choices = variants.flatMap(({ values }) => values ?? []);
  const texts = [...new Set(choices.filter((value) => typeof value === "string"))];
  const [only = "", ...others] = texts;
  const isTyped =
    others.length === 0 && variants.length === 1 && /^[^\p{Ll}]*\p{Lu}{3}/u.test(only);
  return isTyped && !/\p{Ll}/u.test(only) ? [] : texts;
}

/** The choice that a text is but for case, spaces, punctuation or quotes. */
export function sameChoice(text: string, choices: readonly string[]): string | undefined {
  if (choices.includes(text)) return text;
  if (foldName(text) === "" || text.includes("?")) return undefined;
  const [choice, ...others] = choices.filter((each) => foldName(each) === foldName(text));
  if (choice === undefined || others.length > 0) return undefined;
  return isSameChoice(text, choice, choices) ? choice : undefined;
}

/** Where letters are few, case may be the meaning: then the choices must show that it is none. */
function isSameChoice(text: string, choice: string, choices: readonly string[]): boolean {
  const lettersOf = (each: string) => each.replace(/[^\p{L}\p{N}]/gu, "");
  if (lettersOf(text) === lettersOf(choice)) return isSameName(text, choice);
  // `Mmol` of `mmol` and `mol`: the first letter is one of its own.
  if (choices.includes(choice.slice(1))) return false;
  const isAnother = (other: string) =>
    other !== choice &&
    (other.toLowerCase() === choice.toLowerCase() || other.toUpperCase() === choice.toUpperCase());
  if (choices.some(isAnother) || /[^\p{L}\p{M}\p{N}\s_.'-]/u.test(choice)) return false;
  if (!isSameName(text.toLowerCase(), choice.toLowerCase())) return false;
  // `MBps` of `Mbps`: capitals where no word begins are a meaning.
  if (!isPlainCase(text) || !isPlainCase(choice)) return false;
  if (/\p{L}{4}/u.test(choice)) return true;
  const areAll = (style: RegExp) => choices.every((each) => style.test(each));
  if (areAll(/^\P{Ll}{2,}$/u)) return text === text.toLowerCase();
  const isOneStyle = areAll(/^\P{Lu}*$/u) || areAll(/^(?:\p{Lu}\p{Ll}*\P{L}*)+$/u);
  return /^\p{L}{3}(?:[\s_-]\p{L}{3})*$/u.test(choice) && isOneStyle;
}

/** Whether every word is in small letters, in capitals, or begins with its only one. */
function isPlainCase(text: string): boolean {
  return text
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .every((word) => /^(?:\P{Ll}*|\p{L}\P{Lu}*)$/u.test(word));
}

/** The only choice that a text is one slip of the keyboard away from. */
export function nearChoice(
  text: string,
  choices: readonly string[],
): { readonly after: string; readonly why: string } | undefined {
  if (choices.length > MAX_CHOICES) return undefined;
  const near = choices.flatMap((after) => {
    const why = slipOf(text, after);
    return why === undefined ? [] : [{ after, why }];
  });
  return near.length === 1 ? near[0] : undefined;
}
