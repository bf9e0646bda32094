import type { SchemaDraft } from "@cfworker/json-schema";
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

/** The items of a keyword; none if its value is not a list. */
export function listOf<Item = unknown>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

/** The named parts of a keyword; none if its value has no names. */
export function mapOf(value: unknown): Keywords {
  return isKeywords(value) ? value : {};
}

/** A pattern as the validator reads it; `undefined` unless it is a regular expression. */
export function toRegExp(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

/** Keywords whose value has a schema under each key; the keys are names, not keywords. */
export const NAMED_PARTS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
];

/** Keywords whose value is a schema, or a list of schemas. */
const PLAIN_PARTS: readonly string[] =
  `items additionalItems additionalProperties prefixItems allOf anyOf oneOf not if then else
  contains propertyNames unevaluatedItems unevaluatedProperties`.split(/\s+/);

const TYPES: readonly unknown[] = "string number integer boolean null array object".split(" ");

/** Finds an obvious fault of a JSON Schema, so that no input is blamed for it. */
export function findSchemaFault(schema: unknown, path = ""): string | undefined {
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (!isKeywords(schema)) return `${path === "" ? "it" : path} must be an object.`;
  const odd = [schema.type ?? []].flat().find((type) => !TYPES.includes(type));
  if (odd !== undefined) {
    return `${path}/type is ${JSON.stringify(odd)}, which is none of ${TYPES.join(", ")}.`;
  }
  if (schema.required !== undefined && !Array.isArray(schema.required)) {
    return `${path}/required must be an array of names.`;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${path}/${keyword}`;
    const isNamed = NAMED_PARTS.includes(keyword);
    if (!isNamed && !PLAIN_PARTS.includes(keyword)) continue;
    const isMany = isNamed || Array.isArray(value);
    const parts = isMany ? Object.entries(value ?? {}) : [["", value] as const];
    for (const [name, part] of parts) {
      const fault = findSchemaFault(part, isMany ? `${place}/${name}` : place);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

type Form = (value: unknown) => boolean;

const isPattern: Form = (value) => isString(value) && toRegExp(value) !== undefined;
const isListOf = (isOne: Form) => (value: unknown) => Array.isArray(value) && value.every(isOne);
const isMapOf = (isName: Form) => (value: unknown) =>
  isKeywords(value) &&
  Object.entries(value).every(([name, part]) => isName(name) && isSchema(part));

/** The values of keywords that `validate.ts` can read. */
const FORMS_OF: readonly (readonly [keywords: string, form: Form])[] = [
  ["anyOf allOf oneOf prefixItems", isListOf(isSchema)],
  ["not if then else additionalProperties additionalItems", isSchema],
  ["items", (value) => isSchema(value) || isListOf(isSchema)(value)],
  ["properties", isMapOf(() => true)],
  ["patternProperties", isMapOf(isPattern)],
  ["minItems maxItems minLength maxLength", Number.isFinite],
  ["minimum maximum exclusiveMinimum exclusiveMaximum", Number.isFinite],
  ["format $ref", isString],
  ["pattern", isPattern],
  ["type", (value) => isString(value) || Array.isArray(value)],
  ["enum", Array.isArray],
  ["required", isListOf(isString)],
  // Keywords that depend on the results of others, or on the place that they are reached from.
  ["unevaluatedProperties unevaluatedItems $recursiveRef $recursiveAnchor", () => false],
];

const FORMS: ReadonlyMap<string, Form> = new Map(
  FORMS_OF.flatMap(([keywords, form]) => keywords.split(" ").map((keyword) => [keyword, form])),
);

/**
 * Checks whether a part has a keyword that is unknown here, or one with an unusable value
 * (`required: true` at a property, `items: null`): only the validator that LangChain uses knows how
 * to treat it.
 */
export function isForeign(part: Keywords, draft: SchemaDraft): boolean {
  for (const keyword in part) {
    const value = part[keyword];
    if (value === undefined) continue;
    if (FORMS.get(keyword)?.(value) === false) return true;
    if (draft === "4" && keyword.startsWith("exclusive")) return true;
  }
  return false;
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
  const copy = (Array.isArray(schema) ? [] : {}) as object;
  for (const key of Object.keys(schema)) {
    const value: unknown = copySchema((schema as Record<string, unknown>)[key], copies);
    // Not by assignment: a field may be called `__proto__`.
    Object.defineProperty(copy, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  copies.set(schema, copy);
  return copy as Part;
}
