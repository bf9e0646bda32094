import { lazy } from "../drive.ts";
import { orElse } from "../foreign.ts";
import { isContainer, isJsonObject, toPointer } from "../json.ts";
import { OverLimit } from "../limits.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../types.ts";
import { type Branch, branchesOf, product, UnionChooser } from "./branches.ts";
import {
  hasOnly,
  isString,
  type JsonType,
  memoize,
  readSchema,
  type SchemaPart,
  typeOf,
} from "./part.ts";
import { acceptedBy } from "./validate.ts";

/** One place of a schema: which values it accepts. */
export interface SchemaNode {
  /**
   * Whether the schema accepts a value here, by the validator that LangChain
   * uses.
   */
  readonly accepts: (value: JsonValue) => boolean;
  /**
   * Whether it restricts only types, keys and items: a container is accepted if
   * its parts are.
   */
  readonly isPlain: boolean;
  /**
   * The schema without unions: each variant is one kind of value. Empty if
   * there are too many to try.
   */
  readonly variants: () => readonly Variant[];
  /**
   * The variants of a value's type; for an object, those that its tag selects,
   * or its keys.
   */
  readonly variantsFor: (
    value: JsonValue,
    isAccepted?: boolean,
  ) => readonly Variant[];
  /** The variants of a JSON type; integers count as numbers. */
  readonly of: (type: JsonType) => readonly Variant[];
  readonly default: JsonValue | undefined;
}

