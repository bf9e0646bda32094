import { dereference, type Schema } from "@cfworker/json-schema";
import { lazy } from "../drive.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { isKeywords, isSchema, isString, type Keywords, mapOf, orElse } from "./keywords.ts";

/** The JSON types that a schema can name. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A part of a JSON Schema: its keywords, read once, with references resolved. */
export interface Part {
  readonly schema: JsonSchema;
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
  readonly condition: readonly Part[] | undefined;
}

/** Keywords that restrict the values of one type. */
export interface Limits {
  readonly keywords: Schema;
  /** Whether only `@cfworker/json-schema` can tell what they accept. */
  readonly isRare: boolean;
}

/** The schema that contains a part. */
interface Source {
  /** The parts by their URIs, for references. */
  readonly lookup: () => Record<string, Schema | boolean>;
  /** Whether all its keywords can be read here; otherwise `@cfworker/json-schema` decides. */
  readonly isKnown: boolean;
  /** Whether each part that names keys says what other keys are: then no accepted key is undeclared. */
  readonly isClosed: boolean;
  /** The names of all keys that it declares, at any place. */
  readonly names: ReadonlySet<string>;
}

const roots = new WeakMap<object, Part>();

/**
 * Reads a JSON Schema: each part once, with references resolved. LangChain validates every schema as
 * draft 2019-09, whatever its `$schema`.
 */
export function readSchema(schema: JsonSchema): Part {
  if (typeof schema === "boolean") return readParts(schema);
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const part = readParts(schema);
  roots.set(schema, part);
  return part;
}

/** The names of all keys that a schema declares, at any place; empty if it cannot be read. */
export function declaredNames(schema: JsonSchema): ReadonlySet<string> {
  return orElse(() => readSchema(schema).source.names, new Set());
}

/** Keywords that depend on the results of others, or on the place that they are reached from. */
const FOREIGN = ["unevaluatedProperties", "unevaluatedItems", "$recursiveRef", "$recursiveAnchor"];

/** The keywords of a part that only restricts the type. */
const BARE: ReadonlySet<string> = new Set("type title description default examples".split(" "));

function readParts(root: JsonSchema): Part {
  const parts = new Map<unknown, Part>();
  const references: { target: Part | undefined; readonly schema: JsonSchema }[] = [];
  const lookup = lazy(() => dereference(root as Schema) as Record<string, Schema | boolean>);
  const names = new Set<string>();
  const source = { isKnown: true, isClosed: true, lookup, names };

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
    const keywords = mapOf(schema);
    const { const: only, items, if: test, then = true, else: otherwise = true } = keywords;
    const isForeign = FOREIGN.some((keyword) => keywords[keyword] !== undefined);
    if (isForeign || (only !== undefined && keywords.enum !== undefined)) source.isKnown = false;
    const type = expect<JsonType | JsonType[]>(
      keywords.type,
      (is) => isString(is) || Array.isArray(is),
    );
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
      required:
        expect<string[]>(keywords.required, (is) => Array.isArray(is) && is.every(isString)) ?? [],
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
      condition: test === undefined ? undefined : [test, then, otherwise].flatMap(one),
    };
    // `@cfworker/json-schema` checks these, but it must be known whether they can be read.
    for (const schema of [keywords.contains, keywords.propertyNames]) some(schema);
    for (const name of part.properties.keys()) names.add(name);
    const namesKeys = keywords.properties !== undefined || part.patterns.length > 0;
    if (namesKeys && !part.rest && !part.unevaluated) source.isClosed = false;
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

function isPattern(source: unknown): boolean {
  return orElse(() => new RegExp(source as string, "u") instanceof RegExp, false);
}

const RANGES = "minimum maximum minLength maxLength minItems maxItems".split(" ");

/** Limits that are rare, or slow in any case. */
const RARE = `exclusiveMinimum exclusiveMaximum multipleOf pattern format contains minContains
  maxContains minProperties maxProperties propertyNames dependentRequired dependentSchemas
  dependencies`.split(/\s+/);

function readLimits(part: Keywords): Limits | undefined {
  const found = [...RANGES, ...RARE].filter((name) => part[name] !== undefined);
  if (found.length === 0) return undefined;
  const keywords = Object.fromEntries(found.map((name) => [name, part[name]])) as Schema;
  return { keywords, isRare: found.some((name) => RARE.includes(name)) };
}

/** One kind of value that a schema accepts: parts that apply together, without unions. */
export type Branch = readonly Part[];

/** The most branches of two unions at one place, and of one place. */
const MAX_PRODUCT = 4_096;
const MAX_BRANCHES = 50_000;

/** Stands for more branches than are tried. */
const TOO_MANY: readonly Branch[] = [[]];

const resolved = new WeakMap<Part, readonly Branch[]>();

/** Resolves `$ref`, `allOf`, `anyOf`, `oneOf` and `if` into the branches of a part, once. */
export function branchesOf(part: Part): readonly Branch[] {
  const found = resolved.get(part);
  if (found !== undefined) return found;
  // A part that leads back to itself adds nothing.
  resolved.set(part, []);
  const { schema, target, allOf, anyOf, oneOf, condition } = part;
  const unions = [anyOf, oneOf, condition?.slice(1)].filter((parts) => parts !== undefined);
  const made = [
    ...(target === undefined ? [] : [branchesOf(target)]),
    ...allOf.map(branchesOf),
    ...unions.map((parts) => parts.flatMap(branchesOf)),
  ].reduce(product, schema === false ? [] : [[part]]);
  resolved.set(part, made);
  return made;
}

