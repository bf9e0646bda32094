import type { JsonValue } from "../../types.ts";
import type { Want } from "./edit.ts";

/** A list that is longer is no tuple. */
const MAX_LENGTH = 16;

/** Tells whether a place takes a list of just as many elements, neither more nor fewer. */
export function hasFixedLength(items: readonly JsonValue[], { node }: Pick<Want, "node">): boolean {
  const last = items.at(-1);
  if (last === undefined || items.length > MAX_LENGTH) return false;
  return (
    node.accepts([...items]) && !node.accepts([...items, last]) && !node.accepts(items.slice(0, -1))
  );
}
