import { isJsonObject } from "../json/json-value.ts";

/**
 * Checks whether a value is an object as `{ … }` writes it, of whatever realm, and inherits nothing that
 * a copy would lose: a level, say.
 *
 * @param value Anything.
 */
export function isPlainRecord(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.hasOwn(prototype, "hasOwnProperty");
}
