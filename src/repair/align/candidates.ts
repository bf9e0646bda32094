import { jsonEquals } from "../json.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import type { Candidate } from "./types.ts";

/** The most candidates that one place returns. */
const MAX_CANDIDATES = 4;

/** A value that nothing changes. */
export function unchanged<Value extends JsonValue | undefined>(
  value: Value,
): Candidate & { readonly value: Value } {
  return { value, cost: 0, changes: [], unsure: false };
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

/** What a child becomes. */
interface ChildChoice {
  readonly key: string;
  readonly candidate: Candidate;
}

/** A child with another candidate than its best, and what it costs more. */
interface Swap extends ChildChoice {
  readonly extraCost: number;
}

/**
 * Combines the best of each child; the rest differ in one child, so costs just
 * add up.
 */
export function combine(
  container: Candidate,
  children: readonly Child[],
): readonly Candidate[] {
  const parts = children.map(({ key, best }) => ({ key, candidate: best }));
  const swaps = children.flatMap(swapsOf);
  const tied = swaps.filter(({ extraCost }) => extraCost === 0);
  const areSeveralTied = new Set(tied.map(({ key }) => key)).size > 1;
  const isUnsure = areSeveralTied || children.some(({ best }) => best.unsure);
  swaps.sort((left, right) => left.extraCost - right.extraCost);
  const swapped = swaps.slice(0, MAX_CANDIDATES - 1).map((swap) => {
    const swappedParts = parts.map((part) =>
      part.key === swap.key ? swap : part,
    );
    return assemble(container, swappedParts, isUnsure || swap.candidate.unsure);
  });
  return [assemble(container, parts, isUnsure), ...swapped];
}

function swapsOf({ key, best, alternatives }: Child): readonly Swap[] {
  return alternatives.map((candidate) => {
    return { key, candidate, extraCost: candidate.cost - best.cost };
  });
}

/** A container with what each of its children becomes. */
function assemble(
  container: Candidate,
  parts: readonly ChildChoice[],
  unsure: boolean,
): Candidate {
  const value = copyOf(container.value);
  const changes = [...container.changes];
  let { cost } = container;
  for (const { key, candidate } of parts) {
    if (candidate.value === undefined) delete value[key];
    else value[key] = candidate.value;
    for (const change of candidate.changes) changes.push(change);
    cost += candidate.cost;
  }
  return { value: value as JsonObject, cost, changes, unsure };
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
