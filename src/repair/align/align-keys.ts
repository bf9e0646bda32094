import { toPointer } from "../json/json-pointer.ts";
import { toSchemaNode, type Variant } from "../schema/node.ts";
import type { JsonObject, Repair } from "../types.ts";
import { dropKey } from "./edits/keys/drop-key.ts";
import type { KeyStep } from "./edits/keys/key-step.ts";
import { keySteps } from "./edits/keys/key-steps.ts";
import { respellKey } from "./edits/keys/respell-key.ts";
import { isUndeclared, type Keyed, type KeyWant, undeclaredKeys } from "./keys.ts";
import { type Place, type Run, spend } from "./place.ts";

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
  const want = { variant: withAllowed(variant, run), branches, place, run };
  const isAccepted = run.undeclared.strays !== undefined && object === place.given;
  const isTroubled = isAccepted ? hasStrays : isRefused;
  let keyed: Keyed = { object, cost: 0, changes: NO_CHANGES };
  spend(run, place.depth, Object.keys(object).length + variant.required.size);
  if (!isTroubled(object, want)) return isAccepted && isRefused(object, want) ? undefined : keyed;
  const undeclared = undeclaredKeys(object, want.variant);
  if (undeclared.length > MAX_UNDECLARED) {
    return isAccepted ? keyed : undefined;
  }
  // Names that are looked up, or at worst compared by what they are folded to.
  const pairs = (undeclared.length * variant.properties.size) >> 3;
  for (const step of isAccepted && !run.eager ? OF_ACCEPTED : keySteps) {
    if (!run.eager && step.level === "eager") continue;
    spend(run, place.depth, Object.keys(keyed.object).length + variant.properties.size + pairs);
    keyed = step.take(keyed, want);
    if (!isTroubled(keyed.object, want)) break;
  }
  return isRefused(keyed.object, want) ? undefined : keyed;
}

/** The edits of keys that the schema has nothing against. */
const OF_ACCEPTED: readonly KeyStep[] = [respellKey, dropKey];

const NO_CHANGES: readonly Repair[] = [];

function isRefused(object: JsonObject, { variant }: KeyWant): boolean {
  for (const key of variant.required) if (!Object.hasOwn(object, key)) return true;
  if (!variant.closed) return false;
  for (const key in object) if (isUndeclared(key, variant)) return true;
  return false;
}

function hasStrays(object: JsonObject, { variant, place, run }: KeyWant): boolean {
  const strays = run.undeclared.strays ?? new Set();
  return undeclaredKeys(object, variant).some((key) => strays.has(place.path + toPointer([key])));
}

/** Keys that the option allows are as good as declared, for whatever stands at them. */
function withAllowed(variant: Variant, { undeclared: { allow } }: Run): Variant {
  if (allow.size === 0) return variant;
  const keyAt: Variant["keyAt"] = (key) => variant.keyAt(key) ?? (allow.has(key) ? ANY : undefined);
  return { ...variant, keyAt };
}

const ANY = toSchemaNode(true);
