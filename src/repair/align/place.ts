import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { type Budget, OverLimit } from "../limits.ts";
import type { NumberSpellings } from "../read/numbers.ts";
import type { SchemaNode } from "../schema/node.ts";
import type { JsonObject, JsonValue, RepairLimits } from "../types.ts";
import type { Candidate } from "./candidate.ts";
import type { Complaint } from "./complaints.ts";

/** One run of the repair: what it may do, and what it has used up. */
export interface Run {
  readonly eager: boolean;
  readonly toolName: string;
  readonly objectAsText: boolean | readonly string[];
  readonly limits: RepairLimits;
  /** How the numbers of the input are written, where that is not as `String` writes them. */
  readonly spellings: () => NumberSpellings;
  readonly used: Used;
  /** What is to become of keys that the schema does not declare. */
  readonly undeclared: UndeclaredRun;
  /** The names, folded, of all keys that the schema declares at any place. */
  readonly declaredNames: ReadonlySet<string>;
  /** By what is wanted and by value: what was found, place by place. */
  readonly memo: Map<SchemaNode, Map<object, Known[]>>;
  /** Repairs what stands at a place further in: `alignValue`, with this run. */
  readonly align: (value: JsonValue, node: SchemaNode, place: Place) => readonly Candidate[];
  /** By value and by what is wanted: whether the view accepts it. */
  readonly verdicts: Map<object, Map<SchemaNode, boolean>>;
}

/** What was found for a value at a place: the same may be reached by another way. */
export interface Known {
  readonly place: Place;
  readonly found: readonly Candidate[];
}

/** What one repair has used up of its limits, over all its runs. */
export interface Used {
  /** Edits tried beyond the first few of a place. */
  candidates: number;
  readonly budget: Budget;
}

/** What is to become of keys that the schema does not declare. */
export interface UndeclaredRun {
  /** Keys that are taken as declared wherever they stand. */
  readonly allow: ReadonlySet<string>;
  /** Whether keys that the schema forbids may be dropped. */
  readonly drops: boolean;
  /**
   * The places of undeclared keys in an input that the schema accepts: then they alone are to be
   * repaired. Default: none, the schema complains of something.
   */
  readonly strays?: ReadonlySet<string>;
}

/** Where in the input a value stands. */
export interface Place {
  /** As a JSON Pointer into the repaired input. */
  readonly path: string;
  /** The property whose value this is, where it is one's. */
  readonly key: string | undefined;
  /** Whether it is an element of an array. */
  readonly isElement?: boolean;
  readonly depth: number;
  /** What the tool's own schema complains about at this path, and inside it. */
  readonly complaint: Complaint | undefined;
  /** What stood at this very path in the input as it was given. */
  readonly given: JsonValue | undefined;
  /** Whether the tool's schema complained of a place above so that it said nothing of this one. */
  readonly isUnheard?: boolean;
}

/** The place of a property. */
export function placeOfKey(place: Place, key: string): Place {
  const { given } = place;
  return {
    path: place.path + toPointer([key]),
    key,
    depth: place.depth + 1,
    given: isJsonObject(given) && Object.hasOwn(given, key) ? given[key] : undefined,
    complaint: place.complaint?.inside.get(key),
    isUnheard: place.isUnheard ?? false,
  };
}

/** The place of an element of an array. */
export function placeOfItem(place: Place, index: number): Place {
  const { given } = place;
  return {
    path: `${place.path}/${index}`,
    key: place.key,
    isElement: true,
    depth: place.depth + 1,
    given: Array.isArray(given) ? (given as JsonValue[])[index] : undefined,
    complaint: place.complaint?.inside.get(String(index)),
    isUnheard: place.isUnheard ?? false,
  };
}

/** Whether the tool's own schema looked at this very value here and had nothing against it. */
export function isUndisputed(value: JsonValue, { given, isUnheard, complaint }: Place): boolean {
  return !isUnheard && value === given && complaint === undefined;
}

/** The same of what stands at a key or index, without looking further. */
export function isUndisputedInside(value: JsonValue, key: string | number, place: Place): boolean {
  if (place.isUnheard || place.complaint?.inside.has(String(key))) return false;
  const { given } = place;
  return (
    given !== null &&
    typeof given === "object" &&
    Object.hasOwn(given, key) &&
    (given as Record<string, unknown>)[key] === value
  );
}

/**
 * Counts steps against the limits. Whatever goes through keys, elements or text calls it, so that
 * a limit is reached by the same input on every machine; the clock is only the last resort.
 *
 * @param run The run.
 * @param depth How deep the place is that is looked at.
 * @param amount How many keys, elements, places or 64 characters of text are looked at.
 * @throws OverLimit when a limit is reached.
 */
export function spend({ used, limits }: Run, depth: number, amount: number): void {
  if (depth > limits.maxDepth) throw new OverLimit("maxDepth", limits.maxDepth);
  used.budget.step(amount);
}

/** Counts one candidate against the limits. */
export function spendCandidate({ used, limits }: Run): void {
  used.candidates += 1;
  if (used.candidates > limits.maxCandidates) {
    throw new OverLimit("maxCandidates", limits.maxCandidates);
  }
}

/** How many steps it takes to look at a value, but not at what is inside it. */
export function widthOf(value: JsonValue | undefined): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  if (value === null || typeof value !== "object") return 1;
  return 1 + (Array.isArray(value) ? value.length : Object.keys(value).length);
}

/** Asks the view about a value: each container once, and counted as what it takes to look through it. */
export function accepts(value: JsonValue, node: SchemaNode, place: Place, run: Run): boolean {
  if (value === null || typeof value !== "object") {
    spend(run, place.depth, widthOf(value));
    return node.accepts(value);
  }
  const verdicts = run.verdicts.get(value) ?? new Map<SchemaNode, boolean>();
  const known = verdicts.get(node);
  if (known !== undefined) return known;
  spend(run, place.depth, weightOf(value));
  const verdict = node.accepts(value);
  run.verdicts.set(value, verdicts.set(node, verdict));
  return verdict;
}

function weightOf(value: JsonValue): number {
  if (value === null || typeof value !== "object") return widthOf(value);
  let weight = 1;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item as JsonValue);
  else for (const key in value) weight += weightOf((value as JsonObject)[key] as JsonValue);
  return weight;
}
