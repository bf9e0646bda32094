import { isJsonObject } from "../json/json-value.ts";

/**
 * Copies what a schema says: its lists and plain objects, a function or instance in them as it is. A
 * Proxy is read, marks under symbols or hidden keys are left out.
 *
 * @param schema A JSON Schema, or a part of one.
 * @param copies What was copied so far, by what it is of: what stands twice stands twice in the copy.
 * @throws RangeError when it is inside itself: no validator can follow it.
 */
export function copySchema<Part>(schema: Part, copies: Map<unknown, unknown> = new Map()): Part {
  if (!Array.isArray(schema) && !isJsonObject(schema)) return schema;
  if (copies.has(schema)) {
    const known = copies.get(schema);
    if (known === undefined) throw new RangeError("The schema is inside itself.");
    return known as Part;
  }
  copies.set(schema, undefined);
  const copy = (Array.isArray(schema) ? [] : {}) as object;
  for (const key of Object.keys(schema)) {
    const value: unknown = copySchema((schema as Record<string, unknown>)[key], copies);
    // Not by assignment: a field may be called `__proto__`.
    Object.defineProperty(copy, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  copies.set(schema, copy);
  return copy as Part;
}

/**
 * Checks whether a copy still says what the schema says: somebody may have changed it since.
 *
 * @param copy What `copySchema` made.
 * @param schema What it was made of.
 */
export function isStillCopy(copy: unknown, schema: unknown): boolean {
  if (copy === schema) return true;
  if (typeof copy !== "object" || typeof schema !== "object" || copy === null || schema === null) {
    return Number.isNaN(copy) && Number.isNaN(schema);
  }
  if (Array.isArray(copy)) {
    if (!Array.isArray(schema) || copy.length !== schema.length) return false;
    for (let index = 0; index < copy.length; index++) {
      if (!isStillCopy(copy[index], schema[index])) return false;
    }
    return true;
  }
  let more = 0;
  for (const key in copy) {
    if (
      !isStillCopy((copy as Record<string, unknown>)[key], (schema as Record<string, unknown>)[key])
    )
      return false;
    more++;
  }
  for (const _ in schema) more--;
  return more === 0;
}
