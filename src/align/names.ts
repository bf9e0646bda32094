/** Words that mean opposite things: a name with one is never a misspelling of one with the other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  "min max",
  "minimum maximum",
  "start end",
  "begin end",
  "start stop",
  "first last",
  "from to",
  "before after",
  "since until",
  "source destination",
  "source target",
  "src dst",
  "old new",
  "in out",
  "input output",
  "left right",
  "top bottom",
  "up down",
  "width height",
  "lat lon",
  "lat lng",
  "latitude longitude",
  "x y",
  "include exclude",
  "add remove",
  "create delete",
  "enable disable",
  "enabled disabled",
  "allow deny",
  "open close",
  "sender recipient",
  "origin destination",
  "departure arrival",
  "departure return",
  "check-in check-out",
  "a b",
  "read write",
  "get set",
  "import export",
  "username password",
  "true false",
  "parent child",
].map((pair) => pair.split(" ") as [string, string]);

const SIGNS = /[^\p{L}\p{N}]+/gu;
/** Signs that part words. Others may carry meaning in a value, as in `C++`. */
const SEPARATORS = /[^\p{L}\p{N}+#<>=%&|~^!@$*°]+/gu;

/**
 * Folds a name to what it means: case, spaces, and signs that only separate are left out. What
 * stands between two digits stays, so that `1.5` is not `15`.
 *
 * @param name A key, an enum value or a tool's name.
 * @param noise What is left out.
 */
export function foldName(name: string, noise: RegExp = SIGNS): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(noise, (signs, at: number, text: string) => {
      const before = /\p{N}/u.test(text[at - 1] ?? "");
      const after = /\p{N}/u.test(text[at + signs.length] ?? "");
      return before && after ? (signs.includes(".") ? "." : "-") : "";
    });
}

/** Folds a value of an enum: signs that could tell one value from another are kept. */
export function foldValue(value: string): string {
  const text = value.trim().replace(/^["'`\s]+|["'`\s.,;:]+$/g, "");
  const folded = foldName(text, SEPARATORS);
  return `${/^-(?=\d)/.test(text) ? "-" : ""}${folded}${/[^\s]-$/.test(text) ? "-" : ""}`;
}

/** Splits a name into its words: `minPrice`, `min_price` and `min-price` are `min` and `price`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/**
 * Tells whether one name is the other with a slip of the keyboard in it: at most two in all, none
 * in a short word, in a digit or in a word's first letter.
 */
export function isTypo(wrong: string, right: string): boolean {
  if (wrong.replace(/\D/g, "") !== right.replace(/\D/g, "")) return false;
  const [wrongs, rights] = [wordsOf(wrong), wordsOf(right)];
  if (areOpposite(wrongs, rights)) return false;
  if (wrongs.length !== rights.length) {
    const [one, other] = [foldName(wrong), foldName(right)];
    return Math.min(one.length, other.length) >= 6 && slips(one, other) === 1;
  }
  const each = wrongs.map((word, index) => slips(word, rights[index] ?? ""));
  const total = each.reduce((sum, count) => sum + count, 0);
  return total > 0 && total <= 2;
}

/** How many slips make one word the other; more than any bound where it is another word. */
function slips(wrong: string, right: string): number {
  if (wrong === right) return 0;
  const shorter = Math.min(wrong.length, right.length);
  const swapped = wrong[0] === right[1] && wrong[1] === right[0];
  if (shorter < 4 || (wrong[0] !== right[0] && !swapped)) return Number.POSITIVE_INFINITY;
  const count = editDistance(wrong, right);
  // In four letters, another letter makes another word: `date`, `data`.
  if (shorter === 4 && wrong.length === right.length && !isSwap(wrong, right)) {
    return Number.POSITIVE_INFINITY;
  }
  return count <= (shorter >= 8 ? 2 : 1) ? count : Number.POSITIVE_INFINITY;
}

function isSwap(one: string, other: string): boolean {
  return [...one].sort().join("") === [...other].sort().join("");
}

/** Whether one name says the contrary of the other, or the same of another thing. */
export function areOpposite(one: readonly string[], other: readonly string[]): boolean {
  const differ = (
    words: readonly string[],
    others: readonly string[],
    [a, b]: readonly [string, string],
  ) => words.includes(a) && !words.includes(b) && others.includes(b) && !others.includes(a);
  if (OPPOSITES.some((pair) => differ(one, other, pair) || differ(other, one, pair))) return true;
  // `user_id` and `order_id`: what an id names is never guessed.
  const [last, otherLast] = [one.at(-1), other.at(-1)];
  if (last !== "id" || otherLast !== "id" || one.length < 2 || other.length < 2) return false;
  return !one.slice(0, -1).some((word) => other.includes(word));
}

/** Whether a name could stand for another: close enough that dropping it would be rash. */
export function isNear(one: string, other: string): boolean {
  const [left, right] = [foldName(one), foldName(other)];
  if (left === "" || right === "") return false;
  const [fewer, more] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  if (fewer.every((word) => more.includes(word))) return true;
  const bound = Math.max(1, Math.floor(Math.min(left.length, right.length) / 3));
  return Math.abs(left.length - right.length) <= bound && editDistance(left, right) <= bound;
}

/** The fewest insertions, deletions, substitutions and swaps of neighbours (Damerau, restricted). */
export function editDistance(left: string, right: string): number {
  if (Math.max(left.length, right.length) > 100) return Number.POSITIVE_INFINITY;
  let older: number[] = [];
  let old = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const [a, b] = [left[row - 1], right[column - 1]];
      let least = Math.min(
        (old[column - 1] ?? 0) + (a === b ? 0 : 1),
        (old[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      if (row > 1 && column > 1 && a === right[column - 2] && b === left[row - 2]) {
        least = Math.min(least, (older[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    [older, old] = [old, current];
  }
  return old[right.length] ?? 0;
}
