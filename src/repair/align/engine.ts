import { advance, lazy, type Steps } from "../drive.ts";
import { isContainer, isJsonObject, jsonEquals, ownAt, parsePointer, toPointer } from "../json.ts";
import { OverLimit } from "../policy.ts";
import type { Variant } from "../schema/node.ts";
import { typeOf } from "../schema/part.ts";
import type { InputIssue, JsonObject, JsonValue, Repair } from "../types.ts";
import { keyEdits, valueEditsOn } from "./edits/tables.ts";
import { fitsAt } from "./fit.ts";
import { elementsOf } from "./lists.ts";
import {
  type KeyChange,
  type KeyEdit,
  type Proposal,
  proposalsOf,
  type ValueEdit,
} from "./rule.ts";
import type { Candidate, Complaint, KeyWant, Place, Run, Want } from "./types.ts";

/** The most that may be spent on one value before what is inside it: text in an envelope in a list. */
const MAX_SPENT = 7;
/** How many edits a place may try before they count against the limit. */
const FREE_TRIES = 8;
/** More undeclared keys of one object than this are no misspellings. */
const MAX_UNKNOWN = 100;
/** The most candidates that one place returns. */
const MAX_CANDIDATES = 4;

const unchanged = <Value extends JsonValue | undefined>(value: Value) =>
  ({ value, cost: 0, changes: [] }) as const;

/**
 * Finds what a value could become for the schema to accept it at its place. An accepted value is
 * never altered. Only the engine applies, records, prices and bounds edits; the tables propose
 * them.
 */
export function* solve(value: JsonValue, want: Want, spent = 0): Steps<readonly Candidate[]> {
  countSteps(want, 4);
  const { node, place, run } = want;
  const { path, isUnchecked, given, complaint } = place;
  if (spent > 0) return yield* search(value, want, spent);
  if (!isUnchecked && value === given && complaint === undefined) return [unchanged(value)];
  if (!isContainer(value)) return yield* search(value, want, 0);
  const known = run.memo
    .get(path)
    ?.find((one) => one.node === node && one.value === value && one.isUnchecked === isUnchecked);
  if (known !== undefined) return known.found;
  const found = yield* search(value, want, 0);
  run.memo.set(path, [...(run.memo.get(path) ?? []), { node, value, isUnchecked, found }]);
  return found;
}

function* search(value: JsonValue, asked: Want, spent: number): Steps<readonly Candidate[]> {
  const { node, place: asGiven, run } = asked;
  const { complaint } = asGiven;
  // An input that the schema accepts, with an undeclared key deeper inside: only keys are repaired.
  if (run.undeclared.strays !== undefined && value === asGiven.given && complaint !== undefined) {
    const found = cheapest(yield* descend(value, asked));
    return found[0] === undefined || found[0].cost === 0 ? [unchanged(value)] : found;
  }
  // For a union, the schema need not say which branch it rejected: then only the view decides.
  const kinds = node.of("object").length + node.of("array").length;
  const isUnion = complaint !== undefined && kinds > 1;
  const place =
    isUnion || complaint?.coversInside === true ? { ...asGiven, isUnchecked: true } : asGiven;
  const want = { node, place, run, value };
  // Large values are walked once: the parts are enough if the schema says no more than that, or
  // rejected a part.
  const isOfParts =
    (node.isPlain && (Array.isArray(value) || (asGiven.depth === 0 && isJsonObject(value)))) ||
    (!place.isUnchecked && value === asGiven.given && complaint?.isHere === false && kinds === 1);
  if (!isOfParts && accepts(value, want)) return [unchanged(value)];
  const found = [...(yield* descend(value, want))];
  if (found[0]?.cost === 0) return [unchanged(value)];

  let least = found.reduce((cost, one) => Math.min(cost, one.cost), Number.POSITIVE_INFINITY);
  let tries = 0;
  for (const edit of valueEditsOn(typeOf(value))) {
    if (!isAllowed(edit, run) || least < edit.cost || spent + edit.cost > MAX_SPENT) continue;
    for (const proposal of proposalsOf(edit, want)) {
      if (++tries > FREE_TRIES && ++run.tries > run.limits.maxCandidates) {
        throw new OverLimit("maxCandidates", run.limits.maxCandidates);
      }
      // The input may not have been given at all.
      const before = place.depth === 0 && value === place.given ? run.value : value;
      const change = record(edit, place.path, before, proposal);
      for (const rest of yield* solveEdited(proposal.after, edit, want, spent)) {
        const cost = rest.cost + edit.cost;
        found.push({ ...rest, cost, changes: [change, ...rest.changes] });
        least = Math.min(least, cost);
      }
    }
  }
  return cheapest(found);
}

