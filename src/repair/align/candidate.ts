import { jsonEquals } from "../json/json-value.ts";
import type { JsonValue, Repair } from "../types.ts";

/** A value that a place accepts, what it costs to get there, and how. */
export interface Candidate {
  /** `undefined`: the place is left out. */
  readonly value: JsonValue | undefined;
  readonly cost: number;
  /** In the order in which they are made. */
  readonly changes: readonly Repair[];
  /** Whether it stands for several at the same cost that were not told apart. */
  readonly unsure?: boolean;
}

/** The most candidates that one place hands up. */
const MAX_CANDIDATES = 4;

/** The cheapest candidates, each value once. */
export function cheapest(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const sorted = [...candidates].sort((left, right) => left.cost - right.cost);
  const kept: Candidate[] = [];
  for (const candidate of sorted) {
    const same = kept.findIndex(({ value }) => jsonEquals(value, candidate.value));
    const known = kept[same];
    if (known === undefined) {
      if (kept.length === MAX_CANDIDATES) break;
      kept.push(candidate);
    } else if (candidate.unsure && candidate.cost === known.cost) {
      kept[same] = { ...known, unsure: true };
    }
  }
  return kept;
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
  const swaps: Swap[] = [];
  let base = before.cost;
  let tied = 0;
  let isUnsure = false;
  for (const { candidates } of children) {
    const [first, second] = candidates;
    if (first === undefined) return [];
    base += first.cost;
    if (first.unsure) isUnsure = true;
    if (second !== undefined) {
      if (second.cost === first.cost) tied += 1;
      swaps.push(...swapsOf(candidates, firsts.length));
    }
    firsts.push(first);
  }
  const unsure = isUnsure || tied > 1;
  const cheapest = assemble({ before, build }, firsts, { cost: base, unsure });
  if (swaps.length === 0) return [cheapest];
  swaps.sort((left, right) => left.more - right.more);
  const others = swaps.slice(0, MAX_CANDIDATES - 1).map(({ index, candidate, more }) => {
    const isUnsureToo = unsure || candidate.unsure === true;
    const chosen = firsts.with(index, candidate);
    return assemble({ before, build }, chosen, { cost: base + more, unsure: isUnsureToo });
  });
  return [cheapest, ...others];
}

function assemble(
  { before, build }: Pick<Family<never>, "before" | "build">,
  chosen: readonly Candidate[],
  { cost, unsure }: { readonly cost: number; readonly unsure: boolean },
): Candidate {
  const changes: Repair[] = before.changes.slice();
  const values: (JsonValue | undefined)[] = [];
  for (const candidate of chosen) {
    values.push(candidate.value);
    for (const change of candidate.changes) changes.push(change);
  }
  const made = { value: build(values), cost, changes };
  return unsure ? { ...made, unsure } : made;
}

/** A child's next candidate, and how much more it costs than the first. */
interface Swap {
  readonly index: number;
  readonly candidate: Candidate;
  readonly more: number;
}

function swapsOf([first, ...others]: readonly Candidate[], index: number): Swap[] {
  return others.map((candidate) => ({
    index,
    candidate,
    more: candidate.cost - (first?.cost ?? 0),
  }));
}
