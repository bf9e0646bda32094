import type { JsonObject, JsonValue } from "../types.ts";

/**
 * Checks for a JSON object: neither `null`, nor an array, nor a class instance. A plain object of
 * another realm (a vm context, as Jest runs tests in) is one too.
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

/** Whether a careless assignment to a key could reach an object's prototype. */
export function isPollutingKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

/** The answer of `whyNotJson` for a value that is too deep or too long. */
export const TOO_DEEP = "it is nested too deeply";
export const TOO_LONG = "it is too long";

/** Returns why a value is not valid JSON. */
export function whyNotJson(
  value: unknown,
  maxDepth: number,
  maxLength: number = Number.POSITIVE_INFINITY,
): string | undefined {
  let least = 0; // of characters as JSON, without escapes and most punctuation
  const issueOf = (one: unknown, depth: number): string | undefined => {
    least += typeof one === "string" ? one.length + 2 : 1;
    if (least > maxLength) return TOO_LONG;
    if (one === null || typeof one === "string" || typeof one === "boolean") return undefined;
    if (typeof one === "number")
      return Number.isFinite(one) ? undefined : `${one} is no JSON number`;
    if (typeof one !== "object") return `a value of type ${typeof one} is no JSON`;
    if (depth <= 0) return TOO_DEEP;
    let found: string | undefined;
    if (Array.isArray(one)) {
      for (let at = 0; at < one.length && !found; at++) found = issueOf(one[at], depth - 1);
      return found;
    }
    if (!isJsonObject(one)) return "it holds an object that is not plain";
    for (const key of Object.keys(one)) {
      if (isPollutingKey(key)) return `it has the forbidden key "${key}"`;
      least += key.length + 3;
      found ??= issueOf(one[key], depth - 1);
    }
    return found;
  };
  try {
    const found = issueOf(value, maxDepth);
    const mayBeLonger = found === undefined && least * MOST_FOR_ONE > maxLength;
    return mayBeLonger && JSON.stringify(value).length > maxLength ? TOO_LONG : found;
  } catch {
    // A getter or a Proxy, for example.
    return "it throws when it is looked at";
  }
}

/** A number, which counts for one character, has up to 24 and a comma. */
const MOST_FOR_ONE = 25;

/** Compares two JSON values by content; the order of keys does not matter. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (Object.is(left, right) || left === right) return true;
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object")
    return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => jsonEquals(item, right[at]));
  }
  const keys = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        jsonEquals((left as JsonObject)[key], (right as JsonObject)[key]),
    )
  );
}

/** Shows a value in a message: as JSON, cut to length. */
export function showValue(value: unknown, maxLength = 60): string {
  let text = value === undefined ? "nothing" : `a ${typeof value}`;
  try {
    text = JSON.stringify(value) ?? text;
  } catch {
    // a cycle or a BigInt: only its type is shown
  }
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

/** Names the JSON type of a value: `string`, `number`, `array`, `null`, …; `nothing` for undefined. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  return Array.isArray(value) ? "array" : typeof value;
}
