import type { JsonValue } from "../types.ts";

/** What `JSON.parse` makes of a text; `undefined` when it is no JSON. */
export function parseExactly(text: string): JsonValue | undefined {
  if (!MAY_BE_JSON.test(text)) return undefined;
  const limit = Error.stackTraceLimit;
  // Nobody sees the error: its stack would cost more than the parsing.
  const isBare = typeof limit === "number" && mayLimit(0);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  } finally {
    if (isBare) mayLimit(limit);
  }
}

/** Sets how much of a stack is kept, where that is not frozen. */
function mayLimit(limit: number): boolean {
  try {
    Error.stackTraceLimit = limit;
    return true;
  } catch {
    return false;
  }
}

/** What JSON can begin with. */
const MAY_BE_JSON = /^[ \t\r\n]*(?:\{[ \t\r\n]*["}]|[["\-\dtfn])/;

/** Tells whether a value is an object or an array. */
export function isContainer(value: unknown): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}
