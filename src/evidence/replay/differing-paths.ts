import { toPointer } from "../../repair/json/json-pointer.ts";
import { isJsonObject, jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/** The most places that are named. */
const MAX_PATHS = 5;

/** Returns the outermost places in which two values differ, as JSON Pointers. */
export function differingPaths(
  one: JsonValue | undefined,
  other: JsonValue | undefined,
): readonly string[] {
  const found: string[] = [];
  find(one, other, [], found);
  return found;
}

function find(
  one: JsonValue | undefined,
  other: JsonValue | undefined,
  path: readonly string[],
  found: string[],
): void {
  if (found.length >= MAX_PATHS || jsonEquals(one, other)) return;
  const areLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
  if (!areLists && !(isJsonObject(one) && isJsonObject(other))) {
    found.push(toPointer(path));
    return;
  }
  const [left, right] = [one, other] as [Record<string, JsonValue>, Record<string, JsonValue>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const pair = [left, right].map((side) => (Object.hasOwn(side, key) ? side[key] : undefined));
    find(pair[0], pair[1], [...path, key], found);
  }
}
