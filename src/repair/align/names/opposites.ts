import { wordsOf } from "./fold-name.ts";

/** Words that mean opposite things: a name with one never stands for one with the other. */
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
