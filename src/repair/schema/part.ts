import {
  dereference,
  format,
  type Schema,
  type SchemaDraft,
  ucs2length,
} from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import {
  isForeign,
  isKeywords,
  isSchema,
  isString,
  type Keywords,
  listOf,
  mapOf,
  toRegExp,
} from "./keywords.ts";

/** The JSON types that a schema can name. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A part of a schema, read once, with references resolved. */
export interface Part {
  readonly schema: JsonSchema;
  readonly source: Source;
  readonly types: readonly JsonType[] | undefined;
  /** The kinds of value that `type` names, as bits; all without `type`. */
  readonly kinds: number;
  /** The values of `const` and of `enum`. */
  readonly fixed: readonly Fixed[];
  /** The values of `const`, or else of `enum`. */
  readonly values: readonly JsonValue[] | undefined;
  readonly limits: Limits | undefined;
  readonly description: string;
  /** Whether a text has a format here, or a pattern that repeats no group: such a pattern may take forever. */
  readonly hasForm: boolean;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Part>;
  readonly patterns: readonly (readonly [RegExp, Part])[];
  /** The schema of other keys, if any. */
  readonly rest: Part | undefined;
  /** The same, with the schemas of keys that no other keyword covers. */
  readonly additional: readonly Part[];
  readonly closed: boolean;
  /** Whether it explicitly allows other keys. */
  readonly open: boolean;
  /** Whether it names keys, or forbids others: otherwise it is a map, and every key is welcome. */
  readonly named: boolean;
  readonly prefix: readonly Part[];
  /** The schema of other elements, if any. */
  readonly after: Part | undefined;
  readonly isUnique: boolean;
  /** Whether it only restricts the type. */
  readonly isTypeAlone: boolean;
  /** Whether it leads to other parts at the same place. */
  readonly isCombined: boolean;
  readonly target: Part | undefined;
  readonly not: Part | undefined;
  /** `if`, `then` and `else`. */
  readonly condition: readonly Part[];
  /** The parts that apply if another key is present. */
  readonly dependent: readonly Part[];
  readonly allOf: readonly Part[];
  readonly anyOf: readonly Part[] | undefined;
  readonly oneOf: readonly Part[] | undefined;
}

/** Allowed values: lists and objects separately, because they are compared by content. */
interface Fixed {
  readonly keyword: "const" | "enum";
  readonly scalars: ReadonlySet<unknown>;
  readonly containers: readonly object[];
}

/** Bounds, pattern and format, and rare keywords. */
interface Limits {
  readonly keywords: Keywords;
  /** Whether a value is within them; absent if only `@cfworker/json-schema` can tell. */
  readonly isMet: ((value: unknown) => boolean) | undefined;
}

/** The schema that contains a part. */
interface Source {
  readonly draft: SchemaDraft;
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /** Whether all its keywords are known here; otherwise `@cfworker/json-schema` decides. */
  readonly isKnown: boolean;
  /** Whether a reference makes the validator ignore the keywords beside it. */
  readonly isRefAlone: boolean;
  /** The names of all keys that it declares, at any place. */
  readonly names: ReadonlySet<string>;
}

const roots = new WeakMap<object, Part>();

/** Reads a JSON Schema: each part once, with references resolved. */
export function readSchema(schema: JsonSchema, draft: SchemaDraft = draftOf(schema)): Part {
  const known = typeof schema === "object" ? roots.get(schema) : undefined;
  if (known?.source.draft === draft) return known;
  const part = readParts(schema, draft);
  if (typeof schema === "object") roots.set(schema, part);
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
  const { $schema } = mapOf(schema);
  const uri = isString($schema) ? $schema : "";
  if (uri.includes("2020-12")) return "2020-12";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  return uri.includes("draft-04") ? "4" : "2019-09";
}