function isAllowed({ level }: AnyEdit, run: Run): boolean {
  return level === "safe" || run.level === "eager";
}

type AnyEdit = Pick<ValueEdit | KeyEdit, "name" | "level" | "cost">;

/** Handles the result of an edit: left out, edited again, or accepted or repaired inside. */
function* solveEdited(
  after: JsonValue | undefined,
  { cost, unpacks, fits, maxRest = Number.POSITIVE_INFINITY }: ValueEdit,
  want: Want,
  spent: number,
): Steps<readonly Candidate[]> {
  if (after === undefined) return [unchanged(after)];
  const found = unpacks
    ? yield* solve(after, { ...want, place: { ...want.place, isOptional: false } }, spent + cost)
    : accepts(after, want)
      ? [unchanged(after)]
      : yield* descend(after, want);
  return found.filter(
    (one) => one.cost <= maxRest && (!fits || fitsAt(one.value as JsonValue, want.node, fits)),
  );
}

/** Repairs the inside of a value, branch by branch. */
function* descend(value: JsonValue, want: Want): Steps<readonly Candidate[]> {
  if (!isContainer(value)) return [];
  const { node, place } = want;
  const found: Candidate[] = [];
  if (isJsonObject(value)) {
    // With too many branches none is tried, even if a tag selects one.
    const likely = node.of("object").length === 0 ? [] : node.variantsFor(value);
    for (const variant of likely.filter(({ type }) => type === "object")) {
      const keyed = solveKeys(value, variant, want);
      if (keyed !== undefined) found.push(...(yield* solveInside(keyed, variant, want)));
    }
  } else {
    for (const variant of node.of("array")) {
      found.push(...(yield* solveInside(unchanged(value), variant, want)));
    }
  }
  // The view may reject what the tool's schema accepts: a flag of a pattern, for example.
  const isChecked = !place.isUnchecked && place.complaint?.isHere === false;
  if (node.isPlain || isChecked) return found;
  return found.filter((one) => one.value !== undefined && accepts(one.value, want));
}

/** Repairs what an object or a list holds; if one of its parts cannot be repaired, nothing is. */
function* solveInside(
  container: Candidate,
  variant: Variant,
  { place: around, run }: Want,
): Steps<readonly Candidate[]> {
  const held = container.value as JsonObject;
  const isList = Array.isArray(held);
  const beside = lazy(() => (isList ? [] : unknownKeys(held, variant, run)));
  const children: Child[] = [];
  for (const key of Object.keys(held)) {
    const value = held[key] as JsonValue;
    const given = ownAt(around.given, key);
    const complaint = around.complaint?.inside.get(key);
    // The tool's own schema checked this very value and accepted it.
    if (!around.isUnchecked && complaint === undefined && given === value) continue;
    const node = isList ? variant.itemAt(Number(key)) : variant.keyAt(key);
    if (node === undefined) continue;
    const want = { node, place: placeInside(around, key, variant, isList), run };
    if (run.budget.isDue) yield* run.budget.pause();
    const found = (yield* solve(value, want)).filter((one) => isComplete(one, want, beside));
    if (found.length === 0) return [];
    children.push([key, found]);
  }
  return combine(container, children);
}

/** Whether a repair that opens or wraps an object leaves no key beside it that it declares. */
function isComplete(
  { value, changes }: Candidate,
  want: Want,
  beside: () => readonly string[],
): boolean {
  const isRemade =
    typeof value === "object" && changes.some(({ path }) => path === want.place.path);
  if (!isRemade) return true;
  const inner = [...want.node.of("object"), ...elementsOf(want)];
  return !beside().some((key) => inner.some(({ properties }) => properties.has(key)));
}

