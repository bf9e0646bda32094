/** The keywords of a JSON Schema, or of a part of one. */
export type Keywords = { readonly [keyword: string]: unknown };

/** Checks whether a schema, or a part of one, has keywords: not a boolean, and not a list. */
export function isKeywords(value: unknown): value is Keywords {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** What a keyword lists; nothing where its value is not a list. */
export function listOf<Item = unknown>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [];
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

type Shape = (value: unknown) => boolean;

const isPart: Shape = (value) => typeof value === "boolean" || isKeywords(value);
const isText: Shape = (value) => typeof value === "string";
const isListOf = (isOne: Shape) => (value: unknown) => Array.isArray(value) && value.every(isOne);

/** What the values of keywords must be for the compiled checks to read them. */
const SHAPES: readonly (readonly [keywords: string, isMet: Shape])[] = [
  ["anyOf allOf oneOf prefixItems", isListOf(isPart)],
  ["not if then else additionalProperties additionalItems", isPart],
  ["items", (value) => isPart(value) || isListOf(isPart)(value)],
  [
    "properties patternProperties",
    (value) => isKeywords(value) && Object.values(value).every(isPart),
  ],
  ["minItems maxItems minLength maxLength", Number.isFinite],
  ["pattern format $ref", isText],
  ["type", (value) => isText(value) || Array.isArray(value)],
  ["enum", Array.isArray],
  ["required", isListOf(isText)],
];

/**
 * Checks that keywords have values of the kinds that they can have. Where one has not (`required: true` at
 * a property, `items: null`), only the validator knows what it makes of that.
 */
export function isWellFormed(part: Keywords): boolean {
  return SHAPES.every(([keywords, isMet]) =>
    keywords.split(" ").every((keyword) => part[keyword] === undefined || isMet(part[keyword])),
  );
}
