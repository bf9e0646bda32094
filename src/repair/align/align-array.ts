import type { JsonValue } from "../types.ts";
import { type Candidate, type Child, combine } from "./candidate.ts";
import { type Place, placeOfItem, type Run } from "./place.ts";
import type { Variant } from "./schema-node.ts";

/** Repairs the elements of an array. None is ever dropped: one that cannot be repaired is refused. */
export function alignArray(
  items: readonly JsonValue[],
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const children: Child[] = [];
  for (const [index, item] of items.entries()) {
    const node = variant.itemAt(index);
    const at = placeOfItem(place, index);
    const candidates =
      node === undefined ? [{ value: item, cost: 0, changes: [] }] : run.align(item, node, at);
    if (candidates.length === 0) return [];
    children.push({ key: index, candidates });
  }
  return combine(children, (values) => values as JsonValue[]);
}
