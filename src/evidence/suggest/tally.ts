import type { FixerCall } from "./fixer-call.ts";
import { runOf } from "./halve-inputs.ts";
import type { Counts } from "./suggestion.ts";
import type { Case, Trial } from "./trial.ts";

/** The refused inputs that fixers repair, by what is known of them. */
export interface Tally {
  readonly agree: readonly Case[];
  readonly contradict: readonly Case[];
  readonly unlabelled: readonly Case[];
  /** Those that are still refused. */
  readonly open: readonly Case[];
}

/**
 * Counts what fixers make of inputs.
 *
 * @param trial Runs them.
 * @param cases Refused inputs.
 * @param calls The fixers.
 */
export async function tally(
  trial: Trial,
  cases: readonly Case[],
  calls: readonly FixerCall[],
): Promise<Tally> {
  const agree: Case[] = [];
  const contradict: Case[] = [];
  const unlabelled: Case[] = [];
  const open: Case[] = [];
  for (const one of cases) {
    const result = await trial.run(one, calls);
    if (result === undefined) open.push(one);
    else if (one.label === undefined) unlabelled.push(one);
    else if (await trial.agrees(result, one.label)) agree.push(one);
    else contradict.push(one);
  }
  return { agree, contradict, unlabelled, open };
}

/** How many calls there are of each kind. */
export function countsOf({ agree, contradict, unlabelled }: Tally): Counts {
  return {
    agree: agree.length,
    contradict: contradict.length,
    unlabelled: unlabelled.length,
  };
}

/** In how many distinct runs there are such cases. */
export function runsOf(cases: readonly Case[]): number {
  return new Set(cases.map(({ input }) => runOf(input))).size;
}

/** The distinct runs with a known correction: all of a run's calls agree, or one does not. */
export function labelledRuns({ agree, contradict }: Tally): {
  readonly agree: number;
  readonly contradict: number;
} {
  const against = new Set(contradict.map(({ input }) => runOf(input)));
  const fit = new Set(agree.map(({ input }) => runOf(input)).filter((run) => !against.has(run)));
  return { agree: fit.size, contradict: against.size };
}
