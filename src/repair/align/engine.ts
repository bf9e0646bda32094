import { advance, lazy, type Steps } from "../drive.ts";
import { isContainer, isJsonObject, ownAt, toPointer } from "../json.ts";
import { OverLimit } from "../limits.ts";
import type { Variant } from "../schema/node.ts";
import { typeOf } from "../schema/part.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import {
  type Child,
  cheapest,
  combine,
  leastCostOf,
  unchanged,
} from "./candidates.ts";
import { keyEdits, valueEditsOn } from "./edits/tables.ts";
import { fitsAt } from "./fit.ts";
import { elementsOf } from "./lists.ts";
import { isAcceptedAt, placeInside } from "./place.ts";
import {
  type KeyChange,
  type KeyEdit,
  type Proposal,
  proposalsOf,
  type ValueEdit,
} from "./rule.ts";
import type {
  Candidate,
  KeyWant,
  Place,
  Run,
  ValueWant,
  Want,
} from "./types.ts";

/**
 * The most that may be spent on one value before what is inside it: text in an
 * envelope in a list.
 */
const MAX_SPENT = 7;
/** How many edits a place may try before they count against the limit. */
const FREE_TRIES = 8;
/** More undeclared keys of one object than this are not typos. */
const MAX_UNKNOWN = 100;

/**
 * Finds what a value could become for the schema to accept it at its place. An
 * accepted value is never altered. Only the engine applies, records, prices and
 * bounds edits; the tables propose them.
 *
 * @param spent The cost of the edits that unpacked the value. Default: 0, it is
 *   as it was given.
 */
export function* solve(
  value: JsonValue,
  want: Want,
  spent = 0,
): Steps<readonly Candidate[]> {
  countSteps(want, 4);
  if (spent > 0) return yield* search(value, want, spent);
  if (isAcceptedAt(value, want.place)) return [unchanged(value)];
  return isContainer(value)
    ? yield* searchOnce(value, want)
    : yield* search(value, want, 0);
}

/**
 * Searches for what a container could become; other branches of the schema ask
 * for the same.
 */
function* searchOnce(
  value: JsonValue,
  want: Want,
): Steps<readonly Candidate[]> {
  const { node, place, run } = want;
  const { path, isUnchecked } = place;
  const known = run.memo.get(path)?.find((entry) => {
    return (
      entry.node === node &&
      entry.value === value &&
      entry.isUnchecked === isUnchecked
    );
  });
  if (known !== undefined) return known.candidates;
  const candidates = yield* search(value, want, 0);
  const entries = run.memo.get(path) ?? [];
  run.memo.set(path, [...entries, { node, value, isUnchecked, candidates }]);
  return candidates;
}

/** Repairs the inside of a value, and tries the edits of the value itself. */
function* search(
  value: JsonValue,
  asked: Want,
  spent: number,
): Steps<readonly Candidate[]> {
  if (holdsIgnoredKeys(value, asked))
    return yield* searchKeysInside(value, asked);
  const { node, run } = asked;
  const want = { node, place: uncheckedIfUnsure(asked), run, value };
  if (!partsDecide(value, asked, want.place) && accepts(value, want))
    return [unchanged(value)];
  const inside = yield* descend(value, want);
  if (inside[0]?.cost === 0) return [unchanged(value)];
  const edited = yield* tryEdits(want, spent, leastCostOf(inside));
  return cheapest([...inside, ...edited]);
}

/**
 * Whether the schema accepts the input, and ignores a key of this value or
 * deeper inside.
 */
function holdsIgnoredKeys(value: JsonValue, { place, run }: Want): boolean {
  const isOfAccepted = run.undeclared.ignoredPaths !== undefined;
  return isOfAccepted && value === place.given && place.issues !== undefined;
}

/** Repairs the keys of an accepted value, and nothing else. */
function* searchKeysInside(
  value: JsonValue,
  want: Want,
): Steps<readonly Candidate[]> {
  const candidates = cheapest(yield* descend(value, want));
  const isChanged = candidates[0] !== undefined && candidates[0].cost > 0;
  return isChanged ? candidates : [unchanged(value)];
}

/**
 * The place, unchecked inside if the schema may not have said all that is wrong
 * there: of a union it need not say which branch rejected the value.
 */
function uncheckedIfUnsure({ node, place }: Want): Place {
  const { issues } = place;
  if (issues === undefined) return place;
  const isUnsure = issues.coversInside || countContainers(node) > 1;
  return isUnsure ? { ...place, isUnchecked: true } : place;
}

