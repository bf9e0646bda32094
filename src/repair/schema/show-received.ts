import { showValue, typeName } from "../json/json-value.ts";

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

/**
 * Shows what stands at an issue's place: scalars as JSON, containers by their type alone, so that
 * a message holds no more of the input than what is wrong with it.
 *
 * @param value What stands there; `undefined` where nothing does.
 */
export function showReceived(value: unknown): string {
  return value !== null && typeof value === "object" ? typeName(value) : showValue(value);
}
