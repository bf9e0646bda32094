import {
  dereference,
  ignoredKeyword,
  type Schema,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
} from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import { orElse } from "../foreign.ts";
import { isJsonObject, parsePointer } from "../json.ts";
import type { JsonSchema, JsonValue } from "../types.ts";

/**
 * A part of a JSON Schema: its keywords, read once, with references resolved.
 */
export interface SchemaPart {
  readonly schema: JsonSchema;
  readonly keywords: Keywords;
  readonly source: Source;
  /** Whether only `@cfworker/json-schema` can tell what it accepts. */
  readonly isForeign: boolean;
  readonly types: readonly string[] | undefined;
  /** The values of `const` or `enum`. */
  readonly values: ReadonlySet<JsonValue> | undefined;
  /**
   * Keywords that restrict the values of one type, and whether all of them are
   * ranges.
   */
  readonly limits: Schema | undefined;
  readonly isRange: boolean;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaPart>;
  readonly patterns: readonly (readonly [RegExp, SchemaPart])[];
  /** `additionalProperties`, or else `unevaluatedProperties`. */
  readonly additional: SchemaPart | undefined;
  /** The first elements, and the others. */
  readonly prefix: readonly SchemaPart[];
  readonly after: SchemaPart | undefined;
  /** The part that `$ref` leads to. */
  readonly target: SchemaPart | undefined;
  readonly allOf: readonly SchemaPart[];
  readonly anyOf: readonly SchemaPart[] | undefined;
  readonly oneOf: readonly SchemaPart[] | undefined;
}

/** The schema that contains a part. */
interface Source {
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /**
   * Whether all its keywords can be read here; otherwise
   * `@cfworker/json-schema` decides.
   */
  readonly isKnown: boolean;
  /** The names of all keys that it declares, at any place. */
  readonly names: ReadonlySet<string>;
}

/**
 * Reads a JSON Schema: each part once, with references resolved. LangChain
 * validates every schema as draft 2019-09 and ignores `$schema`.
 */
export function readSchema(schema: JsonSchema): SchemaPart {
  return typeof schema === "boolean" ? readAnew(schema) : readObject(schema);
}

const readAnew = (schema: JsonSchema) =>
  new SchemaReader(schema).readAll(schema);

const readObject = memoize((schema: JsonSchema & object) => readAnew(schema));

/**
 * The names of all keys that a schema declares, at any place; empty if it
 * cannot be read.
 */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  return orElse(() => readSchema(schema).source.names, new Set());
}

/** Keywords that depend on the results of others, or are rare. */
const FOREIGN = "unevaluatedProperties unevaluatedItems not if then else".split(
  " ",
);

const RANGES = "minimum maximum minLength maxLength minItems maxItems".split(
  " ",
);

/** Limits that are rare, or slow in any case. */
const RARE =
  `exclusiveMinimum exclusiveMaximum multipleOf pattern format contains minContains
  maxContains minProperties maxProperties propertyNames dependentRequired dependentSchemas
  dependencies`.split(/\s+/);

/**
 * A part whose reference is resolved once all parts are read: it may lead back
 * to the part itself.
 */
type UnresolvedPart = Omit<SchemaPart, "target"> & {
  target: SchemaPart | undefined;
};

/** Reads the parts of one schema. */
class SchemaReader {
  readonly #parts = new Map<JsonSchema, SchemaPart>();
  readonly #referring: UnresolvedPart[] = [];
  readonly #names = new Set<string>();
  readonly #source: Source & { isKnown: boolean };

  constructor(root: JsonSchema) {
    const lookup = lazy(
      () => dereference(root as Schema) as Record<string, Schema | boolean>,
    );
    this.#source = { isKnown: true, lookup, names: this.#names };
  }

  readAll(root: JsonSchema): SchemaPart {
    const part = this.#read(root);
    // The target of a reference may hold more references.
    for (const referring of this.#referring) this.#resolve(referring);
    return part;
  }

  #resolve(referring: UnresolvedPart): void {
    // `lookup` marks the references with their URIs.
    const targets = this.#source.lookup();
    const { $ref, __absolute_ref__: uri } = referring.keywords as Schema;
    referring.target = this.#readPart(targets[uri ?? $ref ?? ""]);
    if (referring.target === undefined) this.#source.isKnown = false;
  }

