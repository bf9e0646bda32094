import { isJsonObject } from "../json/json-value.ts";
import type { JsonSchema } from "../types.ts";
import { type Keywords, listOf, toRegExp } from "./keywords.ts";
import { dereference } from "./schema-at.ts";

/** What a schema says of the keys of an object, and of what stands at them and in lists. */
export interface DeclaredKeys {
  /** Whether it names keys, or forbids others: else it describes a map, in which every key is welcome. */
  readonly named: boolean;
  readonly keys: ReadonlyMap<string, JsonSchema>;
  readonly patterns: readonly (readonly [pattern: RegExp, schema: JsonSchema])[];
  /** What stands at a key that is not named; `undefined` where no such key is welcome. */
  readonly rest: JsonSchema | undefined;
  readonly prefix: readonly JsonSchema[];
  readonly items: JsonSchema | undefined;
  /** The keys that only some of the branches declare which a value may be of. */
  readonly partly: ReadonlySet<string>;
}

/** What stands in a place's schema for the object or array that stands there. */
export type ReadDeclaredKeys = (schema: JsonSchema, value: object) => DeclaredKeys;

/** The same, with what tells which branch of a union a value is of. */
interface Declaration extends DeclaredKeys {
  readonly types: readonly (readonly unknown[])[];
  readonly required: readonly string[];
  /** The scalars that may stand at a key: a union's tag, say. */
  readonly fixed: readonly (readonly [key: string, values: ReadonlySet<unknown>])[];
  /** Of which branches one is taken depends on the value. */
  readonly unions: readonly (readonly JsonSchema[])[];
}

const NOTHING: Declaration = {
  named: false,
  keys: new Map(),
  patterns: [],
  rest: undefined,
  prefix: [],
  items: undefined,
  partly: new Set(),
  types: [],
  required: [],
  fixed: [],
  unions: [],
};

/** Of a schema that cannot be followed nothing is known: then no key is a stranger. */
const UNKNOWN: Declaration = { ...NOTHING, rest: true };

/**
 * Makes a reader of which keys a JSON Schema declares, with `$ref`, `allOf`, conditions and unions
 * resolved. What does not depend on a value is read once.
 *
 * @param root The schema of the whole input. It is not changed.
 * @returns For a place's schema and the object or array that stands there, what is declared. Of a
 * union, what is declared by the branches that the value may be of, told by their required keys and
 * fixed values.
 */
export function declaredKeysOf(root: JsonSchema): ReadDeclaredKeys {
  const known = new WeakMap<object, Declaration>();

  function read(schema: JsonSchema): Declaration {
    if (typeof schema === "boolean") return schema ? UNKNOWN : NOTHING;
    const found = known.get(schema);
    if (found !== undefined) return found;
    // What leads back to itself adds nothing.
    known.set(schema, NOTHING);
    const made = conjoinedWith(schema, root)
      .map(read)
      .reduce(conjoin, ownDeclaration(schema, root));
    known.set(schema, made);
    return made;
  }

  function at(schema: JsonSchema, value: object): DeclaredKeys {
    const own = read(schema);
    let declared: DeclaredKeys = own;
    for (const branches of own.unions) {
      const taken = branches.filter((branch) => mayTake(read(branch), value));
      const parts = (taken.length > 0 ? taken : branches).map((branch) => at(branch, value));
      declared = both(declared, parts.reduce(eitherOf));
    }
    return declared;
  }

  return at;
}

/** The schemas that hold together with this one. */
function conjoinedWith(schema: Keywords, root: JsonSchema): JsonSchema[] {
  const { $ref, allOf, if: condition, then, else: otherwise } = schema;
  const dependent = { ...asMap(schema.dependencies), ...asMap(schema.dependentSchemas) };
  const parts = [...listOf(allOf), condition, then, otherwise, ...Object.values(dependent)];
  const target = $ref === undefined ? [] : [dereference(root, { $ref }) ?? true];
  const isFollowed = schema.$dynamicRef === undefined && schema.$recursiveRef === undefined;
  return [...target, ...parts, ...(isFollowed ? [] : [true])].filter(isSchema);
}

