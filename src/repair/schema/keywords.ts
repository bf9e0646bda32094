import { schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from "@cfworker/json-schema";
import { isJsonObject } from "../json.ts";
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

/** The value that is made, or another if making it throws: a schema may be malformed, or a Proxy. */
export function orElse<Value>(make: () => Value, otherwise: Value): Value {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Keeps what a function makes of each object, as long as the object lives. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value) {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key: Key): Value => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** Keywords that accept every value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default examples $schema $id $defs definitions $comment".split(" "),
);

/** Whether a schema restricts values by no other keywords than these. */
export function hasOnly(schema: Keywords, ...keywords: readonly string[]): boolean {
  return Object.keys(schema).every((word) => ANNOTATIONS.has(word) || keywords.includes(word));
}

/** Keywords whose value has a schema under each key; the keys are names, not keywords. */
export const NAMED_PARTS: readonly string[] = Object.keys(schemaMapKeyword);

const PARTS = new Set(
  Object.keys({ ...schemaKeyword, ...schemaArrayKeyword, ...schemaMapKeyword }),
);

const TYPES: readonly unknown[] = "string number integer boolean null array object".split(" ");

/** Finds an unknown type in a JSON Schema, so that no input is blamed for it. */
export function findSchemaFault(schema: unknown, path = ""): string | undefined {
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (!isKeywords(schema)) return `${path || "it"} must be an object.`;
  const odd = [schema.type ?? []].flat().find((type) => !TYPES.includes(type));
  if (odd !== undefined) {
    return `${path}/type is ${JSON.stringify(odd)}, which is none of ${TYPES.join(", ")}.`;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (!PARTS.has(keyword)) continue;
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
 * Reads a Proxy, and leaves out marks under symbols or hidden keys. Throws if it is inside itself.
 */
export function copySchema<Part>(schema: Part, copies: Map<unknown, unknown> = new Map()): Part {
  if (!Array.isArray(schema) && !isJsonObject(schema)) return schema;
  const copyOf = (part: unknown) => copySchema(part, copies);
  const entries = () => Object.entries(schema).map(([key, part]) => [key, copyOf(part)]);
  const make = () => (Array.isArray(schema) ? schema.map(copyOf) : Object.fromEntries(entries()));
  const copy = copies.get(schema) ?? make();
  copies.set(schema, copy);
  return copy as Part;
}
