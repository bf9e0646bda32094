import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from "@cfworker/json-schema";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonSchema } from "../types.ts";

/** The keywords of a JSON Schema, or of a part of one. */
export type Keywords = { readonly [keyword: string]: unknown };

/** Checks whether a schema, or a part of one, has keywords: not a boolean, and not a list. */
export function isKeywords(value: unknown): value is Keywords {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Checks whether a value can be a part of a schema. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isKeywords(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The named parts of a keyword; none if its value has no names. */
export function mapOf(value: unknown): Keywords {
  return isKeywords(value) ? value : {};
}

/** The value that is made, or another if making it throws: a schema may be malformed, or a Proxy. */
export function orElse<Value>(make: () => Value, otherwise: Value): Value {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Keywords whose value has a schema under each key; the keys are names, not keywords. */
export const NAMED_PARTS: readonly string[] = Object.keys(schemaMapKeyword);

const TYPES: readonly unknown[] = "string number integer boolean null array object".split(" ");

/** Finds an unknown type in a JSON Schema, so that no input is blamed for it. */
export function findSchemaFault(schema: unknown, path = ""): string | undefined {
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (!isKeywords(schema)) return `${path === "" ? "it" : path} must be an object.`;
  const odd = [schema.type ?? []].flat().find((type) => !TYPES.includes(type));
  if (odd !== undefined) {
    return `${path}/type is ${JSON.stringify(odd)}, which is none of ${TYPES.join(", ")}.`;
  }
  const parts = Object.keys({ ...schemaKeyword, ...schemaArrayKeyword, ...schemaMapKeyword });
  for (const [keyword, value] of Object.entries(schema)) {
    if (!parts.includes(keyword)) continue;
    const isMany = NAMED_PARTS.includes(keyword) || Array.isArray(value);
    for (const [name, part] of isMany ? Object.entries(value ?? {}) : [["", value] as const]) {
      const fault = findSchemaFault(part, `${path}/${keyword}${isMany ? `/${name}` : ""}`);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/**
 * Copies a schema's lists and plain objects; keeps functions and instances in them by reference.
 * Reads a Proxy, and leaves out marks under symbols or hidden keys.
 */
export function copySchema<Part>(schema: Part, copies: Map<unknown, unknown> = new Map()): Part {
  if (!Array.isArray(schema) && !isJsonObject(schema)) return schema;
  if (copies.has(schema)) {
    const known = copies.get(schema);
    if (known === undefined) throw new RangeError("The schema is inside itself.");
    return known as Part;
  }
  copies.set(schema, undefined);
  const copyOf = (part: unknown) => copySchema(part, copies);
  const copy = Array.isArray(schema)
    ? schema.map(copyOf)
    : Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, copyOf(part)]));
  copies.set(schema, copy);
  return copy as Part;
}
