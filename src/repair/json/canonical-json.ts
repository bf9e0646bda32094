import { isJsonObject } from "./json-value.ts";

/**
 * Returns the JSON text of a value, independent of the order of its keys: databases and models
 * change it.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
