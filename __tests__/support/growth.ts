import { expect } from "@jest/globals";

/** Linear growth takes four times the CPU time for four times the input, quadratic growth sixteen. */
const MOST_FOR_FOUR_TIMES = 9;
/** Differences below this, in ms, say nothing: the machine does other work as well. */
const NOISE_MS = 50;
const MOST_ROUNDS = 3;

/** Fails if `work` takes far more than four times the CPU time for `size` than for a quarter of it. */
export async function expectLinearTime(
  work: (size: number) => unknown,
  size: number,
): Promise<void> {
  let quarter = Number.POSITIVE_INFINITY;
  let whole = Number.POSITIVE_INFINITY;
  const most = () => MOST_FOR_FOUR_TIMES * quarter + NOISE_MS;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    quarter = Math.min(quarter, await cpuMsOf(() => work(Math.ceil(size / 4))));
    whole = Math.min(whole, await cpuMsOf(() => work(size)));
    if (whole <= most()) break;
  }
  expect(whole).toBeLessThanOrEqual(most());
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
