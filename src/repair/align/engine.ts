import { advance, lazy, type Steps } from "../drive.ts";
import { isContainer, isJsonObject, ownAt } from "../json.ts";
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
import {
  countContainers,
  isAcceptedAt,
  nodeAt,
  pathOf,
  placeInside,
} from "./place.ts";
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
  const entries = run.memo.get(path) ?? [];
  run.memo.set(path, entries);
  for (const entry of entries) {
    if (entry.node !== node || entry.value !== value) continue;
    if (entry.isUnchecked === isUnchecked) return entry.candidates;
  }
  const candidates = yield* search(value, want, 0);
  entries.push({ node, value, isUnchecked, candidates });
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
  const want = valueWant(value, asked);
  if (!partsDecide(want) && accepts(value, want)) return [unchanged(value)];
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

function valueWant(value: JsonValue, asked: Want): ValueWant {
  const place = uncheckedIfUnsure(asked);
  const text = typeof value === "string" ? value : "";
  return { node: asked.node, place, run: asked.run, value, text };
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
 * is walked once.
 */
function partsDecide({ value, node, place }: ValueWant): boolean {
  // A plain schema says no more of a value than what its parts are.
  const isInput = place.depth === 0;
  const isWhole = isInput ? isContainer(value) : Array.isArray(value);
  if (node.isPlain && isWhole) return true;
  // The schema rejected one of the parts, and nothing else.
  if (value !== place.given || countContainers(node) !== 1) return false;
  return isRejectedInside(place);
}

/** Whether the tool's schema rejected only something inside a place. */
function isRejectedInside({ isUnchecked, issues }: Place): boolean {
  return issues?.isHere === false && !isUnchecked;
}

/** Tries the edits of a value, the cheapest first, and what each leads to. */
function* tryEdits(
  want: ValueWant,
  spent: number,
  leastInside: number,
): Steps<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  const trial = { want, spent, before: writtenValue(want), tries: 0 };
  let mostToSpend = Math.min(leastInside, MAX_SPENT - spent);
  for (const edit of valueEditsOn(typeOf(want.value))) {
    if (edit.cost > mostToSpend || !isAllowed(edit, want.run)) continue;
    const edited = yield* tryEdit(edit, trial);
    candidates.push(...edited);
    mostToSpend = Math.min(mostToSpend, leastCostOf(edited));
  }
  return candidates;
}

/** The edits of one value, and how many of them were tried so far. */
interface EditTrials {
  readonly want: ValueWant;
  /** The cost of the edits that unpacked the value. */
  readonly spent: number;
  readonly before: JsonValue | undefined;
  tries: number;
}

/** Tries what one edit proposes for a value. */
function* tryEdit(
  edit: ValueEdit,
  trial: EditTrials,
): Steps<readonly Candidate[]> {
  const { want, spent, before } = trial;
  const candidates: Candidate[] = [];
  for (const proposal of proposalsOf(edit, want)) {
    countTry(trial);
    const repair = toRepair(edit, want.place.path, before, proposal);
    for (const solved of yield* solveEdited(proposal, edit, want, spent)) {
      const cost = solved.cost + edit.cost;
      const changes = [repair, ...solved.changes];
      candidates.push({ ...solved, cost, changes });
    }
  }
  return candidates;
}

/** The value before an edit; the input may not have been given at all. */
function writtenValue({ value, place, run }: ValueWant): JsonValue | undefined {
  const isInput = place.depth === 0 && value === place.given;
  return isInput ? run.value : value;
}

function countTry(trial: EditTrials): void {
  trial.tries += 1;
  if (trial.tries <= FREE_TRIES) return;
  const { run } = trial.want;
  const { maxCandidates } = run.limits;
  run.tries += 1;
  if (run.tries > maxCandidates)
    throw new OverLimit("maxCandidates", maxCandidates);
}

/**
 * Handles the result of an edit: left out, edited again, or accepted or
 * repaired inside.
 */
function* solveEdited(
  { after }: Proposal,
  edit: ValueEdit,
  want: Want,
  spent: number,
): Steps<readonly Candidate[]> {
  if (after === undefined) return [unchanged(after)];
  const solved = edit.unpacks
    ? yield* solveUnpacked(after, want, spent + edit.cost)
    : yield* solveInside(after, want);
  const { fits, maxInnerCost = Number.POSITIVE_INFINITY } = edit;
  const cheap = solved.filter(({ cost }) => cost <= maxInnerCost);
  if (fits === undefined) return cheap;
  return cheap.filter(({ value }) => {
    return fitsAt(value as JsonValue, want.node, fits);
  });
}

function solveUnpacked(
  after: JsonValue,
  want: Want,
  spent: number,
): Steps<readonly Candidate[]> {
  const place = { ...want.place, isOptional: false };
  return solve(after, { ...want, place }, spent);
}

function* solveInside(
  after: JsonValue,
  want: Want,
): Steps<readonly Candidate[]> {
  if (accepts(after, want)) return [unchanged(after)];
  return yield* descend(after, want);
}

