import type { Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName } from "./names.ts";

/** How the branches of a union are told apart before one is tried. */
interface BranchIndex {
  /** By key: the branches by the constant that they want there, and those that want none. */
  readonly tags: ReadonlyMap<string, Tag>;
  /** The branch that alone requires a key, by that key. */
  readonly owners: ReadonlyMap<string, Variant>;
}

interface Tag {
  readonly byValue: ReadonlyMap<string, readonly Variant[]>;
  readonly untagged: readonly Variant[];
}

const indexes = new WeakMap<readonly Variant[], BranchIndex>();

/**
 * Chooses the branches of a union that an object may be meant for, so that a union costs no more
 * than its branches: by a tag that is a constant of each, or by a key that only one requires.
 *
 * @returns All of them where nothing tells them apart.
 */
export function branchesFor(object: JsonObject, branches: readonly Variant[]): readonly Variant[] {
  if (branches.length < 2) return branches;
  const index = indexes.get(branches) ?? indexBranches(branches);
  indexes.set(branches, index);
  for (const [key, { byValue, untagged }] of index.tags) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    const tagged = value === undefined ? undefined : byValue.get(tagOf(value));
    if (tagged !== undefined) return [...tagged, ...untagged];
  }
  const owners = new Set<Variant>();
  for (const [key, owner] of index.owners) if (Object.hasOwn(object, key)) owners.add(owner);
  return owners.size === 1 ? [...owners] : branches;
}

function indexBranches(branches: readonly Variant[]): BranchIndex {
  const tags = new Map<string, { byValue: Map<string, Variant[]>; untagged: Variant[] }>();
  const requiring = new Map<string, Variant[]>();
  for (const branch of branches) {
    for (const key of branch.required) {
      requiring.set(key, [...(requiring.get(key) ?? []), branch]);
      if (tagIn(branch, key) !== undefined) tags.set(key, { byValue: new Map(), untagged: [] });
    }
  }
  for (const [key, { byValue, untagged }] of tags) {
    for (const branch of branches) {
      const tag = tagIn(branch, key);
      if (tag === undefined) untagged.push(branch);
      else byValue.set(tag, [...(byValue.get(tag) ?? []), branch]);
    }
    if (byValue.size < 2) tags.delete(key);
  }
  const owned = [...requiring].filter(([, owners]) => owners.length === 1);
  const isDeclared = (key: string, owner: Variant | undefined) =>
    branches.some((branch) => branch !== owner && branch.properties.has(key));
  const owners = owned.flatMap(([key, [owner]]) =>
    owner === undefined || isDeclared(key, owner) ? [] : [[key, owner] as const],
  );
  return { tags, owners: new Map(owners) };
}

/** The one constant that a branch wants at a key, folded. */
function tagIn({ properties }: Variant, key: string): string | undefined {
  const [variant, ...others] = properties.get(key)?.variants() ?? [];
  const [value, ...more] = variant?.values ?? [];
  return value === undefined || others.length + more.length > 0 ? undefined : tagOf(value);
}

function tagOf(value: JsonValue): string {
  return typeof value === "string" ? foldName(value) || value : JSON.stringify(value);
}
