import { declaredNames } from "../schema/keywords.ts";
import type { JsonSchema } from "../types.ts";
import { foldName } from "./names.ts";

const known = new WeakMap<object, ReadonlySet<string>>();

/**
 * Collects the names, folded, of all keys that a schema declares, at whatever place. Read once per schema.
 *
 * @param schema The schema of the whole input.
 */
export function foldedNames(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema === "boolean") return new Set();
  const found = known.get(schema) ?? new Set([...declaredNames(schema)].map(foldName));
  known.set(schema, found);
  return found;
}
