/** A measured ratio and its spread. */
export interface Ratio {
  readonly median: number;
  /** The range of the middle half of the rounds, over the median. */
  readonly spread: number;
}

/** A function whose cost is measured. */
export type Work = () => unknown;

/** CPU time of one run of a round, in µs: long enough for the clock's resolution. */
const RUN = 20_000;

/** CPU time of the warm-up, in µs: before it, small inputs meet code that is not compiled. */
const WARM_UP = 250_000;

/**
 * Measures the ratio of the CPU times of two functions. Wall time is useless on a shared machine;
 * running both in turn exposes them to the same load.
 *
 * @param over The measured function.
 * @param under The function to compare with.
 * @param rounds The number of pairs.
 */
export async function compare(over: Work, under: Work, rounds: number): Promise<Ratio> {
  const [overCount, underCount] = [await warmUp(over), await warmUp(under)];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // They take turns in running first.
    const first = round % 2 === 0 ? await cpuOf(over, overCount) : undefined;
    const other = await cpuOf(under, underCount);
    ratios.push((first ?? (await cpuOf(over, overCount))) / other);
  }
  return ratioOf(ratios);
}

/** Describes figures of several rounds by their median. */
export function ratioOf(figures: readonly number[]): Ratio {
  const sorted = [...figures].sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
  return { median: at(0.5), spread: (at(0.75) - at(0.25)) / at(0.5) };
}

/** Runs a function until it is compiled, and returns its runs per round. */
async function warmUp(work: Work): Promise<number> {
  let spent = 0;
  for (let count = 1; ; count *= 2) {
    const micros = (await cpuOf(work, count)) * count;
    spent += micros;
    if (spent >= WARM_UP) return Math.max(1, Math.ceil((count * RUN) / micros));
  }
}

/** Microseconds of CPU time for one run. */
async function cpuOf(work: Work, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let time = 0; time < count; time++) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
