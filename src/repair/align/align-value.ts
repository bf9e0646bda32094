import { isJsonObject } from "../json/json-value.ts";
import { fitsAt } from "../schema/fits.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import { alignArray } from "./align-array.ts";
import { alignObject } from "./align-object.ts";
import { type Candidate, cheapest } from "./candidate.ts";
import { type Edit, type Want, wantAt } from "./edits/edit.ts";
import { valueEdits } from "./edits/value-edits.ts";
import {
  accepts,
  isUndisputed,
  type Known,
  type Place,
  type Run,
  spend,
  spendCandidate,
  widthOf,
} from "./place.ts";

/** The most that may be spent on one value before what is inside it: text in an envelope in a list. */
const MAX_SPENT = 7;

/** How many edits a place may try before they count against the limit. */
const FREE_TRIES = 8;

/** One value at more places than this stands in a list again and again, and is not looked up. */
const MAX_PLACES = 16;

/**
 * Finds what a value could become for the schema to accept it at its place.
 *
 * @returns The cheapest candidates, cheapest first; the value itself, alone, when it is accepted
 * as it is (what the schema accepts is never altered); none when there is no way.
 */
export function alignValue(
  value: JsonValue,
  node: SchemaNode,
  place: Place,
  run: Run,
  spentHere = 0,
): readonly Candidate[] {
  if (value === null || typeof value !== "object" || spentHere > 0) {
    return alignAfresh(value, node, place, run, spentHere);
  }
  // The same value at the same place and schema, reached by another way.
  const ofNode = run.memo.get(node) ?? new Map<object, Known[]>();
  const known = ofNode.get(value);
  const same = known?.find((one) => isSamePlace(one.place, place));
  if (same !== undefined) return same.found;
  const found = alignAfresh(value, node, place, run, spentHere);
  if (known === undefined) run.memo.set(node, ofNode.set(value, [{ place, found }]));
  else if (known.length < MAX_PLACES) known.push({ place, found });
  return found;
}

function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.path === other.path &&
    one.key === other.key &&
    one.isElement === other.isElement &&
    one.isUnheard === other.isUnheard
  );
}

function alignAfresh(
  value: JsonValue,
  node: SchemaNode,
  at: Place,
  run: Run,
  spentHere: number,
): readonly Candidate[] {
  spend(run, at.depth, 1);
  if (isUndisputed(value, at)) return [kept(value)];
  if (leadsToStray(value, at, run)) return alignStrays(value, node, at, run);
  const isUnheard = isUnheardInside(node, at);
  const place = isUnheard === (at.isUnheard ?? false) ? at : { ...at, isUnheard };
  if (
    !tellsByParts(value, node, place) &&
    !isRefusedInside(value, node, place) &&
    accepts(value, node, place, run)
  ) {
    return [kept(value)];
  }
  const found: Candidate[] = [...descend(value, node, place, run)];
  if (found[0]?.cost === 0) return [kept(value)];
  spend(run, at.depth, widthOf(value) + countChoices(node));
  const want = wantAt(node, place, run, spentHere === 0);
  const tries: Tries = { want, spentHere, count: 0, found, least: leastOf(found) };
  for (const edit of valueEdits) {
    if (!run.eager && edit.level === "eager") continue;
    // Edits come in the order of their costs: a dearer one neither wins nor ties.
    if (tries.least < edit.cost || spentHere + edit.cost > MAX_SPENT) break;
    const proposed = edit.propose(value, want);
    if (proposed.length > 0) tryAll(proposed, { edit, value }, tries);
  }
  return cheapest(found);
}

/** The edits that were tried on one value, and what came of them. */
interface Tries {
  readonly want: Want;
  readonly spentHere: number;
  readonly found: Candidate[];
  count: number;
  /** What the cheapest of them costs. */
  least: number;
}

function leastOf(candidates: readonly Candidate[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { cost } of candidates) if (cost < least) least = cost;
  return least;
}

function tryAll(
  proposed: readonly JsonValue[],
  { edit, value }: { readonly edit: Edit; readonly value: JsonValue },
  tries: Tries,
): void {
  const { want, found } = tries;
  const { node, place, run } = want;
  const { name: fixer, level, cost } = edit;
  for (const after of proposed) {
    tries.count += 1;
    if (tries.count > FREE_TRIES) spendCandidate(run);
    const rest = edit.unpacks
      ? alignValue(after, node, place, run, tries.spentHere + cost)
      : alignWithin(after, node, place, run);
    const fitting = rest.filter((candidate) => isFitting(candidate, edit, node));
    if (fitting.length === 0) continue;
    const reason = edit.reason?.(value, after, want);
    const why = reason === undefined ? {} : { reason };
    const change = { fixer, path: place.path, level, before: value, after, ...why };
    for (const candidate of fitting) found.push(preceded(candidate, cost, change));
    tries.least = leastOf(found);
  }
}

