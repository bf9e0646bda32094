import { lazy } from "../drive.ts";
import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { isString, type Keywords, orElse } from "./keywords.ts";
import {
  type Branch,
  baseOf,
  branchesOf,
  chooserOf,
  hasRequired,
  type JsonType,
  namedTypesOf,
  type Part,
  product,
  readSchema,
  typeOf,
  valuesOf,
} from "./part.ts";
import { acceptedBy } from "./validate.ts";

/** One place of a schema: which values it accepts. */
export interface SchemaNode {
  /** Whether the schema accepts a value here, by the validator that LangChain uses. */
  readonly accepts: (value: JsonValue) => boolean;
  /** Whether it restricts only types, keys and items: a container is accepted if its parts are. */
  readonly isPlain: boolean;
  /** The schema without unions: each variant is one kind of value. Empty if there are too many to try. */
  readonly variants: () => readonly Variant[];
  /** The variants of a value's type; for an object, those that its tag selects, or its keys. */
  readonly variantsFor: (value: JsonValue, isAccepted?: true) => readonly Variant[];
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
  /** Whether a text has a format or a pattern here that is cheap to check. */
  readonly hasForm: boolean;
  /** The values of a keyword here, one for each part that has it: `format`, `examples`. */
  readonly said: (keyword: string) => readonly unknown[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Whether undeclared keys are forbidden. */
  readonly closed: boolean;
  /** The place of a key, or `undefined` if the schema does not describe it. */
  readonly keyAt: (key: string) => SchemaNode | undefined;
  readonly itemAt: (index: number) => SchemaNode | undefined;
  /** Whether a key is declared, or welcome: the place of its value, if known. */
  readonly declares: (key: string) => SchemaNode | boolean;
}

/** The keywords that a plain schema may have. */
const PLAIN: ReadonlySet<string> = new Set(
  `type properties required additionalProperties items title description default examples $schema
  $id $defs definitions $comment`.split(/\s+/),
);

/** The most variants of one place that are tried. */
const MAX_VARIANTS = 64;

/** Returns the view of a JSON Schema that the repair works on. */
export function toSchemaNode(schema: JsonSchema): SchemaNode {
  return nodeOf([readSchema(schema)]);
}

const nodes = new WeakMap<Part, SchemaNode>();

/** The place where some parts apply together. */
function nodeOf(given: readonly Part[]): SchemaNode {
  const parts = [...new Set(given)];
  const [only] = parts.length === 1 ? parts : [];
  const node = (only && nodes.get(only)) ?? toNode(parts);
  if (only !== undefined) nodes.set(only, node);
  return node;
}

/** Resolves its variants lazily, because a schema may contain itself. */
function toNode(parts: readonly Part[]): SchemaNode {
  const branches = lazy(() => parts.map(branchesOf).reduce(product));
  const choose = lazy(() => chooserOf(branches(), (branch) => [branch]));
  const variants = lazy(() => variantsOf(branches()));

  return {
    accepts(value) {
      try {
        return parts.every((part) => acceptedBy(part, value));
      } catch (error) {
        if (error instanceof OverLimit) throw error;
        // For example, a pattern that is no regular expression.
        return false;
      }
    },
    isPlain: parts.length === 1 && parts.every(isPlain),
    variants,
    variantsFor(value, isAccepted) {
      const all = variants();
      const type = typeOf(value);
      if (all.length === 1 && all[0]?.type === type) return all;
      const { left } = choose()(value);
      const fits = isAccepted ? hasRequired : fitsKeys;
      const likely = isJsonObject(value) ? left.filter((one) => fits(value, one)) : left;
      const some = variantsOf(likely.length > 0 ? likely : left);
      return some.filter((one) => one.type === undefined || baseOf(one.type) === type);
    },
    of: (type) => variants().filter((one) => one.type && baseOf(one.type) === type),
    default: keywordIn(parts, "default")[0] as JsonValue | undefined,
  };
}

function isPlain({ types, keywords }: Part): boolean {
  return types !== undefined && Object.keys(keywords).every((word) => PLAIN.has(word));
}

/** The values of a keyword, of those parts that have it. */
function keywordIn(parts: readonly Part[], keyword: string): readonly unknown[] {
  return parts.map(({ keywords }) => keywords[keyword]).filter((value) => value !== undefined);
}

/** Whether an object has all keys that a branch requires, and none that it does not declare. */
function fitsKeys(object: object, branch: Branch): boolean {
  const isDeclared = (key: string) => branch.some(({ properties }) => properties.has(key));
  return hasRequired(object, branch) && Object.keys(object).every(isDeclared);
}

const known = new WeakMap<Branch, readonly Variant[]>();

/** Empty if there are too many. */
function variantsOf(branches: readonly Branch[]): readonly Variant[] {
  if (branches.length > MAX_VARIANTS) return [];
  const variants = branches.flatMap((branch) => {
    const made = known.get(branch) ?? typesIn(branch).map((type) => toVariant(branch, type));
    known.set(branch, made);
    return made;
  });
  return variants.length > MAX_VARIANTS ? [] : variants;
}

/** The types that it names, or else those that its keywords imply. */
function typesIn(branch: Branch): readonly (JsonType | undefined)[] {
  const hasKeys = branch.some(({ properties, required }) => properties.size + required.length > 0);
  const hasItems = branch.some(({ prefix, after }) => prefix.length > 0 || restricts(after));
  return namedTypesOf(branch) ?? [hasKeys ? "object" : hasItems ? "array" : undefined];
}

/** `false` and `true` have no place to look at. */
function restricts(part: Part | undefined): part is Part {
  return typeof part?.schema === "object";
}

function toVariant(branch: Branch, type: JsonType | undefined): Variant {
  const placeOf = (parts: readonly Part[]) => (parts.length > 0 ? nodeOf(parts) : undefined);
  const keys = new Set(branch.flatMap((part) => [...part.properties.keys()]));
  const properties = new Map(
    [...keys].map((key) => [key, nodeOf(branch.flatMap((part) => part.properties.get(key) ?? []))]),
  );
  const patterns = branch.flatMap((part) => part.patterns);
  const matching = (key: string) =>
    placeOf(patterns.flatMap(([pattern, part]) => (pattern.test(key) ? [part] : [])));
  const others = branch.flatMap(({ rest, unevaluated }) => [rest ?? [], unevaluated ?? []].flat());
  const welcome = others.filter(({ schema }) => schema !== false);
  const additional = placeOf(welcome.filter(({ keywords }) => Object.keys(keywords).length > 0));
  const keyAt = (key: string) => properties.get(key) ?? matching(key) ?? additional;
  const closed = welcome.length < others.length;
  const isNamed = closed || patterns.length > 0 || keywordIn(branch, "properties").length > 0;
  const takesAny = welcome.length > 0 || !isNamed || branch.some(isUnsure);
  const required = new Set(branch.flatMap((part) => part.required));
  const length = Math.max(0, ...branch.map(({ prefix }) => prefix.length));
  const items = Array.from({ length: length + 1 }, (_, index) =>
    placeOf(branch.flatMap(({ prefix, after }) => prefix[index] ?? after ?? []).filter(restricts)),
  );
  return {
    type,
    values: valuesOf(branch)?.filter((value) => !type || typeOf(value) === baseOf(type)),
    description: [...new Set(keywordIn(branch, "description").filter(isString))].join(""),
    hasForm: branch.some(hasForm),
    said: (keyword) => keywordIn(branch, keyword),
    properties,
    required,
    closed,
    keyAt,
    itemAt: (index) => items[Math.min(index, length)],
    declares: (key) => keyAt(key) ?? (required.has(key) || takesAny),
  };
}

/** Whether more keys may apply, by a condition or unknown reference: then none counts as undeclared. */
function isUnsure({ keywords, target }: Part): boolean {
  const { $ref } = keywords;
  return (
    ($ref !== undefined && !target) || MAY_DECLARE.some((word) => keywords[word] !== undefined)
  );
}

const MAY_DECLARE = "$dynamicRef $recursiveRef if dependencies dependentSchemas".split(" ");

/** A pattern that repeats a group may take forever. */
function hasForm({ keywords: { format, pattern } }: Part): boolean {
  return isString(format) || (isString(pattern) && !/\)[*+{]/.test(pattern));
}

/**
 * Finds the keys of an input that its schema does not declare: the tool will ignore them, or
 * receive keys that it does not know. Keys that a schema welcomes (`additionalProperties`, a
 * pattern, a record, an object that names no keys at all) count as declared.
 *
 * In a union, a key is undeclared if no branch that the value may be of declares it, or if the
 * schema's output (`parsed`) shows that it was stripped.
 */
export function findUndeclared(
  value: unknown,
  schema: JsonSchema,
  parsed: unknown,
): readonly string[] {
  const found: string[] = [];
  const path: string[] = [];

  function visit(value: unknown, nodes: readonly SchemaNode[], parsed: unknown): void {
    if (!isContainer(value)) return;
    const isList = Array.isArray(value);
    if (!isList && !isJsonObject(value)) return;
    const node = nodes.length === 1 ? nodes[0] : undefined;
    const variants =
      node?.variantsFor(value, true) ?? nodes.flatMap((one) => one.variantsFor(value, true));
    const [only] = variants;
    if (only === undefined) return;
    const isSure = variants.length === 1;
    const output = isList === Array.isArray(parsed) && isContainer(parsed) ? parsed : undefined;
    const keys = isList ? value : Object.keys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = isList ? String(index) : (keys[index] as string);
      const child = isList ? value[index] : value[key];
      // Nearly all keys take this path: no list is made for them.
      if (!isContainer(child) && (isList || (isSure && only.declares(key) !== false))) continue;
      const places: SchemaNode[] = [];
      let isDeclared = isList;
      for (const variant of variants) {
        const place = isList ? variant.itemAt(index) : variant.declares(key);
        isDeclared ||= place !== false;
        if (typeof place === "object") places.push(place);
      }
      const isPartly = !isSure && !isList && places.length < variants.length;
      const isStripped = isPartly && output !== undefined && isGone(key, value, output);
      path.push(key);
      if (!isDeclared || isStripped) found.push(toPointer(path));
      else visit(child, places, (output as Keywords | undefined)?.[key]);
      path.pop();
    }
  }

  // If the schema returned the value itself, it stripped no key.
  const isUnchanged = parsed === value;
  if (typeof schema === "boolean" || (isUnchanged && readSchema(schema).source.isClosed))
    return found;
  return orElse(() => {
    visit(value, [toSchemaNode(schema)], isUnchanged ? undefined : parsed);
    return found;
  }, []);
}

/** Whether a key did not pass the schema; if none did, the schema made something else. */
function isGone(key: string, object: object, output: object): boolean {
  const passed = (one: string) => Object.hasOwn(output, one);
  return !passed(key) && Object.keys(object).some(passed);
}
