import type { UndeclaredKeys } from "./types.ts";

/** The policies that are a word. */
export const UNDECLARED_POLICIES: readonly Extract<UndeclaredKeys, string>[] = [
  "repair",
  "refuse",
  "leave",
];

/** The names that a policy takes as declared. */
export function allowedKeys({
  undeclaredKeys,
}: {
  readonly undeclaredKeys: UndeclaredKeys;
}): ReadonlySet<string> {
  return new Set(typeof undeclaredKeys === "object" ? undeclaredKeys.allow : []);
}
