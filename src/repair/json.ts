import type { JsonObject, JsonValue, ValueDigest } from "./types.ts";

/**
 * Checks for a JSON object: neither `null`, nor an array, nor a class instance.
 * A plain object of another realm (a vm context, as Jest runs tests in) is one
 * too.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  if (!isContainer(value)) return false;
  if (Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
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
  const length: CountedLength = { least: 0, max: maxLength };
  try {
    const fault = faultOf(value, maxDepth, length);
    if (fault !== undefined) return fault;
    // A number, which counts for one character, has up to 24 and a comma.
    const mayBeLonger = length.least * 25 > maxLength;
    const isLonger = mayBeLonger && JSON.stringify(value).length > maxLength;
    return isLonger ? TOO_LONG : undefined;
  } catch {
    // A getter or a Proxy, for example.
    return "it throws when it is looked at";
  }
}

/**
 * The length of a value so far, in characters as JSON, without escapes and most
 * punctuation.
 */
interface CountedLength {
  least: number;
  readonly max: number;
}

function faultOf(
  value: unknown,
  depth: number,
  length: CountedLength,
): string | undefined {
  length.least += typeof value === "string" ? value.length + 2 : 1;
  if (length.least > length.max) return TOO_LONG;
  if (value === null || typeof value === "string" || typeof value === "boolean")
    return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : `${value} is no JSON number`;
  }
  if (typeof value !== "object")
    return `a value of type ${typeof value} is no JSON`;
  if (depth <= 0) return TOO_DEEP;
  if (Array.isArray(value)) return faultInList(value, depth - 1, length);
  if (isJsonObject(value)) return faultInObject(value, depth - 1, length);
  return "it holds an object that is not plain";
}

