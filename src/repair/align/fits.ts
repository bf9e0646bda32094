import { isJsonObject } from "../json/json-value.ts";
import type { SchemaNode } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";

/**
 * Checks whether an accepted value looks as if it belongs at a place. A schema that allows
 * undeclared keys accepts nearly any object; keys of this place are better evidence.
 */
export function fitsAt(value: JsonValue, node: SchemaNode, how: "known" | "snug"): boolean {
  return how === "known" ? isKnown(value, node) : isSnug(value, node, new Map());
}

function isKnown(value: JsonValue, node: SchemaNode): boolean {
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  return node
    .of("object")
    .some(
      ({ properties }) =>
        properties.size === 0 || keys.length === 0 || keys.some((key) => properties.has(key)),
    );
}

/** By value and place: branches of branches ask the same again and again. */
type Asked = Map<object, Map<SchemaNode, boolean>>;

function isSnug(value: JsonValue, node: SchemaNode, asked: Asked): boolean {
  if (!Array.isArray(value) && !isJsonObject(value)) return true;
  const answers = asked.get(value) ?? new Map<SchemaNode, boolean>();
  const known = answers.get(node);
  if (known !== undefined) return known;
  const answer = Array.isArray(value)
    ? isSnugList(value, node, asked)
    : node.of("object").some(({ keyAt }) =>
        Object.entries(value).every(([key, child]) => {
          const place = keyAt(key);
          return place !== undefined && isSnug(child as JsonValue, place, asked);
        }),
      );
  asked.set(value, answers.set(node, answer));
  return answer;
}

function isSnugList(items: readonly JsonValue[], node: SchemaNode, asked: Asked): boolean {
  return node.of("array").some(({ itemAt }) =>
    items.every((item, index) => {
      const place = itemAt(index);
      return place === undefined ? !isJsonObject(item) : isSnug(item, place, asked);
    }),
  );
}
