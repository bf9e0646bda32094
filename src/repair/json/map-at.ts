import type { JsonObject, JsonValue } from "../types.ts";
import { parsePointer } from "./json-pointer.ts";

/** The segment that stands for every element of an array. */
const EVERY = "*";

/**
 * Returns a JSON value with what stands at a place changed; the value given stays as it was.
 *
 * @param root The value.
 * @param pointer The place, as a JSON Pointer; `*` stands for every element of an array.
 * @param change What becomes of the value at a place; `undefined` leaves it as it is. It is not
 * asked where there is no such place.
 * @returns The changed value, or `undefined` when nothing was changed.
 */
export function mapAt(
  root: JsonValue,
  pointer: string,
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  return mapIn(root, parsePointer(pointer), change);
}

function mapIn(
  value: JsonValue,
  segments: readonly string[],
  change: (value: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return change(value);
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return mapItems(value, segment, (item) => mapIn(item, rest, change));
  const object = value as JsonObject;
  const child = Object.hasOwn(object, segment) ? object[segment] : undefined;
  const changed = child === undefined ? undefined : mapIn(child, rest, change);
  if (changed === undefined) return undefined;
  const entries = Object.entries(object);
  return Object.fromEntries(entries.map(([key, old]) => [key, key === segment ? changed : old]));
}

function mapItems(
  items: readonly JsonValue[],
  segment: string,
  change: (item: JsonValue) => JsonValue | undefined,
): JsonValue[] | undefined {
  let isChanged = false;
  const mapped = items.map((item, index) => {
    const changed = segment === EVERY || segment === String(index) ? change(item) : undefined;
    if (changed !== undefined) isChanged = true;
    return changed ?? item;
  });
  return isChanged ? mapped : undefined;
}
