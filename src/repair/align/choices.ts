import type { SchemaNode } from "../schema/node.ts";
import { foldName, isSameName, slipOf } from "./names.ts";

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