  #read(schema: JsonSchema): SchemaPart {
    const known = this.#parts.get(schema);
    if (known !== undefined) return known;
    const keywords = typeof schema === "boolean" ? {} : schema;
    const has = (keyword: string) => keywords[keyword] !== undefined;
    const limits = [...RANGES, ...RARE].filter(has);
    const part: UnresolvedPart = {
      schema,
      keywords,
      source: this.#source,
      isForeign: FOREIGN.some(has) || (has("const") && has("enum")),
      types: this.#readTypes(keywords),
      values: this.#readValues(keywords),
      limits: limits.length === 0 ? undefined : pick(keywords, limits),
      isRange: limits.every((keyword) => RANGES.includes(keyword)),
      required: this.#expect(keywords.required, isStringList) ?? [],
      properties: new Map(this.#readNamed(keywords.properties)),
      patterns: this.#readPatterns(keywords.patternProperties),
      additional: this.#readPart(
        keywords[has(ADDITIONAL) ? ADDITIONAL : "unevaluatedProperties"],
      ),
      ...this.#readItems(keywords),
      target: undefined,
      allOf: this.#readList(keywords.allOf) ?? [],
      anyOf: this.#readList(keywords.anyOf),
      oneOf: this.#readList(keywords.oneOf),
    };
    this.#readUnused(keywords);
    for (const name of part.properties.keys()) this.#names.add(name);
    this.#parts.set(schema, part);
    if (this.#expect(keywords.$ref, isString) !== undefined)
      this.#referring.push(part);
    return part;
  }

  /** Leaves a malformed value to `@cfworker/json-schema`. */
  #expect<Value>(
    value: unknown,
    is: (value: unknown) => value is Value,
  ): Value | undefined {
    if (value === undefined || is(value)) return value;
    this.#source.isKnown = false;
    return undefined;
  }

  #readPart(value: unknown): SchemaPart | undefined {
    const schema = this.#expect(value, isSchema);
    return schema === undefined ? undefined : this.#read(schema);
  }

  #readList(value: unknown): readonly SchemaPart[] | undefined {
    const schemas = this.#expect<unknown[]>(value, Array.isArray);
    return schemas?.flatMap((schema) => this.#readPart(schema ?? null) ?? []);
  }

  #readNamed(value: unknown): readonly (readonly [string, SchemaPart])[] {
    const named: [string, SchemaPart][] = [];
    for (const [name, schema] of Object.entries(
      this.#expect(value, isKeywords) ?? {},
    )) {
      const part = this.#readPart(schema ?? null);
      if (part !== undefined) named.push([name, part]);
    }
    return named;
  }

  #readTypes(keywords: Keywords): readonly string[] | undefined {
    const type = this.#expect(keywords.type, isTypeOrList);
    return typeof type === "string" ? [type] : type;
  }

  #readValues(keywords: Keywords): ReadonlySet<JsonValue> | undefined {
    const choices = this.#expect<JsonValue[]>(keywords.enum, Array.isArray);
    if (keywords.const !== undefined)
      return new Set([keywords.const as JsonValue]);
    return choices && new Set(choices);
  }

  #readPatterns(value: unknown): readonly (readonly [RegExp, SchemaPart])[] {
    const patterns: [RegExp, SchemaPart][] = [];
    for (const [source, part] of this.#readNamed(value)) {
      const pattern = orElse(() => new RegExp(source, "u"), undefined);
      if (pattern === undefined) this.#source.isKnown = false;
      else patterns.push([pattern, part]);
    }
    return patterns;
  }

  #readItems(keywords: Keywords): Pick<SchemaPart, "prefix" | "after"> {
    const { items, prefixItems, additionalItems } = keywords;
    const prefix = this.#readList(prefixItems) ?? [];
    if (!Array.isArray(items)) return { prefix, after: this.#readPart(items) };
    const further = (this.#readList(items) ?? []).slice(prefix.length);
    return {
      prefix: [...prefix, ...further],
      after: this.#readPart(additionalItems),
    };
  }

  /**
   * `@cfworker/json-schema` checks these, but it must be known whether they can
   * be read.
   */
  #readUnused(keywords: Keywords): void {
    const isRecursive = keywords.$recursiveRef ?? keywords.$recursiveAnchor;
    if (isRecursive !== undefined) this.#source.isKnown = false;
    for (const keyword of ["contains", "propertyNames", ...FOREIGN]) {
      this.#readPart(keywords[keyword]);
    }
    this.#readNamed(keywords.dependentSchemas);
  }
}

const ADDITIONAL = "additionalProperties";

function pick(keywords: Keywords, names: readonly string[]): Schema {
  return Object.fromEntries(
    names.map((name) => [name, keywords[name]]),
  ) as Schema;
}

/**
 * The part of a schema that describes a place in an input; none if several
 * branches may apply.
 */
export function partAt(
  whole: SchemaPart,
  keys: readonly string[],
): SchemaPart | undefined {
  let part: SchemaPart | undefined = whole;
  for (const key of keys) part = part && partBelow(part.target ?? part, key);
  return part;
}

/**
 * The same, with a `$ref` at the place itself followed; none if the schema
 * cannot be read.
 */
export function resolvedPartAt(
  schema: JsonSchema,
  keys: readonly string[],
): SchemaPart | undefined {
  const part = orElse(() => partAt(readSchema(schema), keys), undefined);
  return part?.target ?? part;
}

/**
 * The keys that an object declares; `undefined` if it says that it takes
 * others, or is not known for sure.
 *
 * @param pointer Its place, as a JSON Pointer; `*` is every element of an
 *   array.
 */
