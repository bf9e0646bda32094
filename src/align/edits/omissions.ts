import type { JsonValue } from "../../types.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { EditName } from "./edit.ts";

/** `null` for "not given", as models in a mode that makes every key required write it. */
export const dropNull: EditName = { name: "drop-null", level: "safe", cost: 1 };

/** A word or nothing at all for "not given", where the place is optional and takes no such text. */
export const dropEmptyText: EditName = { name: "drop-empty-text", level: "safe", cost: 2 };

/** `{}` or `[]` for "not given", where the place is optional and takes no such value. */
export const dropEmptyContainer: EditName = {
  name: "drop-empty-container",
  level: "eager",
  cost: 2,
};

const NOTHING: ReadonlySet<string> = new Set(["", "null", "none", "undefined", "nil", "n/a"]);

/** Tells whether a text is a way to write that there is nothing. */
export function meansNothing(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase());
}

/** How a refused value of an optional place is left out, if it says nothing. */
export function omissionOf(
  value: JsonValue,
  { variants }: SchemaNode,
  eager: boolean,
): EditName | undefined {
  if (value === null) return dropNull;
  if (typeof value === "string") return meansNothing(value) ? dropEmptyText : undefined;
  if (!eager || typeof value !== "object" || Object.keys(value).length > 0) return undefined;
  // An empty object where an object is wanted lacks what is required; it does not say "nothing".
  const kind = Array.isArray(value) ? "array" : "object";
  return variants().some(({ type }) => type === kind) ? undefined : dropEmptyContainer;
}
