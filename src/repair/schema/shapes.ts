import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import { ANYTHING, type JsonType, type Part, type Shape } from "./part.ts";

/** The most branches that two unions at one place may come to, and the most of one place. */
const MAX_PRODUCT = 4_096;
const MAX_SHAPES = 50_000;

/** Of what cannot be followed nothing is known: then no key is a stranger. */
const UNFOLLOWED: Shape = { ...ANYTHING, open: true };

/** What stands for more branches than are looked at. */
export const TOO_MANY: readonly Shape[] = [UNFOLLOWED];

const known = new WeakMap<Part, readonly Shape[]>();

/**
 * Resolves `$ref`, `allOf`, `anyOf`, `oneOf` and `if`: what a part says, in each of its branches. Each
 * part is resolved once.
 */
export function shapesOf(part: Part): readonly Shape[] {
  const found = known.get(part);
  if (found !== undefined) return found;
  // What leads back to itself adds nothing.
  known.set(part, []);
  const made = resolvePart(part);
  known.set(part, made);
  return made;
}

/** The branches of parts that hold together. */
export function shapesOfAll(parts: readonly Part[]): readonly Shape[] {
  return parts.map(shapesOf).reduce(product, [ANYTHING]);
}

function resolvePart(part: Part): readonly Shape[] {
  const { schema, source, target, condition, anyOf, oneOf } = part;
  if (typeof schema === "boolean") return schema ? [ANYTHING] : [];
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const followed = target === undefined ? [UNFOLLOWED] : shapesOf(target);
  if ($ref !== undefined && source.isRefAlone) {
    return product([{ ...ANYTHING, description: part.description }], followed);
  }
  const isDynamic = $dynamicRef !== undefined || $recursiveRef !== undefined;
  const unions = [anyOf, oneOf, condition?.slice(1)].filter((branches) => branches !== undefined);
  return [
    ...($ref === undefined ? [] : [followed]),
    ...(isDynamic ? [[UNFOLLOWED]] : []),
    ...part.allOf.map(shapesOf),
    ...unions.map((branches) => branches.flatMap(shapesOf)),
  ].reduce(product, [{ ...part, mentioned: mentionedIn(part) }]);
}

/** What is declared as required, or where a condition holds. */
function mentionedIn({ required, condition, dependent }: Part): Shape["mentioned"] {
  const mentioned = new Map<string, readonly Part[]>(required.map((name) => [name, []]));
  for (const shape of [...(condition ?? []).slice(0, 1), ...dependent].flatMap(shapesOf)) {
    for (const [key, parts] of [...shape.mentioned, ...shape.properties]) mentioned.set(key, parts);
  }
  return mentioned;
}

function product(left: readonly Shape[], right: readonly Shape[]): readonly Shape[] {
  if (left === TOO_MANY || right === TOO_MANY) return TOO_MANY;
  if (left.length === 1 && left[0] === ANYTHING) return right;
  if (right.length === 1 && right[0] === ANYTHING) return left;
  const isOneUnion = left.length === 1 || right.length === 1;
  const count = left.length * right.length;
  if (count > (isOneUnion ? MAX_SHAPES : MAX_PRODUCT)) return TOO_MANY;
  return left.flatMap((one) => right.flatMap((other) => merge(one, other)));
}

/** Both at once, or nothing where they contradict each other. */
function merge(one: Shape, other: Shape): Shape[] {
  const types = meet(one.types, other.types, narrowTypes);
  if (types?.length === 0) return [];
  const { description } = one;
  const length = Math.max(one.prefix.length, other.prefix.length);
  return [
    {
      types,
      values: meet(one.values, other.values, (some, more) => some.filter((v) => more.includes(v))),
      description: description + (description.includes(other.description) ? "" : other.description),
      properties: uniteMaps(one.properties, other.properties),
      mentioned: uniteMaps(one.mentioned, other.mentioned),
      required: unite(one.required, other.required),
      named: one.named || other.named,
      closed: one.closed || other.closed,
      open: one.open || other.open,
      patterns: unite(one.patterns, other.patterns),
      additional: unite(one.additional, other.additional),
      prefix: Array.from({ length }, (_, at) => unite(one.prefix[at], other.prefix[at])),
      items: unite(one.items, other.items),
    },
  ];
}

