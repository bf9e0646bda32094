import type { JsonObject, JsonValue } from "../types.ts";

/** Writes a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const key of path) pointer += `/${escapeSegment(String(key))}`;
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
  return pointer.includes("~") ? segments.map(unescapeSegment) : segments;
}

/** Looks up a place in a JSON value, by own properties only. */
export function getAt(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let value = root;
  for (const segment of parsePointer(pointer)) value = childOf(value, segment);
  return value;
}

/** Returns a JSON value with one place changed; the given value stays unchanged. */
export function setAt(
  root: JsonValue | undefined,
  pointer: string,
  after: JsonValue | undefined,
): JsonValue | undefined {
  return setIn(root, parsePointer(pointer), after, pointer);
}

function setIn(
  value: JsonValue | undefined,
  segments: readonly string[],
  after: JsonValue | undefined,
  pointer: string,
): JsonValue | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return after;
  if (value === null || typeof value !== "object") {
    throw new RangeError(`There is no place "${pointer}" to change.`);
  }
  const child = setIn(childOf(value, segment), rest, after, pointer);
  return Array.isArray(value)
    ? withItem(value, segment, child)
    : withKey(value as JsonObject, segment, child);
}

function withItem(
  items: readonly JsonValue[],
  segment: string,
  item: JsonValue | undefined,
): JsonValue[] {
  const index = Number(segment);
  if (item === undefined) return items.toSpliced(index, 1);
  const copy = [...items];
  copy[index] = item;
  return copy;
}

function withKey(object: JsonObject, key: string, child: JsonValue | undefined): JsonObject {
  const entries = Object.entries(object);
  if (child === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (!Object.hasOwn(object, key)) return Object.fromEntries([...entries, [key, child]]);
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? child : old]));
}

/** The segment that matches every element of an array. */
const EVERY = "*";

/** Returns a JSON value with all values at a place changed; the given value stays unchanged. */
export function mapAt(
  root: JsonValue,
  pointer: string,
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  return mapIn(root, parsePointer(pointer), change);
}

function mapIn(
  value: JsonValue,
  [segment, ...rest]: readonly string[],
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  if (segment === undefined) return change(value);
  if (value === null || typeof value !== "object") return undefined;
  const isEvery = segment === EVERY && Array.isArray(value);
  const changed = Object.entries(value).flatMap(([key, child]) => {
    const made = isEvery || key === segment ? mapIn(child, rest, change) : undefined;
    return made === undefined ? [] : [[key, made] as const];
  });
  if (changed.length === 0) return undefined;
  return Object.assign(
    Array.isArray(value) ? [...value] : { ...value },
    Object.fromEntries(changed),
  );
}

function childOf(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (value === null || typeof value !== "object") return undefined;
  return Object.hasOwn(value, segment)
    ? (value as Record<string, JsonValue | undefined>)[segment]
    : undefined;
}

function escapeSegment(segment: string): string {
  if (!segment.includes("~") && !segment.includes("/")) return segment;
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
