import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";

/**
 * Checks whether JSON is a pattern for an input rather than one: with placeholders
 * (`{"q": "<your query>"}`), or with types for values (`{"q": "string"}`), as a schema has them.
 *
 * @param value The JSON, no deeper than what was read.
 */
export function isTemplate(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isTemplate);
  if (!isJsonObject(value)) return false;
  if (TYPES.has(String(value.type)) && (isJsonObject(value.properties) || "items" in value)) {
    return true;
  }
  return Object.entries(value).some(([key, inner]) =>
    typeof inner === "string" ? isPlaceholder(key, inner) : isTemplate(inner as JsonValue),
  );
}

function isPlaceholder(key: string, text: string): boolean {
  if (text.length > 100) return false;
  if (/^(?:\.{3}|…)$/.test(text)) return true;
  if (TYPES.has(text.toLowerCase())) return !/type|kind|format/i.test(key);
  if (!/^<[^<>/]*>$/.test(text)) return false;
  return /[\s_-]|^<(?:your|insert|enter)/i.test(text) || text.slice(1, -1) === key;
}

const TYPES: ReadonlySet<string> = new Set(
  "string str number integer int float boolean bool object array".split(" "),
);
