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
  "altitude latitude",
  "altitude longitude",
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

/** Signs that only part words, or quote them. All others carry meaning: `!`, `+`, `€`, `→`, `✅`. */
const SEPARATORS = /[\s\u200b_.\-"'`“”‘’]+/gu;
/** What may trail a name as it trails a sentence. */
const TRAILING = /[\s\u200b"'`“”‘’.,;:!?]+$/u;

/**
 * Folds a name to what it means: case, spaces, quotes, and signs that only separate are left out.
 * What stands between two digits stays, so that `1.5` is not `15`, and so does a minus.
 *
 * @param name A key, an enum value or a tool's name.
 */
export function foldName(name: string): string {
  const text = name.normalize("NFC").toLowerCase().replace(TRAILING, "");
  return text.replace(SEPARATORS, (signs, at: number) => {
    const before = text.slice(0, at);
    const after = text.slice(at + signs.length);
    const [isDigitBefore, isDigitAfter] = [/\p{N}$/u.test(before), /^\p{N}/u.test(after)];
    if (isDigitBefore && isDigitAfter) return signs.includes(".") ? "." : "-";
    const isLetterBefore = /[\p{L}\p{M}]$/u.test(before);
    const isLetterAfter = /^\p{L}/u.test(after);
    const point = signs.includes(".") && !(isLetterBefore && isLetterAfter) ? "." : "";
    const isBetween = (isDigitBefore || isLetterBefore) && (isDigitAfter || isLetterAfter);
    // A minus by itself, with the space that parts it from what it may belong to.
    return signs.includes("-") && !isBetween
      ? before === ""
        ? signs.replace(/^[^-]+/, "")
        : signs
      : point;
  });
}

/** Splits a name into its words: `minPrice`, `min_price` and `min-price` are `min` and `price`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
}

/**
 * Tells whether one name is the other with a slip of the keyboard in it: at most two in all, none
 * in a short word, in a digit or in a word's first letter.
 */
export function isTypo(wrong: string, right: string): boolean {
  if (wrong.replace(/\D/g, "") !== right.replace(/\D/g, "")) return false;
  if (signsOf(wrong) !== signsOf(right)) return false;
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

/** The signs of a name that carry meaning. */
function signsOf(name: string): string {
  return foldName(name).replace(/[\p{L}\p{N}\p{M}]/gu, "");
}

/** How many slips make one word the other; more than any bound where it is another word. */
function slips(wrong: string, right: string): number {
  if (wrong === right) return 0;
  const shorter = Math.min(wrong.length, right.length);
  if (shorter < 4 || wrong[0] !== right[0]) return Number.POSITIVE_INFINITY;
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

/** Words that turn round, bound or combine what they are said of. */
const OPERATORS: ReadonlySet<string> = new Set(
  "not no non none never except exclude excluded excludes excluding without skip skipped skipping keep ignore ignored omit lt gt lte gte eq ne neq in nin min max before after since until or and nor xor any all less more greater than over under above below undo disable deny block reject negate unless only".split(
    " ",
  ),
);

/** Whether a key is an operator, or has one in it: what stands at it is not the thing itself. */
export function isOperator(key: string): boolean {
  return /^[!~^<>=$¬-]/u.test(key.trim()) || wordsOf(key).some((word) => OPERATORS.has(word));
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
  if (fewer.length === 0) return false;
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