function faultInList(
  list: readonly unknown[],
  depth: number,
  length: CountedLength,
) {
  for (const item of list) {
    const fault = faultOf(item, depth, length);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultInObject(
  object: JsonObject,
  depth: number,
  length: CountedLength,
) {
  for (const key of Object.keys(object)) {
    if (isPollutingKey(key)) return `it has the forbidden key "${key}"`;
    length.least += key.length + 3;
    const fault = faultOf(object[key], depth, length);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Returns what a model wrote as the value that it stands for, where it is JSON
 * text.
 */
export function asValue(raw: unknown): JsonValue {
  return typeof raw === "string"
    ? (parseExactly(raw) ?? raw)
    : (raw as JsonValue);
}

/** Compares two JSON values by content; the order of keys does not matter. */
export function jsonEquals(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, at) => jsonEquals(item, right[at]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  const isSame = (key: string) =>
    Object.hasOwn(right, key) && jsonEquals(left[key], right[key]);
  return keys.length === Object.keys(right).length && keys.every(isSame);
}

/** Copies the lists and objects of a JSON value. */
export function copyJson<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyJson) as Value;
  if (!isJsonObject(value)) return value;
  return mapFields(value, copyJson) as Value;
}

/** A copy of an object with each of its fields changed. */
export function mapFields<Field>(
  object: Readonly<Record<string, Field>>,
  change: (field: Field, key: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(object);
  return Object.fromEntries(
    entries.map(([key, field]) => [key, change(field, key)]),
  );
}

/** Returns the JSON text of a value, independent of the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part);
    return Object.fromEntries(
      entries.sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}

/**
 * Checks whether the replacement of an input shares a word or number with it. A
 * later call that does not is another call, and no correction. Flags, `null`
 * and keys do not count.
 */
export function sharesValue(raw: JsonValue, correction: JsonValue): boolean {
  const written = new Set(partsOf(raw));
  return partsOf(correction).some((part) => written.has(part));
}

function partsOf(value: JsonValue): readonly string[] {
  const values = JSON.stringify(value, (_key, part: unknown) =>
    isContainer(part) ? Object.values(part) : part,
  );
  const parts = values.split(/(?:\\.|[\s,;|"'{}[\]:])+/);
  return parts.filter((part) => !NOT_SHARED.has(part));
}

/** Flags and `null` are shared by chance; splitting leaves empty parts. */
const NOT_SHARED: ReadonlySet<string> = new Set(["", "true", "false", "null"]);

/** Shows a value in a message: as JSON, cut to length. */
export function showValue(value: unknown, maxLength = 60): string {
  let text = value === undefined ? "nothing" : `a ${typeof value}`;
  try {
    text = JSON.stringify(value) ?? text;
  } catch {
    // a cycle or a BigInt: only its type is shown
  }
  return cutText(text, maxLength);
}

/** Cuts a text to a length, with an ellipsis for the rest. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

/** Writes a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const key of path)
    pointer += `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return pointer;
}

/** Reads a JSON Pointer. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new TypeError(
      `"${pointer}" is not a JSON Pointer: it must be "" for the whole input or begin with "/", as in "/${pointer}".`,
    );
  }
  const segments = pointer.slice(1).split("/");
  return segments.map((segment) =>
    segment.replaceAll("~1", "/").replaceAll("~0", "~"),
  );
}

/** Looks up a place in a JSON value, by own properties only. */
export function getAt(
  root: JsonValue | undefined,
  pointer: string,
): JsonValue | undefined {
  return parsePointer(pointer).reduce(ownAt, root);
}

/** The value at a key or index, unless it is inherited, as `toString` is. */
export function ownAt(
  holder: JsonValue | undefined,
  key: string,
): JsonValue | undefined {
  const isOwn = isContainer(holder) && Object.hasOwn(holder, key);
  return isOwn ? (holder as JsonObject)[key] : undefined;
}

/**
 * Returns a JSON value with one place changed, or removed if `after` is
 * undefined.
 */
export function setAt(
  root: JsonValue,
  pointer: string,
  after: JsonValue | undefined,
): JsonValue | undefined {
  const path = parsePointer(pointer);
  const key = path.pop();
  if (key === undefined) return after;
  const changed = mapIn(root, path, (value) =>
    isContainer(value) ? withChildren(value, [[key, after]]) : undefined,
  );
  if (changed === undefined)
    throw new RangeError(`There is no place "${pointer}" to change.`);
  return changed;
}

/**
 * Changes all values at a place, `*` being every element of an array, that
 * `change` does not return `undefined` for; `undefined` if it is missing.
 */
export function mapAt(
  root: JsonValue,
  pointer: string,
  change: Change,
): JsonValue | undefined {
  return mapIn(root, parsePointer(pointer), change);
}

type Change = (value: JsonValue) => JsonValue | undefined;

function mapIn(
  value: JsonValue,
  path: readonly string[],
  change: Change,
): JsonValue | undefined {
  const [segment, ...inner] = path;
  if (segment === undefined) return change(value);
  if (!isContainer(value)) return undefined;
  const changed = Object.entries(value).flatMap(([key, child]) => {
    const isMeant =
      key === segment || (segment === "*" && Array.isArray(value));
    const after = isMeant
      ? mapIn(child as JsonValue, inner, change)
      : undefined;
    return after === undefined ? [] : [[key, after] as const];
  });
  return changed.length === 0 ? undefined : withChildren(value, changed);
}

/**
 * A copy with other children, without those that are undefined; a key keeps its
 * place.
 */
function withChildren(
  value: Extract<JsonValue, object>,
  changed: readonly (readonly [string, JsonValue | undefined])[],
): JsonValue {
  const all = new Map([...Object.entries(value), ...changed]);
  const kept = [...all].filter(([, child]) => child !== undefined) as [
    string,
    JsonValue,
  ][];
  if (Array.isArray(value)) return kept.map(([, child]) => child);
  return Object.fromEntries(kept);
}

/**
 * Hashes in two lanes of 32 bits, as MurmurHash3: no platform's own hash is
 * synchronous everywhere.
 */
export function digestOf(text: string): ValueDigest {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  return { length: text.length, hash: mix(first, second) + mix(second, first) };
}

function mix(lane: number, otherLane: number): string {
  const left = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const once = left ^ Math.imul(otherLane ^ (otherLane >>> 13), 0xc2b2ae35);
  return ((once ^ (once >>> 16)) >>> 0).toString(16).padStart(8, "0");
}

/** Parses text by `JSON.parse`; `undefined` if it is no JSON. */
export function parseExactly(text: string): JsonValue | undefined {
  if (!MAY_BE_JSON.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The beginnings of JSON. */
const MAY_BE_JSON = /^[ \t\r\n]*(?:\{[ \t\r\n]*["}]|[["\-\dtfn])/;

export function isContainer(
  value: unknown,
): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}