/**
 * Whether the parts of a value decide if it is accepted, so that a large value
 * is walked once: the schema says no more than that about it, or rejected one
 * of its parts.
 */
function partsDecide(
  value: JsonValue,
  { node, place }: Want,
  reopened: Place,
): boolean {
  const isWhole = place.depth === 0 && isJsonObject(value);
  if (node.isPlain && (Array.isArray(value) || isWhole)) return true;
  const isChecked = !reopened.isUnchecked && value === place.given;
  return (
    isChecked && place.issues?.isHere === false && countContainers(node) === 1
  );
}

/** How many kinds of objects and lists a place takes. */
function countContainers(node: Want["node"]): number {
  return node.of("object").length + node.of("array").length;
}

/** Tries the edits of a value, the cheapest first, and what each leads to. */
function* tryEdits(
  want: ValueWant,
  spent: number,
  leastInside: number,
): Steps<readonly Candidate[]> {
  const { place, run, value } = want;
  // The input may not have been given at all.
  const before = place.depth === 0 && value === place.given ? run.value : value;
  const candidates: Candidate[] = [];
  let least = leastInside;
  let tries = 0;
  for (const edit of valueEditsOn(typeOf(value))) {
    const isTooDear = edit.cost > least || spent + edit.cost > MAX_SPENT;
    if (isTooDear || !isAllowed(edit, run)) continue;
    for (const proposal of proposalsOf(edit, want)) {
      tries += 1;
      if (tries > FREE_TRIES) countTry(run);
      const repair = toRepair(edit, place.path, before, proposal);
      for (const solved of yield* solveEdited(
        proposal.after,
        edit,
        want,
        spent,
      )) {
        const cost = solved.cost + edit.cost;
        candidates.push({
          ...solved,
          cost,
          changes: [repair, ...solved.changes],
        });
        least = Math.min(least, cost);
      }
    }
  }
  return candidates;
}

function countTry(run: Run): void {
  run.tries += 1;
  const { maxCandidates } = run.limits;
  if (run.tries > maxCandidates)
    throw new OverLimit("maxCandidates", maxCandidates);
}

/**
 * Handles the result of an edit: left out, edited again, or accepted or
 * repaired inside.
 */
function* solveEdited(
  after: JsonValue | undefined,
  edit: ValueEdit,
  want: Want,
  spent: number,
): Steps<readonly Candidate[]> {
  if (after === undefined) return [unchanged(after)];
  const { cost, unpacks, fits, maxInnerCost = Number.POSITIVE_INFINITY } = edit;
  let candidates: readonly Candidate[];
  if (unpacks) {
    const place = { ...want.place, isOptional: false };
    candidates = yield* solve(after, { ...want, place }, spent + cost);
  } else {
    candidates = accepts(after, want)
      ? [unchanged(after)]
      : yield* descend(after, want);
  }
  const isCheap = (candidate: Candidate) => candidate.cost <= maxInnerCost;
  const isFit = ({ value }: Candidate) =>
    !fits || fitsAt(value as JsonValue, want.node, fits);
  return candidates.filter(
    (candidate) => isCheap(candidate) && isFit(candidate),
  );
}

/** Repairs the inside of a value, branch by branch. */
function* descend(value: JsonValue, want: Want): Steps<readonly Candidate[]> {
  if (!isContainer(value)) return [];
  const { node, place } = want;
  const candidates = isJsonObject(value)
    ? yield* descendObject(value, want)
    : yield* descendList(value, want);
  // The view may reject what the tool's schema accepts: a flag of a pattern,
  // for example.
  const isChecked = !place.isUnchecked && place.issues?.isHere === false;
  if (node.isPlain || isChecked) return candidates;
  return candidates.filter(
    (each) => each.value !== undefined && accepts(each.value, want),
  );
}

function* descendObject(
  object: JsonObject,
  want: Want,
): Steps<readonly Candidate[]> {
  // With too many branches none is tried, even if a tag selects one.
  if (want.node.of("object").length === 0) return [];
  const candidates: Candidate[] = [];
  for (const variant of want.node.variantsFor(object)) {
    if (variant.type !== "object") continue;
    const keyed = solveKeys(object, variant, want);
    if (keyed !== undefined)
      candidates.push(...(yield* solveChildren(keyed, variant, want)));
  }
  return candidates;
}

