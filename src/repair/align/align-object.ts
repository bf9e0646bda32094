import type { Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { alignKeys } from "./align-keys.ts";
import { type Candidate, type Child, cheapest, combine } from "./candidate.ts";
import { omissionOf } from "./edits/omissions.ts";
import { givesConsent } from "./names.ts";
import { accepts, isUndisputedInside, type Place, placeOfKey, type Run } from "./place.ts";
import { DEFAULT_FOR_NULL, LEFT_OUT } from "./reasons.ts";

/** Repairs an object: its keys first, then what stands at each of them. */
export function alignObject(
  object: JsonObject,
  variant: Variant,
  place: Place,
  run: Run,
  branches: readonly Variant[],
): readonly Candidate[] {
  const keyed = alignKeys(object, variant, place, run, branches);
  if (keyed === undefined) return [];
  const keys = Object.keys(keyed.object);
  const children: Child<string>[] = [];
  for (const key of keys) {
    if (isUndisputedInside(keyed.object[key] as JsonValue, key, place)) {
      // It is right, but for which branch?
      if (branches.length === 1 || isOfBranch(keyed.object, key, variant, { place, run })) continue;
      return [];
    }
    const candidates = alignProperty(keyed.object[key] as JsonValue, key, variant, place, run);
    if (candidates.length === 0) return [];
    children.push({ key, candidates });
  }
  const build = (values: readonly (JsonValue | undefined)[]) => {
    const after: { [key: string]: JsonValue | undefined } = { ...keyed.object };
    for (let nth = 0; nth < children.length; nth++) {
      const { key } = children[nth] as Child<string>;
      const value = values[nth];
      if (value === undefined) delete after[key];
      else after[key] = value;
    }
    return after as JsonObject;
  };
  const { cost, changes } = keyed;
  const isHere = changes.length === 0 || place.path === "";
  const before = {
    cost,
    changes: isHere ? changes : changes.map((made) => ({ ...made, path: place.path + made.path })),
  };
  return combine({ children, before, build });
}

/** Whether a branch accepts what stands at a key. What is none of its keys is no sign. */
function isOfBranch(
  object: JsonObject,
  key: string,
  variant: Variant,
  { place, run }: { readonly place: Place; readonly run: Run },
): boolean {
  const node = variant.keyAt(key);
  return node === undefined || accepts(object[key] as JsonValue, node, placeOfKey(place, key), run);
}

function alignProperty(
  value: JsonValue,
  key: string,
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const node = variant.keyAt(key);
  if (node === undefined) return [{ value, cost: 0, changes: [] }];
  const at = placeOfKey(place, key);
  const found = run.align(value, node, at);
  const [best] = found;
  if (best?.cost === 0) return found;
  const isRequired = variant.required.has(key);
  // To leave a consent out is to give it, where that is the default.
  const isGiven = node.default === true && givesConsent(key);
  const isOptional = !isRequired && variant.properties.has(key) && !isGiven;
  const omission = isOptional ? omissionOf(value, node, run.eager) : undefined;
  const defaulted =
    isRequired && run.eager && value === null && !givesConsent(key)
      ? structuredClone(node.default)
      : undefined;
  if (defaulted !== undefined) {
    const change = { ...FILL_DEFAULT, path: at.path, before: value, after: defaulted };
    return cheapest([...found, { value: defaulted, cost: 4, changes: [change] }]);
  }
  if (omission === undefined) return found;
  const change = {
    fixer: omission.name,
    path: at.path,
    before: value,
    after: undefined,
    level: omission.level,
    reason: LEFT_OUT,
  };
  return cheapest([...found, { value: undefined, cost: omission.cost, changes: [change] }]);
}

const FILL_DEFAULT = {
  fixer: "fill-default",
  level: "eager",
  reason: DEFAULT_FOR_NULL,
} as const;