export function declaredKeysAt(
  schema: JsonSchema,
  pointer: string,
): readonly string[] | undefined {
  const keys = parsePointer(pointer).map((key) => (key === "*" ? "0" : key));
  const part = resolvedPartAt(schema, keys);
  const takesOthers =
    part?.additional !== undefined && part.additional.schema !== false;
  if (part === undefined || takesOthers) return undefined;
  const { properties, patterns, allOf, anyOf, oneOf } = part;
  const branches = [...patterns, ...allOf, ...(anyOf ?? []), ...(oneOf ?? [])];
  return branches.length === 0 ? [...properties.keys()] : undefined;
}

function partBelow(part: SchemaPart, key: string): SchemaPart | undefined {
  const { properties, prefix, additional, after } = part;
  const property = properties.get(key);
  if (property !== undefined) return property;
  const hasItems = after !== undefined || prefix.length > 0;
  return hasItems && /^\d+$/.test(key)
    ? (prefix[Number(key)] ?? after)
    : additional;
}

/** A JSON type; integers are numbers. */
export type JsonType =
  | "object"
  | "array"
  | "string"
  | "number"
  | "boolean"
  | "null";

/** The type of a JSON value. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** The keywords of a JSON Schema, or of a part of one. */
export type Keywords = { readonly [keyword: string]: unknown };

/**
 * Checks whether a schema, or a part of one, has keywords: not a boolean, and
 * not a list.
 */
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

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

function isTypeOrList(value: unknown): value is string | string[] {
  return isString(value) || Array.isArray(value);
}

/** Keeps what a function makes of each object, as long as the object lives. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value) {
  const values = new WeakMap<Key, { readonly value: Value }>();
  return (key: Key): Value => {
    const kept = values.get(key) ?? { value: make(key) };
    values.set(key, kept);
    return kept.value;
  };
}

/** Keywords that accept every value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default examples $schema $id $defs definitions $comment".split(
    " ",
  ),
);

/** Whether a schema restricts values by no other keywords than these. */
export function hasOnly(
  schema: Keywords,
  ...keywords: readonly string[]
): boolean {
  return Object.keys(schema).every(
    (word) => ANNOTATIONS.has(word) || keywords.includes(word),
  );
}

/**
 * Keywords whose value has a schema under each key; the keys are names, not
 * keywords.
 */
export const NAMED_PARTS: readonly string[] = Object.keys(schemaMapKeyword);

const PARTS = new Set(
  Object.keys({ ...schemaKeyword, ...schemaArrayKeyword, ...schemaMapKeyword }),
);

/**
 * With those that `@cfworker/json-schema` lists nowhere: annotations, and one
 * of draft 7.
 */
const OTHER_KEYWORDS =
  "title description examples definitions dependencies".split(" ");

/** Whether a key is a keyword of JSON Schema. */
export function isKeyword(key: string): boolean {
  return (
    PARTS.has(key) ||
    Object.hasOwn(ignoredKeyword, key) ||
    OTHER_KEYWORDS.includes(key)
  );
}

const TYPES: readonly unknown[] =
  "string number integer boolean null array object".split(" ");

/**
 * Finds an unknown type in a JSON Schema, so that no input is blamed for it.
 */
export function findSchemaFault(
  schema: unknown,
  path = "",
): string | undefined {
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (!isKeywords(schema)) return `${path || "it"} must be an object.`;
  const unknown = [schema.type ?? []]
    .flat()
    .find((type) => !TYPES.includes(type));
  if (unknown !== undefined) {
    return `${path}/type is ${JSON.stringify(unknown)}, which is none of ${TYPES.join(", ")}.`;
  }
  for (const [place, part] of partsIn(schema)) {
    const fault = findSchemaFault(part, path + place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The schemas right inside a schema, by their places in it. */
function partsIn(schema: Keywords): readonly (readonly [string, unknown])[] {
  return Object.entries(schema).flatMap(
    ([keyword, value]): [string, unknown][] => {
      if (!PARTS.has(keyword)) return [];
      const place = `/${keyword}`;
      const holdsMany = NAMED_PARTS.includes(keyword) || Array.isArray(value);
      if (!holdsMany) return [[place, value]];
      return Object.entries(value ?? {}).map(([name, part]) => [
        `${place}/${name}`,
        part,
      ]);
    },
  );
}

/**
 * Copies a schema's lists and plain objects; keeps functions and instances in
 * them by reference. Reads a Proxy, and leaves out marks under symbols or
 * hidden keys. Throws if it is inside itself.
 */
export function copySchema<Value>(
  schema: Value,
  copies: Map<unknown, unknown> = new Map(),
): Value {
  if (!Array.isArray(schema) && !isJsonObject(schema)) return schema;
  const known = copies.get(schema);
  if (known !== undefined) return known as Value;
  const entries = Object.entries(schema).map(([key, part]) => [
    key,
    copySchema(part, copies),
  ]);
  const copy = Array.isArray(schema)
    ? entries.map(([, part]) => part)
    : Object.fromEntries(entries);
  copies.set(schema, copy);
  return copy;
}
