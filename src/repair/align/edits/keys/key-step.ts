import type { JsonValue } from "../../../types.ts";
import type { Keyed, KeyWant } from "../../keys.ts";
import { placeOfKey } from "../../place.ts";
import type { EditName } from "../edit.ts";

/** An edit of an object's keys. It returns what it was given where it has nothing to do. */
export interface KeyStep extends EditName {
  readonly take: (keyed: Keyed, want: KeyWant) => Keyed;
}

/**
 * What it would cost to make a value fit a declared key; `undefined` where it cannot be.
 */
export function fitCost(
  value: JsonValue | undefined,
  key: string,
  { variant, place, run }: KeyWant,
): number | undefined {
  const node = variant.properties.get(key);
  if (value === undefined) return undefined;
  if (node === undefined) return 0;
  return run.align(value, node, placeOfKey(place, key))[0]?.cost;
}

/** The pairs of which each side has no other partner. */
export function uniquePairs(
  lefts: readonly string[],
  partnersOf: (left: string) => readonly string[],
): (readonly [string, string])[] {
  const rights = new Map<string, number>();
  const pairs: (readonly [string, string])[] = [];
  for (const left of lefts) {
    const partners = partnersOf(left);
    for (const right of partners) rights.set(right, (rights.get(right) ?? 0) + 1);
    const [only] = partners;
    if (only !== undefined && partners.length === 1) pairs.push([left, only]);
  }
  return pairs.filter(([, right]) => rights.get(right) === 1);
}

/** Keys under which models write about a call instead of in it. */
const COMMENTARY: ReadonlySet<string> = new Set(
  "reasoning reason thought thoughts thinking explanation explain comment comments note notes rationale justification intent purpose goal description summary title name type id status error warning metadata meta version confidence".split(
    " ",
  ),
);

/** Whether a key holds what a model says of its call, which is no argument. */
export function isCommentary(key: string): boolean {
  return COMMENTARY.has(key.toLowerCase());
}
