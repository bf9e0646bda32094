import { isContainer, isJsonObject } from "../json.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { nodeAt } from "./place.ts";

/**
 * Whether an object looks as if it belongs at a place: one key is declared, or
 * all, deeper too.
 */
export function fitsAt(
  value: JsonValue,
  node: SchemaNode,
  how: "someKey" | "allKeys",
): boolean {
  if (how === "allKeys") return isSnug(value, node, new Map());
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  return node.of("object").some(({ properties }) => {
    if (properties.size === 0 || keys.length === 0) return true;
    return keys.some((key) => properties.has(key));
  });
}

/** Whether each value fits each place that was asked about. */
type Answers = Map<object, Map<SchemaNode, boolean>>;

/**
 * Each value and place is asked about once: branches of branches ask again and
 * again.
 */
function isSnug(value: JsonValue, node: SchemaNode, asked: Answers): boolean {
  if (!isContainer(value)) return true;
  const answers = asked.get(value) ?? new Map<SchemaNode, boolean>();
  const known = answers.get(node);
  if (known !== undefined) return known;
  const variants = node.of(Array.isArray(value) ? "array" : "object");
  const answer = variants.some((variant) => holdsSnugly(value, variant, asked));
  asked.set(value, answers.set(node, answer));
  return answer;
}

function holdsSnugly(
  container: Extract<JsonValue, object>,
  variant: Variant,
  asked: Answers,
): boolean {
  return Object.entries(container).every(([key, child]) => {
    const node = nodeAt(key, variant);
    if (node !== undefined) return isSnug(child as JsonValue, node, asked);
    // The schema says nothing of this element: a scalar or a list may be right.
    return variant.type === "array" && !isJsonObject(child);
  });
}