function* descendList(
  list: JsonValue,
  want: Want,
): Steps<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const variant of want.node.of("array")) {
    candidates.push(...(yield* solveChildren(unchanged(list), variant, want)));
  }
  return candidates;
}

/**
 * Repairs what an object or a list holds; if one of its parts cannot be
 * repaired, nothing is.
 */
function* solveChildren(
  container: Candidate,
  variant: Variant,
  { place: outer, run }: Want,
): Steps<readonly Candidate[]> {
  const held = container.value as JsonObject;
  const isList = Array.isArray(held);
  const beside = lazy(() => (isList ? [] : unknownKeys(held, variant, run)));
  const children: Child[] = [];
  for (const key of Object.keys(held)) {
    const value = held[key] as JsonValue;
    if (isChildAccepted(value, key, outer)) continue;
    const node = isList ? variant.itemAt(Number(key)) : variant.keyAt(key);
    if (node === undefined) continue;
    const want = { node, place: placeInside(outer, key, variant, isList), run };
    if (run.budget.isDue) yield* run.budget.pause();
    const solved = yield* solve(value, want);
    const [best, ...alternatives] = solved.filter((each) =>
      isComplete(each, want, beside),
    );
    if (best === undefined) return [];
    children.push({ key, best, alternatives });
  }
  return combine(container, children);
}

/**
 * Whether the tool's own schema checked this very part of a container, and
 * accepted it.
 */
function isChildAccepted(value: JsonValue, key: string, outer: Place): boolean {
  if (outer.isUnchecked || outer.issues?.inside.has(key)) return false;
  return ownAt(outer.given, key) === value;
}

/**
 * Whether a repair that opens or wraps an object leaves no key beside it that
 * it declares.
 */
function isComplete(
  { value, changes }: Candidate,
  want: Want,
  beside: () => readonly string[],
): boolean {
  const isRemade =
    typeof value === "object" &&
    changes.some(({ path }) => path === want.place.path);
  if (!isRemade) return true;
  const inner = [...want.node.of("object"), ...elementsOf(want)];
  return !beside().some((key) =>
    inner.some(({ properties }) => properties.has(key)),
  );
}

type Keyed = Candidate & { readonly value: JsonObject };

/**
 * Repairs keys edit by edit, until no key is missing and no forbidden one is
 * left; of an object that the schema accepts, until it ignores none.
 *
 * @returns `undefined` if a key is still missing or forbidden.
 */
function solveKeys(
  object: JsonObject,
  variant: Variant,
  want: Want,
): Keyed | undefined {
  const { place, run } = want;
  const ignoredPaths =
    object === place.given ? run.undeclared.ignoredPaths : undefined;
  const isAccepted = ignoredPaths !== undefined;
  const isIgnored = (key: string) =>
    ignoredPaths?.has(place.path + toPointer([key])) === true;
  const isDone = (keys: KeyState) =>
    isAccepted ? !keys.unknown.some(isIgnored) : !isRejected(keys, variant);

  countSteps(want, 3 * (Object.keys(object).length + variant.required.size));
  let keyed: Keyed = unchanged(object);
  let keys = keysOf(object, variant, run);
  if (!isDone(keys) && keys.unknown.length > MAX_UNKNOWN)
    return isAccepted ? keyed : undefined;
  for (const edit of keyEditsFor(run, isAccepted)) {
    if (isDone(keys)) break;
    countSteps(
      want,
      1 + ((keys.unknown.length * variant.properties.size) >> 3),
    );
    const edited = editKeys(keyed, edit, keys, variant, want);
    if (edited.value !== keyed.value) keys = keysOf(edited.value, variant, run);
    keyed = edited;
  }
  return isRejected(keys, variant) ? undefined : keyed;
}

/**
 * The edits of the level; for an object that the schema accepts, those of
 * ignored keys alone.
 */
function keyEditsFor(run: Run, isAccepted: boolean): readonly KeyEdit[] {
  return keyEdits.filter(
    (edit) => isAllowed(edit, run) && (!isAccepted || edit.isForIgnored),
  );
}

/** Makes all changes of keys that an edit proposes. */
function editKeys(
  keyed: Keyed,
  edit: KeyEdit,
  keys: KeyState,
  variant: Variant,
  want: Want,
): Keyed {
  const { place, run } = want;
  const costAt: KeyWant["costAt"] = (value, key) => {
    const node = variant.properties.get(key);
    if (node === undefined) return 0;
    const inside = {
      node,
      place: placeInside(place, key, variant, false),
      run,
    };
    const candidates = advance(solve(value, inside))
      .value as readonly Candidate[];
    return candidates[0]?.cost;
  };
  let edited = keyed;
  for (const change of proposalsOf(edit, {
    ...want,
    ...keys,
    object: keyed.value,
    variant,
    costAt,
  })) {
    edited = applyChange(edited, change, edit, place.path);
  }
  return edited;
}

