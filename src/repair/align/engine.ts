import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import { type Child, cheapest, combine, kept } from "./candidates.ts";
import { fitsAt } from "./fits.ts";
import { keyEdits } from "./key-edits.ts";
import {
  accepts,
  countCandidate,
  countSteps,
  disputedIndexes,
  isUndisputed,
  isUndisputedAt,
  placeInside,
} from "./place.ts";
import type {
  Candidate,
  Edit,
  KeyChange,
  KeyEdit,
  KeyWant,
  Known,
  Place,
  Run,
  ValueEdit,
} from "./types.ts";
import { valueEdits } from "./value-edits.ts";

const VALUE_EDITS: readonly ValueEdit[] = valueEdits;
const KEY_EDITS: readonly KeyEdit[] = keyEdits;

/** The most that may be spent on one value before what is inside it: text in an envelope in a list. */
const MAX_SPENT = 7;
/** How many edits a place may try before they count against the limit. */
const FREE_TRIES = 8;
/** A value at more places than this stands in a list again and again, and is not looked up. */
const MAX_PLACES = 16;
/** More undeclared keys of one object than this are no misspellings. */
const MAX_UNKNOWN = 100;

/**
 * Finds what a value could become for the schema to accept it at its place. What the schema accepts
 * is never altered. The engine alone applies edits, records, prices and bounds them; the tables only
 * propose.
 *
 * @returns The cheapest candidates, cheapest first; the value itself, alone, where it is accepted.
 */
export function solve(
  value: JsonValue,
  node: SchemaNode,
  place: Place,
  run: Run,
  spent = 0,
): readonly Candidate[] {
  countSteps(run, place, 1);
  if (spent === 0 && isUndisputed(value, place)) return kept(value);
  if (spent > 0 || value === null || typeof value !== "object") {
    return search(value, node, place, run, spent);
  }
  const ofNode = run.memo.get(node) ?? new Map<JsonValue, readonly Known[]>();
  const known = ofNode.get(value) ?? [];
  const same = known.find(
    (one) => one.place.path === place.path && one.place.isUnheard === place.isUnheard,
  );
  if (same !== undefined) return same.found;
  const found = search(value, node, place, run, 0);
  if (known.length < MAX_PLACES) {
    run.memo.set(node, ofNode.set(value, [...known, { place, found }]));
  }
  return found;
}

function search(
  value: JsonValue,
  node: SchemaNode,
  at: Place,
  run: Run,
  spent: number,
): readonly Candidate[] {
  // An input that the schema accepts, with an undeclared key further in: only keys are repaired.
  if (run.undeclared.strays !== undefined && value === at.given && at.complaint !== undefined) {
    const found = cheapest(descend(value, node, at, run));
    return found[0] === undefined || found[0].cost === 0 ? kept(value) : found;
  }
  const isUnheard = hasUndeclaredBelow(node, at);
  const place = isUnheard === at.isUnheard ? at : { ...at, isUnheard };
  const isToldByParts = isDiscriminated(value, node, place) || isRefusedInside(value, node, place);
  if (!isToldByParts && accepts(value, node, place, run)) return kept(value);
  const found = [...descend(value, node, place, run)];
  if (found[0]?.cost === 0) return kept(value);

  let least = found.reduce((cost, one) => Math.min(cost, one.cost), Number.POSITIVE_INFINITY);
  let tries = 0;
  for (const edit of VALUE_EDITS) {
    if (!isAllowed(edit, run) || least < edit.cost || spent + edit.cost > MAX_SPENT) continue;
    for (const { after, why } of edit.propose(value, { node, place, run })) {
      tries += 1;
      if (tries > FREE_TRIES) countCandidate(run);
      const change = record(edit, place.path, { before: value, after, why });
      for (const rest of solveEdited(after, edit, { node, place, run }, spent)) {
        if (!isFitting(rest, edit, node)) continue;
        const cost = rest.cost + edit.cost;
        found.push({ ...rest, cost, changes: [change, ...rest.changes] });
        least = Math.min(least, cost);
      }
    }
  }
  return cheapest(found);
}

function isAllowed({ name, level, isAsked }: Edit, run: Run): boolean {
  if (level === "eager" && run.level !== "eager") return false;
  return isAsked !== true || run.asked.has(name);
}

/** What becomes of the result of an edit: left out, edited again, or accepted or repaired inside. */
function solveEdited(
  after: JsonValue | undefined,
  edit: ValueEdit,
  want: { readonly node: SchemaNode; readonly place: Place; readonly run: Run },
  spent: number,
): readonly Candidate[] {
  const { node, place, run } = want;
  if (after === undefined) {
    return place.isOptional ? [{ value: undefined, cost: 0, changes: [] }] : [];
  }
  if (edit.unpacks) {
    return solve(after, node, { ...place, isOptional: false }, run, spent + edit.cost);
  }
  return accepts(after, node, place, run) ? kept(after) : descend(after, node, place, run);
}