/** One branch of a place, of one type. */
export interface Variant {
  readonly type: JsonType | undefined;
  /** The values of `enum` or `const`. */
  readonly values: readonly JsonValue[] | undefined;
  readonly description: string;
  /**
   * The values of a keyword here, one for each part that has it: `format`,
   * `examples`.
   */
  readonly said: (keyword: string) => readonly unknown[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Whether undeclared keys are forbidden. */
  readonly closed: boolean;
  /** The place of a key, or `undefined` if the schema does not describe it. */
  readonly keyAt: (key: string) => SchemaNode | undefined;
  readonly itemAt: (index: number) => SchemaNode | undefined;
  /**
   * Whether a key is declared, or welcome: the place of its value, if known.
   */
  readonly declares: (key: string) => SchemaNode | boolean;
}

/** The most variants of one place that are tried. */
const MAX_VARIANTS = 64;

/** Returns the view of a JSON Schema that the repair works on. */
export function toSchemaNode(schema: JsonSchema): SchemaNode {
  return nodeOf([readSchema(schema)]);
}

const nodeOfPart = memoize((part: SchemaPart) => toNode([part]));

/** The place where some parts apply together. */
function nodeOf(parts: readonly SchemaPart[]): SchemaNode {
  const distinct = [...new Set(parts)];
  const [first] = distinct;
  if (first !== undefined && distinct.length === 1) return nodeOfPart(first);
  return toNode(distinct);
}

/** Resolves its variants lazily, because a schema may contain itself. */
function toNode(parts: readonly SchemaPart[]): SchemaNode {
  const branches = lazy(() => parts.map(branchesOf).reduce(product));
  const chooser = lazy(
    () => new UnionChooser(branches(), (branch) => [branch]),
  );
  const variants = lazy(() => variantsOf(branches()));

  return {
    accepts: (value) => isAccepted(parts, value),
    isPlain: parts.length === 1 && parts.every(isPlain),
    variants,
    variantsFor(value, isAccepted = false) {
      const all = variants();
      const type = typeOf(value);
      if (all.length === 1 && all[0]?.type === type) return all;
      const chosen = chooser().choose(value).members;
      const likely = variantsOf(likelyBranches(value, chosen, isAccepted));
      return likely.filter(
        (variant) => variant.type === undefined || variant.type === type,
      );
    },
    of: (type) => variants().filter((variant) => variant.type === type),
    default: defaultOf(parts),
  };
}

/** The branches that an object's keys fit, if any; all for another value. */
function likelyBranches(
  value: JsonValue,
  branches: readonly Branch[],
  isAccepted: boolean,
): readonly Branch[] {
  if (!isJsonObject(value)) return branches;
  const fitting = branches.filter((branch) => fits(value, branch, isAccepted));
  if (fitting.length === 0) return branches;
  return fitting;
}

function isAccepted(parts: readonly SchemaPart[], value: JsonValue): boolean {
  try {
    return parts.every((part) => acceptedBy(part, value));
  } catch (error) {
    if (error instanceof OverLimit) throw error;
    // For example, a pattern that is no regular expression.
    return false;
  }
}

/** The keywords of a plain schema, without annotations. */
const PLAIN = "type properties required additionalProperties items".split(" ");

function isPlain({ types, keywords }: SchemaPart): boolean {
  return types !== undefined && hasOnly(keywords, ...PLAIN);
}

function defaultOf(parts: readonly SchemaPart[]): JsonValue | undefined {
  const part = parts.find(({ keywords }) => keywords.default !== undefined);
  return part?.keywords.default as JsonValue | undefined;
}

/**
 * Whether an object has all keys that a branch requires and, unless it is
 * accepted, no undeclared one.
 */
function fits(object: object, { parts }: Branch, isAccepted: boolean): boolean {
  const isComplete = parts.every(({ required }) =>
    required.every((key) => Object.hasOwn(object, key)),
  );
  if (!isComplete) return false;
  if (isAccepted) return true;
  return Object.keys(object).every((key) =>
    parts.some(({ properties }) => properties.has(key)),
  );
}

/** Empty if there are too many. */
function variantsOf(branches: readonly Branch[]): readonly Variant[] {
  if (branches.length > MAX_VARIANTS) return [];
  const variants = branches.flatMap(variantsOfBranch);
  if (variants.length > MAX_VARIANTS) return [];
  return variants;
}

const variantsOfBranch = memoize(({ parts, types }: Branch) =>
  (types ?? [impliedType(parts)]).map((type) => toVariant(parts, type)),
);

/** The type that the keywords of a branch imply if it names none. */
function impliedType(parts: readonly SchemaPart[]): JsonType | undefined {
  const hasKeys = parts.some(
    ({ properties, required }) => properties.size + required.length > 0,
  );
  if (hasKeys) return "object";
  const hasItems = parts.some(
    ({ prefix, after }) => prefix.length > 0 || restricts(after),
  );
  if (hasItems) return "array";
  return undefined;
}

/** `false` and `true` have no place to look at. */
function restricts(part: SchemaPart | undefined): part is SchemaPart {
  return typeof part?.schema === "object";
}

function toVariant(
  parts: readonly SchemaPart[],
  type: JsonType | undefined,
): Variant {
  const valuesOf = (keyword: string) =>
    parts.flatMap(({ keywords }) => keywords[keyword] ?? []);
  const properties = propertiesOf(parts);
  const required = new Set(parts.flatMap((part) => part.required));
  const patterns = parts.flatMap((part) => part.patterns);
  const { closed, takesAny, place } = undeclaredKeysOf(parts);
  const items = itemPlaces(parts);
  const keyAt = (key: string) => {
    const property = properties.get(key);
    if (property !== undefined) return property;
    const matching = patterns.filter(([pattern]) => pattern.test(key));
    return placeOf(matching.map(([, part]) => part)) ?? place;
  };
  return {
    type,
    values: choicesOf(parts, type),
    description: [...new Set(valuesOf("description").filter(isString))].join(
      "",
    ),
    said: valuesOf,
    properties,
    required,
    closed,
    keyAt,
    itemAt: (index) => items[Math.min(index, items.length - 1)],
    declares: (key) => keyAt(key) ?? (required.has(key) || takesAny),
  };
}

function placeOf(parts: readonly SchemaPart[]): SchemaNode | undefined {
  if (parts.length === 0) return undefined;
  return nodeOf(parts);
}

function propertiesOf(
  parts: readonly SchemaPart[],
): ReadonlyMap<string, SchemaNode> {
  const keys = new Set(
    parts.flatMap(({ properties }) => [...properties.keys()]),
  );
  const partsAt = (key: string) =>
    parts.flatMap(({ properties }) => properties.get(key) ?? []);
  return new Map([...keys].map((key) => [key, nodeOf(partsAt(key))]));
}

/** What a schema says of the keys that it does not name. */
function undeclaredKeysOf(parts: readonly SchemaPart[]) {
  const rules = parts.flatMap(({ additional }) => additional ?? []);
  const welcome = rules.filter(({ schema }) => schema !== false);
  const closed = welcome.length < rules.length;
  const namesKeys = parts.some(
    ({ keywords }) => keywords.properties ?? keywords.patternProperties,
  );
  const isOpen = !closed && !namesKeys;
  const takesAny = welcome.length > 0 || isOpen || parts.some(isUnsure);
  const described = welcome.filter(
    ({ keywords }) => Object.keys(keywords).length > 0,
  );
  return { closed, takesAny, place: placeOf(described) };
}

/** The places of the first elements, and the place of all others at the end. */
function itemPlaces(
  parts: readonly SchemaPart[],
): readonly (SchemaNode | undefined)[] {
  const length = Math.max(0, ...parts.map(({ prefix }) => prefix.length));
  return Array.from({ length: length + 1 }, (_, index) => {
    const schemas = parts.flatMap(
      ({ prefix, after }) => prefix[index] ?? after ?? [],
    );
    return placeOf(schemas.filter(restricts));
  });
}

/** The values of `enum` and `const` that all parts allow. */
function choicesOf(
  parts: readonly SchemaPart[],
  type: JsonType | undefined,
): readonly JsonValue[] | undefined {
  const [first, ...more] = parts.flatMap(({ values }) => values ?? []);
  if (first === undefined) return undefined;
  const shared = [...first].filter((value) =>
    more.every((values) => values.has(value)),
  );
  if (type === undefined) return shared;
  return shared.filter((value) => typeOf(value) === type);
}

/**
 * Whether more keys may apply, by a condition or unknown reference: then none
 * counts as undeclared.
 */
function isUnsure({ keywords, target }: SchemaPart): boolean {
  if (keywords.$ref !== undefined && target === undefined) return true;
  return MAY_DECLARE.some((keyword) => keywords[keyword] !== undefined);
}

const MAY_DECLARE =
  "$dynamicRef $recursiveRef if dependencies dependentSchemas".split(" ");

/**
 * Finds the keys of an input that its schema does not declare: the tool will
 * ignore them, or receive keys that it does not know. Keys that a schema
 * welcomes (`additionalProperties`, a pattern, a record, an object that names
 * no keys at all) count as declared.
 *
 * In a union, a key is undeclared if no branch that the value may be of
 * declares it, or if the schema's output (`parsed`) shows that it was stripped.
 */
export function findUndeclared(
  value: unknown,
  schema: JsonSchema,
  parsed: unknown,
): readonly string[] {
  const search = new UndeclaredSearch();
  const run = () => {
    search.visit(value, [toSchemaNode(schema)], parsed);
    return search.pointers;
  };
  return orElse(run, []);
}

class UndeclaredSearch {
  readonly pointers: string[] = [];
  readonly #path: string[] = [];

