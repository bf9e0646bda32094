import type { NumberSpellings } from "../json/exact-number.ts";
import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue, RepairLimits } from "../types.ts";
import type { Candidate } from "./candidate.ts";
import type { Complaints } from "./complaints.ts";
import type { SchemaNode } from "./schema-node.ts";

/** One run of the repair: what it may do, and what it has used up. */
export interface Run {
  readonly eager: boolean;
  readonly toolName: string;
  readonly objectAsText: boolean | readonly string[];
  readonly limits: RepairLimits;
  /** How the numbers of the input are written, where that is not as `String` writes them. */
  readonly spellings: () => NumberSpellings;
  readonly deadline: number;
  /** What is to become of keys that the schema does not declare. */
  readonly undeclared: UndeclaredRun;
  /** The names, folded, of all keys that the schema declares at any place. */
  readonly declaredNames: ReadonlySet<string>;
  /** What the tool's own schema complains about. */
  readonly complaints: Complaints;
  /** By value, by what is wanted, by where it stands. */
  readonly memo: WeakMap<object, Map<SchemaNode, Map<string, readonly Candidate[]>>>;
  /** Repairs what stands at a place further in: `alignValue`, with this run. */
  readonly align: (value: JsonValue, node: SchemaNode, place: Place) => readonly Candidate[];
  /** Edits tried beyond the first few of a place. */
  spent: number;
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
    isUnheard: place.isUnheard ?? false,
  };
}

/** Whether the tool's own schema looked at this very value here and had nothing against it. */
export function isUndisputed(
  value: JsonValue,
  { path, given, isUnheard }: Place,
  run: Run,
): boolean {
  return !isUnheard && value === given && !run.complaints.has(path);
}

/** Thrown inside the repair when a limit is reached; caught at its entry. */
export const OVER_LIMIT: unique symbol = Symbol("over limit");

/** Counts work against the limits. */
export function spend(run: Run, depth: number, amount: number): void {
  run.spent += amount;
  if (
    depth > run.limits.maxDepth ||
    run.spent > run.limits.maxCandidates ||
    performance.now() > run.deadline
  ) {
    throw OVER_LIMIT;
  }
}
