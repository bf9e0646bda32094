import type { UndeclaredKeys } from "./types.ts";

/** The names that a policy takes as declared. */
export function allowedKeys({
  undeclaredKeys,
}: {
  readonly undeclaredKeys: UndeclaredKeys;
}): ReadonlySet<string> {
  return new Set(typeof undeclaredKeys === "object" ? undeclaredKeys.allow : []);
}
