/**
 * What `respell-key` and `correct-key` share: an undeclared key stands for a
 * declared one that it is like.
 */

import type { Conditions, KeyRename } from "../rule.ts";
import type { KeyWant } from "../types.ts";

/** A longer key is no name. */
const MAX_NAME = 100;

/** Pairs each undeclared key with each declared one that it is like. */
export function likeKeys(
  { unknown, variant }: KeyWant,
  whyAlike: (key: string, declared: string) => string | undefined,
): readonly KeyRename[] {
  const pairs: KeyRename[] = [];
  for (const from of unknown) {
    if (from.length > MAX_NAME) continue;
    for (const to of variant.properties.keys()) {
      const why = whyAlike(from, to);
      if (why !== undefined) pairs.push({ kind: "rename", from, to, why });
    }
  }
  return pairs;
}

/** The objections to renaming a key, given what makes two keys alike. */
export function unlessOneOfSeveral(
  isAlike: (key: string, declared: string) => boolean,
): Conditions<KeyRename, KeyWant> {
  return {
    "that key is there already": ({ to }, { absent }) => !absent.includes(to),
    "it is like several declared keys": ({ from }, { variant }) => {
      const alike = [...variant.properties.keys()].filter((declared) =>
        isAlike(from, declared),
      );
      return alike.length > 1;
    },
    "another key is like it, too": ({ to }, { unknown }) =>
      unknown.filter((key) => isAlike(key, to)).length > 1,
  };
}
