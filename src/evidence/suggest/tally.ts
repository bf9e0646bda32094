import type { JsonValue } from "../../repair/types.ts";
import type { FixerCall } from "./fixer-call.ts";
import { runOf } from "./halve-inputs.ts";
import type { LoggedInput } from "./logged-input.ts";
import type { Counts } from "./suggestion.ts";
import type { Case, Trial } from "./trial.ts";

/** One refused input. */
interface Refused {
  readonly input: LoggedInput;
}

/** The refused inputs that fixers repair, by what is known of them. */
export interface Tally<One extends Refused = Case> {
  readonly agree: readonly One[];
  readonly contradict: readonly One[];
  readonly unlabelled: readonly One[];
  /** Those that are still refused. */
  readonly open: readonly One[];
}

/** The same, with what comes out of the others. */
export interface TallyOfCases extends Tally {
  readonly results: ReadonlyMap<Case, JsonValue>;
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
): Promise<TallyOfCases> {
  const agree: Case[] = [];
  const contradict: Case[] = [];
  const unlabelled: Case[] = [];
  const open: Case[] = [];
  const results = new Map<Case, JsonValue>();
  for (const one of cases) {
    const result = await trial.run(one, calls);
    if (result !== undefined) results.set(one, result);
    if (result === undefined) open.push(one);
    else if (one.label === undefined) unlabelled.push(one);
    else if (await trial.agrees(result, one.label)) agree.push(one);
    else contradict.push(one);
  }
  return { agree, contradict, unlabelled, open, results };
}

/** How many calls there are of each kind. */
export function countsOf({ agree, contradict, unlabelled }: Tally<Refused>): Counts {
  return {
    agree: agree.length,
    contradict: contradict.length,
    unlabelled: unlabelled.length,
  };
}

/** In how many distinct runs there are such cases. */
export function runsOf(cases: readonly Refused[]): number {
  return new Set(cases.map(({ input }) => runOf(input))).size;
}

/** The distinct runs with a known correction: all of a run's calls agree, or one does not. */
export function labelledRuns({ agree, contradict }: Tally<Refused>): {
  readonly agree: number;
  readonly contradict: number;
} {
  const against = new Set(contradict.map(({ input }) => runOf(input)));
  const fit = new Set(agree.map(({ input }) => runOf(input)).filter((run) => !against.has(run)));
  return { agree: fit.size, contradict: against.size };
}
