import { jsonEquals } from "../json.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import type { Candidate } from "./types.ts";

/** The most candidates that one place returns. */
const MAX_CANDIDATES = 4;

/** A value that nothing changes. */
export function unchanged<Value extends JsonValue | undefined>(
  value: Value,
): Candidate & { readonly value: Value } {
  return { value, cost: 0, changes: [] };
}

export function leastCostOf(candidates: readonly Candidate[]): number {
  return candidates.reduce(
    (least, { cost }) => Math.min(least, cost),
    Number.POSITIVE_INFINITY,
  );
}

/** The cheapest candidates, each value once. */
export function cheapest(
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const kept: Candidate[] = [];
  for (const candidate of [...candidates].sort(
    (left, right) => left.cost - right.cost,
  )) {
    const index = kept.findIndex(({ value }) =>
      jsonEquals(value, candidate.value),
    );
    const known = kept[index];
    if (known === undefined) {
      kept.push(candidate);
      if (kept.length === MAX_CANDIDATES) break;
    } else if (candidate.unsure && candidate.cost === known.cost) {
      kept[index] = { ...known, unsure: true };
    }
  }
  return kept;
}

/**
 * The key or index of a child, and what the child may become, the cheapest
 * first.
 */
export interface Child {
  readonly key: string;
  readonly best: Candidate;
  readonly alternatives: readonly Candidate[];
}

/** A child with another candidate than its best, and what it costs more. */
interface Swap {
  readonly child: Child;
  readonly candidate: Candidate;
  readonly extraCost: number;
}

/**
 * Combines the best of each child; the rest differ in one child, so costs just
 * add up.
 */
export function combine(
  container: Candidate,
  children: readonly Child[],
): readonly [Candidate, ...Candidate[]] {
  const swaps = children.flatMap(swapsOf);
  const tied = new Set(
    swaps.filter(({ extraCost }) => extraCost === 0).map(({ child }) => child),
  );
  const isUnsure = tied.size > 1 || children.some(({ best }) => best.unsure);
  const best = assemble(container, children, isUnsure);
  swaps.sort((left, right) => left.extraCost - right.extraCost);
  const swapped = swaps
    .slice(0, MAX_CANDIDATES - 1)
    .map((swap) => assemble(container, children, isUnsure, swap));
  return [best, ...swapped];
}

function swapsOf(child: Child): readonly Swap[] {
  return child.alternatives.map((candidate) => {
    return { child, candidate, extraCost: candidate.cost - child.best.cost };
  });
}

/** A container with the best candidate of each child, but for one. */
function assemble(
  container: Candidate,
  children: readonly Child[],
  isUnsure: boolean,
  swap?: Swap,
): Candidate {
  const value = copyOf(container.value);
  const changes = [...container.changes];
  let { cost } = container;
  for (const child of children) {
    const chosen = child === swap?.child ? swap.candidate : child.best;
    if (chosen.value === undefined) delete value[child.key];
    else value[child.key] = chosen.value;
    for (const change of chosen.changes) changes.push(change);
    cost += chosen.cost;
  }
  const candidate = { value: value as JsonObject, cost, changes };
  return isUnsure || swap?.candidate.unsure
    ? { ...candidate, unsure: true }
    : candidate;
}

/**
 * A copy of a list or object whose parts can be replaced by their index or key.
 */
function copyOf(container: Candidate["value"]): {
  [key: string]: JsonValue | undefined;
} {
  const copy: unknown = Array.isArray(container)
    ? [...container]
    : { ...(container as JsonObject) };
  return copy as { [key: string]: JsonValue | undefined };
}
