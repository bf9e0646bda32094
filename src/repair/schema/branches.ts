import { lazy } from "../drive.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { type JsonType, type Part, typeOf } from "./part.ts";

/** One kind of value that a schema accepts: parts that apply together, without unions. */
export interface Branch {
  readonly parts: readonly Part[];
  /** The types that all parts allow; `undefined` if they allow any. */
  readonly types: readonly JsonType[] | undefined;
}

/** The most branches of one place. */
const MAX_BRANCHES = 10_000;

/** Stands for more branches than are tried. */
const TOO_MANY: readonly Branch[] = [{ parts: [], types: undefined }];

const resolved = new WeakMap<Part, readonly Branch[]>();

/** Resolves `$ref`, `allOf`, `anyOf` and `oneOf` into the branches of a part, once. */
export function branchesOf(part: Part): readonly Branch[] {
  const found = resolved.get(part);
  if (found !== undefined) return found;
  // A part that leads back to itself adds nothing.
  resolved.set(part, []);
  const { schema, target, allOf, anyOf, oneOf, types, values } = part;
  const named = types?.map((type) => (type === "integer" ? "number" : type) as JsonType);
  const own = { parts: [part], types: named ?? (values && [...values].map(typeOf)) };
  const made = [
    ...(target === undefined ? [] : [branchesOf(target)]),
    ...allOf.map(branchesOf),
    ...[anyOf, oneOf].flatMap((union) => (union ? [union.flatMap(branchesOf)] : [])),
  ].reduce(product, schema === false ? [] : [{ ...own, types: own.types && unique(own.types) }]);
  resolved.set(part, made);
  return made;
}

/** The branches of two parts that apply together; parts of different types contradict each other. */
export function product(left: readonly Branch[], right: readonly Branch[]): readonly Branch[] {
  const isTooMany = left === TOO_MANY || right === TOO_MANY;
  if (isTooMany || left.length * right.length > MAX_BRANCHES) return TOO_MANY;
  const both = left.flatMap((one) =>
    right.map((other) => ({
      parts: unique([...one.parts, ...other.parts]),
      types:
        one.types && other.types
          ? one.types.filter((type) => other.types?.includes(type))
          : (one.types ?? other.types),
    })),
  );
  return both.filter(({ types }) => types?.length !== 0);
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

/**
 * Analyses a union once for what distinguishes its members, so that a value is tried on few of
 * them: those of its type and, for an object, those that its tag selects.
 */
export function chooserOf<Member>(
  members: readonly Member[],
  branchesOf: (member: Member) => readonly Branch[],
): (value: unknown) => { readonly left: readonly Member[]; readonly isTagged: boolean } {
  const byType = new Map<JsonType, readonly Member[]>();
  const ofType = (type: JsonType) => {
    const isOfType = (member: Member) => {
      const branches = branchesOf(member);
      // A part that contradicts itself, or leads back to itself, may be of any type.
      return branches.length === 0 || branches.some(({ types }) => types?.includes(type) ?? true);
    };
    const found = byType.get(type) ?? members.filter(isOfType);
    byType.set(type, found);
    return found;
  };
  const byTag = lazy(() => tagOf(ofType("object"), branchesOf));
  return (value: unknown) => {
    const left = ofType(typeOf(value as JsonValue));
    const tagged = isJsonObject(value) && left.length > 1 ? byTag()(value) : undefined;
    return { left: tagged ?? left, isTagged: tagged !== undefined };
  };
}

/** Selects members by the first key where each has scalars of its own. */
function tagOf<Member>(
  members: readonly Member[],
  branchesOf: (member: Member) => readonly Branch[],
): (object: JsonObject) => readonly Member[] | undefined {
  const [first] = members.slice(0, 1).flatMap(branchesOf);
  for (const key of first?.parts.flatMap(({ properties }) => [...properties.keys()]) ?? []) {
    const choices = new Map<unknown, Member[]>();
    const isTag = members.every((member) => {
      const values = branchesOf(member).map((branch) => scalarsAt(branch, key));
      for (const value of new Set(values.flat())) {
        choices.set(value, [...(choices.get(value) ?? []), member]);
      }
      return values.length > 0 && !values.includes(undefined);
    });
    if (isTag)
      return (object) => (Object.hasOwn(object, key) ? choices.get(object[key]) : undefined);
  }
  return () => undefined;
}

/** The only scalars that may stand at a key: a union's tag, for example. */
function scalarsAt({ parts }: Branch, key: string): readonly unknown[] | undefined {
  return parts
    .flatMap(({ properties }) => properties.get(key) ?? [])
    .flatMap(({ values }) => (values === undefined ? [] : [[...values]]))
    .find((values) => values.every((value) => value === null || typeof value !== "object"));
}
