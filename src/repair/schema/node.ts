import type { Schema } from "@cfworker/json-schema";
import type { JsonSchema, JsonValue } from "../types.ts";
import type { Checks } from "./compile-checks.ts";
import { isKeywords, type Keywords, listOf, toRegExp } from "./keywords.ts";

/** The JSON types that a schema can name. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** One place of a schema: what may stand there. */
export interface SchemaNode {
  /** Whether the schema accepts a value here, by the validator that LangChain uses. */
  readonly accepts: (value: JsonValue) => boolean;
  /**
   * Whether the schema says no more than types, keys and items: then a container is accepted when
   * its keys are and all that it holds is.
   */
  readonly isPlain: boolean;
  /** The schema without unions: each of them is one kind of value that may stand here. */
  readonly variants: () => readonly Variant[];
  /** The branches of a JSON type; a number is wanted where an integer is. */
  readonly of: (type: JsonType) => readonly Variant[];
  readonly default: JsonValue | undefined;
}

/** One branch of a place, with `$ref`, `allOf`, `anyOf`, `oneOf` and lists of types resolved. */
export interface Variant {
  readonly type: JsonType | undefined;
  /** The values of `enum` or `const`. */
  readonly values: readonly JsonValue[] | undefined;
  readonly description: string;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Whether keys that are not declared are forbidden. */
  readonly closed: boolean;
  /** The place of a key, or `undefined` where nothing is said of it. */
  readonly keyAt: (key: string) => SchemaNode | undefined;
  readonly itemAt: (index: number) => SchemaNode | undefined;
}

/** What one branch says, before its places are made into nodes. */
interface Shape {
  readonly types: readonly JsonType[] | undefined;
  readonly values: readonly JsonValue[] | undefined;
  readonly description: string;
  readonly properties: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly required: readonly string[];
  readonly closed: boolean;
  readonly patterns: readonly (readonly [RegExp, JsonSchema])[];
  readonly additional: readonly JsonSchema[];
  readonly prefix: readonly (readonly JsonSchema[])[];
  readonly items: readonly JsonSchema[];
}

/** What a schema may say and still be plain. */
const PLAIN: ReadonlySet<string> = new Set(
  "type properties required additionalProperties items title description default examples $schema $id $defs definitions $comment".split(
    " ",
  ),
);

/** What a schema accepts that says no more than one of these types. */
const SCALARS: ReadonlyMap<unknown, (value: JsonValue) => boolean> = new Map([
  ["string", (value: JsonValue) => typeof value === "string"],
  ["boolean", (value: JsonValue) => typeof value === "boolean"],
  ["number", (value: JsonValue) => typeof value === "number"],
  ["integer", (value: JsonValue) => Number.isInteger(value)],
]);

/** The most branches that one place is resolved into. */
const MAX_VARIANTS = 64;

/**
 * Makes the view of a JSON Schema that the repair works from. Places are resolved when they are
 * first asked for, so that a recursive schema is no trouble.
 *
 * @param checks The checks of the schema, which hold its marked copy.
 */
