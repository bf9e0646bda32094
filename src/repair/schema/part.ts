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

/** What a schema says of a place in one of its branches. Several parts at a key hold together. */
export interface Shape {
  readonly types: readonly JsonType[] | undefined;
  /** The values of `const`, or else of `enum`. */
  readonly values: readonly JsonValue[] | undefined;
  readonly description: string;
  readonly properties: ReadonlyMap<string, readonly Part[]>;
  /** Keys that are declared as required, or under a condition only. */
  readonly mentioned: ReadonlyMap<string, readonly Part[]>;
  readonly required: readonly string[];
  /** Whether it names keys, or forbids others: else it describes a map, in which every key is welcome. */
  readonly named: boolean;
  readonly closed: boolean;
  /** Whether it says that other keys are welcome. */
  readonly open: boolean;
  readonly patterns: readonly (readonly [RegExp, Part])[];
  /** What stands at other keys, where something is said of it. */
  readonly additional: readonly Part[];
  readonly prefix: readonly (readonly Part[])[];
  readonly items: readonly Part[];
}

/** A part of a schema, read once: what it says itself, and what else it says of the same place. */
export interface Part extends Shape {
  /** The part as it is written. */
  readonly schema: JsonSchema;
  readonly source: Source;
  /** The kinds of value that `type` names, as bits; all where it is not there. */
  readonly kinds: number;
  readonly only: ReadonlySet<unknown> | undefined;
  readonly choices: ReadonlySet<unknown> | undefined;
  readonly limits: Limits | undefined;
  readonly isUnique: boolean;
  /** Whether it says no more than a type. */
  readonly isTypeAlone: boolean;
  /** Whether it leads to other parts at the same place. */
  readonly isCombined: boolean;
  readonly target: Part | undefined;
  readonly not: Part | undefined;
  /** `if`, `then` and `else`. */
  readonly condition: readonly Part[] | undefined;
  /** What holds where another key is there. */
  readonly dependent: readonly Part[];
  readonly allOf: readonly Part[];
  readonly anyOf: readonly Part[] | undefined;
  readonly oneOf: readonly Part[] | undefined;
  /** What other keys and elements must be, where that is said. */
  readonly rest: Part | undefined;
  readonly after: Part | undefined;
}

/** Bounds, pattern and format, and keywords that are rare. */
export interface Limits {
  readonly keywords: Keywords;
  /** Whether a value is within bounds, pattern and format. */
  readonly isMet: (value: unknown) => boolean;
  /** Those that `@cfworker/json-schema` is asked about. */
  readonly rare: Keywords | undefined;
}

/** The schema that a part is of. */
export interface Source {
  readonly root: JsonSchema;
  readonly draft: SchemaDraft;
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /** Whether all of it is in keywords that are known here; else `@cfworker/json-schema` is asked. */
  readonly isKnown: boolean;
  /** Whether a reference makes the validator pass over the keywords beside it. */
  readonly isRefAlone: boolean;
}

/** What says nothing. */
export const ANYTHING: Shape = {
  types: undefined,
  values: undefined,
  description: "",
  properties: new Map(),
  mentioned: new Map(),
  required: [],
  named: false,
  closed: false,
  open: false,
  patterns: [],
  additional: [],
  prefix: [],
  items: [],
};

const roots = new WeakMap<object, Part>();

/**
 * Reads a JSON Schema: each part once, with references resolved.
 *
 * @param schema The schema. Where it has references, its parts are marked as the validator marks them.
 * @param draft The draft by which it is read. Default: the one that it names, or that of LangChain.
 * @throws What the validator throws at a schema that it cannot read.
 */
export function readSchema(schema: JsonSchema, draft: SchemaDraft = draftOf(schema)): Part {
  const known = typeof schema === "object" ? roots.get(schema) : undefined;
  if (known?.source.draft === draft) return known;
  const part = readParts(schema, draft);
  if (typeof schema === "object") roots.set(schema, part);
  return part;
}

/** LangChain validates every schema as 2019-09, whatever it says it is; we mind what it says. */
function draftOf(schema: JsonSchema): SchemaDraft {
  const { $schema } = mapOf(schema);
  const uri = typeof $schema === "string" ? $schema : "";
  if (uri.includes("2020-12")) return "2020-12";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  return uri.includes("draft-04") ? "4" : "2019-09";
}

