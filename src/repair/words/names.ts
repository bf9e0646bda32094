import { cutText } from "../json.ts";
import { withoutEnd } from "../text.ts";
import { FULL_WORDS } from "./vocabulary.ts";

/** A longer text is no name, and stands for itself. */
const MAX_NAME = 1_000;

/** What parts the words of a name. */
const SEPARATORS = new RegExp(
  [
    // `_` as Markdown writes it
    "\\\\_",
    // white space and `_`, but not between digits
    "(?<!\\p{N})[\\s\\u200b_]+|[\\s\\u200b_]+(?!\\p{N})",
    // a point beside no digit
    "(?<!\\p{N})\\.+(?!\\p{N}|\\.)",
    // a hyphen between letters
    "(?<=\\p{L})-(?=\\p{L})",
  ].join("|"),
  "gu",
);

/** Text with full-width signs as ASCII has them: `５` is 5, but `²` is no 2. */
export function toHalfWidth(text: string): string {
  return text.replace(/[！-～]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
}

/**
 * A key, a choice or a tool's name without case, separators, control tokens and
 * trailing signs.
 */
export function foldName(name: string): string {
  if (name.length > MAX_NAME || SMALL_LETTERS.test(name)) return name;
  const [text = ""] = toHalfWidth(name)
    .normalize("NFC")
    .toLowerCase()
    .split(/<[|/]/, 1);
  return text
    .trim()
    .replace(/[,:]+$/, "")
    .replace(/^(["'`])(.*)\1$/, "$2")
    .replace(SEPARATORS, "");
}

/** A name that has nothing to fold: `query`. */
const SMALL_LETTERS = /^[a-z]+$/;

/**
 * The words of a name: `minPrice`, `min_price` and `min-price` are `min` and
 * `price`.
 */
export function wordsOf(name: string): readonly string[] {
  if (name.length > MAX_NAME) return [name];
  const parted = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase();
  return parted.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
}

function fullWord(word: string): string {
  return FULL_WORDS.get(word) ?? word;
}

/** A word in full and without its plural. */
export function stemOf(word: string): string {
  const full = fullWord(word);
  if (full.length > 4 && full.endsWith("ies")) return `${full.slice(0, -3)}y`;
  const isSingular = SINGULAR_ENDS.some((end) => full.endsWith(end));
  return full.length > 2 && !isSingular ? withoutEnd(full, "s") : full;
}

/** The ends of class, bus and this. */
const SINGULAR_ENDS = ["ss", "us", "is"];

/** The stems of a name's words, in order. */
export function stemsOf(name: string): readonly string[] {
  return [...new Set(wordsOf(name).map(stemOf))];
}

/** A name with its short words in full; a plural stays one. */
export function inFull(name: string): string {
  const words = wordsOf(name).map(fullWord);
  // Behind a noun, `no` is a number: `order_no`.
  const last = words.at(-1) ?? "";
  const isNumber = words.length > 1 && SHORT_NUMBERS.has(last);
  if (isNumber) words[words.length - 1] = "number";
  return words.join(" ");
}

/** Short forms of `number` at the end of a name. */
const SHORT_NUMBERS = new Set(["no", "nr", "num"]);

/** A hyphen between letters or digits: `a-b`, not `a--b`. */
const INNER_HYPHEN = String.raw`(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])`;
/** Letters, digits and separators: not `amount>=`, `-force` or `!urgent`. */
const PLAIN_NAME = new RegExp(
  String.raw`^[\p{L}_](?:[\p{L}\p{M}\p{N}\s_.]|${INNER_HYPHEN}){0,99}$`,
  "u",
);

/**
 * Whether a name has no sign that may carry meaning, and no word twice:
 * `great_great_aunt`.
 */
export function isPlainName(name: string): boolean {
  const words = wordsOf(name);
  return PLAIN_NAME.test(name) && new Set(words).size === words.length;
}

/** Whether two names share a word. */
export function sharesStem(left: string, right: string): boolean {
  const stems = stemsOf(right);
  return stemsOf(left).some((stem) => stems.includes(stem));
}

/** The letters and digits of a name. */
export function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether two spellings have the same letters in the same case. */
export function hasSameCase(written: string, declared: string): boolean {
  return lettersOf(toHalfWidth(written)) === lettersOf(declared);
}

/**
 * Whether a space or hyphen stands in a name where the declared one has no
 * break: `in active`.
 */
export function hasOtherBreaks(written: string, declared: string): boolean {
  const isParted = /\p{L}[\s-]+\p{L}/u.test(written);
  return isParted && wordsOf(written).length !== wordsOf(declared).length;
}

/**
 * Whether a word of up to four letters mixes capitals and small ones: `mW`,
 * `kHz`, not `Word`.
 */
export function hasMixedCase(name: string): boolean {
  const parts = casedPartsOf(name).filter((part) => lettersOf(part).length < 5);
  return parts.some((part) =>
    MIXED_CASES.some((pattern) => pattern.test(part)),
  );
}

/**
 * The parts of a name whose case is looked at: `energyMeV` is `energy` and
 * `MeV`.
 */
function casedPartsOf(name: string): readonly string[] {
  return name.split(/[\s_.-]+|(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll})/u);
}

/** Capitals and small letters that are mixed, but not as in `Word`. */
const MIXED_CASES: readonly RegExp[] = [
  // `MHz`
  /\p{L}\P{L}*\p{Lu}.*\p{Ll}/u,
  // `mW`, `pH`; `Bxc3`
  /\p{Ll}.*\p{Lu}|\p{Lu}\p{Ll}+\p{N}/u,
];

/**
 * Whether case tells short words of two names apart: `power_mW` is not
 * `power_MW`.
 */
export function mayDifferByCase(written: string, declared: string): boolean {
  // A name in small letters says nothing about case: `freq_mhz` for `FreqMHz`.
  if (hasSameCase(written, declared) || declared === declared.toLowerCase())
    return false;
  return [written, declared].some(hasMixedCase);
}

/** The difference between a name and the one that was probably meant. */
export interface Slip {
  readonly kind: "swapped" | "lost" | "added" | "twice" | "accents";
  /** What the reason of a repair says of it. */
  readonly why: string;
  /** The letters of the declared word that it is in. */
  readonly lettersOfWord: number;
}

const SLIPS = {
  swapped: "two swapped letters",
  lost: "one lost letter",
  added: "one letter too many",
  twice: "one piece written twice",
  accents: "only accents differ",
} as const;

/** In a shorter word, a slip may make another one. */
const FEWEST_LETTERS = 5;

/**
 * Whether a slip is in so short a word that another may be meant; accents alone
 * make none.
 */
export function mayBeAnotherWord(slip: Slip | undefined): boolean {
  if (slip === undefined || slip.kind === "accents") return false;
  return slip.lettersOfWord < FEWEST_LETTERS;
}

/** The one slip between two names, if that is their only difference. */
export function slipBetween(
  written: string,
  declared: string,
): Slip | undefined {
  if (written.length > 200 || Math.abs(written.length - declared.length) > 9)
    return undefined;
  if (/[^\p{L}\p{M}\s_.-]/u.test(written + declared)) return undefined;
  if (foldName(written) === foldName(declared)) return undefined;
  const [words, meantWords] = [wordsOf(written), wordsOf(declared)];
  const letters = lettersOf(declared).length;
  if (withoutAccents(written) === withoutAccents(declared))
    return slip("accents", letters);
  if (isPieceTwice(words.join("_"), meantWords.join("_")))
    return slip("twice", letters);
  // A lost separator between two words is looked at as one word.
  if (words.length !== meantWords.length) {
    return slipInWord(words.join(""), meantWords.join(""));
  }
  const different = words.filter((word, index) => word !== meantWords[index]);
  if (different.length > 1) return undefined;
  const meant = meantWords.filter((word, index) => word !== words[index]);
  return slipInWord(different.join(""), meant.join(""));
}

/**
 * Whether a name is another one with a piece of two or three signs written
 * twice: `to_to_unit`.
 */
function isPieceTwice(written: string, meant: string): boolean {
  if (written.length <= meant.length) return false;
  return written.replace(/(.{2,3})\1/u, "$1") === meant;
}

function slip(kind: Slip["kind"], lettersOfWord: number): Slip {
  return { kind, why: SLIPS[kind], lettersOfWord };
}

/**
 * A slip inside a word: another first letter, or one more at its end, makes
 * another word (`completed`).
 */
function slipInWord(written: string, meant: string): Slip | undefined {
  let start = 0;
  while (start < written.length && written[start] === meant[start]) start += 1;
  const [tail, meantTail] = [written.slice(start), meant.slice(start)];
  if (start === 0 || tail === "" || meantTail === "") return undefined;
  const [first = "", second = ""] = tail;
  if (second + first + tail.slice(2) === meantTail)
    return slip("swapped", meant.length);
  if (tail === meantTail.slice(1)) return slip("lost", meant.length);
  if (meantTail === tail.slice(1)) return slip("added", meant.length);
  return undefined;
}

function withoutAccents(name: string): string {
  return (
    foldName(name)
      .normalize("NFD")
      .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
      // no decomposition parts a stroke from its letter
      .replaceAll("ł", "l")
      .replaceAll("ø", "o")
      .replaceAll("đ", "d")
  );
}

/** A name as a reason quotes it, cut to length. */
export function quoted(name: string): string {
  return `\`${cutText(name.replace(/[\s`]/g, " "), 40)}\``;
}
