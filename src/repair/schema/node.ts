import { lazy } from "../drive.ts";
import { isContainer, isJsonObject, toPointer } from "../json.ts";
import { OverLimit } from "../policy.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../types.ts";
import { type Branch, branchesOf, chooserOf, product } from "./branches.ts";
import {
  hasOnly,
  isString,
  type JsonType,
  memoize,
  orElse,
  type Part,
  readSchema,
  typeOf,
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

/** The most variants of one place that are tried. */
const MAX_VARIANTS = 64;

/** Returns the view of a JSON Schema that the repair works on. */
export function toSchemaNode(schema: JsonSchema): SchemaNode {
  return nodeOf([readSchema(schema)]);
}

const nodeOfPart = memoize((part: Part) => toNode([part]));

/** The place where some parts apply together. */
function nodeOf(given: readonly Part[]): SchemaNode {
  const parts = [...new Set(given)];
  const [first, ...others] = parts;
  return first !== undefined && others.length === 0 ? nodeOfPart(first) : toNode(parts);
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
    isPlain:
      parts.length === 1 &&
      parts.every(({ types, keywords }) => types !== undefined && hasOnly(keywords, ...PLAIN)),
    variants,
    variantsFor(value, isAccepted) {
      const all = variants();
      const type = typeOf(value);
      if (all.length === 1 && all[0]?.type === type) return all;
      const { left } = choose()(value);
      const likely = isJsonObject(value) ? left.filter((one) => fits(value, one, isAccepted)) : [];
      const some = variantsOf(likely.length > 0 ? likely : left);
      return some.filter((one) => one.type === undefined || one.type === type);
    },
    of: (type) => variants().filter((one) => one.type === type),
    default: parts.map((one) => one.keywords.default as JsonValue).find((one) => one !== undefined),
  };
}

/** The keywords of a plain schema, without annotations. */
const PLAIN = "type properties required additionalProperties items".split(" ");

/** Whether an object has all keys that a branch requires and, unless it is accepted, no undeclared one. */
function fits(object: object, { parts }: Branch, isAccepted = false): boolean {
  return (
    parts.every(({ required }) => required.every((key) => Object.hasOwn(object, key))) &&
    (isAccepted ||
      Object.keys(object).every((key) => parts.some(({ properties }) => properties.has(key))))
  );
}

/** Empty if there are too many. */
function variantsOf(branches: readonly Branch[]): readonly Variant[] {
  const variants = branches.length > MAX_VARIANTS ? [] : branches.flatMap(variantsOfBranch);
  return variants.length > MAX_VARIANTS ? [] : variants;
}

const variantsOfBranch = memoize(({ parts, types }: Branch) =>
  (types ?? [impliedType(parts)]).map((type) => toVariant(parts, type)),
);

/** The type that the keywords of a branch imply if it names none. */
function impliedType(parts: readonly Part[]): JsonType | undefined {
  const hasKeys = parts.some(({ properties, required }) => properties.size + required.length > 0);
  const hasItems = parts.some(({ prefix, after }) => prefix.length > 0 || restricts(after));
  return hasKeys ? "object" : hasItems ? "array" : undefined;
}

/** `false` and `true` have no place to look at. */
function restricts(part: Part | undefined): part is Part {
  return typeof part?.schema === "object";
}

function toVariant(parts: readonly Part[], type: JsonType | undefined): Variant {
  const said = (word: string) => parts.flatMap(({ keywords }) => keywords[word] ?? []);
  const placeOf = (parts: readonly Part[]) => (parts.length > 0 ? nodeOf(parts) : undefined);
  const keys = new Set(parts.flatMap((part) => [...part.properties.keys()]));
  const properties = new Map(
    [...keys].map((key) => [key, nodeOf(parts.flatMap((part) => part.properties.get(key) ?? []))]),
  );
  const patterns = parts.flatMap((part) => part.patterns);
  const others = parts.flatMap(({ rest }) => rest ?? []);
  const welcome = others.filter(({ schema }) => schema !== false);
  const additional = placeOf(welcome.filter(({ keywords }) => Object.keys(keywords).length > 0));
  const keyAt = (key: string) =>
    properties.get(key) ??
    placeOf(patterns.flatMap(([pattern, part]) => (pattern.test(key) ? [part] : []))) ??
    additional;
  const closed = welcome.length < others.length;
  const namesKeys = parts.some(({ keywords }) => keywords.properties ?? keywords.patternProperties);
  const takesAny = welcome.length > 0 || !(closed || namesKeys) || parts.some(isUnsure);
  const required = new Set(parts.flatMap((part) => part.required));
  const length = Math.max(0, ...parts.map(({ prefix }) => prefix.length));
  const items = Array.from({ length: length + 1 }, (_, index) =>
    placeOf(parts.flatMap(({ prefix, after }) => prefix[index] ?? after ?? []).filter(restricts)),
  );
  const [first, ...more] = parts.flatMap(({ values }) => values ?? []);
  const isChoice = (value: JsonValue) =>
    (type ?? typeOf(value)) === typeOf(value) && more.every((values) => values.has(value));
  return {
    type,
    values: first && [...first].filter(isChoice),
    description: [...new Set(said("description").filter(isString))].join(""),
    said,
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

  function visit(value: unknown, nodes: readonly SchemaNode[], parsed: unknown) {
    const isList = Array.isArray(value);
    if (!isList && !isJsonObject(value)) return;
    if (isList && !value.some(isContainer)) return;
    const [node, other] = nodes;
    const isOne = node !== undefined && other === undefined;
    const variantsIn = (one: SchemaNode) => one.variantsFor(value, true);
    const variants = isOne ? variantsIn(node) : nodes.flatMap(variantsIn);
    const [first] = variants;
    if (first === undefined) return;
    const isOnly = variants.length === 1;
    const keys = isList ? value : Object.keys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = isList ? String(index) : (keys[index] as string);
      const child = isList ? value[index] : value[key];
      const place = isList ? first.itemAt(index) : first.declares(key);
      // Nearly all keys take this path: no list is made for them.
      if (isOnly && place !== false) {
        if (!isContainer(child) || typeof place !== "object") continue;
        path.push(key);
        visit(child, [place], outputAt(parsed, key));
        path.pop();
        continue;
      }
      path.push(key);
      const places = variants.map((one) => (isList ? one.itemAt(index) : one.declares(key)));
      const inside = places.filter((place) => typeof place === "object");
      const isPartly = !isList && places.length > 1 && inside.length < places.length;
      if (
        places.every((place) => place === false) ||
        (isPartly && isStripped(key, value, parsed))
      ) {
        found.push(toPointer(path));
      } else if (isContainer(child)) {
        visit(child, inside, outputAt(parsed, key));
      }
      path.pop();
    }
  }

  return orElse(() => {
    visit(value, [toSchemaNode(schema)], parsed);
    return found;
  }, []);
}

const outputAt = (parsed: unknown, key: string) =>
  isContainer(parsed) ? (parsed as JsonObject)[key] : undefined;

/** Whether a key did not pass the schema; if none did, the schema made something else. */
function isStripped(key: string, object: object, output: unknown): boolean {
  const passed = (one: string) => isContainer(output) && Object.hasOwn(output, one);
  return !passed(key) && Object.keys(object).some(passed);
}
