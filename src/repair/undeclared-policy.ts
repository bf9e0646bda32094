import type { UndeclaredKeys } from "./types.ts";

const POLICIES: readonly unknown[] = ["repair", "refuse", "leave"] satisfies UndeclaredKeys[];

/**
 * Refuses what is no policy for undeclared keys: a misspelt `"refuse"` must not act as another one.
 *
 * @param policy A policy as it was given; `undefined` is fine.
 * @throws TypeError when it is none.
 */
export function assertUndeclaredKeys(policy: unknown): void {
  if (policy === undefined || POLICIES.includes(policy)) return;
  const allow = (policy as { allow?: unknown } | null)?.allow;
  if (Array.isArray(allow) && allow.every((name) => typeof name === "string")) return;
  throw new TypeError(
    `undeclaredKeys must be "repair", "refuse", "leave" or { allow: [names] }, not ${JSON.stringify(policy)}.`,
  );
}

/** The names that a policy takes as declared. */
export function allowedKeys({
  undeclaredKeys,
}: {
  readonly undeclaredKeys: UndeclaredKeys;
}): ReadonlySet<string> {
  return new Set(typeof undeclaredKeys === "object" ? undeclaredKeys.allow : []);
}
