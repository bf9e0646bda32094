import { wilsonInterval } from "../wilson-interval.ts";
import type { LoggedInput } from "./logged-input.ts";
import type { Tally } from "./tally.ts";

/** The least share of held-out runs that must agree, for all that 95 % can tell. */
const LEAST = 0.5;

/** Runs with a known correction. */
interface LabelledRuns {
  readonly agree: number;
  readonly contradict: number;
}

/** Returns Wilson's lower bound of the share of runs that agree; 0 where none does. */
export function lowerBoundOf({ agree, contradict }: LabelledRuns): number {
  return agree === 0 ? 0 : wilsonInterval(agree, agree + contradict).lower;
}

/** Says why what anything contradicts is not written; one correction is enough. */
export function whyContradicted(
  tallies: readonly Pick<Tally<{ readonly input: LoggedInput }>, "agree" | "contradict">[],
): string | undefined {
  const against = tallies.reduce((sum, { contradict }) => sum + contradict.length, 0);
  const agreeing = tallies.reduce((sum, { agree }) => sum + agree.length, 0);
  if (against === 0) return undefined;
  return `contradicted by ${against} of ${against + agreeing} corrections that are known`;
}

/** Says why what too few held-out runs speak for is not written. */
export function whyTooFew(runs: LabelledRuns): string | undefined {
  if (lowerBoundOf(runs) >= LEAST) return undefined;
  return `too few corrections held out to tell: ${runs.agree} runs`;
}