/** Repairs the inside of a value, branch by branch. */
function* descend(value: JsonValue, want: Want): Steps<readonly Candidate[]> {
  if (!isContainer(value)) return [];
  const candidates = isJsonObject(value)
    ? yield* descendObject(value, want)
    : yield* descendList(value, want);
  // The view may reject what the tool's schema accepts: a flag of a pattern,
  // for example.
  if (want.node.isPlain || isRejectedInside(want.place)) return candidates;
  return candidates.filter((each) => accepts(each.value as JsonValue, want));
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
  const beside = lazy(() => unknownKeys(held, variant, run));
  const children: Child[] = [];
  for (const key of Object.keys(held)) {
    const value = held[key] as JsonValue;
    if (isChildAccepted(value, key, outer)) continue;
    const node = nodeAt(key, variant);
    if (node === undefined) continue;
    const want = { node, place: placeInside(outer, key, variant), run };
    if (run.budget.isDue) yield* run.budget.pause();
    const solved = yield* solve(value, want);
    const complete = solved.filter((each) => isComplete(each, want, beside));
    const [best, ...alternatives] = complete;
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
  const { path } = want.place;
  const isRemade = changes.some((change) => change.path === path);
  if (!isRemade || typeof value !== "object") return true;
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
  const { run } = want;
  const goal = keyGoalOf(object, variant, want);
  countSteps(want, 3 * (Object.keys(object).length + variant.required.size));
  let keyed: Keyed = unchanged(object);
  let keys = keysOf(object, variant, run);
  const areTooMany = keys.unknown.length > MAX_UNKNOWN;
  if (areTooMany && !goal.isReached(keys))
    return goal.isOfAccepted ? keyed : undefined;

  for (const edit of goal.edits) {
    if (goal.isReached(keys)) break;
    const pairs = keys.unknown.length * variant.properties.size;
    countSteps(want, 1 + (pairs >> 3));
    const edited = editKeys(keyed, edit, keys, variant, want);
    if (edited.value !== keyed.value) keys = keysOf(edited.value, variant, run);
    keyed = edited;
  }
  return isRejected(keys, variant) ? undefined : keyed;
}

/** What the keys of an object are repaired for, and the edits that do it. */
interface KeyGoal {
  /** Whether the schema accepts the object, and ignores some of its keys. */
  readonly isOfAccepted: boolean;
  readonly isReached: (keys: KeyState) => boolean;
  readonly edits: readonly KeyEdit[];
}

function keyGoalOf(
  object: JsonObject,
  variant: Variant,
  { place, run }: Want,
): KeyGoal {
  const edits = keyEdits.filter((edit) => isAllowed(edit, run));
  const { ignoredPaths } = run.undeclared;
  if (ignoredPaths === undefined || object !== place.given) {
    const isReached = (keys: KeyState) => !isRejected(keys, variant);
    return { isOfAccepted: false, isReached, edits };
  }
  return {
    isOfAccepted: true,
    isReached: ({ unknown }) =>
      !unknown.some((key) => ignoredPaths.has(pathOf(key, place))),
    edits: edits.filter((edit) => edit.isForIgnored),
  };
}

/** Makes all changes of keys that an edit proposes. */
function editKeys(
  keyed: Keyed,
  edit: KeyEdit,
  keys: KeyState,
  variant: Variant,
  want: Want,
): Keyed {
  const keyWant: KeyWant = {
    ...want,
    ...keys,
    object: keyed.value,
    variant,
    costAt: (value, key) => costAt(value, key, variant, want),
  };
  let edited = keyed;
  for (const change of proposalsOf(edit, keyWant)) {
    edited = applyChange(edited, change, edit, want.place);
  }
  return edited;
}

/** The cost of making a value fit a key; `Infinity` if impossible. */
function costAt(
  value: JsonValue,
  key: string,
  variant: Variant,
  { place, run }: Want,
): number {
  const node = variant.properties.get(key);
  if (node === undefined) return 0;
  const want = { node, place: placeInside(place, key, variant), run };
  return leastCostOf(advance(solve(value, want)).value as readonly Candidate[]);
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

/** The undeclared keys, of very many only the first; a list has none. */
function unknownKeys(
  object: JsonObject,
  { type, keyAt, required }: Variant,
  run: Run,
): string[] {
  if (type === "array") return [];
  const { allow } = run.undeclared;
  const unknown: string[] = [];
  for (const key in object) {
    if (unknown.length > MAX_UNKNOWN) break;
    if (required.has(key) || allow.has(key)) continue;
    if (keyAt(key) === undefined) unknown.push(key);
  }
  return unknown;
}

/**
 * Applies and records a change: of one key at its place, of several at the
 * object's.
 */
function applyChange(
  keyed: Keyed,
  change: KeyChange,
  edit: AnyEdit,
  place: Place,
): Keyed {
  const before = keyed.value;
  const value = changed(before, change);
  const key = keyOfChange(change);
  const { why } = change;
  const repair =
    key === undefined
      ? toRepair(edit, place.path, before, { after: value, why })
      : toRepair(edit, pathOf(key, place), ownAt(before, key), {
          after: ownAt(value, key),
          why,
        });
  const cost = keyed.cost + edit.cost;
  return { ...keyed, value, cost, changes: [...keyed.changes, repair] };
}

/**
 * The only key whose value changes; none if a key is renamed, or several
 * change.
 */
function keyOfChange(change: KeyChange): string | undefined {
  switch (change.kind) {
    case "drop":
      return change.from;
    case "fill":
      return change.to;
    default:
      return undefined;
  }
}

function changed(object: JsonObject, change: KeyChange): JsonObject {
  switch (change.kind) {
    case "rename":
      return renamed(object, change.from, change.to);
    case "drop":
      return without(object, change.from);
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

function without(object: JsonObject, dropped: string): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key !== dropped);
  return Object.fromEntries(entries);
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
  if (!isContainer(value)) return 1;
  let weight = 1;
  for (const item of Object.values(value)) weight += weightOf(item);
  return weight;
}
