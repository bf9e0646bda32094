import { isJsonObject } from "../repair/json/json-value.ts";
import { parseExactly } from "../repair/read/parse-exactly.ts";
import type { Shape } from "./log-line.ts";

/** The least lengths of the classes that texts and lists are told by. */
const CLASSES: readonly number[] = [1025, 129, 33, 9, 1, 0];

/** Nesting down to which a shape goes. */
const MAX_DEPTH = 6;

/** The most keys of an object that are named, and the longest name. */
const MAX_KEYS = 40;
const MAX_KEY_LENGTH = 100;

/** What a text looks like, the first that fits. */
const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["number", /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/],
  ["boolean", /^(?:true|false|yes|no)$/i],
  ["null", /^(?:null|none|undefined)$/i],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["date-time", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ["uri", /^[a-z][a-z\d+.-]{1,20}:\/\/\S+$/i],
  ["email", /^[^\s@]{1,64}@[^\s@]{1,255}$/],
];

/** The longest text that is looked at for its format. */
const MAX_LOOKED_AT = 400;

/** The longest text that is read as JSON. */
const MAX_READ = 100_000;

/**
 * Returns the shape of a value: the names of its keys, types, classes of length and formats, and none
 * of the values.
 *
 * @param value The value, as JSON.
 * @param depth How deep it stands. Default: 0.
 */
export function loggedShape(value: unknown, depth = 0): Shape {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value === "string") return textShape(value, depth);
  if (depth >= MAX_DEPTH) return { type: "deep" };
  if (Array.isArray(value)) {
    const length = classOf(value.length);
    return value.length === 0
      ? { type: "array", length }
      : { type: "array", length, items: loggedShape(value[0], depth + 1) };
  }
  if (!isJsonObject(value)) return { type: "deep" };
  const keys = Object.keys(value);
  const named = keys
    .slice(0, MAX_KEYS)
    .map((key) => [cutKey(key), loggedShape(value[key], depth + 1)]);
  const more = keys.length - named.length;
  return { type: "object", keys: Object.fromEntries(named), ...(more > 0 && { more }) };
}

function textShape(text: string, depth: number): Shape {
  const length = classOf(text.length);
  const holds = /^\s*[{[]/.test(text) && text.length <= MAX_READ ? parseExactly(text) : undefined;
  if (holds !== undefined) {
    return { type: "string", length, format: "json", holds: loggedShape(holds, depth + 1) };
  }
  const looked = text.length <= MAX_LOOKED_AT ? text.trim() : "";
  const [format] = FORMATS.find(([, pattern]) => pattern.test(looked)) ?? [];
  return { type: "string", length, ...(format !== undefined && { format }) };
}

function classOf(length: number): number {
  return CLASSES.find((least) => length >= least) ?? 0;
}

function cutKey(key: string): string {
  return key.slice(0, MAX_KEY_LENGTH);
}
