import { lazy } from "../drive.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import type { JsonType, Part } from "./part.ts";

/** One kind of value that a part of a schema accepts: parts that apply together, without unions. */
export interface Branch {
  readonly types: readonly JsonType[] | undefined;
  readonly parts: readonly Part[];
  readonly description: string;
  /** Whether a part of it cannot be followed: then no key counts as undeclared. */
  readonly isUnsure: boolean;
}

/** The most branches of two unions at one place, and of one place. */
const MAX_PRODUCT = 4_096;
const MAX_BRANCHES = 50_000;

const ANYTHING: Branch = { types: undefined, parts: [], description: "", isUnsure: false };
const UNFOLLOWED: readonly Branch[] = [{ ...ANYTHING, isUnsure: true }];

/** Stands for more branches than are tried. */
export const TOO_MANY: readonly Branch[] = [{ ...ANYTHING, isUnsure: true }];

const known = new WeakMap<Part, readonly Branch[]>();

/**
 * Resolves `$ref`, `allOf`, `anyOf`, `oneOf` and `if` into the branches of a part. Each part is
 * resolved once.
 */
export function branchesOf(part: Part): readonly Branch[] {
  const found = known.get(part);
  if (found !== undefined) return found;
  // A part that leads back to itself adds nothing.
  known.set(part, []);
  const made = resolvePart(part);
  known.set(part, made);
  return made;
}

/** The branches of parts that apply together. */
export function branchesOfAll(parts: readonly Part[]): readonly Branch[] {
  return parts.map(branchesOf).reduce(product, [ANYTHING]);
}

function resolvePart(part: Part): readonly Branch[] {
  const { schema, source, target, types, description } = part;
  if (typeof schema === "boolean") return schema ? [ANYTHING] : [];
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const followed = target === undefined ? UNFOLLOWED : branchesOf(target);
  if ($ref !== undefined && source.isRefAlone) {
    return product([{ ...ANYTHING, description }], followed);
  }
  const isDynamic = $dynamicRef !== undefined || $recursiveRef !== undefined;
  const condition = part.condition.length > 0 ? part.condition.slice(1) : undefined;
  const unions = [part.anyOf, part.oneOf, condition].filter((parts) => parts !== undefined);
  return [
    ...($ref === undefined ? [] : [followed]),
    ...(isDynamic ? [UNFOLLOWED] : []),
    ...part.allOf.map(branchesOf),
    ...unions.map((parts) => parts.flatMap(branchesOf)),
  ].reduce(product, [{ types, parts: [part], description, isUnsure: false }]);
}

function product(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  if (left === TOO_MANY || right === TOO_MANY) return TOO_MANY;
  if (left.length === 1 && left[0] === ANYTHING) return right;
  if (right.length === 1 && right[0] === ANYTHING) return left;
  const isOneUnion = left.length === 1 || right.length === 1;
  const count = left.length * right.length;
  if (count > (isOneUnion ? MAX_BRANCHES : MAX_PRODUCT)) return TOO_MANY;
  return left.flatMap((one) => right.flatMap((other) => merge(one, other)));
}

/** Both at once; empty if they contradict each other. */
function merge(one: Branch, other: Branch): Branch[] {
  const types = narrow(one.types, other.types);
  if (types?.length === 0) return [];
  const { description } = one;
  return [
    {
      types,
      parts: [...new Set([...one.parts, ...other.parts])],
      description: description + (description.includes(other.description) ? "" : other.description),
      isUnsure: one.isUnsure || other.isUnsure,
    },
  ];
}

type Types = Branch["types"];

function narrow(one: Types, other: Types): Types {
  if (one === undefined || other === undefined) return one ?? other;
  const within = (types: readonly JsonType[], wide: readonly JsonType[]) =>
    types.filter((type) => wide.includes(type) || wide.includes(baseOf(type)));
  return [...new Set([...within(one, other), ...within(other, one)])];
}

/** The only values that may stand there; `undefined` if any may. */
export function valuesOf({ parts }: Branch): readonly JsonValue[] | undefined {
  return parts.reduce<readonly JsonValue[] | undefined>(
    (left, { values }) => left?.filter((value) => values?.includes(value) !== false) ?? values,
    undefined,
  );
}

/** Whether an object may be of a branch, judged by its own keys. */
export function mayBe(value: object, branch: Branch): boolean {
  const own = value as Readonly<Record<string, unknown>>;
  const isThere = (key: string) => Object.hasOwn(own, key);
  if (!branch.parts.every(({ required }) => required.every(isThere))) return false;
  return Object.keys(own).every((key) => fixedAt(branch, key)?.includes(own[key]) !== false);
}

