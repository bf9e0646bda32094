import { parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import type { SchemaNode } from "../schema/node.ts";
import type { InputIssue, JsonObject, JsonValue } from "../types.ts";
import type { Complaint, Place, Run } from "./types.ts";

/** The place of the whole input. */
export function rootPlace(given: JsonValue, issues: readonly InputIssue[]): Place {
  return {
    path: "",
    key: "",
    inList: false,
    isOptional: false,
    depth: 0,
    given,
    complaint: toComplaint(issues),
    isUnheard: false,
  };
}

/** The place of a property, or of an element of a list. */
export function placeInside(place: Place, at: string | number, isOptional = false): Place {
  const { path, given, complaint, isUnheard } = place;
  const inList = typeof at === "number";
  const holds = given !== null && typeof given === "object" && Object.hasOwn(given, at);
  return {
    path: path + toPointer([at]),
    key: inList ? place.key : at,
    inList,
    isOptional,
    depth: place.depth + 1,
    given: holds ? (given as JsonObject)[at] : undefined,
    complaint: complaint?.inside.get(String(at)),
    isUnheard,
  };
}

/** Whether the tool's own schema looked at this very value here and had nothing against it. */
export function isUndisputed(value: JsonValue, { given, complaint, isUnheard }: Place): boolean {
  return !isUnheard && value === given && complaint === undefined;
}

/** The same of what stands at a key, without making a place for it. */
export function isUndisputedAt(value: JsonValue, key: string, place: Place): boolean {
  const { given, complaint, isUnheard } = place;
  if (isUnheard || complaint?.inside.has(key)) return false;
  return isJsonObject(given) && Object.hasOwn(given, key) && given[key] === value;
}

/** The indexes of the elements that the tool's schema did not look at, or complained of. */
export function disputedIndexes(
  items: readonly JsonValue[],
  { given, complaint, isUnheard }: Place,
): Iterable<number> {
  if (isUnheard || items !== given) return items.keys();
  const indexes = [...(complaint?.inside.keys() ?? [])].map(Number);
  return indexes.filter((index) => index < items.length).sort((left, right) => left - right);
}

/** Codes that speak of a container as a whole; what is inside it was looked at all the same. */
const OF_THE_WHOLE =
  /^(?:custom|too_small|too_big|(?:min|max)(?:Items|Properties)|uniqueItems|dependentRequired)$/;

interface OpenComplaint extends Complaint {
  isHere: boolean;
  coversInside: boolean;
  inside: Map<string, OpenComplaint>;
}

/** What most complaints have inside: thousands of them need no map each. */
const NOTHING_INSIDE: Map<string, OpenComplaint> = new Map();

const newComplaint = (): OpenComplaint => ({
  isHere: false,
  coversInside: false,
  inside: NOTHING_INSIDE,
});

/** Sorts issues by their places. */
function toComplaint(issues: readonly InputIssue[]): Complaint | undefined {
  if (issues.length === 0) return undefined;
  const whole = newComplaint();
  for (const { path, code } of issues) {
    let at = whole;
    for (const segment of parsePointer(path)) {
      if (at.inside === NOTHING_INSIDE) at.inside = new Map();
      const known = at.inside.get(segment) ?? newComplaint();
      at.inside.set(segment, known);
      at = known;
    }
    at.isHere = true;
    at.coversInside ||= !OF_THE_WHOLE.test(code);
  }
  return whole;
}

/**
 * Counts steps against the limits. Whatever goes through keys, elements or text calls it, so that
 * a limit is reached by the same input on every machine; the clock is the last resort.
 *
 * @throws OverLimit when a limit is reached.
 */
export function countSteps({ used, limits }: Run, { depth }: Place, amount: number): void {
  if (depth > limits.maxDepth) throw new OverLimit("maxDepth", limits.maxDepth);
  used.budget.step(amount);
}

/** Counts one candidate against the limits. */
export function countCandidate({ used, limits }: Run): void {
  used.candidates += 1;
  if (used.candidates > limits.maxCandidates) {
    throw new OverLimit("maxCandidates", limits.maxCandidates);
  }
}

/** Asks the view about a value, which is counted as what it takes to look through it. */
export function accepts(value: JsonValue, node: SchemaNode, place: Place, run: Run): boolean {
  countSteps(run, place, weightOf(value));
  return node.accepts(value);
}

function weightOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + (value.length >> 6);
  if (value === null || typeof value !== "object") return 1;
  let weight = 1;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item as JsonValue);
  else for (const key in value) weight += weightOf((value as JsonObject)[key] as JsonValue);
  return weight;
}
