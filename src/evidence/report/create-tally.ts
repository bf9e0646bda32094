import type { Outcome } from "../../repair/events/event.ts";
import type { Tally } from "./report.ts";

/** A tally while it is counted. */
export type OpenTally = { -readonly [Field in keyof Tally]: number };

/** Creates a tally of nothing. */
export function createTally(): OpenTally {
  return {
    calls: 0,
    valid: 0,
    repaired: 0,
    rescued: 0,
    answered: 0,
    refused: 0,
    corrected: 0,
    correctedLater: 0,
  };
}

/** Counts calls in. */
export function countCalls(tally: OpenTally, outcome: Outcome, count: number): void {
  tally.calls += count;
  tally[outcome] += count;
}

/** Adds one tally to another. */
export function addTally(sum: OpenTally, tally: Tally): void {
  for (const field of Object.keys(sum) as (keyof Tally)[]) sum[field] += tally[field];
}

/** How many calls were not valid. */
export function faultyCount({ calls, valid }: Tally): number {
  return calls - valid;
}

/** How many calls were not valid and ran in spite of it. */
export function repairedCount({ repaired, rescued, corrected }: Tally): number {
  return repaired + rescued + corrected;
}

/** How many calls were not run. */
export function notRunCount({ refused, answered }: Tally): number {
  return refused + answered;
}
