import type { JsonObject, JsonValue } from "../types.ts";

const POLLUTING_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

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
  return POLLUTING_KEYS.has(key);
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
  try {
    return jsonIssue(value, maxDepth, { left: maxLength });
  } catch {
    // A getter or a Proxy, for example.
    return "it throws when it is looked at";
  }
}

/** How many more characters of JSON are allowed. */
interface Room {
  left: number;
}

function jsonIssue(value: unknown, maxDepth: number, room: Room): string | undefined {
  room.left -= scalarLength(value, room);
  if (room.left < 0) return TOO_LONG;
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
    room.left -= Math.max(0, value.length - 1);
    for (let index = 0; index < value.length; index++) {
      const found = jsonIssue(value[index], maxDepth - 1, room);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return "it holds an object that is not plain";
  const keys = Object.keys(value);
  room.left -= 2 * keys.length - Math.min(1, keys.length);
  for (const key of keys) {
    if (isPollutingKey(key)) return `it has the forbidden key "${key}"`;
    room.left -= scalarLength(key, room);
    const found = jsonIssue((value as JsonObject)[key], maxDepth - 1, room);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The length of a scalar as JSON, and of a container's brackets. Characters are counted only if that decides. */
function scalarLength(value: unknown, { left }: Room): number {
  if (left === Number.POSITIVE_INFINITY || value === undefined) return 0;
  if (typeof value === "object" && value !== null) return 2;
  if (typeof value !== "string") return String(value).length;
  return value.length > left ? value.length : JSON.stringify(value).length;
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

/** Shows a value in a message: as JSON, cut to length. */
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
