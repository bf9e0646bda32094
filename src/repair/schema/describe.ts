import { showValue, typeName } from "../json/json-value.ts";
import { isKeywords, type Keywords } from "./keywords.ts";
import type { Part } from "./part.ts";

/** Describes an unrestricted schema. */
export const ANY_VALUE = "any value";

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

const MAX_CHOICES = 12;
const MAX_FIELDS = 8;

/** How many levels of fields and items are written out. */
const DEPTH = 2;

const known = new WeakMap<object, string>();

/** Describes a JSON Schema in a few words, for a person or a model. */
export function describeSchema(schema: unknown): string {
  if (schema === null || typeof schema !== "object") return ANY_VALUE;
  const description = known.get(schema) ?? inWords(schema as Keywords, DEPTH);
  known.set(schema, description);
  return description;
}

/** The part of a schema that describes a place in an input; none if several branches may apply. */
export function partAt(whole: Part, keys: readonly string[]): Part | undefined {
  return keys.reduce<Part | undefined>((part, key) => {
    if (part === undefined) return undefined;
    const { properties, prefix, rest, after } = part.target ?? part;
    const isItem = /^\d+$/.test(key) && (after !== undefined || prefix.length > 0);
    return properties.get(key) ?? (isItem ? (prefix[Number(key)] ?? after) : rest);
  }, whole);
}

/**
 * Shows the value at an issue's place: scalars as JSON, containers by type, so that a message holds
 * no more of the input than the fault.
 */
export function showReceived(value: unknown): string {
  return value !== null && typeof value === "object" ? typeName(value) : showValue(value);
}

function inWords(schema: unknown, depth: number): string {
  if (!isKeywords(schema)) return ANY_VALUE;
  const { type, enum: values, const: only, items, properties, required } = schema;
  if (only !== undefined) return showValue(only);
  if (Array.isArray(values)) {
    return `one of ${someOf(values, MAX_CHOICES, (value) => showValue(value)).join(", ")}`;
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const ways = new Set(branches.map((branch) => inWords(branch, depth - 1)));
    return someOf([...ways], MAX_CHOICES, String).join(" or ");
  }
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    return depth > 0 && isKeywords(items) ? `array of ${inWords(items, depth - 1)}` : "array";
  }
  if (!isKeywords(properties)) return typeof type === "string" ? type : ANY_VALUE;
  if (depth <= 0) return "object";
  const fields = someOf(Object.keys(properties), MAX_FIELDS, (name) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return `${name}${isRequired ? "" : "?"}: ${inWords(properties[name], depth - 1)}`;
  });
  return `object { ${fields.join(", ")} }`;
}

function someOf<Item>(items: readonly Item[], most: number, show: (item: Item) => string) {
  const shown = items.slice(0, most).map(show);
  return items.length > most ? [...shown, "…"] : shown;
}
