import type { JsonValue } from "../types.ts";

/** Writes a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const key of path) pointer += `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
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
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Looks up a place in a JSON value, by own properties only. */
export function getAt(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let value = root;
  for (const segment of parsePointer(pointer)) {
    const isOwn = value !== null && typeof value === "object" && Object.hasOwn(value, segment);
    value = isOwn ? (value as Record<string, JsonValue>)[segment] : undefined;
  }
  return value;
}

/** Returns a JSON value with one place changed, or removed if `after` is undefined. */
export function setAt(
  root: JsonValue,
  pointer: string,
  after: JsonValue | undefined,
): JsonValue | undefined {
  const path = parsePointer(pointer);
  const key = path.pop();
  if (key === undefined) return after;
  const made = mapIn(root, path, (value) =>
    value !== null && typeof value === "object" ? withChildren(value, [[key, after]]) : undefined,
  );
  if (made === undefined) throw new RangeError(`There is no place "${pointer}" to change.`);
  return made;
}

/**
 * Changes all values at a place, `*` being every element of an array, that `change` does not return
 * `undefined` for; `undefined` if it is missing.
 */
export function mapAt(root: JsonValue, pointer: string, change: Change): JsonValue | undefined {
  return mapIn(root, parsePointer(pointer), change);
}

type Change = (value: JsonValue) => JsonValue | undefined;

function mapIn(value: JsonValue, path: readonly string[], change: Change): JsonValue | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return change(value);
  if (value === null || typeof value !== "object") return undefined;
  const changed = Object.entries(value).flatMap(([key, child]) => {
    const isMeant = key === segment || (segment === "*" && Array.isArray(value));
    const made = isMeant ? mapIn(child as JsonValue, rest, change) : undefined;
    return made === undefined ? [] : [[key, made] as const];
  });
  return changed.length === 0 ? undefined : withChildren(value, changed);
}

/** A copy with other children, without those that are undefined; a key keeps its place. */
function withChildren(
  value: Extract<JsonValue, object>,
  changed: readonly (readonly [string, JsonValue | undefined])[],
): JsonValue {
  const all = new Map([...Object.entries(value), ...changed]);
  const kept = [...all].filter(([, child]) => child !== undefined) as [string, JsonValue][];
  return Array.isArray(value) ? kept.map(([, child]) => child) : Object.fromEntries(kept);
}