/** The branches of two parts that apply together. */
export function product(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  if (left === TOO_MANY || right === TOO_MANY) return TOO_MANY;
  const isOneUnion = left.length === 1 || right.length === 1;
  const count = left.length * right.length;
  if (count > (isOneUnion ? MAX_BRANCHES : MAX_PRODUCT)) return TOO_MANY;
  const both = left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])]));
  // Parts of different types contradict each other.
  return both.filter((branch) => typesOf(branch)?.length !== 0);
}

/** The types that all parts allow; `undefined` if they allow any. */
function typesOf(branch: Branch): readonly JsonType[] | undefined {
  return branch.reduce<readonly JsonType[] | undefined>((one, { types: other }) => {
    if (one === undefined || other === undefined) return one ?? other;
    const within = (types: readonly JsonType[], wide: readonly JsonType[]) =>
      types.filter((type) => wide.includes(type) || wide.includes(baseOf(type)));
    return [...new Set([...within(one, other), ...within(other, one)])];
  }, undefined);
}

/** The only values that may stand there; `undefined` if any may. */
export function valuesOf(branch: Branch): readonly JsonValue[] | undefined {
  return branch.reduce<readonly JsonValue[] | undefined>(
    (left, { values }) =>
      left?.filter((value) => values?.has(value) !== false) ?? (values && [...values]),
    undefined,
  );
}

/** The types that it names, or those of its values; `undefined` if any may stand there. */
export function namedTypesOf(branch: Branch): readonly JsonType[] | undefined {
  const values = valuesOf(branch);
  return typesOf(branch) ?? (values && [...new Set(values.map(typeOf))]);
}

/** The only scalars that may stand at a key: a union's tag, for example. */
function scalarsAt(branch: Branch, key: string): readonly unknown[] | undefined {
  return branch
    .map(({ properties }) => properties.get(key)?.values)
    .flatMap((values) => (values === undefined ? [] : [[...values]]))
    .find((values) => values.every((value) => value === null || typeof value !== "object"));
}

/** Whether an object has all keys that a branch requires. */
export function hasRequired(object: object, branch: Branch): boolean {
  return branch.every(({ required }) => required.every((key) => Object.hasOwn(object, key)));
}

/** The members of a union that a value may be of. */
export interface Choice<Member> {
  /** Those of the value's type; for an object, those that its tag selects. */
  readonly left: readonly Member[];
  /** Whether a tag selected them: a key where each has scalars of its own. */
  readonly isTagged: boolean;
}

/**
 * Analyses a union once for what distinguishes its members, so that a value is tried on few of
 * them: by its type and, for an object, by its tag.
 */
export function chooserOf<Member>(
  members: readonly Member[],
  branchesOf: (member: Member) => readonly Branch[],
): (value: unknown) => Choice<Member> {
  const byType = new Map<JsonType, Choice<Member>>();
  const ofType = (type: JsonType) => {
    const known = byType.get(type);
    if (known !== undefined) return known;
    const left = members.filter((member) => mayHaveType(branchesOf(member), type));
    const choice = { left, isTagged: false };
    byType.set(type, choice);
    return choice;
  };
  const tag = lazy(() => tagOf(ofType("object").left, branchesOf));
  return (value) => {
    const choice = ofType(typeOf(value as JsonValue));
    if (!isJsonObject(value) || choice.left.length < 2) return choice;
    const { key, choices } = tag();
    return (Object.hasOwn(value, key) ? choices.get(value[key]) : undefined) ?? choice;
  };
}

/** A part that contradicts itself, or leads back to itself, may be of any type. */
function mayHaveType(branches: readonly Branch[], type: JsonType): boolean {
  const isOfType = (branch: Branch) =>
    namedTypesOf(branch)?.some((one) => baseOf(one) === type) ?? true;
  return branches.length === 0 || branches.some(isOfType);
}

/** The key where each member has scalars of its own, and the members by them. */
function tagOf<Member>(
  members: readonly Member[],
  branchesOf: (member: Member) => readonly Branch[],
) {
  const [first] = members.slice(0, 1).flatMap(branchesOf);
  for (const key of first?.flatMap(({ properties }) => [...properties.keys()]) ?? []) {
    const choices = new Map<unknown, Choice<Member> & { readonly left: Member[] }>();
    const isTag = members.every((member) => {
      const values = branchesOf(member).map((branch) => scalarsAt(branch, key));
      for (const value of new Set(values.flat())) {
        const left = choices.get(value)?.left ?? [];
        left.push(member);
        choices.set(value, { left, isTagged: true });
      }
      return values.length > 0 && !values.includes(undefined);
    });
    if (isTag) return { key, choices };
  }
  return { key: "", choices: new Map<unknown, never>() };
}

/** The type of a JSON value. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** Treats an integer as a number. */
export function baseOf(type: JsonType): JsonType {
  return type === "integer" ? "number" : type;
}
