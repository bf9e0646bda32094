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
