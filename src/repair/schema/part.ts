import {
  dereference,
  ignoredKeyword,
  type Schema,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
} from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import { isJsonObject } from "../json.ts";
import type { JsonSchema, JsonValue } from "../types.ts";

/** A part of a JSON Schema: its keywords, read once, with references resolved. */
export interface Part {
  readonly schema: JsonSchema;
  readonly keywords: Keywords;
  readonly source: Source;
  /** Whether only `@cfworker/json-schema` can tell what it accepts. */
  readonly isForeign: boolean;
  readonly types: readonly string[] | undefined;
  /** The values of `const` or `enum`. */
  readonly values: ReadonlySet<JsonValue> | undefined;
  /** Keywords that restrict the values of one type, and whether all of them are ranges. */
  readonly limits: Schema | undefined;
  readonly isRange: boolean;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Part>;
  readonly patterns: readonly (readonly [RegExp, Part])[];
  /** `additionalProperties`, or else `unevaluatedProperties`. */
  readonly rest: Part | undefined;
  /** The first elements, and the others. */
  readonly prefix: readonly Part[];
  readonly after: Part | undefined;
  /** The part that `$ref` leads to. */
  readonly target: Part | undefined;
  readonly allOf: readonly Part[];
  readonly anyOf: readonly Part[] | undefined;
  readonly oneOf: readonly Part[] | undefined;
}

/** The schema that contains a part. */
interface Source {
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /** Whether all its keywords can be read here; otherwise `@cfworker/json-schema` decides. */
  readonly isKnown: boolean;
  /** The names of all keys that it declares, at any place. */
  readonly names: ReadonlySet<string>;
}

/**
 * Reads a JSON Schema: each part once, with references resolved. LangChain validates every schema as
 * draft 2019-09 and ignores `$schema`.
 */
export function readSchema(schema: JsonSchema): Part {
  return typeof schema === "boolean" ? readParts(schema) : readObject(schema);
}

const readObject = memoize((schema: JsonSchema & object) => readParts(schema));

/** The names of all keys that a schema declares, at any place; empty if it cannot be read. */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  return orElse(() => readSchema(schema).source.names, new Set());
}

/** Keywords that depend on the results of others, or are rare. */
const FOREIGN = "unevaluatedProperties unevaluatedItems not if then else".split(" ");

const RANGES = "minimum maximum minLength maxLength minItems maxItems".split(" ");

/** Limits that are rare, or slow in any case. */
const RARE = `exclusiveMinimum exclusiveMaximum multipleOf pattern format contains minContains
  maxContains minProperties maxProperties propertyNames dependentRequired dependentSchemas
  dependencies`.split(/\s+/);

function readParts(root: JsonSchema): Part {
  const parts = new Map<unknown, Part>();
  const references: { target: Part | undefined; readonly keywords: Schema }[] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const names = new Set<string>();
  const source = { isKnown: true, lookup, names };

  /** Leaves a malformed value to `@cfworker/json-schema`. */
  function expect<Value>(value: unknown, is: (value: unknown) => boolean): Value | undefined {
    if (value === undefined || is(value)) return value as Value | undefined;
    source.isKnown = false;
    return undefined;
  }
  function some(schema: unknown): Part | undefined {
    const found = expect<JsonSchema>(schema, isSchema);
    return found === undefined ? undefined : read(found);
  }
  function list(schemas: unknown): readonly Part[] | undefined {
    return expect<unknown[]>(schemas, Array.isArray)?.flatMap((one) => some(one ?? null) ?? []);
  }
  function named(schemas: unknown): readonly (readonly [string, Part])[] {
    const all = Object.entries(expect<Keywords>(schemas, isKeywords) ?? {});
    return all.flatMap(([name, schema]) => {
      const part = some(schema ?? null);
      return part === undefined ? [] : [[name, part] as const];
    });
  }

  function read(schema: JsonSchema): Part {
    const known = parts.get(schema);
    if (known !== undefined) return known;
    const keywords = typeof schema === "boolean" ? {} : schema;
    const has = (keyword: string) => keywords[keyword] !== undefined;
    if (has("$recursiveRef") || has("$recursiveAnchor")) source.isKnown = false;
    const type = expect<string | string[]>(
      keywords.type,
      (is) => isString(is) || Array.isArray(is),
    );
    const choices = expect<JsonValue[]>(keywords.enum, Array.isArray);
    const values = has("const") ? [keywords.const as JsonValue] : choices;
    const limits = [...RANGES, ...RARE].filter(has);
    const isTuple = Array.isArray(keywords.items);
    const prefix = list(keywords.prefixItems) ?? [];
    const others = isTuple ? (list(keywords.items) ?? []).slice(prefix.length) : [];
    const part = {
      schema,
      keywords,
      source,
      isForeign: FOREIGN.some(has) || (has("const") && has("enum")),
      types: type === undefined ? undefined : [type].flat(),
      values: values && new Set(values),
      limits: limits.length === 0 ? undefined : pick(keywords, limits),
      isRange: limits.every((word) => RANGES.includes(word)),
      required:
        expect<string[]>(keywords.required, (is) => Array.isArray(is) && is.every(isString)) ?? [],
      properties: new Map(named(keywords.properties)),
      patterns: named(keywords.patternProperties).flatMap(([source, part]) => {
        const pattern = orElse(() => new RegExp(source, "u"), null);
        return expect(pattern, (is) => is !== null) ? [[pattern as RegExp, part] as const] : [];
      }),
      rest: some(keywords[has(ADDITIONAL) ? ADDITIONAL : "unevaluatedProperties"]),
      prefix: [...prefix, ...others],
      after: some(isTuple ? keywords.additionalItems : keywords.items),
      target: undefined,
      allOf: list(keywords.allOf) ?? [],
      anyOf: list(keywords.anyOf),
      oneOf: list(keywords.oneOf),
    };
    // `@cfworker/json-schema` checks these, but it must be known whether they can be read.
    for (const word of ["contains", "propertyNames", ...FOREIGN]) some(keywords[word]);
    named(keywords.dependentSchemas);
    for (const name of part.properties.keys()) names.add(name);
    parts.set(schema, part);
    if (expect(keywords.$ref, isString) !== undefined) references.push(part);
    return part;
  }

  const part = read(root);
  // It may contain itself by a reference. A reference's target may hold more references.
  for (const referring of references) {
    // The call marks the references with their URIs.
    const found = lookup();
    const { $ref, __absolute_ref__: uri } = referring.keywords;
    referring.target = some(found[uri ?? $ref ?? ""]);
    if (referring.target === undefined) source.isKnown = false;
  }
  return part;
}

