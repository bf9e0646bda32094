import { toPointer } from "../json/json-pointer.ts";
import { jsonEquals } from "../json/json-value.ts";
import type { JsonValue, Repair } from "../types.ts";

/** A value that a place accepts, what it costs to get there, and how. */
export interface Candidate {
  /** `undefined`: the place is left out. */
  readonly value: JsonValue | undefined;
  readonly cost: number;
  /** In the order in which they are made; their paths begin at this place. */
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
export interface Child {
  readonly key: string | number;
  readonly candidates: readonly Candidate[];
}

/**
 * Puts children together: the cheapest of each, and that with one child's next candidate. Costs
 * add up, so that a thousand faulty children are no search.
 */
export function combine(
  children: readonly Child[],
  build: (values: readonly (JsonValue | undefined)[]) => JsonValue,
): readonly Candidate[] {
  const firsts = children.flatMap(({ candidates }) => candidates.slice(0, 1));
  if (firsts.length < children.length) return [];
  const base = firsts.reduce((sum, { cost }) => sum + cost, 0);
  const tied = children.filter(({ candidates: [first, second] }) => first?.cost === second?.cost);
  const swaps = children.flatMap(({ candidates }, index) =>
    candidates.slice(1).map((candidate) => ({
      index,
      candidate,
      cost: base - (firsts[index]?.cost ?? 0) + candidate.cost,
    })),
  );
  swaps.sort((left, right) => left.cost - right.cost);
  const unsure = tied.length > 1 || firsts.some((candidate) => candidate.unsure);
  const assemble = (chosen: readonly Candidate[], cost: number): Candidate => ({
    value: build(chosen.map(({ value }) => value)),
    cost,
    changes: chosen.flatMap(({ changes }, index) => below(children[index]?.key ?? "", changes)),
    ...(unsure || chosen.some((candidate) => candidate.unsure) ? { unsure: true } : {}),
  });
  return [
    assemble(firsts, base),
    ...swaps
      .slice(0, MAX_CANDIDATES - 1)
      .map(({ index, candidate, cost }) => assemble(firsts.with(index, candidate), cost)),
  ];
}

function below(key: string | number, changes: readonly Repair[]): readonly Repair[] {
  if (changes.length === 0) return changes;
  const prefix = toPointer([key]);
  return changes.map((change) => ({ ...change, path: prefix + change.path }));
}
