import { getAt } from "../json/json-pointer.ts";
import type { JsonValue } from "../types.ts";

/** How many references are followed before a schema is taken to lead nowhere. */
const MAX_REFERENCES = 32;

/**
 * Finds what a JSON Schema says of one place in an input. For messages: where several branches
 * may apply, none is picked.
 *
 * @param root The schema of the whole input.
 * @param segments The place, as keys and indexes from the root down.
 * @returns The schema of that place, or `undefined` where it is not known.
 */
export function schemaAt(root: unknown, segments: readonly string[]): unknown {
  let schema = dereference(root, root);
  for (const segment of segments) schema = schemaBelow(root, schema, segment);
  return schema;
}

/**
 * Finds what a JSON Schema says of a key or element of a place.
 *
 * @param root The schema of the whole input.
 * @param schema The schema of the place.
 * @param segment The key or index.
 */
export function schemaBelow(root: unknown, schema: unknown, segment: string): unknown {
  return dereference(root, childSchema(schema, segment));
}

function childSchema(schema: unknown, segment: string): unknown {
  if (schema === null || typeof schema !== "object") return undefined;
  const { properties, items, prefixItems, additionalProperties } = schema as {
    readonly [keyword: string]: unknown;
  };
  if (properties !== null && typeof properties === "object" && Object.hasOwn(properties, segment)) {
    const property = (properties as { readonly [key: string]: unknown })[segment];
    if (property !== undefined) return property;
  }
  const tuple = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(tuple) && /^\d+$/.test(segment)) {
    return tuple[Number(segment)] ?? (Array.isArray(items) ? undefined : items);
  }
  return /^\d+$/.test(segment) && items !== undefined ? items : additionalProperties;
}

/** Follows references within the schema. */
export function dereference(root: unknown, schema: unknown): unknown {
  let target = schema;
  for (let step = 0; step < MAX_REFERENCES; step++) {
    const reference = (target as { $ref?: unknown } | null | undefined)?.$ref;
    if (typeof reference !== "string") return target;
    target = partReferredTo(root, reference);
  }
  return undefined;
}

/** What a reference by place leads to; what is named by an anchor, or elsewhere, is not known here. */
function partReferredTo(root: unknown, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    return getAt(root as JsonValue, decodeURIComponent(reference.slice(1)));
  } catch {
    // No URI, as `#/a%`.
    return undefined;
  }
}
