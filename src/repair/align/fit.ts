import { isJsonObject } from "../json.ts";
import type { SchemaNode } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";

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

/**
 * Each value and place is asked about once: branches of branches ask again and
 * again.
 */
function isSnug(
  value: JsonValue,
  node: SchemaNode,
  asked: Map<object, Map<SchemaNode, boolean>>,
): boolean {
  if (value === null || typeof value !== "object") return true;
  const answers = asked.get(value) ?? new Map<SchemaNode, boolean>();
  const known = answers.get(node);
  if (known !== undefined) return known;
  const isList = Array.isArray(value);
  const answer = node
    .of(isList ? "array" : "object")
    .some(({ itemAt, keyAt }) =>
      Object.entries(value).every(([key, child]) => {
        const place = isList ? itemAt(Number(key)) : keyAt(key);
        if (place === undefined) return isList && !isJsonObject(child);
        return isSnug(child as JsonValue, place, asked);
      }),
    );
  asked.set(value, answers.set(node, answer));
  return answer;
}
