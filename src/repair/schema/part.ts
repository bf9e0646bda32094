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
import { isContainer, isJsonObject, parsePointer } from "../json.ts";
import { isDigits } from "../text.ts";
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
  if (typeof schema === "boolean") return readAnew(schema);
  return readObject(schema);
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
const RARE = (
  "exclusiveMinimum exclusiveMaximum multipleOf pattern format contains " +
  "minContains maxContains minProperties maxProperties propertyNames " +
  "dependentRequired dependentSchemas dependencies"
).split(" ");

/**
 * A part whose reference is resolved once all parts are read: it may lead back
 * to the part itself.
 */
type UnresolvedPart = Omit<SchemaPart, "target"> & {
  target: SchemaPart | undefined;
};

/** A part, and the key or index that it stands at. */
type NamedPart = readonly [string, SchemaPart];

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
    const keywords = referring.keywords as Schema;
    const { $ref = "", __absolute_ref__: uri = $ref } = keywords;
    referring.target = this.#readPart(targets[uri]);
    if (referring.target === undefined) this.#source.isKnown = false;
  }

  #read(schema: JsonSchema): SchemaPart {
    const known = this.#parts.get(schema);
    if (known !== undefined) return known;
    const keywords = typeof schema === "boolean" ? {} : schema;
    const has = (keyword: string) => keywords[keyword] !== undefined;
    const limits = [...RANGES, ...RARE].filter(has);
    const {
      unevaluatedProperties,
      additionalProperties = unevaluatedProperties,
    } = keywords;
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
      additional: this.#readPart(additionalProperties),
      ...this.#readItems(keywords),
      target: undefined,
      allOf: this.#readListOrNone(keywords.allOf),
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
    if (schemas === undefined) return undefined;
    return this.#readEach(schemas).map(([, part]) => part);
  }

  #readListOrNone(value: unknown): readonly SchemaPart[] {
    return this.#readList(value) ?? [];
  }

  #readNamed(value: unknown): readonly NamedPart[] {
    return this.#readEach(this.#expect(value, isKeywords) ?? {});
  }

  #readEach(schemas: object): readonly NamedPart[] {
    const named: NamedPart[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      // A member that is there, but undefined, is malformed.
      const part = this.#readPart(schema ?? null);
      if (part !== undefined) named.push([name, part]);
    }
    return named;
  }

  #readTypes(keywords: Keywords): readonly string[] | undefined {
    const type = this.#expect(keywords.type, isTypeOrList);
    if (typeof type === "string") return [type];
    return type;
  }

  #readValues(keywords: Keywords): ReadonlySet<JsonValue> | undefined {
    const choices = this.#expect<JsonValue[]>(keywords.enum, Array.isArray);
    if (keywords.const !== undefined)
      return new Set([keywords.const as JsonValue]);
    if (choices === undefined) return undefined;
    return new Set(choices);
  }

  #readPatterns(value: unknown): SchemaPart["patterns"] {
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
    const prefix = this.#readListOrNone(prefixItems);
    if (!Array.isArray(items)) return { prefix, after: this.#readPart(items) };
    const further = this.#readListOrNone(items).slice(prefix.length);
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
  let part = whole;
  for (const key of keys) {
    const below = partBelow(followRef(part), key);
    if (below === undefined) return undefined;
    part = below;
  }
  return part;
}

/** The part that a `$ref` leads to, or the part itself. */
export function followRef(part: SchemaPart): SchemaPart {
  return part.target ?? part;
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
  if (part === undefined) return undefined;
  return followRef(part);
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
  if (part === undefined) return undefined;
  const { properties, patterns, additional, allOf } = part;
  const { anyOf = [], oneOf = [] } = part;
  const takesOthers = additional !== undefined && additional.schema !== false;
  if (takesOthers) return undefined;
  const branches = [...patterns, ...allOf, ...anyOf, ...oneOf];
  if (branches.length > 0) return undefined;
  return [...properties.keys()];
}

function partBelow(part: SchemaPart, key: string): SchemaPart | undefined {
  const { properties, prefix, additional, after } = part;
  const property = properties.get(key);
  if (property !== undefined) return property;
  const hasItems = after !== undefined || prefix.length > 0;
  if (!hasItems) return additional;
  if (!isDigits(key)) return additional;
  return prefix[Number(key)] ?? after;
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
export function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/** The keywords of a JSON Schema, or of a part of one. */
export type Keywords = { readonly [keyword: string]: unknown };

/**
 * Checks whether a schema, or a part of one, has keywords: not a boolean, and
 * not a list.
 */
export function isKeywords(value: unknown): value is Keywords {
  return isContainer(value) && !Array.isArray(value);
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

const KEYWORDS: ReadonlySet<string> = new Set([
  ...PARTS,
  ...Object.keys(ignoredKeyword),
  ...OTHER_KEYWORDS,
]);

/** Whether a key is a keyword of JSON Schema. */
export function isKeyword(key: string): boolean {
  return KEYWORDS.has(key);
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
  const parts: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!PARTS.has(keyword)) continue;
    const holdsMany = NAMED_PARTS.includes(keyword) || Array.isArray(value);
    if (!holdsMany) {
      parts.push([`/${keyword}`, value]);
      continue;
    }
    for (const [name, part] of Object.entries(Object(value))) {
      parts.push([`/${keyword}/${name}`, part]);
    }
  }
  return parts;
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
