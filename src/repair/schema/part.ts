import { dereference, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { isKeywords, isSchema, isString, type Keywords, mapOf } from "./keywords.ts";

/** The JSON types that a schema can name. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A part of a JSON Schema: its keywords, read once, with references resolved. */
export interface Part {
  readonly schema: JsonSchema;
  /** The keywords that count: until draft 7, `$ref` overrides all but annotations. */
  readonly keywords: Keywords;
  readonly source: Source;
  readonly types: readonly JsonType[] | undefined;
  /** The kinds of value that `type` names, as bits; all without `type`. */
  readonly kinds: number;
  /** The values of `const` or `enum`, and the same for a lookup. */
  readonly values: readonly JsonValue[] | undefined;
  readonly choices: ReadonlySet<unknown> | undefined;
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
  /** Whether it only restricts the type. */
  readonly isTypeAlone: boolean;
  /** Whether it leads to other parts at the same place. */
  readonly isCombined: boolean;
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
interface Limits {
  readonly keywords: Keywords;
  /** Whether a value is surely within each; absent if only `@cfworker/json-schema` can tell. */
  readonly checks: readonly ((value: unknown) => boolean)[] | undefined;
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
  try {
    return readSchema(schema).source.names;
  } catch {
    return new Set();
  }
}

/** LangChain validates every schema as 2019-09; toolmend follows the schema's `$schema`. */
function draftOf(schema: JsonSchema): SchemaDraft {
  const uri = String(mapOf(schema).$schema);
  if (uri.includes("2020-12")) return "2020-12";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  return uri.includes("draft-04") ? "4" : "2019-09";
}

/** Keywords that depend on the results of others, or on the place that they are reached from. */
const FOREIGN = ["unevaluatedProperties", "unevaluatedItems", "$recursiveRef", "$recursiveAnchor"];

/** Keywords that lead to other parts at the same place. */
const COMBINING = ["$ref", "not", "anyOf", "allOf", "oneOf", "if"];

function readParts(root: JsonSchema, draft: SchemaDraft): Part {
  const parts = new Map<unknown, Part>();
  const references: { target: Part | undefined; readonly schema: JsonSchema }[] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const names = new Set<string>();
  // In draft 4, some bounds are flags.
  const source = { draft, isKnown: draft !== "4", lookup, names };

  /** Leaves a malformed value to `@cfworker/json-schema`. */
  const expect: Expect = (value, is) => {
    if (value === undefined || is(value)) return value;
    source.isKnown = false;
    return undefined;
  };
  const one = (schema: unknown): readonly Part[] => {
    const found = expect(schema ?? null, isSchema);
    return found === undefined ? [] : [read(found)];
  };
  const some = (schema: unknown) => (schema === undefined ? undefined : one(schema)[0]);
  const list = (schemas: unknown) => expect(schemas, isList)?.flatMap(one);
  const named = (schemas: unknown) =>
    Object.entries(expect(schemas, isKeywords) ?? {}).flatMap(([name, schema]) =>
      one(schema).map((part) => [name, part] as const),
    );

  function read(schema: JsonSchema): Part {
    const known = parts.get(schema);
    if (known !== undefined) return known;
    const keywords = keywordsOf(schema, draft);
    const { const: only, items, if: test, then = true, else: otherwise = true } = keywords;
    const type = expect(keywords.type, isTypes);
    const types = type === undefined ? undefined : [type].flat();
    const choices = expect(keywords.enum, isList) as readonly JsonValue[] | undefined;
    const values = only === undefined ? choices : [only as JsonValue];
    const isForeign = FOREIGN.some((keyword) => keywords[keyword] !== undefined);
    if (isForeign || (only !== undefined && choices !== undefined)) source.isKnown = false;
    const prefix = list(keywords.prefixItems) ?? [];
    const tuple = (isList(items) && list(items)) || [];
    const part = {
      schema,
      keywords,
      source,
      types,
      kinds: types?.reduce(addKind, 0) ?? ALL_KINDS,
      values,
      choices: values && new Set<unknown>(values),
      limits: readLimits(keywords, expect),
      required: expect(keywords.required, isNames) ?? [],
      properties: new Map(named(keywords.properties)),
      patterns: named(keywords.patternProperties).flatMap(([pattern, part]) => {
        const regExp = expect(toRegExp(pattern), (made) => made !== null);
        return regExp === undefined ? [] : [[regExp, part] as const];
      }),
      rest: some(keywords.additionalProperties),
      unevaluated: some(keywords.unevaluatedProperties),
      prefix: [...prefix, ...tuple.slice(prefix.length)],
      after: some(isList(items) ? keywords.additionalItems : items),
      isTypeAlone: types !== undefined && Object.keys(keywords).every((word) => BARE.has(word)),
      isCombined: COMBINING.some((keyword) => keywords[keyword] !== undefined),
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

const ANNOTATIONS = ["title", "description", "default", "examples"];
const BARE: ReadonlySet<string> = new Set(["type", ...ANNOTATIONS]);

function keywordsOf(schema: JsonSchema, draft: SchemaDraft): Keywords {
  const keywords = mapOf(schema);
  if (keywords.$ref === undefined || (draft !== "4" && draft !== "7")) return keywords;
  const kept = ["$ref", ...ANNOTATIONS].filter((keyword) => keywords[keyword] !== undefined);
  return Object.fromEntries(kept.map((keyword) => [keyword, keywords[keyword]]));
}

const KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"];
const ALL_KINDS = 2 ** KINDS.length - 1;

function addKind(kinds: number, type: unknown): number {
  const index = KINDS.indexOf(type as string);
  return index < 0 ? kinds : kinds | (2 ** index) | (type === "number" ? 2 : 0);
}

type Is<Value> = (value: unknown) => value is Value;
type Expect = <Value>(value: unknown, is: Is<Value>) => Value | undefined;

const isList: Is<readonly unknown[]> = (value) => Array.isArray(value);
const isNumber: Is<number> = (value) => Number.isFinite(value);
const isTypes: Is<JsonType | JsonType[]> = (value) => isString(value) || isList(value);
const isNames: Is<string[]> = (value) => isList(value) && value.every(isString);

/** A pattern as the validator reads it; `null` if it is malformed. */
function toRegExp(source: string): RegExp | null {
  try {
    return new RegExp(source, "u");
  } catch {
    return null;
  }
}

function readLimits(keywords: Keywords, expect: Expect): Limits | undefined {
  const found = [...DELEGATED, ...BOUNDS.keys()].filter((name) => keywords[name] !== undefined);
  if (found.length === 0) return undefined;
  const checks = found.flatMap((name) => {
    const limit = BOUNDS.has(name) ? expect(keywords[name], isNumber) : undefined;
    return limit === undefined ? [] : [BOUNDS.get(name)?.(limit)];
  });
  return {
    keywords: Object.fromEntries(found.map((name) => [name, keywords[name]])),
    checks: checks.length === found.length ? checks : undefined,
  };
}

/** Keywords that are rare, or slow in any case. */
const DELEGATED = `pattern format multipleOf contains minContains maxContains minProperties
  maxProperties propertyNames dependentRequired dependentSchemas dependencies`.split(/\s+/);

/** When a value is surely within a bound: a character of text is one or two units. */
const BOUNDS = new Map([
  ["minimum", bound(isNumber, (value, limit) => value >= limit)],
  ["maximum", bound(isNumber, (value, limit) => value <= limit)],
  ["exclusiveMinimum", bound(isNumber, (value, limit) => value > limit)],
  ["exclusiveMaximum", bound(isNumber, (value, limit) => value < limit)],
  ["minLength", bound(isString, ({ length }, limit) => length >= 2 * limit)],
  ["maxLength", bound(isString, ({ length }, limit) => length <= limit)],
  ["minItems", bound(isList, ({ length }, limit) => length >= limit)],
  ["maxItems", bound(isList, ({ length }, limit) => length <= limit)],
]);

function bound<Value>(is: Is<Value>, isMet: (value: Value, limit: number) => boolean) {
  return (limit: number) => (value: unknown) => !is(value) || isMet(value, limit);
}