function readParts(root: JsonSchema, draft: SchemaDraft): Part {
  const parts = new Map<unknown, Part>();
  const references: [part: { target: Part | undefined }, keywords: Keywords][] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const source = { root, draft, isKnown: true, isRefAlone: draft === "4" || draft === "7", lookup };

  function of(schema: JsonSchema): Part {
    const known = parts.get(schema);
    if (known !== undefined) return known;
    const keywords = mapOf(schema);
    if (isForeign(keywords, draft)) source.isKnown = false;
    const { $ref, type, enum: values, const: only, items, anyOf, oneOf, description } = keywords;
    const { additionalProperties, if: test, then = true, else: otherwise = true } = keywords;
    const choices = Array.isArray(values) ? values : undefined;
    const types = type === undefined ? undefined : ([type].flat() as JsonType[]);
    const others = [additionalProperties, keywords.unevaluatedProperties];
    const other = others.find((one) => isSchema(one) && one !== false);
    const closed = others.includes(false);
    const patterns = named(keywords.patternProperties, ([pattern, part]) => {
      return [toRegExp(pattern) ?? /(?!)/, part] as const;
    });
    const prefix = list(keywords.prefixItems);
    const tuple = Array.isArray(items) ? [...prefix, ...list(items).slice(prefix.length)] : prefix;
    const after = Array.isArray(items) ? keywords.additionalItems : items;
    const part = {
      schema,
      source,
      types,
      kinds: types?.reduce(addKind, 0) ?? ALL_KINDS,
      only: only === undefined ? undefined : new Set([only]),
      choices: choices && new Set(choices),
      values: only === undefined ? choices : [only as JsonValue],
      isTypeAlone: type !== undefined && Object.keys(keywords).every((word) => BARE.has(word)),
      limits: readLimits(keywords),
      isUnique: Boolean(keywords.uniqueItems),
      description: isString(description) ? description : "",
      required: listOf<string>(keywords.required).filter(isString),
      properties: new Map(named(keywords.properties, ([key, one]) => [key, [one]] as const)),
      mentioned: ANYTHING.mentioned,
      named: isKeywords(keywords.properties) || closed || patterns.length > 0,
      closed,
      open: other !== undefined,
      patterns,
      additional: isKeywords(other) && Object.keys(other).length > 0 ? [of(other)] : [],
      prefix: tuple.map((one) => [one]),
      items: isKeywords(after) ? [of(after)] : [],
      rest: additionalProperties === true ? undefined : some(additionalProperties),
      after: after === true ? undefined : some(after),
      target: undefined,
      not: some(keywords.not),
      condition: test === undefined ? undefined : list([test, then, otherwise]),
      dependent: [keywords.dependencies, keywords.dependentSchemas].flatMap((one) =>
        one === undefined ? [] : named(one, ([, dependent]) => dependent),
      ),
      allOf: [...new Set(list(keywords.allOf))],
      anyOf: Array.isArray(anyOf) ? list(anyOf) : undefined,
      oneOf: Array.isArray(oneOf) ? list(oneOf) : undefined,
      isCombined: COMBINING.some((keyword) => keywords[keyword] !== undefined),
    };
    parts.set(schema, part);
    // Of these `@cfworker/json-schema` is asked, but it must be known whether they can be read.
    for (const one of [keywords.contains, keywords.propertyNames]) some(one);
    if ($ref !== undefined) references.push([part, keywords]);
    return part;
  }

  function some(schema: unknown): Part | undefined {
    return isSchema(schema) ? of(schema) : undefined;
  }

  function list(schemas: unknown): readonly Part[] {
    return schemas === undefined ? [] : listOf(schemas).filter(isSchema).map(of);
  }

  function named<One>(schemas: unknown, make: (entry: readonly [string, Part]) => One): One[] {
    if (schemas === undefined) return [];
    const entries = Object.entries(mapOf(schemas)).filter(([, schema]) => isSchema(schema));
    return entries.map(([name, schema]) => make([name, of(schema as JsonSchema)]));
  }

  const part = of(root);
  // It may be inside itself by a reference. What one leads to may have more of them.
  for (const [referring, keywords] of references) {
    // It marks the references with what they lead to.
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

const BOUNDS =
  "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format minItems maxItems".split(
    " ",
  );
const RARE =
  "multipleOf contains minContains maxContains dependentRequired dependentSchemas dependencies propertyNames minProperties maxProperties".split(
    " ",
  );

function readLimits(part: Keywords): Limits | undefined {
  const rare = pickKeywords(part, RARE);
  const bounds = pickKeywords(part, BOUNDS);
  if (rare === undefined && bounds === undefined) return undefined;
  return { keywords: { ...rare, ...bounds }, isMet: limitsOf((bounds ?? {}) as Schema), rare };
}

function limitsOf(bounds: Schema): (value: unknown) => boolean {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0, maxItems = Infinity } = bounds;
  const { minLength = 0, maxLength = Infinity, format: name = "" } = bounds;
  // In draft 4 these are flags; there the validator is asked.
  const above = Number(bounds.exclusiveMinimum ?? Number.NaN);
  const below = Number(bounds.exclusiveMaximum ?? Number.NaN);
  const pattern = isString(bounds.pattern) ? toRegExp(bounds.pattern) : undefined;
  const hasFormat = Object.hasOwn(format, name) ? format[name] : undefined;

  function hasLength(text: string): boolean {
    // A character is one or two units: only where that matters are they counted.
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

function pickKeywords(part: Keywords, names: readonly string[]): Keywords | undefined {
  const found = names.filter((name) => part[name] !== undefined);
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((name) => [name, part[name]]));
}

const KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"];
const ALL_KINDS = 2 ** KINDS.length - 1;

function addKind(kinds: number, type: unknown): number {
  const index = KINDS.indexOf(type as string);
  return index < 0 ? kinds : kinds | (2 ** index) | (type === "number" ? 2 : 0);
}
