import { isJsonObject } from "../json/json-value.ts";
import type { JsonSchema } from "../types.ts";

const known = new WeakMap<object, ReadonlySet<string>>();

/**
 * Collects the names of all keys that a schema declares, at whatever place. Read once per schema.
 *
 * @param schema The schema of the whole input.
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema === "boolean") return new Set();
  const found = known.get(schema) ?? collect(schema);
  known.set(schema, found);
  return found;
}

function collect(schema: object): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<object>([schema]);
  for (const part of seen) {
    for (const [keyword, value] of Object.entries(part)) {
      if (value === null || typeof value !== "object") continue;
      if (keyword === "properties" && isJsonObject(value)) {
        for (const name of Object.keys(value)) names.add(name);
      }
      seen.add(value);
    }
  }
  return names;
}
