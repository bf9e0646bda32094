import type { JsonValue } from "../types.ts";

/** The most parts of an input that are compared. */
const MAX_PARTS = 10_000;

/**
 * Checks whether the replacement of an input shares a value with it. A later call that does not is
 * another call, and no correction. Flags, `null` and empty texts do not count.
 */
export function sharesValue(raw: JsonValue, correction: JsonValue): boolean {
  const given = new Set(partsOf(raw));
  return partsOf(correction).some((part) => part !== "" && given.has(part));
}

/** The texts and numbers in a value, and the parts of a text that is a list or JSON. */
function partsOf(value: JsonValue): readonly string[] {
  const found: string[] = [];
  const open: JsonValue[] = [value];
  while (open.length > 0 && found.length < MAX_PARTS) {
    const one = open.pop() as JsonValue;
    if (typeof one === "number") found.push(String(one));
    else if (typeof one === "string") {
      found.push(one.trim());
      if (one.length <= MAX_PARTS) found.push(...one.split(/[\s,;|"'{}[\]:]+/));
    } else if (one !== null && typeof one === "object") {
      for (const child of Object.values(one).slice(0, MAX_PARTS)) open.push(child as JsonValue);
    }
  }
  return found;
}
