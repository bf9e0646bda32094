import { showValue, whyNotJson } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";

/** Nesting down to which a value is taken into an error as it is. */
const MAX_DEPTH = 500;

/**
 * What an error carries of what the model wrote.
 *
 * @param raw What the model wrote.
 * @returns JSON as it is; `""` for nothing; a short description of what is no JSON.
 */
export function toCausingData(raw: unknown): JsonValue | string {
  if (raw === undefined) return "";
  return whyNotJson(raw, MAX_DEPTH) === undefined ? (raw as JsonValue) : showValue(raw, 2_000);
}
