import { foldName, wordsOf } from "./fold-name.ts";
import { isOtherWord } from "./is-other-word.ts";
import { areOpposite } from "./opposites.ts";
import { areOneWord } from "./vocabulary.ts";

/** What the keyboard did to a name. */
export type Slip = "swapped" | "lost" | "doubled" | "plural" | "spelling";

/** Letters that are doubled together: `precipipitation`. */
const MAX_DOUBLED = 3;

/**
 * Finds the one slip of the keyboard by which a name was meant to be another: two neighbours
 * swapped, a letter lost, a letter or a few doubled, or an s too many or too few at its end. Not
 * another letter, which makes another word (`payer`, `payee`), nor what is a word itself (`county`,
 * `country`); and none in a short word, in a digit or in a word's first letter.
 */
export function slipOf(wrong: string, right: string): Slip | undefined {
  const [one, other] = [foldName(wrong), foldName(right)];
  if (one === other || Math.abs(one.length - other.length) > MAX_DOUBLED) return undefined;
  if (one[0] !== other[0] || one.length > 200) return undefined;
  if (digitsOf(wrong) !== digitsOf(right) || signsOf(one) !== signsOf(other)) return undefined;
  const [wrongs, rights] = [wordsOf(wrong), wordsOf(right)];
  if (areOpposite(wrongs, rights)) return undefined;
  if (wrongs.length !== rights.length) {
    const slip = slipOfWord(one, other);
    return Math.min(one.length, other.length) < 6 || slip === "plural" ? undefined : slip;
  }
  const [pair, ...others] = wrongs
    .map((word, index) => [word, rights[index] ?? ""] as const)
    .filter(([word, meant]) => word !== meant);
  return pair === undefined || others.length > 0 ? undefined : slipOfWord(...pair);
}

function slipOfWord(wrong: string, right: string): Slip | undefined {
  if (areOneWord(wrong, right)) return "spelling";
  if (Math.min(wrong.length, right.length) < 4 || wrong[0] !== right[0]) return undefined;
  let at = 1;
  while (at < wrong.length && wrong[at] === right[at]) at += 1;
  if (wrong === `${right}s` || right === `${wrong}s`) return "plural";
  if (isOtherWord(wrong)) return undefined;
  if (isSwappedAt(wrong, right, at)) return "swapped";
  const isLost = wrong === without(right, at, 1);
  if (isLost) return at < right.length - 1 || mayLoseEnd(right) ? "lost" : undefined;
  const most = right.length < 6 ? 1 : MAX_DOUBLED;
  for (let count = 1; count <= most; count++) {
    const doubled = wrong.slice(at, at + count);
    if (wrong.slice(at - count, at) === doubled && without(wrong, at, count) === right) {
      return "doubled";
    }
  }
  return undefined;
}

/**
 * Whether the last letter of a word may be lost: in a short word what is left may be a word of some
 * language (`human`, `humane`), and before some letters it is one (`share`, `shared`).
 */
function mayLoseEnd(right: string): boolean {
  return right.length >= 7 && !/(?:ed|er|or|ee|s)$/.test(right);
}

function isSwappedAt(wrong: string, right: string, at: number): boolean {
  return (
    wrong.length === right.length &&
    wrong[at] === right[at + 1] &&
    wrong[at + 1] === right[at] &&
    wrong.slice(at + 2) === right.slice(at + 2)
  );
}

function without(word: string, at: number, count: number): string {
  return word.slice(0, at) + word.slice(at + count);
}

function digitsOf(name: string): string {
  return name.replace(/\D/g, "");
}

/** The signs of a folded name that carry meaning. */
function signsOf(folded: string): string {
  return folded.replace(/[\p{L}\p{N}\p{M}]/gu, "");
}
