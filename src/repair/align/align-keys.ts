import type { JsonObject } from "../types.ts";
import { keySteps } from "./edits/keys/key-steps.ts";
import { type Keyed, missingKeys, undeclaredKeys } from "./keys.ts";
import type { Place, Run } from "./place.ts";
import type { Variant } from "./schema-node.ts";

/** More undeclared keys than this are no misspellings. */
const MAX_UNDECLARED = 100;

/**
 * Puts the keys of an object right: renames, moves, fills in and drops, in this order, each only
 * where there is one way.
 *
 * @returns The object with every required key, or `undefined` where one is still missing.
 */
export function alignKeys(
  object: JsonObject,
  variant: Variant,
  place: Place,
  run: Run,
  branches: readonly Variant[],
): Keyed | undefined {
  let keyed: Keyed = { object, cost: 0, changes: [] };
  if (!isTroubled(object, variant)) return keyed;
  if (undeclaredKeys(object, variant).length > MAX_UNDECLARED) return undefined;
  for (const step of keySteps) {
    if (!run.eager && step.level === "eager") continue;
    keyed = step.take(keyed, { variant, branches, place, run });
    if (!isTroubled(keyed.object, variant)) break;
  }
  return isTroubled(keyed.object, variant) ? undefined : keyed;
}

function isTroubled(object: JsonObject, variant: Variant): boolean {
  return (
    missingKeys(object, variant).length > 0 ||
    (variant.closed && undeclaredKeys(object, variant).length > 0)
  );
}
