// What a schema wants, and what it received, in words for a person or a model.
import { isContainer, parsePointer, showValue } from "../json.ts";
import type { JsonSchema } from "../types.ts";
import {
  isKeywords,
  isString,
  type Keywords,
  memoize,
  resolvedPartAt,
  typeOf,
} from "./part.ts";

/** Describes an unrestricted schema. */
export const ANY_VALUE = "any value";

const MAX_CHOICES = 12;
const MAX_FIELDS = 8;

/** How many levels of fields and items are written out. */
const DEPTH = 2;

/** Describes a JSON Schema in a few words, for a person or a model. */
export function describeSchema(schema: unknown): string {
  if (isKeywords(schema)) return described(schema);
  return ANY_VALUE;
}

const described = memoize((schema: Keywords) => inWords(schema, DEPTH));

/**
 * Shows the value at an issue's place: scalars as JSON, containers by type, so
 * that a message holds no more of the input than the fault.
 */
export function showReceived(value: unknown): string {
  if (isContainer(value)) return typeOf(value);
  return showValue(value);
}

function inWords(schema: unknown, depth: number): string {
  if (!isKeywords(schema)) return ANY_VALUE;
  const { enum: choices, const: only, anyOf, oneOf } = schema;
  if (only !== undefined) return showValue(only);
  if (Array.isArray(choices)) {
    const shown = someOf(choices, MAX_CHOICES, (choice) => showValue(choice));
    return `one of ${shown.join(", ")}`;
  }
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    const ways = new Set(branches.map((branch) => inWords(branch, depth - 1)));
    return someOf([...ways], MAX_CHOICES, String).join(" or ");
  }
  return typeInWords(schema, depth);
}

function typeInWords(schema: Keywords, depth: number): string {
  const { type, items, properties, format } = schema;
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return listInWords(items, depth);
  if (isKeywords(properties)) return objectInWords(schema, properties, depth);
  if (!isString(type)) return ANY_VALUE;
  const hasFormat = type === "string" && isString(format);
  return hasFormat ? `string (${format})` : type;
}

function listInWords(items: unknown, depth: number): string {
  if (depth <= 0 || !isKeywords(items)) return "array";
  return `array of ${inWords(items, depth - 1)}`;
}

function objectInWords(
  { required }: Keywords,
  properties: Keywords,
  depth: number,
): string {
  if (depth <= 0) return "object";
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = someOf(Object.keys(properties), MAX_FIELDS, (name) => {
    const mark = names.includes(name) ? "" : "?";
    return `${name}${mark}: ${inWords(properties[name], depth - 1)}`;
  });
  return `object { ${fields.join(", ")} }`;
}

function someOf<Item>(
  items: readonly Item[],
  most: number,
  show: (item: Item) => string,
) {
  const shown = items.slice(0, most).map(show);
  if (items.length > most) shown.push("…");
  return shown;
}

/**
 * A value within the limits of its schema, in words:
 * `an integer >= 1 and <= 500`, `the format "date", like "2025-01-31"`,
 * `text that matches the pattern ^\d{4}$`.
 *
 * @param code - The code of the issue: that of a type or a limit, in JSON
 *   Schema or zod.
 * @returns `undefined` if the issue is about something else.
 */
export function wantedInWords(
  schema: JsonSchema | undefined,
  path: string,
  code: string,
): string | undefined {
  if (schema === undefined) return undefined;
  if (!LIMITS.has(code)) return undefined;
  const place = resolvedPartAt(schema, parsePointer(path))?.keywords;
  if (place === undefined) return undefined;
  if (code === "pattern") return patternInWords(place);
  // Of a text that does not match, zod's own message names the pattern, or has
  // the user's words.
  const pattern = code.endsWith("type") ? patternInWords(place) : undefined;
  return formatInWords(place) ?? pattern ?? rangeInWords(place);
}

const LIMITS: ReadonlySet<string> = new Set(
  (
    "type invalid_type format invalid_format pattern too_small too_big " +
    "minimum maximum exclusiveMinimum exclusiveMaximum " +
    "minLength maxLength minItems maxItems"
  ).split(" "),
);

/**
 * Formats that a model may know by a wrong form, each with a value that
 * validators accept.
 */
const EXAMPLES: ReadonlyMap<unknown, string> = new Map([
  ["date-time", "2025-01-31T18:30:00Z"],
  ["date", "2025-01-31"],
  ["email", "ann@example.com"],
  ["uri", "https://example.com/path"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
  ["duration", "PT1H30M"],
]);

function formatInWords({ format }: Keywords): string | undefined {
  const example = EXAMPLES.get(format);
  if (example === undefined) return undefined;
  return `the format "${format}", like "${example}"`;
}

/** The longest pattern that says something to a model. */
const MAX_PATTERN = 80;

function patternInWords({ pattern }: Keywords): string | undefined {
  if (!isString(pattern)) return undefined;
  if (pattern.length > MAX_PATTERN) return undefined;
  return `text that matches the pattern ${pattern}`;
}

/** The limits of a place: `an integer >= 1 and <= 500`. */
function rangeInWords(place: Keywords): string | undefined {
  const name = NAMES.get(place.type);
  if (name === undefined) return undefined;
  const limits: string[] = [];
  for (const [keyword, sign] of LIMIT_SIGNS) {
    const limit = place[keyword];
    if (typeof limit !== "number") continue;
    // zod writes the safe integers as the limits of every integer.
    if (Math.abs(limit) < Number.MAX_SAFE_INTEGER)
      limits.push(`${sign} ${limit}`);
  }
  if (limits.length === 0) return undefined;
  return `${name} ${limits.join(" and ")}`;
}

const NAMES: ReadonlyMap<unknown, string> = new Map([
  ["number", "a number"],
  ["integer", "an integer"],
  ["string", "a string with length"],
  ["array", "an array with length"],
]);

const LIMIT_SIGNS = [
  ["minimum", ">="],
  ["exclusiveMinimum", ">"],
  ["maximum", "<="],
  ["exclusiveMaximum", "<"],
  ["minLength", ">="],
  ["maxLength", "<="],
  ["minItems", ">="],
  ["maxItems", "<="],
] as const;
