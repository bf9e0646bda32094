import type { SchemaNode } from "../../schema/node.ts";
import type { JsonValue } from "../../types.ts";
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

/** Texts that can only mean that nothing is given. */
const ABSENT: ReadonlySet<string> = new Set(["", "null", "undefined"]);
/** Words that mean it, or else "none of them": where there is a choice or a default, who knows. */
const NONE: ReadonlySet<string> = new Set(["none"]);
/** Words that are rather used in writing. */
const WRITTEN: ReadonlySet<string> = new Set(["nil", "n/a"]);

/** Tells whether a text is a way to write that there is nothing. */
export function meansNothing(text: string): boolean {
  const word = wordIn(text);
  return word !== undefined && [ABSENT, NONE, WRITTEN].some((words) => words.has(word));
}

/** Tells whether a text can only mean that nothing is given, at this place. */
export function saysAbsent(text: string, node: SchemaNode, eager: boolean): boolean {
  const word = wordIn(text);
  if (word === undefined) return false;
  if (ABSENT.has(word)) return true;
  if (!NONE.has(word) && !(eager && WRITTEN.has(word))) return false;
  // With the default something is given: whoever says "none" does not ask for that.
  const isChoice = node.variants().some(({ values }) => values !== undefined);
  return !isChoice && holdsNothing(node.default);
}

/** The word that a text is; `undefined` where it is longer than any that means nothing. */
function wordIn(text: string): string | undefined {
  return text.length > 1_000 ? undefined : text.trim().toLowerCase();
}

function holdsNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** How a refused value of an optional place is left out, if it says nothing. */
export function omissionOf(
  value: JsonValue,
  node: SchemaNode,
  eager: boolean,
): EditName | undefined {
  if (value === null) return dropNull;
  if (typeof value === "string") return saysAbsent(value, node, eager) ? dropEmptyText : undefined;
  if (!eager || typeof value !== "object" || Object.keys(value).length > 0) return undefined;
  // An empty object where an object is wanted lacks what is required; it does not say "nothing".
  const kind = Array.isArray(value) ? "array" : "object";
  return node.variants().some(({ type }) => type === kind) ? undefined : dropEmptyContainer;
}