export function toSchemaNode({ root, lookup, acceptsCandidate }: Checks): SchemaNode {
  const known = new WeakMap<object, SchemaNode>();

  function nodeOf(schemas: readonly JsonSchema[]): SchemaNode {
    const [only] = schemas;
    const key = schemas.length === 1 && isKeywords(only) ? only : undefined;
    const found = key === undefined ? undefined : known.get(key);
    if (found !== undefined) return found;
    let variants: readonly Variant[] | undefined;
    const isPlain = key?.type !== undefined && Object.keys(key).every((word) => PLAIN.has(word));
    const scalar = isPlain ? SCALARS.get(key?.type) : undefined;
    let byType: Map<JsonType | undefined, Variant[]> | undefined;
    const node: SchemaNode = {
      accepts(value) {
        // What a list of a hundred thousand numbers asks a hundred thousand times.
        if (scalar !== undefined) return scalar(value);
        try {
          return schemas.every((part) => acceptsCandidate(value, part));
        } catch {
          // A pattern that is no regular expression, say.
          return false;
        }
      },
      isPlain,
      variants: () => {
        variants ??= resolve(schemas);
        return variants;
      },
      of: (type) => {
        byType ??= groupByType(node.variants());
        return byType.get(type) ?? NONE;
      },
      default: schemas
        .map((part) => (isKeywords(part) ? part.default : undefined))
        .find((value) => value !== undefined) as JsonValue | undefined,
    };
    if (key !== undefined) known.set(key, node);
    return node;
  }

  /** None where there are too many: of some alone, it would not be known which was meant. */
  function resolve(schemas: readonly JsonSchema[]): readonly Variant[] {
    try {
      return bounded(schemas.reduce(conjoin, [ANYTHING]).flatMap(toVariants));
    } catch (error) {
      if (error === TOO_MANY) return [];
      throw error;
    }
  }

  function conjoin(shapes: readonly Shape[], schema: JsonSchema): readonly Shape[] {
    return product(shapes, shapesOf(schema, []));
  }

  function shapesOf(schema: JsonSchema, seen: readonly unknown[]): readonly Shape[] {
    // What is no schema says nothing here; what it comes to is left to the validator.
    if (!isKeywords(schema)) return schema === false ? [] : [ANYTHING];
    const target = lookup[(schema as Schema).__absolute_ref__ ?? ""] as JsonSchema | undefined;
    const parts = [...(target === undefined ? [] : [target]), ...listOf<JsonSchema>(schema.allOf)];
    const unions = [schema.anyOf, schema.oneOf, conditional(schema)].filter(Array.isArray);
    if (seen.includes(schema)) return [];
    const within = [...seen, schema];
    const whole = parts.reduce<readonly Shape[]>(
      (shapes, part) => product(shapes, shapesOf(part, within)),
      [shapeOf(schema)],
    );
    return unions.reduce<readonly Shape[]>((shapes, branches) => {
      return product(
        shapes,
        branches.flatMap((branch) => shapesOf(branch, within)),
      );
    }, whole);
  }

  function toVariants(shape: Shape): Variant[] {
    const types = shape.types ?? inferTypes(shape);
    return types.map((type) => toVariant(shape, type));
  }

  function toVariant(shape: Shape, type: JsonType | undefined): Variant {
    const { values, description, closed, patterns, additional, prefix, items } = shape;
    const properties = new Map(
      [...shape.properties].map(([key, schemas]) => [key, nodeOf(schemas)] as const),
    );
    const places = prefix.map(nodeOf);
    const item = items.length > 0 ? nodeOf(items) : undefined;
    return {
      type,
      values: values?.filter((value) => isOfType(value, type)),
      description,
      properties,
      required: new Set(shape.required),
      closed,
      keyAt(key) {
        const declared = properties.get(key);
        if (declared !== undefined) return declared;
        const matching = patterns.filter(([pattern]) => pattern.test(key)).map(([, part]) => part);
        if (matching.length > 0) return nodeOf(matching);
        return additional.length > 0 ? nodeOf(additional) : undefined;
      },
      itemAt: (index) => places[index] ?? item,
    };
  }

  return nodeOf([root as JsonSchema]);
}

const NONE: readonly Variant[] = [];

function groupByType(variants: readonly Variant[]): Map<JsonType | undefined, Variant[]> {
  const groups = new Map<JsonType | undefined, Variant[]>();
  for (const variant of variants) {
    const type = variant.type === "integer" ? "number" : variant.type;
    groups.set(type, [...(groups.get(type) ?? []), variant]);
  }
  return groups;
}

const ANYTHING: Shape = {
  types: undefined,
  values: undefined,
  description: "",
  properties: new Map(),
  required: [],
  closed: false,
  patterns: [],
  additional: [],
  prefix: [],
  items: [],
};