  visit(value: unknown, nodes: readonly SchemaNode[], output: unknown): void {
    if (Array.isArray(value)) this.#visitItems(value, nodes, output);
    else if (isJsonObject(value)) this.#visitKeys(value, nodes, output);
  }

  #visitItems(
    items: JsonValue[],
    nodes: readonly SchemaNode[],
    output: unknown,
  ): void {
    if (nodes.length === 0 || !items.some(isContainer)) return;
    const variants = acceptingVariants(items, nodes);
    for (const [index, item] of items.entries()) {
      if (!isContainer(item)) continue;
      const places = variants.flatMap((variant) => variant.itemAt(index) ?? []);
      this.#visitBelow(String(index), item, places, output);
    }
  }

  #visitKeys(
    object: JsonObject,
    nodes: readonly SchemaNode[],
    output: unknown,
  ): void {
    const variants = acceptingVariants(object, nodes);
    if (variants.length === 0) return;
    for (const key of Object.keys(object)) {
      if (isUndeclared(key, object, variants, output)) {
        this.pointers.push(toPointer([...this.#path, key]));
        continue;
      }
      const child = object[key];
      if (!isContainer(child)) continue;
      const places = variants.map((variant) => variant.declares(key));
      const nodesBelow = places.filter((place) => typeof place === "object");
      this.#visitBelow(key, child, nodesBelow, output);
    }
  }

  #visitBelow(
    key: string,
    value: unknown,
    nodes: readonly SchemaNode[],
    output: unknown,
  ): void {
    this.#path.push(key);
    this.visit(
      value,
      nodes,
      isContainer(output) ? (output as JsonObject)[key] : undefined,
    );
    this.#path.pop();
  }
}

function acceptingVariants(
  value: JsonValue,
  nodes: readonly SchemaNode[],
): readonly Variant[] {
  const [first] = nodes;
  if (first !== undefined && nodes.length === 1)
    return first.variantsFor(value, true);
  return nodes.flatMap((node) => node.variantsFor(value, true));
}

function isUndeclared(
  key: string,
  object: JsonObject,
  variants: readonly Variant[],
  output: unknown,
): boolean {
  if (variants.every((variant) => variant.declares(key) === false)) return true;
  if (variants.length === 1) return false;
  const isDescribed = variants.every(
    (variant) => typeof variant.declares(key) === "object",
  );
  if (isDescribed) return false;
  return isStripped(key, object, output);
}

/**
 * Whether a key did not pass the schema; if none did, the schema made something
 * else.
 */
function isStripped(key: string, object: object, output: unknown): boolean {
  const hasPassed = (name: string) =>
    isContainer(output) && Object.hasOwn(output, name);
  return !hasPassed(key) && Object.keys(object).some(hasPassed);
}

/** The branches of a place that take any text, not only choices. */
export function freeTexts(node: SchemaNode): readonly Variant[] {
  return node.of("string").filter(({ values }) => values === undefined);
}