/**
 * What stands against an object's keys: undeclared ones, and absent and missing
 * ones.
 */
type KeyState = Pick<KeyWant, "unknown" | "absent" | "missing">;

function keysOf(object: JsonObject, variant: Variant, run: Run): KeyState {
  const isAbsent = (key: string) => !Object.hasOwn(object, key);
  return {
    unknown: unknownKeys(object, variant, run),
    absent: [...variant.properties.keys()].filter(isAbsent),
    missing: [...variant.required].filter(isAbsent),
  };
}

/** Whether the schema rejects an object for its keys. */
function isRejected(
  { missing, unknown }: KeyState,
  { closed }: Variant,
): boolean {
  return missing.length > 0 || (closed && unknown.length > 0);
}

/** The undeclared keys; of very many only the first. */
function unknownKeys(
  object: JsonObject,
  { keyAt, required }: Variant,
  run: Run,
): string[] {
  const unknown: string[] = [];
  for (const key in object) {
    if (unknown.length > MAX_UNKNOWN) break;
    const isKnown =
      keyAt(key) !== undefined ||
      required.has(key) ||
      run.undeclared.allow.has(key);
    if (!isKnown) unknown.push(key);
  }
  return unknown;
}

/**
 * Applies and records a change: of one key at its place, of several at the
 * object's.
 */
function applyChange(
  { value: before, cost, changes }: Keyed,
  change: KeyChange,
  edit: AnyEdit,
  path: string,
): Keyed {
  const after = changed(before, change);
  const key = keyOfChange(change);
  const repair =
    key === undefined
      ? toRepair(edit, path, before, { after, why: change.why })
      : toRepair(edit, path + toPointer([key]), ownAt(before, key), {
          after: ownAt(after, key),
          why: change.why,
        });
  return {
    value: after,
    cost: cost + edit.cost,
    changes: [...changes, repair],
  };
}

/**
 * The only key whose value changes; none if a key is renamed, or several
 * change.
 */
function keyOfChange(change: KeyChange): string | undefined {
  if (change.kind === "drop") return change.from;
  return change.kind === "fill" ? change.to : undefined;
}

function changed(object: JsonObject, change: KeyChange): JsonObject {
  switch (change.kind) {
    case "rename":
      return renamed(object, change.from, change.to);
    case "drop":
      return Object.fromEntries(
        Object.entries(object).filter(([key]) => key !== change.from),
      );
    case "fill":
      return { ...object, [change.to]: change.value };
    case "replace":
      return change.after;
  }
}

/** An object with a key renamed where it stands. */
function renamed(object: JsonObject, from: string, to: string): JsonObject {
  const entries = Object.entries(object);
  return Object.fromEntries(
    entries.map(([key, value]) => [key === from ? to : key, value]),
  );
}

type AnyEdit = Pick<ValueEdit | KeyEdit, "name" | "level" | "cost">;

function isAllowed({ level }: AnyEdit, run: Run): boolean {
  return level === "safe" || run.level === "eager";
}

function toRepair(
  { name, level }: AnyEdit,
  path: string,
  before: JsonValue | undefined,
  { after, why }: Proposal,
): Repair {
  const repair = { fixer: name, path, before, after, level };
  return why ? { ...repair, reason: why } : repair;
}

/**
 * Counts steps against the limits: all walks over keys, elements and text call
 * it.
 */
function countSteps({ place, run }: Want, amount: number): void {
  const { maxDepth } = run.limits;
  if (place.depth > maxDepth) throw new OverLimit("maxDepth", maxDepth);
  run.budget.step(amount);
}

/**
 * Asks the view about a value; counts the steps of a walk through it, though it
 * may take longer.
 */
function accepts(value: JsonValue, want: Want): boolean {
  countSteps(want, weightOf(value));
  want.run.budget.look();
  return want.node.accepts(value);
}

function weightOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  const items: readonly JsonValue[] = isContainer(value)
    ? Object.values(value)
    : [];
  return items.reduce<number>((weight, item) => weight + weightOf(item), 1);
}