function isFitting(
  candidate: Candidate,
  { fits, maxRest = Number.POSITIVE_INFINITY }: ValueEdit,
  node: SchemaNode,
) {
  const { value, cost } = candidate;
  if (cost > maxRest) return false;
  return fits === undefined || (value !== undefined && fitsAt(value, node, fits));
}

/** Whether asking for the parts is enough: what is large is then looked through only once. */
function isDiscriminated(value: JsonValue, node: SchemaNode, { depth }: Place): boolean {
  return node.isPlain && (Array.isArray(value) || (depth === 0 && isJsonObject(value)));
}

/** Whether the tool's schema refused something inside, so that asking for the parts is enough. */
function isRefusedInside(value: JsonValue, node: SchemaNode, place: Place): boolean {
  const { given, complaint, isUnheard } = place;
  const isInside = !isUnheard && value === given && complaint?.isHere === false;
  return isInside && node.of("object").length + node.of("array").length === 1;
}

/**
 * Whether the tool's schema may have looked at nothing inside a place. Of a union it need not say
 * which branch it minded: once it complains, only the view tells.
 */
function hasUndeclaredBelow(node: SchemaNode, { complaint, isUnheard }: Place): boolean {
  if (isUnheard || complaint?.coversInside === true) return true;
  return complaint !== undefined && node.of("object").length + node.of("array").length > 1;
}

/** Repairs what stands inside a value, branch by branch. */
function descend(value: JsonValue, node: SchemaNode, place: Place, run: Run): readonly Candidate[] {
  if (value === null || typeof value !== "object") return [];
  const found = Array.isArray(value)
    ? node.of("array").flatMap((variant) => solveItems(value, variant, place, run))
    : solveObject(value as JsonObject, node, place, run);
  // What the tool's schema has nothing against may be refused by the view: a flag of a pattern, say.
  const isHeard = !place.isUnheard && place.complaint?.isHere === false;
  if (node.isPlain || isHeard) return found;
  return found.filter((one) => one.value !== undefined && accepts(one.value, node, place, run));
}

/** Repairs the elements of an array. None is ever dropped: one that cannot be repaired is refused. */
function solveItems(
  items: readonly JsonValue[],
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const children: Child<number>[] = [];
  for (const index of disputedIndexes(items, place)) {
    const item = items[index] as JsonValue;
    const node = variant.itemAt(index);
    if (node === undefined) continue;
    const candidates = solve(item, node, placeInside(place, index), run);
    if (candidates.length === 0) return [];
    children.push({ key: index, candidates });
  }
  const build = (values: readonly (JsonValue | undefined)[]) => {
    const after = items.slice();
    for (const [nth, { key }] of children.entries()) after[key] = values[nth] as JsonValue;
    return after;
  };
  return combine({ children, before: { cost: 0, changes: [] }, build });
}

/** Repairs an object: its keys first, then what stands at each of them. */
function solveObject(
  object: JsonObject,
  node: SchemaNode,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const branches = node.of("object");
  // Of too many branches none is looked at, whatever a tag tells.
  if (branches.length === 0) return [];
  const likely = node.variantsFor(object).filter(({ type }) => type === "object");
  return likely.flatMap((variant) => {
    const keyed = solveKeys(object, variant, branches, place, run);
    return keyed === undefined ? [] : solveProperties(keyed, variant, place, run);
  });
}

function solveProperties(
  { object, cost, changes }: KeyedObject,
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const children: Child<string>[] = [];
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue;
    const node = variant.keyAt(key);
    if (node === undefined || isUndisputedAt(value, key, place)) continue;
    const isOptional = variant.properties.has(key) && !variant.required.has(key);
    const at = placeInside(place, key, isOptional);
    const candidates = solve(value, node, at, run).filter((candidate) =>
      leavesNothingOut(candidate, at, { object, node, variant, run }),
    );
    if (candidates.length === 0) return [];
    children.push({ key, candidates });
  }
  const build = (values: readonly (JsonValue | undefined)[]) => {
    const after: { [key: string]: JsonValue | undefined } = { ...object };
    for (const [nth, { key }] of children.entries()) {
      if (values[nth] === undefined) delete after[key];
      else after[key] = values[nth];
    }
    return after as JsonObject;
  };
  return combine({ children, before: { cost, changes }, build });
}

/**
 * Whether a repair that opens or wraps an object takes along every key beside it that this object
 * declares: `{"action": "click", "point": …}` is not `{"action": {"action": "click"}}`.
 */
function leavesNothingOut(
  { value, changes }: Candidate,
  { path }: Place,
  about: {
    readonly object: JsonObject;
    readonly node: SchemaNode;
    readonly variant: Variant;
    readonly run: Run;
  },
): boolean {
  const isRemade = typeof value === "object" && changes.some((change) => change.path === path);
  if (!isRemade) return true;
  const { object, node, variant, run } = about;
  const items = node.of("array").flatMap((list) => list.itemAt(0)?.of("object") ?? []);
  const inner = [...node.of("object"), ...items];
  return unknownKeys(object, variant, run).every((key) =>
    inner.every(({ properties }) => !properties.has(key)),
  );
}

