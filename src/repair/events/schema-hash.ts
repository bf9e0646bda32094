import { canonicalJson } from "../json/canonical-json.ts";
import { digestOf } from "../json/digest.ts";
import type { JsonSchema } from "../types.ts";

const known = new WeakMap<object, string>();

/**
 * Returns a hash of a schema, whatever the order of its keywords: eight hexadecimal digits. Made once
 * per schema.
 *
 * @param schema The schema.
 */
export function schemaHash(schema: JsonSchema): string {
  if (typeof schema === "boolean") return hashSchema(schema);
  const hash = known.get(schema) ?? hashSchema(schema);
  known.set(schema, hash);
  return hash;
}

function hashSchema(schema: JsonSchema): string {
  return digestOf(canonicalJson(schema)).hash.slice(0, 8);
}
