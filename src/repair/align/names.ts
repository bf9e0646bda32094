import { FULL_WORDS } from "./vocabulary.ts";

/** A longer text is no name, and stands for itself. */
const MAX_NAME = 1_000;
const MAX_KNOWN_NAMES = 20_000;

/** Signs that only part or quote words; a minus counts, and so does what stands between two digits. */
const SEPARATORS =
  /(?<!\p{N})[\s\u200b_."'`“”‘’]+|[\s\u200b_."'`“”‘’]+(?!\p{N})|(?<=\p{L})-(?=[\p{L}\p{N}])|(?<=\p{N})-(?=\p{L})/gu;

/** Makes a function of a name remember what it made of the last names. */
function remember<Result>(make: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= MAX_KNOWN_NAMES) known.clear();
    const made = make(name);
    if (name.length <= 100) known.set(name, made);
    return made;
  };
}

/** A key, a choice or a tool's name without case, separators, control tokens and trailing signs. */
export const foldName: (name: string) => string = remember((name) => {
  if (name.length > MAX_NAME) return name;
  const text = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/<[|/].*$/s, "")
    .trim();
  return text.replace(/[.,;:!"'`]+$/, "").replace(SEPARATORS, "");
});

/** The words of a name: `minPrice`, `min_price` and `min-price` are `min` and `price`. */
export const wordsOf: (name: string) => readonly string[] = remember((name) => {
  if (name.length > MAX_NAME) return [name];
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
});

/** A word in full and without its plural. */
export function stemOf(word: string): string {
  const full = FULL_WORDS.get(word) ?? word;
  if (full.length > 4 && full.endsWith("ies")) return `${full.slice(0, -3)}y`;
  return full.length > 3 && /[^sui]s$/.test(full) ? full.slice(0, -1) : full;
}

/** The stems of a name's words, in order. */
export const stemsOf: (name: string) => readonly string[] = remember((name) => [
  ...new Set(wordsOf(name).map(stemOf)),
]);

/** A name with its short forms in full; a plural stays one. */
export function inFull(name: string): string {
  return wordsOf(name)
    .map((word) => FULL_WORDS.get(word) ?? word)
    .join(" ");
}

/** Whether two names are one but for separators, and for case where case is no meaning. */
export function isSameName(one: string, other: string): boolean {
  if (foldName(one) !== foldName(other) || foldName(one) === "") return false;
  return keepsHyphens(one, other) && keepsHyphens(other, one) && !isCaseMeant(one, other);
}

/** Whether the hyphens of one name part words in the other, too: `re-sign` is not `resign`. */
function keepsHyphens(one: string, other: string): boolean {
  if (!one.includes("-")) return true;
  const parted = seamsOf(wordsOf(other));
  return seamsOf(one.split(/(?<=\p{L})-(?=\p{L})/u)).every((at) => parted.includes(at));
}

/** Where the parts of a name end, not counting what stands between them. */
function seamsOf(parts: readonly string[]): number[] {
  let at = 0;
  return parts.slice(0, -1).map((part) => {
    at += foldName(part).length;
    return at;
  });
}

/** A short word at the end in both cases: `mW`. */
const MIXED_CASE = /(?:^|[^\p{L}\p{N}])(?:\p{Ll}\p{L}?\p{Lu}\p{L}?|\p{Lu}\p{Ll}\p{Lu})$/u;
/** A short word at the end with a capital, after one that ends in a small letter: `dose_Mg`. */
const CAPITAL_AT_END = /\p{Ll}[^\p{L}\p{N}]+\p{Lu}\p{Ll}{0,2}$/u;

/** Whether a name ends in a short word whose capital is no style: `Dose_Mg` has one in each word. */
function isOddCase(words: readonly string[]): boolean {
  const name = words.join("_");
  const isTitle = words.every((word) => /^\p{Lu}/u.test(word));
  return MIXED_CASE.test(name) || (!isTitle && CAPITAL_AT_END.test(name));
}

/** Whether the case of a short word is its meaning, as it is of units (`Mb`, `MB`). */
function isCaseMeant(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((name) => name.split(/[^\p{L}\p{N}]+/u));
  if (ones === undefined || others === undefined) return false;
  const isLast = ones.length !== others.length;
  return ones.some((word, at) => {
    const [left, right] = isLast
      ? [ones.at(-1) ?? "", others.at(-1) ?? ""]
      : [word, others[at] ?? ""];
    if (left === right || left.length > 3 || left.toLowerCase() !== right.toLowerCase()) {
      return false;
    }
    const areCapital = /^\p{Lu}/u.test(left) && /^\p{Lu}/u.test(right);
    const upTo = (words: readonly string[]) => words.slice(0, isLast ? undefined : at + 1);
    return areCapital || isOddCase(upTo(ones)) || isOddCase(upTo(others));
  });
}

/** What one slip of the keyboard does to a word. */
export type Slip =
  | "two swapped letters"
  | "one lost letter"
  | "one doubled letter"
  | "one doubled syllable";

/** The fewest letters of a word in which a letter is lost, and in which another slip is made. */
export interface MinLetters {
  readonly lost: number;
  readonly other: number;
}

/** The shortest words in which a slip hardly ever makes another word of the language. */
export const LONG_WORDS: MinLetters = { lost: 8, other: 6 };
/** Where nothing but a question comes of it. */
export const SHORT_WORDS: MinLetters = { lost: 4, other: 4 };

/**
 * The one slip by which a name was meant to be another.
 *
 * @returns `undefined` where they differ in more than one word, or in that by anything else: another
 * letter, a lost letter at the end, a digit.
 */
export function slipOf(
  wrong: string,
  right: string,
  minLetters: MinLetters = LONG_WORDS,
): Slip | undefined {
  if (wrong.length > 200 || Math.abs(wrong.length - right.length) > 3) return undefined;
  if (foldName(wrong) === foldName(right) || /[^\p{L}\s_.-]/u.test(wrong + right)) return undefined;
  const [ones, others] = [wordsOf(wrong), wordsOf(right)];
  if (ones.length !== others.length) return slipOfWord(ones.join(""), others.join(""), minLetters);
  const apart = ones.flatMap((word, at) => (word === others[at] ? [] : [at]));
  const [at, ...more] = apart;
  if (at === undefined || more.length > 0) return undefined;
  return slipOfWord(ones[at] ?? "", others[at] ?? "", minLetters);
}

function slipOfWord(wrong: string, right: string, { lost, other }: MinLetters): Slip | undefined {
  let at = 0;
  while (at < wrong.length && wrong[at] === right[at]) at += 1;
  if (at === 0) return undefined;
  const [written, meant] = [wrong.slice(at), right.slice(at)];
  if (right.length >= lost && written !== "" && written === meant.slice(1)) {
    return "one lost letter";
  }
  if (right.length < other) return undefined;
  const doubles = (count: number) =>
    written.slice(count) === meant && written.slice(0, count) === wrong.slice(at - count, at);
  if (doubles(1)) return "one doubled letter";
  if (at > 1 && doubles(2)) return "one doubled syllable";
  const isSwapped =
    written.length > 1 &&
    written[0] === meant[1] &&
    written[1] === meant[0] &&
    written.slice(2) === meant.slice(2);
  return isSwapped ? "two swapped letters" : undefined;
}

/** The longest name that a reason or a message quotes. */
const MAX_QUOTED = 40;

/** A name as a reason quotes it. */
export function quoted(name: string): string {
  const flat = name.replace(/[\s`]/g, " ");
  return `\`${flat.length > MAX_QUOTED ? `${flat.slice(0, MAX_QUOTED - 1)}…` : flat}\``;
}
