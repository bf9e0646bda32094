import { lazy } from "../drive.ts";
import { isContainer, isJsonObject } from "../json.ts";
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
  return { parts: [part], types: typesOf(part) };
}

/** The types that a part names, or else those of its values. */
function typesOf({ types, values }: SchemaPart): Branch["types"] {
  if (types !== undefined) return unique(types.map(toJsonType));
  if (values !== undefined) return unique([...values].map(typeOf));
  return undefined;
}

function toJsonType(type: string): JsonType {
  return type === "integer" ? "number" : (type as JsonType);
}

/**
 * The branches of two parts that apply together; parts of different types
 * contradict each other.
 */
export function product(
  left: readonly Branch[],
  right: readonly Branch[],
): readonly Branch[] {
  if ([left, right].includes(TOO_MANY)) return TOO_MANY;
  if (left.length * right.length > MAX_BRANCHES) return TOO_MANY;
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
    const members = this.#ofType(typeOf(value));
    if (members.length < 2) return { members, isTagged: false };
    const tagged = this.#taggedMembers(value);
    if (tagged === undefined) return { members, isTagged: false };
    return { members: tagged, isTagged: true };
  }

  /** The members that the tag of an object selects. */
  #taggedMembers(value: unknown): readonly Member[] | undefined {
    if (!isJsonObject(value)) return undefined;
    const tag = this.#tag();
    if (tag === undefined) return undefined;
    if (!Object.hasOwn(value, tag.key)) return undefined;
    return tag.members.get(value[tag.key]);
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
    const [member] = this.#ofType("object");
    if (member === undefined) return undefined;
    const [branch] = this.#branchesOf(member);
    if (branch === undefined) return undefined;
    for (const { properties } of branch.parts) {
      for (const key of properties.keys()) {
        const members = this.#membersByScalar(key);
        if (members !== undefined) return { key, members };
      }
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
    const values = properties.get(key)?.values;
    if (!values?.size) continue;
    const choices = [...values];
    if (!choices.some(isContainer)) return choices;
  }
  return undefined;
}
