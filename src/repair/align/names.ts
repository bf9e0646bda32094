import { cutText } from "../json.ts";
import { FULL_WORDS, formOf } from "./vocabulary.ts";

/** A longer text is no name, and stands for itself. */
const MAX_NAME = 1_000;

/** Signs that only part or quote words; a minus has meaning, and so does a sign between digits. */
const SEPARATORS = /(?<!\p{N})[\s\u200b_.]+|[\s\u200b_.]+(?!\p{N})|(?<=\p{L})-(?=\p{L})/gu;

/** A key, a choice or a tool's name without case, separators, control tokens and trailing signs. */
export function foldName(name: string): string {
  if (name.length > MAX_NAME) return name;
  const [text = ""] = name.normalize("NFC").toLowerCase().split(/<[|/]/, 1);
  return text
    .trim()
    .replace(/[,:]+$/, "")
    .replace(/^(["'`])(.*)\1$/, "$2")
    .replace(SEPARATORS, "");
}

/** The words of a name: `minPrice`, `min_price` and `min-price` are `min` and `price`. */
export function wordsOf(name: string): readonly string[] {
  if (name.length > MAX_NAME) return [name];
  const parted = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").toLowerCase();
  return parted.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

/** A word in full and without its plural. */
export function stemOf(word: string): string {
  const full = FULL_WORDS.get(word) ?? word;
  if (full.length > 4 && full.endsWith("ies")) return `${full.slice(0, -3)}y`;
  return full.length > 2 && /[^sui]s$/.test(full) ? full.slice(0, -1) : full;
}

/** The stems of a name's words, in order. */
export const stemsOf = (name: string): readonly string[] => [...new Set(wordsOf(name).map(stemOf))];

/** A name with its short forms in full; a plural stays one. */
export const inFull = (name: string): string =>
  wordsOf(name)
    .map((word) => FULL_WORDS.get(word) ?? word)
    .join(" ");

/** Where a word of a name ends: at a separator, at a capital of camel case, before and after digits. */
const WORD_END =
  /[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

const partsOf = (name: string) => name.split(WORD_END).filter((part) => part !== "");
const isForm = (part: string) => formOf(part.toLowerCase()) !== undefined;

/** Whether two names are one but for separators and case; `power_mW` and `power_MW` may differ. */
export function isSameName(one: string, other: string, isOfText = false): boolean {
  if (!hasSameParts(one, other)) return false;
  const parts = partsOf(one);
  if (parts.join("") === partsOf(other).join("")) return true;
  const words = parts.filter((part) => /\p{L}/u.test(part) && !isForm(part));
  // A sign of an amount: `T` and `t`, `Mg` and `mg`, `E_a` and `e_a`. `To` of a text is `to`.
  const fewest = isOfText ? 2 : 3;
  if (words.length > 0 && words.every((word) => word.length < fewest)) return false;
  return hasStyle(one) && hasStyle(other);
}

/** Whether two names have the same words, in any case and with any separators. */
export const hasSameWords = (one: string, other: string): boolean =>
  foldName(one) === foldName(other) && lengthsOf(one) === lengthsOf(other);

const lengthsOf = (name: string) => `${partsOf(name).map(({ length }) => length)}`;

/** Whether only separators and case differ; a hyphen is a separator or a capital, never nothing. */
export function hasSameParts(one: string, other: string): boolean {
  if (foldName(one) !== foldName(other) || foldName(one) === "") return false;
  if (pointsOf(one) !== pointsOf(other)) return false;
  if (hasSameWords(one, other)) return true;
  const parts = [partsOf(one), partsOf(other)];
  const isOneWord = parts.some(({ length }) => length === 1) && !/\p{L}-\p{L}/u.test(one + other);
  // A letter that is parted in one name only may be a sign: `MOhm` is not `mohm`.
  return isOneWord && !parts.flat().some((part) => part.length === 1);
}

/** The points before digits: they are no separators. */
const pointsOf = (name: string) => name.match(/\.\p{N}/gu)?.join("");

/** Words in small letters, but for the first capital; in capitals; each with one capital. */
const styles = (): readonly RegExp[] => [
  /^\p{Lu}?\P{Lu}*$/u,
  /^\P{Ll}*$/u,
  /^(?:(?:[^\p{L} ]+|\p{Lu}[^\p{Lu} ]*)(?: |$))*$/u,
];

/** Whether a name's capitals are a style, like those of camel case. Forms may have any case: `userID`. */
export function hasStyle(name: string): boolean {
  const snake = name.replace(
    /(?<=[\p{Ll}\p{N}])\p{Lu}(?=\p{Ll})/gu,
    (capital) => `_${capital.toLowerCase()}`,
  );
  const words = partsOf(snake).filter((word) => !isForm(word));
  return styles().some((style) => style.test(words.join(" ")));
}

/** The one slip between two names. A sure one hardly ever makes another word; others are hints. */
export function slipOf(wrong: string, right: string, isSure = true): string | undefined {
  if (wrong.length > 200 || Math.abs(wrong.length - right.length) > 9) return undefined;
  if (foldName(wrong) === foldName(right) || /[^\p{L}\s_.-]/u.test(wrong + right)) return undefined;
  const [ones, others] = [wordsOf(wrong), wordsOf(right)];
  if (ones.length !== others.length) {
    const twice = ones.findIndex((word, nth) => word === ones[nth - 1]);
    const isTwice = twice > 0 && ones.toSpliced(twice, 1).join() === others.join();
    // A longer word twice may be a degree: `great_great_aunt`. `to_to_unit` is `to_unit`.
    const isShort = (ones[twice]?.length ?? 0) < 3 && others.length > 1;
    if (isTwice) return isShort || !isSure ? "one doubled word" : undefined;
    return isSure ? undefined : slipOfWord(ones.join(""), others.join(""), false);
  }
  const [at, ...more] = ones.flatMap((word, nth) => (word === others[nth] ? [] : [nth]));
  if (at === undefined || more.length > 0) return undefined;
  return slipOfWord(ones[at] ?? "", others[at] ?? "", isSure);
}

/** Three consonants in a row, or two vowels that no word doubles: a slip that makes no other word. */
const NO_WORD = /[b-df-hj-np-tv-xz]{3}|([aiuy])\1/;
/** The shortest word where a slip hardly ever makes another one. */
const SURE = { "one lost letter": 10, "one doubled letter": 9, "two swapped letters": 8 };

function slipOfWord(wrong: string, right: string, isSure: boolean): string | undefined {
  let at = 0;
  while (at < wrong.length && wrong[at] === right[at]) at += 1;
  // Another first letter begins another word.
  if (at === 0 || right.length < 4) return undefined;
  const [written, meant] = [wrong.slice(at), right.slice(at)];
  const [first = "", second = ""] = written;
  const isTwice = wrong.slice(at - 2, at) === first + second && written.slice(2) === meant;
  if (isTwice) return isSure ? undefined : "one doubled syllable";
  const isDoubled = written.slice(1) === meant && first === wrong[at - 1];
  const isSwapped = second + first + written.slice(2) === meant;
  // A lost last letter is an ending: `complete`, `completed`.
  const isLost = written === meant.slice(1) && (written !== "" || !isSure);
  if (!isLost && !isDoubled && !isSwapped) return undefined;
  const slip = isLost
    ? "one lost letter"
    : isDoubled
      ? "one doubled letter"
      : "two swapped letters";
  const areConsonants = isSwapped && /^[b-df-hj-np-tv-xz]{2}/.test(written);
  const shortest = areConsonants ? 6 : NO_WORD.test(wrong.slice(at - 2, at + 2)) ? 8 : SURE[slip];
  return isSure && right.length < shortest ? undefined : slip;
}

/** A name as a reason quotes it, cut to length. */
export function quoted(name: string): string {
  return `\`${cutText(name.replace(/[\s`]/g, " "), 40)}\``;
}