function readParts(root: JsonSchema, draft: SchemaDraft): Part {
  const parts = new Map<unknown, Part>();
  const references: [part: { target: Part | undefined }, keywords: Keywords][] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const names = new Set<string>();
  const isRefAlone = draft === "4" || draft === "7";
  const source = { draft, isKnown: true, isRefAlone, lookup, names };

  function of(schema: JsonSchema): Part {
    const known = parts.get(schema);
    if (known !== undefined) return known;
    const keywords = mapOf(schema);
    if (isForeign(keywords, draft)) source.isKnown = false;
    const { type, enum: values, const: only, items, anyOf, oneOf, pattern } = keywords;
    const { additionalProperties, if: test, then = true, else: otherwise = true } = keywords;
    const types = type === undefined ? undefined : ([type].flat() as JsonType[]);
    const others = [additionalProperties, keywords.unevaluatedProperties];
    const other = others.find((one) => isSchema(one) && one !== false);
    const closed = others.includes(false);
    const patterns = named(keywords.patternProperties).map(
      ([source, part]) => [toRegExp(source) ?? /(?!)/, part] as const,
    );
    const properties = new Map(named(keywords.properties));
    for (const name of properties.keys()) names.add(name);
    const prefix = list(keywords.prefixItems);
    const after = Array.isArray(items) ? keywords.additionalItems : items;
    const part = {
      schema,
      source,
      types,
      kinds: types?.reduce(addKind, 0) ?? ALL_KINDS,
      fixed: [
        ...(only === undefined ? [] : [toFixed("const", [only])]),
        ...(Array.isArray(values) ? [toFixed("enum", values)] : []),
      ],
      values:
        only === undefined ? (Array.isArray(values) ? values : undefined) : [only as JsonValue],
      limits: readLimits(keywords),
      description: isString(keywords.description) ? keywords.description : "",
      hasForm: isString(keywords.format) || (isString(pattern) && !/\)[*+{]/.test(pattern)),
      required: listOf<string>(keywords.required).filter(isString),
      properties,
      patterns,
      rest: additionalProperties === true ? undefined : some(additionalProperties),
      additional: isKeywords(other) && Object.keys(other).length > 0 ? [of(other)] : [],
      closed,
      open: other !== undefined,
      named: isKeywords(keywords.properties) || closed || patterns.length > 0,
      prefix: Array.isArray(items) ? [...prefix, ...list(items).slice(prefix.length)] : prefix,
      after: after === true ? undefined : some(after),
      isUnique: Boolean(keywords.uniqueItems),
      isTypeAlone: type !== undefined && Object.keys(keywords).every((word) => BARE.has(word)),
      isCombined: COMBINING.some((keyword) => keywords[keyword] !== undefined),
      target: undefined,
      not: some(keywords.not),
      condition: test === undefined ? [] : list([test, then, otherwise]),
      dependent: [keywords.dependencies, keywords.dependentSchemas].flatMap((one) =>
        named(one).map(([, dependent]) => dependent),
      ),
      allOf: [...new Set(list(keywords.allOf))],
      anyOf: Array.isArray(anyOf) ? list(anyOf) : undefined,
      oneOf: Array.isArray(oneOf) ? list(oneOf) : undefined,
    };
    parts.set(schema, part);
    // `@cfworker/json-schema` checks these, but here it must be known whether they can be read.
    for (const one of [keywords.contains, keywords.propertyNames]) some(one);
    if (keywords.$ref !== undefined) references.push([part, keywords]);
    return part;
  }

  function some(schema: unknown): Part | undefined {
    return isSchema(schema) ? of(schema) : undefined;
  }

  function list(schemas: unknown): readonly Part[] {
    return listOf(schemas).filter(isSchema).map(of);
  }

  function named(schemas: unknown): (readonly [string, Part])[] {
    return Object.entries(mapOf(schemas)).flatMap(([name, schema]) =>
      isSchema(schema) ? [[name, of(schema)] as const] : [],
    );
  }

  const part = of(root);
  // It may contain itself by a reference. A reference's target may hold more references.
  for (const [referring, keywords] of references) {
    // The call marks the references with their targets.
    const found = lookup();
    const { $ref, __absolute_ref__: uri } = keywords as Schema;
    const target = found[uri ?? $ref ?? ""];
    if (target === undefined) source.isKnown = false;
    referring.target = some(target);
  }
  return part;
}

const BARE: ReadonlySet<string> = new Set(["type", "title", "description", "default", "examples"]);

/** Keywords that lead to other parts at the same place. */
const COMBINING = ["$ref", "not", "anyOf", "allOf", "oneOf", "if"];

const KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"];
const ALL_KINDS = 2 ** KINDS.length - 1;

function addKind(kinds: number, type: unknown): number {
  const index = KINDS.indexOf(type as string);
  return index < 0 ? kinds : kinds | (2 ** index) | (type === "number" ? 2 : 0);
}

function toFixed(keyword: Fixed["keyword"], values: readonly unknown[]): Fixed {
  const isContainer = (value: unknown) => typeof value === "object" && value !== null;
  const containers = values.filter(isContainer) as object[];
  return { keyword, scalars: new Set(values), containers };
}

const BOUNDS =
  "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format minItems maxItems".split(
    " ",
  );
const RARE =
  `multipleOf contains minContains maxContains dependentRequired dependentSchemas dependencies
  propertyNames minProperties maxProperties`.split(/\s+/);

function readLimits(part: Keywords): Limits | undefined {
  const found = [...RARE, ...BOUNDS].filter((name) => part[name] !== undefined);
  if (found.length === 0) return undefined;
  const keywords = Object.fromEntries(found.map((name) => [name, part[name]]));
  const isRare = found.some((name) => RARE.includes(name));
  return { keywords, isMet: isRare ? undefined : limitsOf(keywords as Schema) };
}

function limitsOf(bounds: Schema): (value: unknown) => boolean {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems = Infinity } = bounds;
  const { minLength = 0, maxLength = Infinity, format: name = "" } = bounds;
  // In draft 4 these are flags; there the validator decides.
  const above = Number(bounds.exclusiveMinimum ?? Number.NaN);
  const below = Number(bounds.exclusiveMaximum ?? Number.NaN);
  const pattern = isString(bounds.pattern) ? toRegExp(bounds.pattern) : undefined;
  const hasFormat = Object.hasOwn(format, name) ? format[name] : undefined;

  function hasLength(text: string): boolean {
    // A character is one or two units: they are counted only if that decides.
    if (text.length / 2 >= minLength && text.length <= maxLength) return true;
    const length = ucs2length(text);
    return length >= minLength && length <= maxLength;
  }

  return (value) => {
    if (typeof value === "string") {
      if (!hasLength(value) || pattern?.test(value) === false) return false;
      return hasFormat === undefined || Boolean(hasFormat(value));
    }
    if (typeof value === "number") {
      return !(value < minimum || value > maximum || value <= above || value >= below);
    }
    return !Array.isArray(value) || (value.length >= minItems && value.length <= maxItems);
  };
}
