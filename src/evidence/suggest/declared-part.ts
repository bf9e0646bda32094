import { setAt } from "../../repair/json/json-pointer.ts";
import type { CompiledSchema } from "../../repair/schema/compile-schema.ts";
import { findUndeclared } from "../../repair/schema/undeclared.ts";
import type { JsonValue } from "../../repair/types.ts";

const ASKED = { allow: new Set<string>(), maxDepth: 64 };

/**
 * Returns an input without the keys that its schema does not declare: what the tool hears of it.
 *
 * @param value The input.
 * @param schema The schema.
 * @param parsed What the schema made of it.
 */
export function declaredPart(
  value: JsonValue,
  { jsonSchema }: CompiledSchema,
  parsed: unknown,
): JsonValue {
  const undeclared = findUndeclared(value, jsonSchema, { ...ASKED, parsed });
  // From the last to the first, so that elements of arrays keep their places.
  return undeclared.reduceRight<JsonValue>(
    (rest, path) => setAt(rest, path, undefined) ?? rest,
    value,
  );
}