/** What the schema itself says, without the schemas that it refers to. */
function ownDeclaration(schema: Keywords, root: JsonSchema): Declaration {
  const { type, items, prefixItems, required, anyOf, oneOf } = schema;
  const others = [schema.additionalProperties, schema.unevaluatedProperties];
  const properties = Object.entries(asMap(schema.properties)).filter(([, part]) => isSchema(part));
  const keys = new Map(properties as [string, JsonSchema][]);
  const names = listOf(required).filter((name) => typeof name === "string");
  const isNamed = isJsonObject(schema.properties) || others.includes(false);
  for (const name of names) if (!keys.has(name)) keys.set(name, true);
  const tuple = Array.isArray(items) ? items : listOf(prefixItems);
  const tail = Array.isArray(items) ? schema.additionalItems : items;
  return {
    ...NOTHING,
    named: isNamed,
    keys,
    patterns: Object.entries(asMap(schema.patternProperties)).flatMap(([source, part]) => {
      const pattern = toRegExp(source);
      return pattern === undefined || !isSchema(part) ? [] : [[pattern, part] as const];
    }),
    rest: others.filter((other) => other !== false).find(isSchema),
    prefix: tuple.filter(isSchema),
    items: [tail, schema.unevaluatedItems].find(isSchema),
    types: type === undefined ? [] : [Array.isArray(type) ? type : [type]],
    required: names,
    fixed: properties.flatMap(([key, part]) => {
      const values = fixedValues(dereference(root, part));
      return values === undefined ? [] : [[key, values] as const];
    }),
    unions: [anyOf, oneOf].map((list) => listOf(list).filter(isSchema)).filter(isFull),
  };
}

/** Whether a value may be of a branch. What is further in is not looked at. */
function mayTake({ types, required, fixed }: Declaration, value: object): boolean {
  const type = Array.isArray(value) ? "array" : "object";
  if (!types.every((names) => names.includes(type))) return false;
  if (type === "array") return true;
  const own = value as { readonly [key: string]: unknown };
  return (
    required.every((key) => Object.hasOwn(own, key)) &&
    fixed.every(([key, values]) => !Object.hasOwn(own, key) || values.has(own[key]))
  );
}

/** Two schemas that hold together, with what tells their branches. */
function conjoin(one: Declaration, other: Declaration): Declaration {
  return {
    ...both(one, other),
    types: unite(one.types, other.types),
    required: unite(one.required, other.required),
    fixed: unite(one.fixed, other.fixed),
    unions: unite(one.unions, other.unions),
  };
}

/** Two schemas that hold together. */
function both(one: DeclaredKeys, other: DeclaredKeys): DeclaredKeys {
  return {
    named: one.named || other.named,
    keys: mergeKeys(one.keys, other.keys, "allOf"),
    patterns: unite(one.patterns, other.patterns),
    rest: join(one.rest, other.rest, "allOf"),
    prefix: longer(one.prefix, other.prefix),
    items: join(one.items, other.items, "allOf"),
    // What one of them declares whatever the branch is declared.
    partly: new Set([
      ...[...one.partly].filter((key) => isPartly(key, other)),
      ...[...other.partly].filter((key) => isPartly(key, one)),
    ]),
  };
}

function isPartly(key: string, { keys, partly }: DeclaredKeys): boolean {
  return !keys.has(key) || partly.has(key);
}

/** Two branches, of which one holds. */
function eitherOf(one: DeclaredKeys, other: DeclaredKeys): DeclaredKeys {
  const only = (keys: DeclaredKeys["keys"], others: DeclaredKeys["keys"]) =>
    [...keys.keys()].filter((key) => !others.has(key));
  return {
    named: one.named && other.named,
    keys: mergeKeys(one.keys, other.keys, "anyOf"),
    patterns: unite(one.patterns, other.patterns),
    rest: join(one.rest, other.rest, "anyOf"),
    prefix: longer(one.prefix, other.prefix),
    items: join(one.items, other.items, "anyOf"),
    partly: new Set([
      ...one.partly,
      ...other.partly,
      ...only(one.keys, other.keys),
      ...only(other.keys, one.keys),
    ]),
  };
}

function mergeKeys(one: DeclaredKeys["keys"], other: DeclaredKeys["keys"], how: "allOf" | "anyOf") {
  if (one.size === 0) return other;
  const merged = new Map(one);
  for (const [key, schema] of other) {
    merged.set(key, join(merged.get(key), schema, how) as JsonSchema);
  }
  return merged;
}

function join(one: JsonSchema | undefined, other: JsonSchema | undefined, how: "allOf" | "anyOf") {
  if (one === undefined || one === other) return other;
  return other === undefined ? one : { [how]: [one, other] };
}

/** Each once: a schema that is referred to twice says it once. */
function unite<Item>(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (other.length === 0) return one;
  return one.length === 0 ? other : [...new Set([...one, ...other])];
}

function longer(one: readonly JsonSchema[], other: readonly JsonSchema[]): readonly JsonSchema[] {
  return one.length >= other.length ? one : other;
}

function fixedValues(schema: unknown): ReadonlySet<unknown> | undefined {
  const { const: only, enum: values } = asMap(schema);
  const all = only === undefined ? values : [only];
  if (!Array.isArray(all)) return undefined;
  return all.some((value) => value !== null && typeof value === "object")
    ? undefined
    : new Set(all);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isJsonObject(value);
}

function isFull(list: readonly unknown[]): boolean {
  return list.length > 0;
}

function asMap(value: unknown): Keywords {
  return isJsonObject(value) ? value : {};
}
