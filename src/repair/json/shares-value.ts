import type { JsonValue } from "../types.ts";

/**
 * Checks whether the replacement of an input shares a word or number with it. A later call that does
 * not is another call, and no correction. Flags, `null` and keys do not count.
 */
export function sharesValue(raw: JsonValue, correction: JsonValue): boolean {
  const given = new Set(partsOf(raw));
  return partsOf(correction).some((part) => given.has(part));
}

function partsOf(value: JsonValue): readonly string[] {
  const values = JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null ? Object.values(one) : one,
  );
  return values.split(/(?:\\.|[\s,;|"'{}[\]:])+/).filter((part) => !NO_PART.test(part));
}

const NO_PART = /^(?:true|false|null)?$/;
