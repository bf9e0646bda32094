import { lazy } from "../drive.ts";
import { isJsonObject } from "../json.ts";
import type { JsonValue } from "../types.ts";
import { type JsonType, type SchemaPart, typeOf } from "./part.ts";

/**
 * One kind of value that a schema accepts: parts that apply together, without
 * unions.
 */
export interface Branch {
  readonly parts: readonly SchemaPart[];
  /** The types that all parts allow; `undefined` if they allow any. */
  readonly types: readonly JsonType[] | undefined;
}

/** The most branches of one place. */
const MAX_BRANCHES = 10_000;

/** Stands for more branches than are tried. */
const TOO_MANY: readonly Branch[] = [{ parts: [], types: undefined }];

const resolved = new WeakMap<SchemaPart, readonly Branch[]>();

/**
 * Resolves `$ref`, `allOf`, `anyOf` and `oneOf` into the branches of a part,
 * once.
 */
export function branchesOf(part: SchemaPart): readonly Branch[] {
  const known = resolved.get(part);
  if (known !== undefined) return known;
  // A part that leads back to itself adds nothing.
  resolved.set(part, []);
  const { schema, target, allOf, anyOf, oneOf } = part;
  const required = target === undefined ? allOf : [target, ...allOf];
  let branches: readonly Branch[] = schema === false ? [] : [ownBranch(part)];
  for (const partOfAll of required)
    branches = product(branches, branchesOf(partOfAll));
  for (const union of [anyOf, oneOf]) {
    if (union !== undefined)
      branches = product(branches, union.flatMap(branchesOf));
  }
  resolved.set(part, branches);
  return branches;
}

/** What a part says itself. */
function ownBranch(part: SchemaPart): Branch {
  const { types, values } = part;
  const named = types?.map(
    (type) => (type === "integer" ? "number" : type) as JsonType,
  );
  const all = named ?? (values && [...values].map(typeOf));
  return { parts: [part], types: all && unique(all) };
}

/**
 * The branches of two parts that apply together; parts of different types
 * contradict each other.
 */
export function product(
  left: readonly Branch[],
  right: readonly Branch[],
): readonly Branch[] {
  const isTooMany = left === TOO_MANY || right === TOO_MANY;
  if (isTooMany || left.length * right.length > MAX_BRANCHES) return TOO_MANY;
  const pairs = left.flatMap((first) =>
    right.map((second) => intersection(first, second)),
  );
  return pairs.filter(({ types }) => types?.length !== 0);
}

function intersection(left: Branch, right: Branch): Branch {
  const parts = unique([...left.parts, ...right.parts]);
  if (left.types === undefined) return { parts, types: right.types };
  const { types = left.types } = right;
  return { parts, types: left.types.filter((type) => types.includes(type)) };
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

/** The members of a union that a value may be of. */
export interface Choice<Member> {
  readonly members: readonly Member[];
  /** Whether the value's tag chose them. */
  readonly isTagged: boolean;
}

type MembersByScalar<Member> = ReadonlyMap<unknown, readonly Member[]>;

/**
 * Analyses a union once for what distinguishes its members, so that a value is
 * tried on few of them: those of its type and, for an object, those that its
 * tag selects.
 */
export class UnionChooser<Member> {
  readonly #members: readonly Member[];
  readonly #branchesOf: (member: Member) => readonly Branch[];
  readonly #byType = new Map<JsonType, readonly Member[]>();
  readonly #tag = lazy(() => this.#findTag());

  constructor(
    members: readonly Member[],
    branchesOf: (member: Member) => readonly Branch[],
  ) {
    this.#members = members;
    this.#branchesOf = branchesOf;
  }

  choose(value: unknown): Choice<Member> {
    const members = this.#ofType(typeOf(value as JsonValue));
    if (members.length < 2 || !isJsonObject(value))
      return { members, isTagged: false };
    const tag = this.#tag();
    const isAbsent = tag === undefined || !Object.hasOwn(value, tag.key);
    const tagged = isAbsent ? undefined : tag.members.get(value[tag.key]);
    return { members: tagged ?? members, isTagged: tagged !== undefined };
  }

  #ofType(type: JsonType): readonly Member[] {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const members = this.#members.filter((member) =>
      this.#mayBeOfType(member, type),
    );
    this.#byType.set(type, members);
    return members;
  }

  #mayBeOfType(member: Member, type: JsonType): boolean {
    const branches = this.#branchesOf(member);
    // A part that contradicts itself, or leads back to itself, may be of any
    // type.
    if (branches.length === 0) return true;
    return branches.some(
      ({ types }) => types === undefined || types.includes(type),
    );
  }

  /**
   * Finds the first key where each member of type object has scalars of its
   * own.
   */
  #findTag():
    | { readonly key: string; readonly members: MembersByScalar<Member> }
    | undefined {
    const [first] = this.#ofType("object")
      .slice(0, 1)
      .flatMap(this.#branchesOf);
    const keys =
      first?.parts.flatMap(({ properties }) => [...properties.keys()]) ?? [];
    for (const key of keys) {
      const members = this.#membersByScalar(key);
      if (members !== undefined) return { key, members };
    }
    return undefined;
  }

  /**
   * Returns the members by their scalars at a key; `undefined` if a member
   * takes any value there.
   */
  #membersByScalar(key: string): MembersByScalar<Member> | undefined {
    const byScalar = new Map<unknown, Member[]>();
    for (const member of this.#ofType("object")) {
      const scalars = this.#branchesOf(member).map((branch) =>
        scalarsAt(branch, key),
      );
      if (scalars.length === 0 || scalars.includes(undefined)) return undefined;
      for (const scalar of new Set(scalars.flat())) {
        byScalar.set(scalar, [...(byScalar.get(scalar) ?? []), member]);
      }
    }
    return byScalar;
  }
}

/** The only scalars that may stand at a key: a union's tag, for example. */
function scalarsAt(
  { parts }: Branch,
  key: string,
): readonly unknown[] | undefined {
  for (const { properties } of parts) {
    const values = [...(properties.get(key)?.values ?? [])];
    if (values.length > 0 && values.every(isScalar)) return values;
  }
  return undefined;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
