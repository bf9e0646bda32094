import { jsonEquals } from "../json/json-value.ts";
import type { JsonValue, Repair } from "../types.ts";
import type { Candidate } from "./types.ts";

/** The most candidates that one place hands up. */
const MAX_CANDIDATES = 4;

/** The value as it is. */
export function kept(value: JsonValue): readonly [Candidate] {
  return [{ value, cost: 0, changes: [] }];
}

/** The cheapest candidates, each value once. */
export function cheapest(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const sorted = [...candidates].sort((left, right) => left.cost - right.cost);
  const found: Candidate[] = [];
  for (const candidate of sorted) {
    const same = found.findIndex(({ value }) => jsonEquals(value, candidate.value));
    const known = found[same];
    if (known === undefined) {
      if (found.length === MAX_CANDIDATES) break;
      found.push(candidate);
    } else if (candidate.unsure && candidate.cost === known.cost) {
      found[same] = { ...known, unsure: true };
    }
  }
  return found;
}

/** A child of an array or object, and what it may become. */
export interface Child<Key extends string | number> {
  readonly key: Key;
  readonly candidates: readonly Candidate[];
}

/** An array or object, and what its children may become. */
export interface Family<Key extends string | number> {
  readonly children: readonly Child<Key>[];
  /** What was done to the whole before. */
  readonly before: Pick<Candidate, "cost" | "changes">;
  /** Puts values in the places of the children. */
  readonly build: (values: readonly (JsonValue | undefined)[]) => JsonValue;
}

/**
 * Puts children together: the cheapest of each, and that with one child's next candidate. Costs
 * add up, so that a thousand faulty children are no search.
 */
export function combine<Key extends string | number>({
  children,
  before,
  build,
}: Family<Key>): readonly Candidate[] {
  const firsts: Candidate[] = [];
  const swaps: { index: number; candidate: Candidate; more: number }[] = [];
  let cost = before.cost;
  let ties = 0;
  let isUnsure = false;
  for (const { candidates } of children) {
    const [first, ...others] = candidates;
    if (first === undefined) return [];
    const index = firsts.push(first) - 1;
    cost += first.cost;
    isUnsure ||= first.unsure === true;
    if (others[0]?.cost === first.cost) ties += 1;
    for (const candidate of others) {
      swaps.push({ index, candidate, more: candidate.cost - first.cost });
    }
  }
  isUnsure ||= ties > 1;
  const assemble = (chosen: readonly Candidate[], more: number, unsure: boolean): Candidate => {
    const changes: Repair[] = before.changes.slice();
    for (const candidate of chosen) for (const change of candidate.changes) changes.push(change);
    const value = build(chosen.map((candidate) => candidate.value));
    return { value, cost: cost + more, changes, ...(unsure && { unsure }) };
  };
  const best = assemble(firsts, 0, isUnsure);
  swaps.sort((left, right) => left.more - right.more);
  const others = swaps
    .slice(0, MAX_CANDIDATES - 1)
    .map(({ index, candidate, more }) =>
      assemble(firsts.with(index, candidate), more, isUnsure || candidate.unsure === true),
    );
  return [best, ...others];
}