function shapeOf(schema: Keywords): Shape {
  const { type, enum: values, const: only, required, items, prefixItems } = schema;
  const tuple = Array.isArray(items) ? items : listOf<JsonSchema>(prefixItems);
  const rest = Array.isArray(items) ? schema.additionalItems : items;
  const { additionalProperties: additional } = schema;
  return {
    types: type === undefined ? undefined : ((Array.isArray(type) ? type : [type]) as JsonType[]),
    values: only === undefined ? (Array.isArray(values) ? values : undefined) : [only as JsonValue],
    description: typeof schema.description === "string" ? schema.description : "",
    properties: new Map(
      Object.entries(mapOf(schema.properties)).map(([key, part]) => [key, [part]]),
    ),
    required: listOf<JsonSchema>(required).map(String),
    closed: additional === false || schema.unevaluatedProperties === false,
    patterns: Object.entries(mapOf(schema.patternProperties)).flatMap(([source, part]) => {
      const pattern = toRegExp(source);
      return pattern === undefined ? [] : [[pattern, part] as const];
    }),
    additional: isKeywords(additional) && Object.keys(additional).length > 0 ? [additional] : [],
    prefix: tuple.map((part) => [part]),
    items: isKeywords(rest) ? [rest] : [],
  };
}

function product(left: readonly Shape[], right: readonly Shape[]): readonly Shape[] {
  if (left.length === 1 && left[0] === ANYTHING) return bounded(right);
  if (left.length * right.length > MAX_VARIANTS ** 2) throw TOO_MANY;
  return bounded(left.flatMap((one) => right.flatMap((other) => merge(one, other))));
}

/** Thrown where a place has more branches than are looked at. */
const TOO_MANY: unique symbol = Symbol("too many");

function bounded<Branch>(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length > MAX_VARIANTS) throw TOO_MANY;
  return branches;
}

/** Both at once, or nothing where they contradict each other. */
function merge(one: Shape, other: Shape): Shape[] {
  const types = meetTypes(one.types, other.types);
  if (types?.length === 0) return [];
  const properties = new Map(one.properties);
  for (const [key, parts] of other.properties) {
    properties.set(key, [...(properties.get(key) ?? []), ...parts]);
  }
  const length = Math.max(one.prefix.length, other.prefix.length);
  return [
    {
      types,
      values: meetValues(one.values, other.values),
      description: one.description + other.description,
      properties,
      required: [...one.required, ...other.required],
      closed: one.closed || other.closed,
      patterns: [...one.patterns, ...other.patterns],
      additional: [...one.additional, ...other.additional],
      prefix: Array.from({ length }, (_, index) => [
        ...(one.prefix[index] ?? []),
        ...(other.prefix[index] ?? []),
      ]),
      items: [...one.items, ...other.items],
    },
  ];
}

function meetTypes(one: Shape["types"], other: Shape["types"]): Shape["types"] {
  if (one === undefined || other === undefined) return one ?? other;
  const narrow = (types: readonly JsonType[], within: readonly JsonType[]) =>
    types.filter(
      (type) => within.includes(type) || (type === "integer" && within.includes("number")),
    );
  return [...new Set([...narrow(one, other), ...narrow(other, one)])];
}

function meetValues(one: Shape["values"], other: Shape["values"]): Shape["values"] {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((value) => other.some((same) => same === value));
}

function inferTypes({ values, properties, required, items, prefix }: Shape) {
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  if (properties.size > 0 || required.length > 0) return ["object" as const];
  return items.length > 0 || prefix.length > 0 ? ["array" as const] : [undefined];
}

function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

function isOfType(value: JsonValue, type: JsonType | undefined): boolean {
  return type === undefined || typeOf(value) === (type === "integer" ? "number" : type);
}

/** What `if` leads to; whether it does is left to the validator. */
function conditional({ if: condition, then = true, else: otherwise = true }: Keywords) {
  return condition === undefined ? undefined : [then, otherwise];
}

function mapOf(value: unknown): { readonly [key: string]: JsonSchema } {
  return isKeywords(value) ? (value as { [key: string]: JsonSchema }) : {};
}
