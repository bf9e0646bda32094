import type { Variant } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { type Candidate, type Child, combine } from "./candidate.ts";
import { type Place, placeOfItem, type Run } from "./place.ts";

/** Repairs the elements of an array. None is ever dropped: one that cannot be repaired is refused. */
export function alignArray(
  items: readonly JsonValue[],
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const children: Child<number>[] = [];
  for (const index of disputedIn(items, place)) {
    const item = items[index] as JsonValue;
    const node = variant.itemAt(index);
    const at = placeOfItem(place, index);
    const candidates =
      node === undefined ? [{ value: item, cost: 0, changes: [] }] : run.align(item, node, at);
    if (candidates.length === 0) return [];
    children.push({ key: index, candidates });
  }
  const build = (values: readonly (JsonValue | undefined)[]) => {
    const after = items.slice();
    for (let nth = 0; nth < children.length; nth++) {
      const { key } = children[nth] as Child<number>;
      after[key] = values[nth] as JsonValue;
    }
    return after;
  };
  return combine({ children, before: UNTOUCHED, build });
}

const UNTOUCHED = { cost: 0, changes: [] };

/** The indexes of the elements that the tool's schema did not look at, or complained of. */
function disputedIn(items: readonly JsonValue[], place: Place): Iterable<number> {
  if (place.isUnheard || items !== place.given) return items.keys();
  const told = [...(place.complaint?.inside.keys() ?? [])].map(Number);
  return told.filter((index) => index < items.length).sort((left, right) => left - right);
}
