import { explainPair } from "./explain-pair.ts";
import { codeOf, type FixerCall } from "./fixer-call.ts";
import { runOf } from "./halve-inputs.ts";
import type { Case, Trial } from "./trial.ts";

/** Fixers that turn some refused inputs into what took their place. */
export interface Candidate {
  readonly calls: readonly FixerCall[];
  /** Where it stands for several that are to be tried one by one if it fails: a mapping of several values. */
  readonly parts?: readonly (readonly FixerCall[])[];
}

/** The most pairs of one tool that fixers are read off. */
const MAX_PAIRS = 1_000;

/** The most candidates of one tool. */
const MAX_CANDIDATES = 40;

/** Fixers, and the pairs that they explain. */
interface Explanation {
  readonly calls: readonly FixerCall[];
  readonly runs: Set<string>;
  readonly pairs: number[];
}

/**
 * Reads off pairs of refused inputs and their corrections which fixers could repair them.
 *
 * @param cases Refused inputs of the half that is searched.
 * @param trial The tool.
 * @param minRuns In how many distinct runs a candidate must explain a pair.
 * @returns The candidates, those first that explain most runs, then those with the fewest fixers.
 */
export async function findCandidates(
  cases: readonly Case[],
  trial: Trial,
  minRuns: number,
): Promise<readonly Candidate[]> {
  const found = new Map<string, Explanation>();
  const pairs = cases.filter(({ label }) => label !== undefined).slice(0, MAX_PAIRS);
  for (const [index, pair] of pairs.entries()) {
    for (const calls of await explainPair(pair, trial)) {
      const key = candidateKey(calls);
      const known = found.get(key) ?? { calls, runs: new Set(), pairs: [] };
      found.set(key, known);
      known.runs.add(runOf(pair.input));
      known.pairs.push(index);
    }
  }
  const rivals = groupBySupport([...found.values()]);
  const supported = [...found]
    .filter(([, one]) => one.runs.size >= minRuns && !hasRival(one, rivals))
    .sort(
      ([one, its], [other, theirs]) =>
        theirs.runs.size - its.runs.size ||
        its.calls.length - theirs.calls.length ||
        (one < other ? -1 : 1),
    );
  return supported.slice(0, MAX_CANDIDATES).map(([, { calls }]) => ({ calls }));
}

/** The same fixers in another order are the same. */
function candidateKey(calls: readonly FixerCall[]): string {
  return calls.map(codeOf).sort().join(", ");
}

/** Explanations that no pair tells apart are listed together: by the pairs and the kinds of fixers. */
function groupBySupport(
  found: readonly Explanation[],
): ReadonlyMap<string, readonly Explanation[]> {
  const groups = new Map<string, Explanation[]>();
  for (const one of found) {
    const key = pairsKey(one);
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [one]);
    else same.push(one);
  }
  return groups;
}

/** Whether the same pairs speak for another way as well: which of two equal values went where, say. */
function hasRival(one: Explanation, rivals: ReadonlyMap<string, readonly Explanation[]>): boolean {
  return (rivals.get(pairsKey(one))?.length ?? 0) > 1;
}

function pairsKey({ calls, pairs }: Explanation): string {
  const kinds = calls.map(({ fixer }) => fixer).sort();
  return `${kinds.join()} ${pairs.join()}`;
}