/** How many fixed values a place has to choose from, in steps. */
function countChoices(node: SchemaNode): number {
  let count = 0;
  for (const { values } of node.variants()) count += values?.length ?? 0;
  return count >> 6;
}

/** Whether all is accepted here, but a key further in is undeclared. */
function leadsToStray(value: JsonValue, { given, complaint }: Place, run: Run): boolean {
  return run.undeclared.strays !== undefined && value === given && complaint !== undefined;
}

/** What is accepted stays as it is, but for the keys. */
function alignStrays(
  value: JsonValue,
  node: SchemaNode,
  place: Place,
  run: Run,
): readonly Candidate[] {
  const found = cheapest(descend(value, node, place, run));
  return found[0] === undefined || found[0].cost === 0 ? [kept(value)] : found;
}

/** Whether asking for the parts is enough: what is large is then looked through only once. */
function tellsByParts(value: JsonValue, node: SchemaNode, { depth }: Place): boolean {
  return node.isPlain && (Array.isArray(value) || (depth === 0 && isJsonObject(value)));
}

/** Whether the tool's schema refused something inside, so that asking for the parts is enough. */
function isRefusedInside(
  value: JsonValue,
  node: SchemaNode,
  { given, complaint, isUnheard }: Place,
): boolean {
  const isHeard = !isUnheard && value === given && complaint?.isHere === false;
  return isHeard && node.of("object").length + node.of("array").length === 1;
}

/**
 * Whether the tool's schema may have looked at nothing inside a place. Of a union it need not say
 * which branch it minded: once it complains, only the view tells.
 */
function isUnheardInside(node: SchemaNode, { complaint, isUnheard }: Place): boolean {
  if (isUnheard || complaint?.coversInside === true) return true;
  if (complaint === undefined) return false;
  return node.of("object").length + node.of("array").length > 1;
}

function kept(value: JsonValue): Candidate {
  return { value, cost: 0, changes: [] };
}

function isFitting({ value, cost }: Candidate, { fits, maxRest }: Edit, node: SchemaNode): boolean {
  if (maxRest !== undefined && cost > maxRest) return false;
  return fits === undefined || (value !== undefined && fitsAt(value, node, fits));
}

/** What an edit made: accepted, or to be repaired further in, but not edited again itself. */
function alignWithin(
  value: JsonValue,
  node: SchemaNode,
  place: Place,
  run: Run,
): readonly Candidate[] {
  return accepts(value, node, place, run) ? [kept(value)] : descend(value, node, place, run);
}

/** Repairs what stands inside a value, branch by branch. */
function descend(value: JsonValue, node: SchemaNode, place: Place, run: Run): readonly Candidate[] {
  if (value === null || typeof value !== "object") return [];
  const branches = node.of(Array.isArray(value) ? "array" : "object");
  const [only] = branches;
  const found =
    branches.length === 1 && only !== undefined
      ? descendInto(value, only, branches, { place, run })
      : branches.flatMap((variant) => descendInto(value, variant, branches, { place, run }));
  // What the tool's schema has nothing against may be refused by the view: a flag of a pattern, say.
  const isHeard = !place.isUnheard && place.complaint?.isHere === false;
  return node.isPlain || isHeard
    ? found
    : found.filter(({ value: after }) => after !== undefined && accepts(after, node, place, run));
}

function descendInto(
  value: object & JsonValue,
  variant: Variant,
  branches: readonly Variant[],
  { place, run }: { readonly place: Place; readonly run: Run },
): readonly Candidate[] {
  if (Array.isArray(value)) return alignArray(value as JsonValue[], variant, place, run);
  return isJsonObject(value) ? alignObject(value as JsonObject, variant, place, run, branches) : [];
}

function preceded(
  { value, cost, changes, unsure }: Candidate,
  price: number,
  change: Repair,
): Candidate {
  const made = { value, cost: cost + price, changes: [change, ...changes] };
  return unsure ? { ...made, unsure } : made;
}