/** Whether an object has all keys that a branch requires, and none that it does not declare. */
export function fitsKeys(value: object, { parts }: Branch): boolean {
  return (
    parts.every(({ required }) => required.every((key) => Object.hasOwn(value, key))) &&
    Object.keys(value).every((key) => parts.some(({ properties }) => properties.has(key)))
  );
}

/** The only scalars that may stand at a key: a union's tag, for example. */
function fixedAt({ parts }: Branch, key: string): readonly unknown[] | undefined {
  for (const { properties } of parts) {
    const values = properties.get(key)?.values;
    if (values?.every((value) => value === null || typeof value !== "object")) return values;
  }
  return undefined;
}

/** The members of a union that a value leaves. */
export interface Choice<One> {
  readonly left: readonly One[];
  /** Whether a tag selected them: a key where each has scalars of its own. */
  readonly isTagged: boolean;
}

/** Chooses among a union's members by a value. */
export interface Chooser<One> {
  /** The members of the value's type; for an object, those that its tag selects. */
  readonly choose: (value: unknown) => Choice<One>;
  /** Those of them that may accept it: an object has a key that they require. Unordered. */
  readonly possible: (value: unknown) => readonly One[];
}

/**
 * Analyses a union once for what distinguishes its members, so that a value is tried on few of
 * them: by its type and, for an object, by its tag, or else by its keys.
 */
export function chooserOf<One>(
  members: readonly (readonly [member: One, branches: readonly Branch[]])[],
): Chooser<One> {
  const byType = new Map<JsonType, Choice<One>>();
  const choiceOf = (type: JsonType) => {
    const some = members.filter(([, branches]) => mayHaveType(branches, type));
    const choice = { left: some.map(([member]) => member), isTagged: false };
    byType.set(type, choice);
    return choice;
  };
  const objects = members.filter(([, branches]) => mayHaveType(branches, "object"));
  const tag = tagOf(objects);
  const byKey = lazy(() => groupByKey(objects));
  const choose = (value: unknown) => {
    const type = typeOf(value as JsonValue);
    const isTagged = tag !== undefined && isJsonObject(value) && Object.hasOwn(value, tag.key);
    const told = isTagged ? tag.choices.get(value[tag.key]) : undefined;
    return told ?? byType.get(type) ?? choiceOf(type);
  };
  const possible = (value: unknown) => {
    const { left, isTagged } = choose(value);
    if (isTagged || left.length < 2 || !isJsonObject(value)) return left;
    const groups = byKey();
    if (groups.size === 1) return left;
    let found: readonly One[] = groups.get(undefined) ?? [];
    for (const key of Object.keys(value)) {
      const group = groups.get(key);
      if (group !== undefined) found = found.length === 0 ? group : [...found, ...group];
    }
    return found;
  };
  return { choose, possible };
}

/** Each member under the key that it requires and the fewest others do; `undefined` for one that requires none. */
function groupByKey<One>(members: readonly (readonly [One, readonly Branch[]])[]) {
  const required = members.map(([, branches]) => {
    const [first, ...others] = branches.map(({ parts }) => parts.flatMap((part) => part.required));
    return new Set(first?.filter((key) => others.every((keys) => keys.includes(key))));
  });
  const counts = new Map<string, number>();
  for (const key of required.flatMap((keys) => [...keys])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const countOf = (key: string) => counts.get(key) ?? 0;
  const groups = new Map<string | undefined, One[]>();
  for (const [index, [member]] of members.entries()) {
    const [rarest] = [...(required[index] ?? [])].sort(
      (one, other) => countOf(one) - countOf(other),
    );
    groups.set(rarest, [...(groups.get(rarest) ?? []), member]);
  }
  return groups;
}

/** A part that contradicts itself, or leads back to itself, may be of any type. */
function mayHaveType(branches: readonly Branch[], type: JsonType): boolean {
  const isOfType = (branch: Branch) =>
    (branch.types ?? valuesOf(branch)?.map(typeOf))?.some((one) => baseOf(one) === type) ?? true;
  return branches.length === 0 || branches.some(isOfType);
}

function tagOf<One>(members: readonly (readonly [One, readonly Branch[]])[]) {
  const [first] = members;
  if (first === undefined || members.length < 2) return undefined;
  for (const key of first[1][0]?.parts.flatMap(({ properties }) => [...properties.keys()]) ?? []) {
    const choices = new Map<unknown, { left: One[]; isTagged: true }>();
    const isTag = members.every(([member, branches]) => {
      const values = branches.map((branch) => fixedAt(branch, key));
      for (const value of new Set(values.flat())) {
        const choice = choices.get(value);
        if (choice === undefined) choices.set(value, { left: [member], isTagged: true });
        else choice.left.push(member);
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

/** Treats an integer as a number. */
export function baseOf(type: JsonType): JsonType {
  return type === "integer" ? "number" : type;
}