/** An object whose keys have been put right. */
interface KeyedObject {
  readonly object: JsonObject;
  readonly cost: number;
  readonly changes: readonly Repair[];
}

/** Puts keys right: edit by edit, until nothing is missing and nothing forbidden is left. */
function solveKeys(
  object: JsonObject,
  variant: Variant,
  branches: readonly Variant[],
  place: Place,
  run: Run,
): KeyedObject | undefined {
  const isIgnored = run.undeclared.strays !== undefined && object === place.given;
  let keyed: KeyedObject = { object, cost: 0, changes: [] };
  countSteps(run, place, Object.keys(object).length + variant.required.size);
  let keys = keysOf(object, variant, run);
  if (!isIgnored && !isRefused(keys, variant)) return keyed;
  if (keys.unknown.length > MAX_UNKNOWN) return isIgnored ? keyed : undefined;
  const costAt: KeyWant["costAt"] = (value, key) => {
    const node = variant.properties.get(key);
    if (node === undefined) return 0;
    return solve(value, node, placeInside(place, key, !variant.required.has(key)), run)[0]?.cost;
  };
  for (const edit of KEY_EDITS) {
    if (isIgnored ? !hasStray(keys.unknown, place, run) : !isRefused(keys, variant)) break;
    if (!isAllowed(edit, run) || (isIgnored && edit.isForIgnored !== true)) continue;
    countSteps(run, place, 1 + ((keys.unknown.length * variant.properties.size) >> 3));
    const want = { object: keyed.object, variant, branches, place, run, ...keys, costAt };
    const changes = edit.propose(want);
    if (changes.length === 0) continue;
    for (const change of changes) keyed = applyChange(keyed, change, edit, place.path);
    keys = keysOf(keyed.object, variant, run);
  }
  return isRefused({ ...keys, nulls: [] }, variant) ? undefined : keyed;
}

type Keys = Pick<KeyWant, "unknown" | "absent" | "missing" | "nulls">;

function keysOf(object: JsonObject, variant: Variant, run: Run): Keys {
  const { properties, required } = variant;
  const isAbsent = (key: string) => !Object.hasOwn(object, key);
  const needed = [...required];
  return {
    unknown: unknownKeys(object, variant, run),
    absent: [...properties.keys()].filter(isAbsent),
    missing: needed.filter(isAbsent),
    nulls: needed.filter(
      (key) => object[key] === null && properties.get(key)?.accepts(null) === false,
    ),
  };
}

/** The undeclared keys, of very many only the first. */
function unknownKeys(object: JsonObject, { keyAt, required }: Variant, run: Run): string[] {
  const unknown: string[] = [];
  for (const key in object) {
    if (keyAt(key) !== undefined || required.has(key) || run.undeclared.allow.has(key)) continue;
    if (unknown.push(key) > MAX_UNKNOWN) break;
  }
  return unknown;
}

function isRefused({ unknown, missing, nulls }: Keys, { closed }: Variant): boolean {
  return missing.length > 0 || nulls.length > 0 || (closed && unknown.length > 0);
}

function hasStray(unknown: readonly string[], { path }: Place, run: Run): boolean {
  return unknown.some((key) => run.undeclared.strays?.has(path + toPointer([key])));
}

function applyChange(
  { object, cost, changes }: KeyedObject,
  change: KeyChange,
  edit: Edit,
  path: string,
): KeyedObject {
  const { why } = change;
  const made = (after: JsonObject, repair: Repair): KeyedObject => {
    return { object: after, cost: cost + edit.cost, changes: [...changes, repair] };
  };
  const entries = Object.entries(object);
  if ("drop" in change) {
    const after = Object.fromEntries(entries.filter(([key]) => key !== change.drop)) as JsonObject;
    const at = path + toPointer([change.drop]);
    return made(after, record(edit, at, { before: object[change.drop], after: undefined, why }));
  }
  if ("fill" in change) {
    const { fill, value } = change;
    const at = path + toPointer([fill]);
    return made(
      { ...object, [fill]: value },
      record(edit, at, { before: object[fill], after: value, why }),
    );
  }
  const renamed =
    "whole" in change
      ? change.whole
      : (Object.fromEntries(
          entries.map(([key, value]) => [key === change.rename ? change.to : key, value]),
        ) as JsonObject);
  return made(renamed, record(edit, path, { before: object, after: renamed, why }));
}

interface Change {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly why?: string | undefined;
}

function record({ name, level }: Edit, path: string, { why, ...change }: Change): Repair {
  return { fixer: name, path, ...change, level, ...(why === undefined ? {} : { reason: why }) };
}
