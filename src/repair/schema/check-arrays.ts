import type { Check, Checking, Part } from "./checking.ts";
import { type Keywords, listOf } from "./keywords.ts";

/** The checks of an array's length, of its elements, and of their being unique. */
export function checkArrays(keywords: Keywords, { of }: Checking): Check[] {
  const { items, additionalItems, minItems, maxItems, uniqueItems } = keywords;
  const [least, most] = [minItems ?? 0, maxItems ?? Number.POSITIVE_INFINITY] as number[];
  const isTuple = Array.isArray(items);
  const tuple = tupleOf(keywords).map(of);
  const after = isTuple ? additionalItems : items;
  const rest = after === undefined ? undefined : of(after as Part);
  const isBounded = minItems !== undefined || maxItems !== undefined;
  if (tuple.length === 0 && rest === undefined && !isBounded && !uniqueItems) return [];
  return [
    (value) => {
      if (!Array.isArray(value)) return true;
      const { length } = value;
      if (length < (least as number) || length > (most as number)) return false;
      let index = 0;
      for (; index < tuple.length && index < length; index++) {
        if (!(tuple[index] as Check)(value[index])) return false;
      }
      if (rest !== undefined) for (; index < length; index++) if (!rest(value[index])) return false;
      return !uniqueItems || duplicateIn(value) === undefined;
    },
  ];
}

/** The parts for the first elements of an array, one for each. */
export function tupleOf({ items, prefixItems }: Keywords): Part[] {
  const first = listOf<Part>(prefixItems);
  return [...first, ...listOf<Part>(items).slice(first.length)];
}

/**
 * Finds the first two elements that are equal. Each is looked up among those before it, and not
 * compared with all of them.
 *
 * @returns Their indexes, or `undefined` where all are unique.
 */
export function duplicateIn(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  let found: readonly [number, number] | undefined;
  for (const [index, item] of items.entries()) {
    const name = typeof item === "number" || item === null ? item : canonical(item);
    const other = seen.get(name);
    if (other === undefined) seen.set(name, index);
    else if (other < (found?.[0] ?? index) && !Number.isNaN(item)) found = [other, index];
  }
  return found;
}

/** JSON with the keys in order: the same for what is equal. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join(",")}}`;
}
