import type { JsonObject, JsonValue } from "../types.ts";

const POLLUTING_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Tells whether a value is a JSON object: neither `null`, nor an array, nor a class instance. A
 * plain object of another realm (a vm context, as Jest runs tests in) is one too.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  );
}

/** Tells whether a key could reach an object's prototype, were it assigned carelessly. */
export function isPollutingKey(key: string): boolean {
  return POLLUTING_KEYS.has(key);
}

/** What `whyNotJson` says of a value that is deeper than it may be. */
export const TOO_DEEP = "it is nested too deeply";

/**
 * Tells why a value cannot be handled as JSON.
 *
 * @param value Anything.
 * @param maxDepth The deepest nesting of objects and arrays allowed.
 * @returns What is wrong, or `undefined` for a JSON value within the depth and without keys that
 * pollute prototypes.
 */
export function whyNotJson(value: unknown, maxDepth: number): string | undefined {
  try {
    return jsonIssue(value, maxDepth);
  } catch {
    // A getter or a Proxy, say.
    return "it throws when it is looked at";
  }
}

function jsonIssue(value: unknown, maxDepth: number): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${value} is no JSON number`;
    case "object":
      break;
    default:
      return `a value of type ${typeof value} is no JSON`;
  }
  if (value === null) return undefined;
  if (maxDepth <= 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = jsonIssue(value[index], maxDepth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return "it holds an object that is not plain";
  for (const key of Object.keys(value)) {
    if (isPollutingKey(key)) return `it has the forbidden key "${key}"`;
    const found = jsonIssue((value as JsonObject)[key], maxDepth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compares two JSON values by content; the order of keys does not matter. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object") {
    return false;
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => jsonEquals(item, right[index]))
    );
  }
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        jsonEquals((left as JsonObject)[key], (right as JsonObject)[key]),
    )
  );
}

/**
 * Shows a value in a message: as JSON, cut to length.
 *
 * @param value Anything; what is no JSON is named by its type.
 * @param maxLength The longest text returned, in characters. Default: 60.
 */
export function showValue(value: unknown, maxLength = 60): string {
  const text = typeof value === "undefined" ? "nothing" : toText(value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return `a ${typeof value}`;
  }
}

/** Names the JSON type of a value: `string`, `number`, `array`, `null`, …; `nothing` for undefined. */
export function typeName(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