type Keyed = Candidate & { readonly value: JsonObject };

/** Repairs keys edit by edit, until no key is missing and no forbidden one is left. */
function solveKeys(object: JsonObject, variant: Variant, want: Want): Keyed | undefined {
  const { place, run } = want;
  const { strays } = run.undeclared;
  const isAccepted = strays !== undefined && object === place.given;
  countSteps(want, 3 * (Object.keys(object).length + variant.required.size));
  let keyed: Keyed = unchanged(object);
  let keys = keysOf(object, variant, run);
  const isRefused = () => keys.missing.length > 0 || (variant.closed && keys.unknown.length > 0);
  const isFaulty = () =>
    isAccepted
      ? keys.unknown.some((key) => strays.has(place.path + toPointer([key])))
      : isRefused();
  if (isFaulty() && keys.unknown.length > MAX_UNKNOWN) return isAccepted ? keyed : undefined;
  const costAt: KeyWant["costAt"] = (value, key) => {
    const node = variant.properties.get(key);
    if (node === undefined) return 0;
    const inside = { node, place: placeInside(place, key, variant, false), run };
    return (advance(solve(value, inside)).value as readonly Candidate[])[0]?.cost;
  };
  for (const edit of keyEdits) {
    if (!isFaulty()) break;
    if (!isAllowed(edit, run) || (isAccepted && edit.isForIgnored !== true)) continue;
    countSteps(want, 1 + ((keys.unknown.length * variant.properties.size) >> 3));
    const { value: before } = keyed;
    const about = { ...want, object: before, variant, ...keys, costAt };
    for (const change of proposalsOf(edit, about))
      keyed = applyChange(keyed, change, edit, place.path);
    if (keyed.value !== before) keys = keysOf(keyed.value, variant, run);
  }
  return isRefused() ? undefined : keyed;
}

function keysOf(object: JsonObject, variant: Variant, run: Run) {
  const isAbsent = (key: string) => !Object.hasOwn(object, key);
  return {
    unknown: unknownKeys(object, variant, run),
    absent: [...variant.properties.keys()].filter(isAbsent),
    missing: [...variant.required].filter(isAbsent),
  };
}

/** The undeclared keys; of very many only the first. */
function unknownKeys(object: JsonObject, { keyAt, required }: Variant, run: Run): string[] {
  const unknown: string[] = [];
  for (const key in object) {
    if (keyAt(key) !== undefined || required.has(key) || run.undeclared.allow.has(key)) continue;
    if (unknown.push(key) > MAX_UNKNOWN) break;
  }
  return unknown;
}

/** A change of one key is recorded at its place; of a name, or of several keys, at the object's. */
function applyChange(
  { value: object, cost, changes }: Keyed,
  { from, to, value, whole, why }: KeyChange,
  edit: AnyEdit,
  path: string,
): Keyed {
  const entries = Object.entries(object).flatMap(([key, held]): [string, unknown][] =>
    key !== from ? [[key, held]] : to === undefined ? [] : [[to, held]],
  );
  if (from === undefined && to !== undefined) entries.push([to, value]);
  const after = whole ?? (Object.fromEntries(entries) as JsonObject);
  const key = from === undefined ? to : to === undefined ? from : undefined;
  const at = key === undefined ? "" : toPointer([key]);
  const heldBy = (one: JsonObject) => (key === undefined ? one : ownAt(one, key));
  const change = record(edit, path + at, heldBy(object), { after: heldBy(after), why });
  return { value: after, cost: cost + edit.cost, changes: [...changes, change] };
}

function record(
  { name, level }: AnyEdit,
  path: string,
  before: JsonValue | undefined,
  { after, why }: Proposal,
): Repair {
  return { fixer: name, path, before, after, level, ...(why && { reason: why }) };
}

/** The key or index of a child, and what the child may become. */
type Child = readonly [string, readonly Candidate[]];