const ADDITIONAL = "additionalProperties";

function pick(keywords: Keywords, names: readonly string[]): Schema {
  return Object.fromEntries(names.map((name) => [name, keywords[name]])) as Schema;
}

/** The part of a schema that describes a place in an input; none if several branches may apply. */
export function partAt(whole: Part, keys: readonly string[]): Part | undefined {
  return keys.reduce<Part | undefined>((part, key) => {
    if (part === undefined) return undefined;
    const { properties, prefix, rest, after } = part.target ?? part;
    const isItem = /^\d+$/.test(key) && (after !== undefined || prefix.length > 0);
    return properties.get(key) ?? (isItem ? (prefix[Number(key)] ?? after) : rest);
  }, whole);
}

/** A JSON type; integers are numbers. */
export type JsonType = "object" | "array" | "string" | "number" | "boolean" | "null";

/** The type of a JSON value. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** The keywords of a JSON Schema, or of a part of one. */
export type Keywords = { readonly [keyword: string]: unknown };

/** Checks whether a schema, or a part of one, has keywords: not a boolean, and not a list. */
export function isKeywords(value: unknown): value is Keywords {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Checks whether a value can be a part of a schema. */
function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isKeywords(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The value that is made, or another if making it throws: a schema may be malformed, or a Proxy. */
export function orElse<Value>(make: () => Value, otherwise: Value): Value {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Keeps what a function makes of each object, as long as the object lives. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value) {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key: Key): Value => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** Keywords that accept every value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default examples $schema $id $defs definitions $comment".split(" "),
);

/** Whether a schema restricts values by no other keywords than these. */
export function hasOnly(schema: Keywords, ...keywords: readonly string[]): boolean {
  return Object.keys(schema).every((word) => ANNOTATIONS.has(word) || keywords.includes(word));
}

/** Keywords whose value has a schema under each key; the keys are names, not keywords. */
export const NAMED_PARTS: readonly string[] = Object.keys(schemaMapKeyword);

const PARTS = new Set(
  Object.keys({ ...schemaKeyword, ...schemaArrayKeyword, ...schemaMapKeyword }),
);

/** With those that `@cfworker/json-schema` lists nowhere: annotations, and one of draft 7. */
const OTHER_KEYWORDS = new Set([
  ...Object.keys(ignoredKeyword),
  ...["title", "description", "examples", "definitions", "dependencies"],
]);

/** Whether a key is a keyword of JSON Schema. */
export function isKeyword(key: string): boolean {
  return PARTS.has(key) || OTHER_KEYWORDS.has(key);
}

const TYPES: readonly unknown[] = "string number integer boolean null array object".split(" ");

/** Finds an unknown type in a JSON Schema, so that no input is blamed for it. */
export function findSchemaFault(schema: unknown, path = ""): string | undefined {
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (!isKeywords(schema)) return `${path || "it"} must be an object.`;
  const odd = [schema.type ?? []].flat().find((type) => !TYPES.includes(type));
  if (odd !== undefined) {
    return `${path}/type is ${JSON.stringify(odd)}, which is none of ${TYPES.join(", ")}.`;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (!PARTS.has(keyword)) continue;
    const isMany = NAMED_PARTS.includes(keyword) || Array.isArray(value);
    for (const [name, part] of isMany ? Object.entries(value ?? {}) : [["", value] as const]) {
      const fault = findSchemaFault(part, `${path}/${keyword}${isMany ? `/${name}` : ""}`);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/**
 * Copies a schema's lists and plain objects; keeps functions and instances in them by reference.
 * Reads a Proxy, and leaves out marks under symbols or hidden keys. Throws if it is inside itself.
 */
export function copySchema<Part>(schema: Part, copies: Map<unknown, unknown> = new Map()): Part {
  if (!Array.isArray(schema) && !isJsonObject(schema)) return schema;
  const copyOf = (part: unknown) => copySchema(part, copies);
  const entries = () => Object.entries(schema).map(([key, part]) => [key, copyOf(part)]);
  const make = () => (Array.isArray(schema) ? schema.map(copyOf) : Object.fromEntries(entries()));
  const copy = copies.get(schema) ?? make();
  copies.set(schema, copy);
  return copy as Part;
}