function meet<Item>(
  one: readonly Item[] | undefined,
  other: readonly Item[] | undefined,
  both: (one: readonly Item[], other: readonly Item[]) => readonly Item[],
): readonly Item[] | undefined {
  return one === undefined || other === undefined ? (one ?? other) : both(one, other);
}

function narrowTypes(one: readonly JsonType[], other: readonly JsonType[]): readonly JsonType[] {
  const within = (types: readonly JsonType[], wide: readonly JsonType[]) =>
    types.filter((type) => wide.includes(type) || wide.includes(baseOf(type)));
  return unite(within(one, other), within(other, one));
}

/** Each once: a part that is referred to twice says it once. */
function unite<Item>(one: readonly Item[] = [], other: readonly Item[] = []): readonly Item[] {
  if (other.length === 0) return one;
  return one.length === 0 ? other : [...new Set([...one, ...other])];
}

function uniteMaps(one: Shape["properties"], other: Shape["properties"]): Shape["properties"] {
  if (one.size === 0) return other;
  if (other.size === 0) return one;
  const both = new Map(one);
  for (const [key, parts] of other) both.set(key, unite(both.get(key), parts));
  return both;
}

/** Whether an object may be of a branch, as far as its own keys tell. */
export function mayBe(value: object, shape: Shape): boolean {
  const own = value as Readonly<Record<string, unknown>>;
  if (!shape.required.every((key) => Object.hasOwn(own, key))) return false;
  return Object.keys(own).every((key) => fixedAt(shape, key)?.includes(own[key]) !== false);
}

/** The scalars that alone may stand at a key: a union's tag, say. */
function fixedAt({ properties }: Shape, key: string): readonly unknown[] | undefined {
  const part = properties.get(key)?.find(({ values }) => values?.every(isSingleValue));
  return part?.values;
}

function isSingleValue(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** The branches that are left of a union for a value. */
export interface Choice<Branch> {
  readonly branches: readonly Branch[];
  /** Whether a tag told them: a key at which each branch has scalars of its own. */
  readonly isTagged: boolean;
}

/**
 * Sorts branches by what tells them apart, so that a value is held against few of them: by the type
 * of the value, and of an object by its tag.
 *
 * @param branches The branches, each with what it says.
 */
export function chooserOf<Branch>(
  branches: readonly (readonly [branch: Branch, shapes: readonly Shape[]])[],
): (value: unknown) => Choice<Branch> {
  const byType = new Map<JsonType, Choice<Branch>>();
  const choiceOf = (type: JsonType) => {
    const some = branches.filter(([, shapes]) => mayHaveType(shapes, type));
    const choice = { branches: some.map(([branch]) => branch), isTagged: false };
    byType.set(type, choice);
    return choice;
  };
  const tag = tagOf(branches.filter(([, shapes]) => mayHaveType(shapes, "object")));
  return (value) => {
    const type = typeOf(value as JsonValue);
    const isTagged = tag !== undefined && isJsonObject(value) && Object.hasOwn(value, tag.key);
    const told = isTagged ? tag.choices.get(value[tag.key]) : undefined;
    return told ?? byType.get(type) ?? choiceOf(type);
  };
}

/** What contradicts itself, or leads back to itself, may be of any type. */
function mayHaveType(shapes: readonly Shape[], type: JsonType): boolean {
  const isOfType = ({ types, values }: Shape) =>
    (types ?? values?.map(typeOf))?.some((one) => baseOf(one) === type) ?? true;
  return shapes.length === 0 || shapes.some(isOfType);
}

function tagOf<Branch>(branches: readonly (readonly [Branch, readonly Shape[]])[]) {
  if (branches.length < 2) return undefined;
  for (const key of branches[0]?.[1][0]?.properties.keys() ?? []) {
    const choices = new Map<unknown, { branches: Branch[]; isTagged: true }>();
    const isTag = branches.every(([branch, shapes]) => {
      const values = shapes.map((shape) => fixedAt(shape, key));
      for (const value of new Set(values.flat())) {
        const choice = choices.get(value);
        if (choice === undefined) choices.set(value, { branches: [branch], isTagged: true });
        else choice.branches.push(branch);
      }
      return values.length > 0 && !values.includes(undefined);
    });
    if (isTag) return { key, choices };
  }
  return undefined;
}

/** The type of a JSON value. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** A number is wanted where an integer is. */
export function baseOf(type: JsonType): JsonType {
  return type === "integer" ? "number" : type;
}