/** Combines the cheapest of each child; the others differ in one child, so costs just add up. */
function combine(before: Candidate, children: readonly Child[]): readonly Candidate[] {
  const firsts = children.map(([, [first]]) => first as Candidate);
  const swaps = children.flatMap(([, [first, ...others]], nth) =>
    others.map((other) => ({ nth, other, more: other.cost - (first?.cost ?? 0) })),
  );
  const tied = new Set(swaps.filter(({ more }) => more === 0).map(({ nth }) => nth));
  const least = firsts.reduce((sum, { cost }) => sum + cost, before.cost);
  const assemble = (chosen: readonly Candidate[], more: number): Candidate => {
    const value = (
      Array.isArray(before.value) ? [...before.value] : { ...(before.value as JsonObject) }
    ) as { [key: string]: JsonValue | undefined };
    const changes = [...before.changes];
    for (const [nth, [key]] of children.entries()) {
      const one = chosen[nth] as Candidate;
      if (one.value === undefined) delete value[key];
      else value[key] = one.value;
      for (const change of one.changes) changes.push(change);
    }
    const unsure = tied.size > 1 || [...firsts, ...chosen].some((one) => one.unsure);
    return { value: value as JsonObject, cost: least + more, changes, ...(unsure && { unsure }) };
  };
  swaps.sort((left, right) => left.more - right.more);
  const others = swaps.slice(0, MAX_CANDIDATES - 1);
  return [
    assemble(firsts, 0),
    ...others.map(({ nth, other, more }) => assemble(firsts.with(nth, other), more)),
  ];
}

/** The cheapest candidates, each value once. */
function cheapest(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const found: Candidate[] = [];
  for (const one of [...candidates].sort((left, right) => left.cost - right.cost)) {
    const same = found.findIndex(({ value }) => jsonEquals(value, one.value));
    const known = found[same];
    if (known === undefined) {
      if (found.push(one) === MAX_CANDIDATES) break;
    } else if (one.unsure && one.cost === known.cost) {
      found[same] = { ...known, unsure: true };
    }
  }
  return found;
}

export function rootPlace(given: JsonValue, issues: readonly InputIssue[]): Place {
  const inside = { path: "", key: "", inList: false, around: [], isOptional: false, depth: 0 };
  return { ...inside, given, complaint: complaintOf(issues), isUnchecked: false };
}

/** The place of a property, or of an element of a list. */
function placeInside(around: Place, at: string, variant: Variant, inList: boolean): Place {
  return {
    path: around.path + toPointer([at]),
    key: inList ? around.key : at,
    inList,
    around: [...around.around, variant],
    isOptional: !inList && variant.properties.has(at) && !variant.required.has(at),
    depth: around.depth + 1,
    given: ownAt(around.given, at),
    complaint: around.complaint?.inside.get(at),
    isUnchecked: around.isUnchecked,
  };
}

/** Codes of issues with a container as a whole; its parts were checked all the same. */
const OF_THE_WHOLE =
  /^(?:custom|too_small|too_big|(?:min|max)(?:Items|Properties)|uniqueItems|dependentRequired)$/;

/** Groups issues by their places. */
function complaintOf(issues: readonly InputIssue[]): Complaint | undefined {
  const none = (): Complaint => ({ isHere: false, coversInside: false, inside: new Map() });
  const whole = none();
  for (const { path, code } of issues) {
    let at = whole;
    for (const segment of parsePointer(path)) {
      const inner = at.inside.get(segment) ?? none();
      at.inside.set(segment, inner);
      at = inner;
    }
    at.isHere = true;
    at.coversInside ||= !OF_THE_WHOLE.test(code);
  }
  return issues.length === 0 ? undefined : whole;
}

/** Counts steps against the limits: all walks over keys, elements and text call it. */
function countSteps({ place, run }: Want, amount: number): void {
  const { maxDepth } = run.limits;
  if (place.depth > maxDepth) throw new OverLimit("maxDepth", maxDepth);
  run.budget.step(amount);
}

/** Asks the view about a value; counts the steps of a walk through it, though it may take longer. */
function accepts(value: JsonValue, want: Want): boolean {
  countSteps(want, weightOf(value));
  want.run.budget.look();
  return want.node.accepts(value);
}

function weightOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  const items: readonly JsonValue[] = isContainer(value) ? Object.values(value) : [];
  return items.reduce<number>((weight, item) => weight + weightOf(item), 1);
}
