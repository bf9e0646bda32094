import { parsePointer } from "../../repair/json/json-pointer.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../repair/types.ts";

/** The most schemas that are looked at for one place. */
const MAX_SCHEMAS = 200;

/**
 * Finds the schemas of a place: of a union, those of every branch.
 *
 * @param root The schema of the whole input.
 * @param pointer The place, as a JSON Pointer; `*` is every element of an array.
 */
function schemasAt(root: JsonSchema, pointer: string): readonly JsonObject[] {
  let found = branchesOf([root], root);
  for (const segment of parsePointer(pointer)) {
    found = branchesOf(
      found.flatMap((schema) => childrenOf(schema, segment)),
      root,
    );
  }
  return found;
}

/**
 * Lists the fixed values of a place.
 *
 * @param root The schema of the whole input.
 * @param pointer The place.
 * @returns `undefined` where other values may stand, too.
 */
export function choicesAt(root: JsonSchema, pointer: string): readonly JsonValue[] | undefined {
  const choices: JsonValue[] = [];
  for (const schema of schemasAt(root, pointer)) {
    if ("const" in schema) choices.push(schema.const as JsonValue);
    else if (Array.isArray(schema.enum)) choices.push(...(schema.enum as JsonValue[]));
    else if (schema.type !== "null") return undefined;
  }
  return choices.length === 0 ? undefined : choices;
}

function childrenOf(schema: JsonObject, segment: string): readonly unknown[] {
  if (segment === "*") return [schema.items, ...asList(schema.prefixItems)];
  const { properties } = schema;
  return isJsonObject(properties) && Object.hasOwn(properties, segment)
    ? [properties[segment]]
    : [];
}

function branchesOf(schemas: readonly unknown[], root: JsonSchema): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const seen = new Set<unknown>();
  const stack = [...schemas].reverse();
  while (stack.length > 0 && seen.size < MAX_SCHEMAS) {
    const schema = stack.pop();
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => asList(schema[key]));
    const referred = typeof schema.$ref === "string" ? [followRef(root, schema.$ref)] : [];
    if (inner.length + referred.length === 0 || schema.properties !== undefined) found.push(schema);
    stack.push(...[...referred, ...inner].reverse());
  }
  return found;
}

function followRef(root: JsonSchema, ref: string): unknown {
  if (!ref.startsWith("#")) return undefined;
  let value: unknown = root;
  for (const segment of parsePointer(decodeURIComponent(ref.slice(1)))) {
    value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
