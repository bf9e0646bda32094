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

/** Checks whether a value is text. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** What a keyword lists; nothing where its value is not a list. */
export function listOf<Item = unknown>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

/** What a keyword has by name; nothing where its value has no names. */
export function mapOf(value: unknown): Keywords {
  return isKeywords(value) ? value : {};
}

/** A pattern as the validator reads it; `undefined` where it is not a regular expression. */
export function toRegExp(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

/** Keywords whose value has a schema under each of its keys, which are names, and no keywords. */
export const NAMED_PARTS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
];

/** Keywords whose value is a schema, or a list of schemas. */
const PLAIN_PARTS: readonly string[] =
  "items additionalItems additionalProperties prefixItems allOf anyOf oneOf not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  );

const names = new WeakMap<object, ReadonlySet<string>>();

/**
 * Collects the names of all keys that a schema declares, at whatever place. Read once per schema.
 *
 * @param schema The schema of the whole input.
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  if (typeof schema === "boolean") return new Set();
  const known = names.get(schema);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const seen = new Set<object>([schema]);
  for (const part of seen) {
    for (const [keyword, value] of Object.entries(part)) {
      if (value === null || typeof value !== "object") continue;
      if (keyword === "properties" && isJsonObject(value)) {
        for (const name of Object.keys(value)) found.add(name);
      }
      seen.add(value);
    }
  }
  names.set(schema, found);
  return found;
}

const TYPES: readonly unknown[] = "string number integer boolean null array object".split(" ");

/**
 * Finds what is plainly wrong with a JSON Schema, so that no input is blamed for it.
 *
 * @param schema The schema, or a part of one.
 * @param path Where the part stands, as a JSON Pointer. Default: the whole.
 * @returns What is wrong, and where; `undefined` for nothing.
 */
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

/** What the values of keywords must be for `validate.ts` to read them. */
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
  // Keywords that depend on what others looked at, or on the place from which they are reached.
  ["unevaluatedProperties unevaluatedItems $recursiveRef $recursiveAnchor", () => false],
];

const FORMS: ReadonlyMap<string, Form> = new Map(
  FORMS_OF.flatMap(([keywords, form]) => keywords.split(" ").map((keyword) => [keyword, form])),
);

/**
 * Checks whether a part uses a keyword that is not known here, or one in a way in which it cannot be
 * used (`required: true` at a property, `items: null`): only the validator that LangChain uses knows
 * what it makes of that.
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
