import type { JsonValue, RepairLimits } from "../types.ts";
import type { Candidate } from "./candidate.ts";
import type { SchemaNode } from "./schema-node.ts";

/** One run of the repair: what it may do, and what it has used up. */
export interface Run {
  readonly eager: boolean;
  readonly toolName: string;
  readonly objectAsText: boolean | readonly string[];
  readonly limits: RepairLimits;
  readonly deadline: number;
  readonly memo: WeakMap<object, Map<SchemaNode, readonly Candidate[]>>;
  /** Repairs what stands at a place further in: `alignValue`, with this run. */
  readonly align: (value: JsonValue, node: SchemaNode, place: Place) => readonly Candidate[];
  /** Edits tried beyond the first few of a place. */
  spent: number;
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
