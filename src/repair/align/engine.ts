import { parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject, jsonEquals } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { InputIssue, JsonObject, JsonValue, Repair } from "../types.ts";
import { fitsAt } from "./fits.ts";
import { keyEdits } from "./key-edits.ts";
import type {
  Candidate,
  Complaint,
  Edit,
  KeyChange,
  KeyEdit,
  KeyWant,
  Known,
  Place,
  Run,
  ValueEdit,
  Want,
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
/** The most candidates that one place returns. */
const MAX_CANDIDATES = 4;

/** The unchanged value. */
const kept = (value: JsonValue): readonly Candidate[] => [{ value, cost: 0, changes: [] }];

/**
 * Finds what a value could become for the schema to accept it at its place. An accepted value is
 * never altered. Only the engine applies, records, prices and bounds edits; the tables propose
 * them.
 */
export function solve(
  value: JsonValue,
  node: SchemaNode,
  place: Place,
  run: Run,
  spent = 0,
): readonly Candidate[] {
  countSteps(run, place, 4);
  if (spent === 0 && !place.isUnheard && value === place.given && place.complaint === undefined) {
    return kept(value);
  }
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
  // An input that the schema accepts, with an undeclared key deeper inside: only keys are repaired.
  if (run.undeclared.strays !== undefined && value === at.given && at.complaint !== undefined) {
    const found = cheapest(descend(value, node, at, run));
    return found[0] === undefined || found[0].cost === 0 ? kept(value) : found;
  }
  const isUnheard = isUnheardInside(node, at);
  const place = isUnheard === at.isUnheard ? at : { ...at, isUnheard };
  if (!isToldByParts(value, node, place) && accepts(value, node, place, run)) return kept(value);
  const found = [...descend(value, node, place, run)];
  if (found[0]?.cost === 0) return kept(value);

  let least = found.reduce((cost, one) => Math.min(cost, one.cost), Number.POSITIVE_INFINITY);
  let tries = 0;
  const { used, limits } = run;
  for (const edit of VALUE_EDITS) {
    if (!isAllowed(edit, run) || least < edit.cost || spent + edit.cost > MAX_SPENT) continue;
    for (const { after, why } of edit.propose(value, { node, place, run })) {
      tries += 1;
      if (tries > FREE_TRIES && ++used.candidates > limits.maxCandidates) {
        throw new OverLimit("maxCandidates", limits.maxCandidates);
      }
      const change = record(edit, place.path, { before: value, after, why });
      for (const rest of solveEdited(after, edit, { node, place, run }, spent)) {
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
  return isAsked !== true || run.edits?.[name] === true;
}

/** Handles the result of an edit: left out, edited again, or accepted or repaired inside. */
function solveEdited(
  after: JsonValue | undefined,
  edit: ValueEdit,
  { node, place, run }: Want,
  spent: number,
): readonly Candidate[] {
  const { fits, maxRest = Number.POSITIVE_INFINITY } = edit;
  if (after === undefined) {
    return place.isOptional ? [{ value: undefined, cost: 0, changes: [] }] : [];
  }
  const found = edit.unpacks
    ? solve(after, node, { ...place, isOptional: false }, run, spent + edit.cost)
    : accepts(after, node, place, run)
      ? kept(after)
      : descend(after, node, place, run);
  return found.filter(
    ({ value, cost }) =>
      cost <= maxRest && (fits === undefined || (value !== undefined && fitsAt(value, node, fits))),
  );
}

/**
 * Whether checking the parts is enough, so that large values are walked only once: the schema says
 * no more than that, or the tool's own schema rejected a part.
 */
function isToldByParts(value: JsonValue, node: SchemaNode, place: Place): boolean {
  const { depth, given, complaint, isUnheard } = place;
  if (node.isPlain && (Array.isArray(value) || (depth === 0 && isJsonObject(value)))) return true;
  const isInside = !isUnheard && value === given && complaint?.isHere === false;
  return isInside && node.of("object").length + node.of("array").length === 1;
}

/**
 * Whether the tool's schema may have checked nothing inside a place. For a union it need not say
 * which branch it rejected: once it complains, only the view decides.
 */
function isUnheardInside(node: SchemaNode, { complaint, isUnheard }: Place): boolean {
  if (isUnheard || complaint?.coversInside === true) return true;
  return complaint !== undefined && node.of("object").length + node.of("array").length > 1;
}

/** Repairs the inside of a value, branch by branch. */
function descend(value: JsonValue, node: SchemaNode, place: Place, run: Run): readonly Candidate[] {
  if (value === null || typeof value !== "object") return [];
  const found = Array.isArray(value)
    ? node.of("array").flatMap((variant) => solveItems(value, variant, place, run))
    : solveObject(value as JsonObject, node, place, run);
  // The view may reject what the tool's schema accepts: a flag of a pattern, for example.
  const isHeard = !place.isUnheard && place.complaint?.isHere === false;
  if (node.isPlain || isHeard) return found;
  return found.filter((one) => one.value !== undefined && accepts(one.value, node, place, run));
}

/** Repairs the elements of an array. It drops none: an element that cannot be repaired is refused. */
function solveItems(
  items: readonly JsonValue[],
  variant: Variant,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const children: Child<number>[] = [];
  for (const [index, item] of items.entries()) {
    if (isUndisputed(item, index, place)) continue;
    const node = variant.itemAt(index);
    if (node === undefined) continue;
    const found = solve(item, node, placeInside(place, index, variant), run);
    if (found.length === 0) return [];
    children.push([index, found]);
  }
  return combine(children, { cost: 0, changes: [] }, (values) => {
    const after = items.slice();
    for (const [index, value] of values) after[index] = value as JsonValue;
    return after;
  });
}

/** Repairs an object: its keys first, then their values. */
function solveObject(
  object: JsonObject,
  node: SchemaNode,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const branches = node.of("object");
  // With too many branches none is tried, even if a tag selects one.
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
    if (node === undefined || isUndisputed(value, key, place)) continue;
    const isOptional = variant.properties.has(key) && !variant.required.has(key);
    const at = placeInside(place, key, variant, isOptional);
    const about = { object, node, variant, run };
    const found = solve(value, node, at, run).filter((one) => leavesNothingOut(one, at, about));
    if (found.length === 0) return [];
    children.push([key, found]);
  }
  const found = combine(children, { cost, changes }, (values) => {
    const after: { [key: string]: JsonValue | undefined } = { ...object };
    for (const [key, value] of values) {
      if (value === undefined) delete after[key];
      else after[key] = value;
    }
    return after as JsonObject;
  });
  // All that is left had to be left out: then it was not one argument among others.
  return found.filter(({ value }) => !isEmpty(value) || isEmpty(object));
}

function isEmpty(object: JsonValue | undefined): boolean {
  for (const _ in object as JsonObject) return false;
  return true;
}

/**
 * Whether a repair that opens or wraps an object keeps every other key that this object declares:
 * `{"action": "click", "point": …}` is not `{"action": {"action": "click"}}`.
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

/** An object with repaired keys. */
interface KeyedObject {
  readonly object: JsonObject;
  readonly cost: number;
  readonly changes: readonly Repair[];
}

/** Repairs keys edit by edit, until no key is missing and no forbidden one is left. */
function solveKeys(
  object: JsonObject,
  variant: Variant,
  branches: readonly Variant[],
  place: Place,
  run: Run,
): KeyedObject | undefined {
  const isIgnored = run.undeclared.strays !== undefined && object === place.given;
  let keyed: KeyedObject = { object, cost: 0, changes: [] };
  countSteps(run, place, 3 * (Object.keys(object).length + variant.required.size));
  let keys = keysOf(object, variant, run);
  if (!isIgnored && !isRefused(keys, variant)) return keyed;
  if (keys.unknown.length > MAX_UNKNOWN) return isIgnored ? keyed : undefined;
  const costAt: KeyWant["costAt"] = (value, key) => {
    const node = variant.properties.get(key);
    if (node === undefined) return 0;
    return solve(value, node, placeInside(place, key, variant, !variant.required.has(key)), run)[0]
      ?.cost;
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
  return isRefused(keys, variant) ? undefined : keyed;
}

type Keys = Pick<KeyWant, "unknown" | "absent" | "missing">;

function keysOf(object: JsonObject, variant: Variant, run: Run): Keys {
  const { properties, required } = variant;
  const isAbsent = (key: string) => !Object.hasOwn(object, key);
  return {
    unknown: unknownKeys(object, variant, run),
    absent: [...properties.keys()].filter(isAbsent),
    missing: [...required].filter(isAbsent),
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

function isRefused({ unknown, missing }: Keys, { closed }: Variant): boolean {
  return missing.length > 0 || (closed && unknown.length > 0);
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

/** The key or index of a child, and what the child may become. */
type Child<Key> = readonly [Key, readonly Candidate[]];

/**
 * Combines children: the cheapest of each, and variants with one child's next candidate. Costs add
 * up, so a thousand faulty children need no search.
 */
function combine<Key>(
  children: readonly Child<Key>[],
  before: Pick<Candidate, "cost" | "changes">,
  build: (values: readonly (readonly [Key, JsonValue | undefined])[]) => JsonValue,
): readonly Candidate[] {
  const firsts = children.map(([, [first]]) => first as Candidate);
  const swaps = children.flatMap(([, [first, ...others]], index) =>
    others.map((other) => ({ index, other, more: other.cost - (first?.cost ?? 0) })),
  );
  const ties = children.filter(
    ([, [first, next]]) => next !== undefined && next.cost === first?.cost,
  );
  const isUnsure = ties.length > 1 || firsts.some(({ unsure }) => unsure);
  const least = firsts.reduce((sum, { cost }) => sum + cost, before.cost);
  const assemble = (chosen: readonly Candidate[], more: number, unsure: boolean): Candidate => {
    const changes: Repair[] = before.changes.slice();
    for (const candidate of chosen) for (const change of candidate.changes) changes.push(change);
    const value = build(children.map(([key], nth) => [key, chosen[nth]?.value]));
    return { value, cost: least + more, changes, ...(unsure && { unsure }) };
  };
  swaps.sort((left, right) => left.more - right.more);
  const others = swaps.slice(0, MAX_CANDIDATES - 1).map(({ index, other, more }) => {
    return assemble(firsts.with(index, other), more, isUnsure || other.unsure === true);
  });
  return [assemble(firsts, 0, isUnsure), ...others];
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
  const inside = { path: "", key: "", inList: false, above: [], isOptional: false, depth: 0 };
  return { ...inside, given, complaint: complaintOf(issues), isUnheard: false };
}

const saidOfVariants = new WeakMap<Variant, readonly string[]>();

/** What a schema says of an object or list: its title, its description and its examples. */
function saidOf(variant: Variant): readonly string[] {
  const known = saidOfVariants.get(variant);
  if (known !== undefined) return known;
  const examples = variant.said("examples").flat();
  const texts = [...variant.said("title"), variant.description];
  const said = [...texts, ...(examples.length === 0 ? [] : [JSON.stringify(examples)])];
  const made = said.filter((one): one is string => typeof one === "string" && one !== "");
  saidOfVariants.set(variant, made);
  return made;
}

/** The place of a property, or of an element of a list. */
function placeInside(
  place: Place,
  at: string | number,
  around: Variant,
  isOptional = false,
): Place {
  const said = saidOf(around);
  const above = said.length === 0 ? place.above : [...place.above, ...said];
  const { path, given, complaint, isUnheard } = place;
  const inList = typeof at === "number";
  const holds = given !== null && typeof given === "object" && Object.hasOwn(given, at);
  return {
    path: inList ? `${path}/${at}` : path + toPointer([at]),
    key: inList ? place.key : at,
    inList,
    above,
    isOptional,
    depth: place.depth + 1,
    given: holds ? (given as JsonObject)[at] : undefined,
    complaint: complaint?.inside?.get(String(at)),
    isUnheard,
  };
}

/** Whether the tool's own schema checked this very value inside a place and accepted it. */
function isUndisputed(value: JsonValue, at: string | number, place: Place): boolean {
  const { given, complaint, isUnheard } = place;
  if (isUnheard || complaint?.inside?.has(String(at))) return false;
  const isHeld = given !== null && typeof given === "object" && Object.hasOwn(given, at);
  return isHeld && (given as JsonObject)[at] === value;
}

/** Codes of issues with a container as a whole; its parts were checked all the same. */
const OF_THE_WHOLE =
  /^(?:custom|too_small|too_big|(?:min|max)(?:Items|Properties)|uniqueItems|dependentRequired)$/;

/** Groups issues by their places. */
function complaintOf(issues: readonly InputIssue[]): Complaint | undefined {
  if (issues.length === 0) return undefined;
  const whole: Complaint = { isHere: false, coversInside: false };
  for (const { path, code } of issues) {
    let at = whole;
    for (const segment of parsePointer(path)) {
      at.inside ??= new Map();
      const known = at.inside.get(segment) ?? { isHere: false, coversInside: false };
      at.inside.set(segment, known);
      at = known;
    }
    at.isHere = true;
    at.coversInside ||= !OF_THE_WHOLE.test(code);
  }
  return whole;
}

/**
 * Counts steps against the limits. All walks over keys, elements and text call it, so that a limit
 * is reached by the same input on every machine; the clock is the last resort.
 */
function countSteps({ used, limits }: Run, { depth }: Place, amount: number): void {
  if (depth > limits.maxDepth) throw new OverLimit("maxDepth", limits.maxDepth);
  used.budget.step(amount);
}

/** Asks the view about a value; counts the steps that a walk through it takes. */
function accepts(value: JsonValue, node: SchemaNode, place: Place, run: Run): boolean {
  countSteps(run, place, weightOf(value));
  return node.accepts(value);
}

function weightOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  if (value === null || typeof value !== "object") return 1;
  let weight = 1;
  for (const item of Object.values(value)) weight += weightOf(item as JsonValue);
  return weight;
}
