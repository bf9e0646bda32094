/** How a ratio was found. */
export interface Ratio {
  readonly median: number;
  /** The range of the middle half of the rounds, over the median. */
  readonly spread: number;
}

/** Something whose cost is measured. */
export type Work = () => unknown;

/** CPU time of one run of a round, in µs: long enough for the clock. */
const RUN = 20_000;

/** CPU time for which each is run before it is measured, in µs: until then small inputs meet code that is not compiled. */
const WARM_UP = 250_000;

/**
 * Measures how many times as much CPU time one thing takes as another. Wall time is of no use on a
 * shared machine; and both are run in turn, so that what the machine does meanwhile meets both.
 *
 * @param over What is asked about.
 * @param under What it is compared with.
 * @param rounds How many pairs are run.
 */
export async function compare(over: Work, under: Work, rounds: number): Promise<Ratio> {
  const [overCount, underCount] = [await warmUp(over), await warmUp(under)];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turn, which of them comes first.
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

/** Runs a thing until it is compiled, and says how often it is run in a round. */
async function warmUp(work: Work): Promise<number> {
  let spent = 0;
  for (let count = 1; ; count *= 2) {
    const micros = (await cpuOf(work, count)) * count;
    spent += micros;
    if (spent >= WARM_UP) return Math.max(1, Math.ceil((count * RUN) / micros));
  }
}

/** Microseconds of CPU time, for each time. */
async function cpuOf(work: Work, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let time = 0; time < count; time++) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
