import { lazy } from "../drive.ts";
import { OverLimit } from "../limits.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { mapOf } from "./keywords.ts";
import { type JsonType, type Part, readSchema, type Shape } from "./part.ts";
import { baseOf, chooserOf, mayBe, shapesOfAll, TOO_MANY, typeOf } from "./shapes.ts";
import { acceptedBy, type Step } from "./validate.ts";

export type { JsonType } from "./part.ts";

/** One place of a schema: what may stand there. */
export interface SchemaNode {
  /**
   * Whether the schema accepts a value here, by the validator that LangChain uses. What `step` throws
   * ends it.
   */
  readonly accepts: (value: JsonValue, step?: Step) => boolean;
  /**
   * Whether the schema says no more than types, keys and items: then a container is accepted when
   * its keys are and all that it holds is.
   */
  readonly isPlain: boolean;
  /**
   * The schema without unions: each of them is one kind of value that may stand here. None where
   * there are too many to look at: of some alone, it would not be known which was meant.
   */
  readonly variants: () => readonly Variant[];
  /** The variants of a value's type; of an object, those that its tag tells. */
  readonly variantsFor: (value: JsonValue) => readonly Variant[];
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
  /** Whether a key is declared, or welcome: the place of what stands at it, where there is one. */
  readonly declares: (key: string) => SchemaNode | boolean;
  /** Whether an object that the schema accepts may be of this branch, as far as its own keys tell. */
  readonly mayBe: (value: object) => boolean;
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

/** The most branches of one place that are looked at. */
const MAX_VARIANTS = 64;

/**
 * Returns the view of a JSON Schema that the repair works from.
 *
 * @param schema The schema of the whole input.
 * @throws What the validator throws at a schema that it cannot read.
 */
export function toSchemaNode(schema: JsonSchema): SchemaNode {
  return nodeOf([readSchema(schema)]);
}

const nodes = new WeakMap<Part, SchemaNode>();

/** The place where some parts hold together. It is resolved when it is first asked for: a schema may be inside itself. */
function nodeOf(parts: readonly Part[]): SchemaNode {
  const only = parts.length === 1 ? parts[0] : undefined;
  const known = only === undefined ? undefined : nodes.get(only);
  if (known !== undefined) return known;
  const keywords = mapOf(only?.schema);
  const isPlain =
    keywords.type !== undefined && Object.keys(keywords).every((word) => PLAIN.has(word));
  const scalar = isPlain ? SCALARS.get(keywords.type) : undefined;
  const shapes = lazy(() => {
    const resolved = shapesOfAll(parts);
    return resolved === TOO_MANY ? [] : resolved;
  });
  const choose = lazy(() => chooserOf(shapes().map((shape) => [shape, [shape]] as const)));
  const variants = lazy(() => variantsOf(shapes()));
  const byType = new Map<JsonType, readonly Variant[]>();
  const node: SchemaNode = {
    accepts(value, step) {
      // What a list of a hundred thousand numbers asks a hundred thousand times.
      if (scalar !== undefined) return scalar(value);
      try {
        return parts.every((part) => acceptedBy(part, value, step));
      } catch (error) {
        if (error instanceof OverLimit) throw error;
        // A pattern that is no regular expression, say.
        return false;
      }
    },
    isPlain,
    variants,
    variantsFor(value) {
      const all = variants();
      if (all.length === 1 && all[0]?.type === typeOf(value)) return all;
      const type = typeOf(value);
      const left = variantsOf(choose()(value).branches);
      return left.filter((one) => one.type === undefined || baseOf(one.type) === type);
    },
    of(type) {
      const isOne = (one: Variant) => one.type !== undefined && baseOf(one.type) === type;
      const found = byType.get(type) ?? variants().filter(isOne);
      byType.set(type, found);
      return found;
    },
    default: parts.map((part) => mapOf(part.schema).default).find((value) => value !== undefined) as
      | JsonValue
      | undefined,
  };
  if (only !== undefined) nodes.set(only, node);
  return node;
}

const NONE: readonly Variant[] = [];

const known = new WeakMap<Shape, readonly Variant[]>();

/** None where there are too many. */
function variantsOf(shapes: readonly Shape[]): readonly Variant[] {
  const [only, ...others] = shapes;
  if (only === undefined || shapes.length > MAX_VARIANTS) return NONE;
  if (others.length > 0) {
    const variants = shapes.flatMap((shape) => variantsOf([shape]));
    return variants.length > MAX_VARIANTS ? NONE : variants;
  }
  const types = only.types ?? inferTypes(only);
  const variants = known.get(only) ?? types.map((type) => toVariant(only, type));
  known.set(only, variants);
  return variants;
}

function toVariant(shape: Shape, type: JsonType | undefined): Variant {
  const { values, description, closed, mentioned, patterns, additional, prefix, items } = shape;
  const properties = new Map(
    [...shape.properties].map(([key, parts]) => [key, nodeOf(parts)] as const),
  );
  const places = prefix.map(nodeOf);
  const item = items.length > 0 ? nodeOf(items) : undefined;
  const keyAt = (key: string) => {
    const declared = properties.get(key);
    if (declared !== undefined) return declared;
    const matching = patterns.filter(([pattern]) => pattern.test(key)).map(([, part]) => part);
    if (matching.length > 0) return nodeOf(matching);
    return additional.length > 0 ? nodeOf(additional) : undefined;
  };
  return {
    type,
    values: values?.filter((value) => type === undefined || typeOf(value) === baseOf(type)),
    description,
    properties,
    required: new Set(shape.required),
    closed,
    keyAt,
    itemAt: (index) => places[index] ?? item,
    declares(key) {
      const place = properties.get(key) ?? keyAt(key);
      if (place !== undefined) return place;
      const parts = mentioned.get(key);
      if (parts === undefined) return shape.open || !shape.named;
      return parts.length === 0 || nodeOf(parts);
    },
    mayBe: (value) => mayBe(value, shape),
  };
}

function inferTypes({ values, properties, required, items, prefix }: Shape) {
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  if (properties.size > 0 || required.length > 0) return ["object" as const];
  return items.length > 0 || prefix.length > 0 ? ["array" as const] : [undefined];
}
