import { parseExactly } from "../../repair/read/parse-exactly.ts";
import type { JsonValue } from "../../repair/types.ts";

/** Returns what was written as the value that it is of, where it is text of JSON. */
export function asValue(raw: unknown): JsonValue {
  if (typeof raw !== "string") return raw as JsonValue;
  const value = parseExactly(raw);
  return value === undefined ? raw : value;
}
