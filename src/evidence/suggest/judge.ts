import { wilsonInterval } from "../wilson-interval.ts";
import type { LoggedInput } from "./logged-input.ts";
import type { Judgement } from "./suggestion.ts";
import { countsOf, labelledRuns, runsOf, type Tally } from "./tally.ts";

/** The least share of held-out runs that must agree, for all that 95 % can tell. */
const LEAST = 0.5;

/** Runs with a known correction. */
type LabelledRuns = Judgement["heldOutRuns"];

type AnyTally = Tally<{ readonly input: LoggedInput }>;

/**
 * Judges by both halves whether something that was found is written.
 *
 * @param mined What it does in the half that was searched.
 * @param heldOut What it does in the other.
 * @param findObjection Says what else speaks against it: asked where nothing contradicts it, and before it is
 * seen whether enough speaks for it. Default: nothing.
 */
export function judge(
  mined: AnyTally,
  heldOut: AnyTally,
  findObjection: () => string | undefined = () => undefined,
): Judgement {
  const heldOutRuns = labelledRuns(heldOut);
  const why = contradiction([mined, heldOut]) ?? findObjection() ?? shortage(heldOutRuns);
  return {
    verdict: why === undefined ? "write" : "listed",
    ...(why === undefined ? {} : { why }),
    runs: runsOf(mined.agree),
    mined: countsOf(mined),
    heldOut: countsOf(heldOut),
    heldOutRuns,
    lowerBound: lowerBoundOf(heldOutRuns),
  };
}

/** Returns Wilson's lower bound of the share of runs that agree; 0 where none does. */
function lowerBoundOf({ agree, contradict }: LabelledRuns): number {
  return agree === 0 ? 0 : wilsonInterval(agree, agree + contradict).lower;
}

/** Says why what anything contradicts is not written; one correction is enough. */
function contradiction(
  tallies: readonly Pick<AnyTally, "agree" | "contradict">[],
): string | undefined {
  const against = tallies.reduce((sum, { contradict }) => sum + contradict.length, 0);
  const agreeing = tallies.reduce((sum, { agree }) => sum + agree.length, 0);
  if (against === 0) return undefined;
  return `contradicted by ${against} of ${against + agreeing} corrections that are known`;
}

/** Says why what too few held-out runs speak for is not written. */
function shortage(runs: LabelledRuns): string | undefined {
  if (lowerBoundOf(runs) >= LEAST) return undefined;
  return `too few corrections held out to tell: ${runs.agree} runs`;
}
