import type { JsonValue } from "../types.ts";

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

export function isContainer(value: unknown): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}
