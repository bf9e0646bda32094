import { showValue, typeName } from "../json.ts";
import { isKeywords, type Keywords, memoize } from "./keywords.ts";

/** Describes an unrestricted schema. */
export const ANY_VALUE = "any value";

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

/** The codes of faults, zod's included, that are clearest as what the schema wants at that place. */
export const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  `required type enum const anyOf oneOf invalid_type invalid_value invalid_union invalid_enum_value
  invalid_literal invalid_union_discriminator`.split(/\s+/),
);

const MAX_CHOICES = 12;
const MAX_FIELDS = 8;

/** How many levels of fields and items are written out. */
const DEPTH = 2;

/** Describes a JSON Schema in a few words, for a person or a model. */
export function describeSchema(schema: unknown): string {
  return isKeywords(schema) ? described(schema) : ANY_VALUE;
}

const described = memoize((schema: Keywords) => inWords(schema, DEPTH));

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
