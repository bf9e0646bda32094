import { isJsonObject } from "./json-value.ts";

/** Returns the JSON text of a value, independent of the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (!isJsonObject(one)) return one;
    const entries = Object.entries(one);
    return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
