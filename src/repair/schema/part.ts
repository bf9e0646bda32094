import { dereference, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { isKeywords, isSchema, isString, type Keywords, mapOf, orElse } from "./keywords.ts";

/** The JSON types that a schema can name. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A part of a JSON Schema: its keywords, read once, with references resolved. */
export interface Part {
  readonly schema: JsonSchema;
  /** The keywords that count: until draft 7, `$ref` overrides all but annotations. */
  readonly keywords: Keywords;
  readonly source: Source;
  readonly types: readonly JsonType[] | undefined;
  /** Whether it only restricts the type. */
  readonly isTypeAlone: boolean;
  /** The values of `const` or `enum`. */
  readonly values: ReadonlySet<JsonValue> | undefined;
  readonly limits: Limits | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Part>;
  readonly patterns: readonly (readonly [RegExp, Part])[];
  /** `additionalProperties` and `unevaluatedProperties`. */
  readonly rest: Part | undefined;
  readonly unevaluated: Part | undefined;
  /** The first elements, and the others. */
  readonly prefix: readonly Part[];
  readonly after: Part | undefined;
  /** The part that `$ref` leads to. */
  readonly target: Part | undefined;
  readonly not: Part | undefined;
  readonly allOf: readonly Part[];
  readonly anyOf: readonly Part[] | undefined;
  readonly oneOf: readonly Part[] | undefined;
  /** `if`, `then` and `else`. */
  readonly condition: readonly Part[];
  /** The parts that apply if another key is present. */
  readonly dependent: readonly Part[];
}

/** Keywords that restrict a value of one type. */
export interface Limits {
  readonly keywords: Keywords;
  /** The sizes that are surely allowed, by type; absent if only `@cfworker/json-schema` can tell. */
  readonly ranges: { readonly [type: string]: Range } | undefined;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The schema that contains a part. */
interface Source {
  readonly draft: SchemaDraft;
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /** Whether all its keywords can be read here; otherwise `@cfworker/json-schema` decides. */
  readonly isKnown: boolean;
  /** The names of all keys that it declares, at any place. */
  readonly names: ReadonlySet<string>;
}

const roots = new WeakMap<object, Part>();

/** Reads a JSON Schema: each part once, with references resolved. */
export function readSchema(schema: JsonSchema, draft: SchemaDraft = draftOf(schema)): Part {
  if (typeof schema === "boolean") return readParts(schema, draft);
  const known = roots.get(schema);
  const part = known?.source.draft === draft ? known : readParts(schema, draft);
  roots.set(schema, part);
  return part;
}

/** The names of all keys that a schema declares, at any place; empty if it cannot be read. */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  return orElse(() => readSchema(schema).source.names, new Set());
}

/** LangChain validates every schema as 2019-09; toolmend follows the schema's `$schema`. */
function draftOf(schema: JsonSchema): SchemaDraft {
  const uri = String(mapOf(schema).$schema);
  if (uri.includes("2020-12")) return "2020-12";
  return /draft-0[67]/.test(uri) ? "7" : uri.includes("draft-04") ? "4" : "2019-09";
}

/** Keywords that depend on the results of others, or on the place that they are reached from. */
const FOREIGN = ["unevaluatedProperties", "unevaluatedItems", "$recursiveRef", "$recursiveAnchor"];

const ANNOTATIONS = ["title", "description", "default", "examples"];
const BARE: ReadonlySet<string> = new Set(["type", ...ANNOTATIONS]);

function readParts(root: JsonSchema, draft: SchemaDraft): Part {
  const parts = new Map<unknown, Part>();
  const references: { target: Part | undefined; readonly schema: JsonSchema }[] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const names = new Set<string>();
  // In draft 4, some bounds are flags.
  const source = { draft, isKnown: draft !== "4", lookup, names };

  /** Leaves a malformed value to `@cfworker/json-schema`. */
  function expect<Value>(value: unknown, is: (value: unknown) => boolean): Value | undefined {
    if (value === undefined || is(value)) return value as Value | undefined;
    source.isKnown = false;
    return undefined;
  }
  function one(schema: unknown): readonly Part[] {
    const found = expect<JsonSchema>(schema ?? null, isSchema);
    return found === undefined ? [] : [read(found)];
  }
  function some(schema: unknown): Part | undefined {
    return schema === undefined ? undefined : one(schema)[0];
  }
  function list(schemas: unknown): readonly Part[] | undefined {
    return expect<readonly unknown[]>(schemas, Array.isArray)?.flatMap(one);
  }
  function named(schemas: unknown): (readonly [string, Part])[] {
    return Object.entries(expect<Keywords>(schemas, isKeywords) ?? {}).flatMap(([name, schema]) =>
      one(schema).map((part) => [name, part] as const),
    );
  }

  function read(schema: JsonSchema): Part {
    const known = parts.get(schema);
    if (known !== undefined) return known;
    const keywords = keywordsOf(schema, draft);
    const { const: only, items, if: test, then = true, else: otherwise = true } = keywords;
    const isForeign = FOREIGN.some((keyword) => keywords[keyword] !== undefined);
    if (isForeign || (only !== undefined && keywords.enum !== undefined)) source.isKnown = false;
    const type = expect<JsonType | JsonType[]>(keywords.type, isTypes);
    const choices = expect<JsonValue[]>(keywords.enum, Array.isArray);
    const values = only === undefined ? choices : [only as JsonValue];
    const prefix = list(keywords.prefixItems) ?? [];
    const isTuple = Array.isArray(items);
    const part = {
      schema,
      keywords,
      source,
      types: type === undefined ? undefined : [type].flat(),
      isTypeAlone: type !== undefined && Object.keys(keywords).every((word) => BARE.has(word)),
      values: values && new Set(values),
      limits: readLimits(keywords),
      required: expect<string[]>(keywords.required, isNames) ?? [],
      properties: new Map(named(keywords.properties)),
      patterns: named(keywords.patternProperties).map(([pattern, part]) => {
        const source = expect<string>(pattern, isPattern) ?? "(?!)";
        return [new RegExp(source, "u"), part] as const;
      }),
      rest: some(keywords.additionalProperties),
      unevaluated: some(keywords.unevaluatedProperties),
      prefix: [...prefix, ...((isTuple && list(items)) || []).slice(prefix.length)],
      after: some(isTuple ? keywords.additionalItems : items),
      target: undefined,
      not: some(keywords.not),
      allOf: list(keywords.allOf) ?? [],
      anyOf: list(keywords.anyOf),
      oneOf: list(keywords.oneOf),
      condition: test === undefined ? [] : [test, then, otherwise].flatMap(one),
      dependent: [keywords.dependencies, keywords.dependentSchemas].flatMap((schemas) =>
        Object.values(mapOf(schemas)).filter(isSchema).map(read),
      ),
    };
    // Others check these, but here must be known whether they can be read.
    for (const schema of [keywords.contains, keywords.propertyNames]) some(schema);
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
    const { $ref, __absolute_ref__: uri } = mapOf(referring.schema) as Schema;
    referring.target = some(found[uri ?? $ref ?? ""]);
    if (referring.target === undefined) source.isKnown = false;
  }
  return part;
}

function keywordsOf(schema: JsonSchema, draft: SchemaDraft): Keywords {
  const keywords = mapOf(schema);
  if (keywords.$ref === undefined || (draft !== "4" && draft !== "7")) return keywords;
  const kept = ["$ref", ...ANNOTATIONS].filter((keyword) => keywords[keyword] !== undefined);
  return Object.fromEntries(kept.map((keyword) => [keyword, keywords[keyword]]));
}

function isTypes(value: unknown): boolean {
  return isString(value) || Array.isArray(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function isPattern(source: unknown): boolean {
  return orElse(() => new RegExp(source as string, "u") instanceof RegExp, false);
}

/** Bounds that are checked without `@cfworker/json-schema`. */
const RANGES = [
  ["number", "minimum", "maximum"],
  ["string", "minLength", "maxLength"],
  ["array", "minItems", "maxItems"],
] as const;

/** Those that it checks, because they are rare, or slow in any case. */
const DELEGATED = `exclusiveMinimum exclusiveMaximum multipleOf pattern format contains minContains
  maxContains minProperties maxProperties propertyNames dependentRequired dependentSchemas
  dependencies`.split(/\s+/);

function readLimits(part: Keywords): Limits | undefined {
  const found = [...RANGES.flat(), ...DELEGATED].filter((name) => part[name] !== undefined);
  if (found.length === 0) return undefined;
  const keywords = Object.fromEntries(found.map((name) => [name, part[name]]));
  const isOurs = found.every((name) => !DELEGATED.includes(name) && Number.isFinite(part[name]));
  const ranges = RANGES.map(([type, from, to]) => {
    const [least = -Infinity, most = Infinity] = [part[from], part[to]] as number[];
    // A character of text is one or two units.
    return [type, { least: type === "string" && least > 1 ? 2 * least : least, most }] as const;
  });
  return { keywords, ranges: isOurs ? Object.fromEntries(ranges) : undefined };
}
