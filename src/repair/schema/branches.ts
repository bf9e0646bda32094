import { lazy } from "../drive.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import type { JsonType, Part } from "./part.ts";

/** One kind of value that a schema accepts: parts that apply together, without unions. */
export type Branch = readonly Part[];

/** The most branches of two unions at one place, and of one place. */
const MAX_PRODUCT = 4_096;
const MAX_BRANCHES = 50_000;

/** Stands for more branches than are tried. */
const TOO_MANY: readonly Branch[] = [[]];

const known = new WeakMap<Part, readonly Branch[]>();

/** Resolves `$ref`, `allOf`, `anyOf`, `oneOf` and `if` into the branches of a part, once. */
export function branchesOf(part: Part): readonly Branch[] {
  const found = known.get(part);
  if (found !== undefined) return found;
  // A part that leads back to itself adds nothing.
  known.set(part, []);
  const { schema, target, allOf, anyOf, oneOf, condition } = part;
  const unions = [anyOf, oneOf, condition.length > 0 ? condition.slice(1) : undefined];
  const made = [
    ...(target === undefined ? [] : [branchesOf(target)]),
    ...allOf.map(branchesOf),
    ...unions.flatMap((parts) => (parts === undefined ? [] : [parts.flatMap(branchesOf)])),
  ].reduce(product, schema === false ? [] : [[part]]);
  known.set(part, made);
  return made;
}

/** The branches of parts that apply together; none if they are too many to try. */
export function branchesOfAll(parts: readonly Part[]): readonly Branch[] {
  const all = parts.map(branchesOf).reduce(product);
  return all === TOO_MANY ? [] : all;
}

function product(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  if (left === TOO_MANY || right === TOO_MANY) return TOO_MANY;
  const isOneUnion = left.length === 1 || right.length === 1;
  const count = left.length * right.length;
  if (count > (isOneUnion ? MAX_BRANCHES : MAX_PRODUCT)) return TOO_MANY;
  const both = left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])]));
  // Parts of different types contradict each other.
  return both.filter((branch) => typesOf(branch)?.length !== 0);
}

/** The types that all parts allow; `undefined` if they allow any. */
export function typesOf(branch: Branch): readonly JsonType[] | undefined {
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
  return typesOf(branch) ?? (valuesOf(branch) && [...new Set(valuesOf(branch)?.map(typeOf))]);
}

/** The only scalars that may stand at a key: a union's tag, for example. */
export function scalarsAt(branch: Branch, key: string): readonly unknown[] | undefined {
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
  /** Those of them that may accept it: an object has the keys that they require. */
  readonly possible: readonly Member[];
  /** Whether a tag selected them: a key where each has scalars of its own. */
  readonly isTagged: boolean;
}

/**
 * Analyses a union once for what distinguishes its members, so that a value is tried on few of
 * them: by its type and, for an object, by its tag, or else by its keys.
 */
export function chooserOf<Member>(
  members: readonly Member[],
  branchesOf: (member: Member) => readonly Branch[],
): (value: unknown) => Choice<Member> {
  const byType = new Map<JsonType, Choice<Member>>();
  const tag = lazy(() => tagOf(ofType("object").left, branchesOf));

  function ofType(type: JsonType): Choice<Member> {
    const left = members.filter((member) => mayHaveType(branchesOf(member), type));
    const choice = byType.get(type) ?? { left, possible: left, isTagged: false };
    byType.set(type, choice);
    return choice;
  }

  return (value) => {
    const type = typeOf(value as JsonValue);
    const choice = byType.get(type) ?? ofType(type);
    if (!isJsonObject(value) || choice.left.length < 2) return choice;
    const { key, choices } = tag();
    const tagged = Object.hasOwn(value, key) ? choices.get(value[key]) : undefined;
    if (tagged !== undefined) return tagged;
    const mayAccept = (branches: readonly Branch[]) =>
      branches.length === 0 || branches.some((branch) => hasRequired(value, branch));
    return { ...choice, possible: choice.left.filter((one) => mayAccept(branchesOf(one))) };
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
        choices.set(value, { left, possible: left, isTagged: true });
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
