import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Tells whether an accepted value looks as if it belonged at a place. Where undeclared keys are
 * allowed, the schema accepts nearly any object; that it has keys of this place says more.
 *
 * @param how `known`: an object has a declared key, or there is nothing to know it by. `snug`: all
 * keys are declared, here and further in.
 */
export function fitsAt(value: JsonValue, node: SchemaNode, how: "known" | "snug"): boolean {
  if (Array.isArray(value)) {
    if (how === "known") return true;
    return node.variants().some(({ type, itemAt }) => {
      const isItem = (item: JsonValue, index: number) => {
        const place = itemAt(index);
        return place === undefined ? !isJsonObject(item) : fitsAt(item, place, how);
      };
      return type === "array" && (value as JsonValue[]).every(isItem);
    });
  }
  if (!isJsonObject(value)) return true;
  const entries = Object.entries(value);
  return node.variants().some(({ type, properties, keyAt }) => {
    if (type !== "object") return false;
    if (how === "known") {
      return (
        properties.size === 0 ||
        entries.length === 0 ||
        entries.some(([key]) => properties.has(key))
      );
    }
    return entries.every(([key, child]) => {
      const place = keyAt(key);
      return place !== undefined && fitsAt(child as JsonValue, place, how);
    });
  });
}
