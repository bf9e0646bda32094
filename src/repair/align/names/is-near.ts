import { editDistance } from "./edit-distance.ts";
import { foldName, wordsOf } from "./fold-name.ts";

/** Whether a name could stand for another: close enough that dropping it would be rash. */
export function isNear(one: string, other: string): boolean {
  const [left, right] = [foldName(one), foldName(other)];
  if (left === "" || right === "") return false;
  const words = [wordsOf(one), wordsOf(other)] as const;
  const [fewer, more] = words[0].length <= words[1].length ? words : [words[1], words[0]];
  if (fewer.length === 0) return false;
  const known = more.length > 10 ? new Set(more) : undefined;
  if (fewer.every((word) => known?.has(word) ?? more.includes(word))) return true;
  const bound = nearBound(left, right);
  return Math.abs(left.length - right.length) <= bound && editDistance(left, right, bound) <= bound;
}

/** How many letters two folded names may differ in and still be near. */
export function nearBound(left: string, right: string): number {
  return Math.max(1, Math.floor(Math.min(left.length, right.length) / 3));
}
