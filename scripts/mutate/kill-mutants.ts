// Finds out which mutants the tests kill. A mutant meets the tests that reach it, file by file, first the
// files that killed most in the shortest time, until one fails.
import { TestProcess, type TestRun, type TestSetup, TIME_LIMIT } from "./test-process.ts";

/** A mutant that may be killed by some test files. */
export interface Target {
  readonly id: number;
  readonly reachId: number;
  readonly tests: readonly string[];
}

export interface Kill {
  readonly test: string;
  /** The name of the test that failed. */
  readonly failure: string;
  readonly isByTime: boolean;
}

/** A test file, run without a mutant. */
export interface Baseline extends TestRun {
  readonly test: string;
}

/** A run without a mutant may take this long. */
const BASELINE_LIMIT = 180_000;

/** Processes that run the tests. */
export class TestPool {
  readonly #processes: readonly TestProcess[];
  readonly #baselines = new Map<string, Baseline>();
  readonly #kills = new Map<string, number>();
  /** Whether some tests of a file pass by themselves, without a mutant. */
  readonly #passing = new Map<string, boolean>();
  #isStopped = false;

  constructor(setup: TestSetup, size: number) {
    this.#processes = Array.from({ length: size }, () => new TestProcess(setup));
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends what runs. What is known by then is kept. */
  stop(): void {
    this.#isStopped = true;
    for (const testProcess of this.#processes) testProcess.end();
  }

  /** Runs test files without a mutant: which mutants they reach, and how long they take. */
  async measure(tests: readonly string[]): Promise<readonly Baseline[]> {
    await this.#share(tests, async (test, testProcess) => {
      const run = await testProcess.run({ test, mutant: 0 }, BASELINE_LIMIT);
      this.#baselines.set(test, { ...run, test });
    });
    return tests.flatMap((test) => this.#baselines.get(test) ?? []);
  }

  /** Tries mutants, and reports each when it is known: the kill, or `undefined` if it survived. */
  async kill(
    targets: readonly Target[],
    report: (target: Target, kill: Kill | undefined) => void,
  ): Promise<void> {
    await this.#share(targets, async (target, testProcess) => {
      const kill = await this.#killOne(target, testProcess);
      if (!this.#isStopped) report(target, kill);
    });
  }

  async #killOne(target: Target, testProcess: TestProcess): Promise<Kill | undefined> {
    const baselines = target.tests
      .flatMap((test) => this.#baselines.get(test) ?? [])
      .filter((baseline) => baseline.isGreen && reaches(baseline, target.reachId))
      .sort((baseline, next) => this.#worthOf(next) - this.#worthOf(baseline));
    for (const baseline of baselines) {
      const { test } = baseline;
      const run = await this.#runReaching(baseline, target, testProcess);
      if (this.#isStopped) return undefined;
      if (run.isGreen) continue;
      this.#kills.set(test, (this.#kills.get(test) ?? 0) + 1);
      const failure = run.failure ?? "a failure without a name";
      return { test, failure, isByTime: failure === TIME_LIMIT };
    }
    return undefined;
  }

  /** Runs the tests of a file that reach the mutant. */
  async #runReaching(
    baseline: Baseline,
    { id, reachId }: Target,
    testProcess: TestProcess,
  ): Promise<TestRun> {
    const { test, milliseconds } = baseline;
    const limit = 5_000 + 5 * milliseconds;
    const only = testsReaching(baseline, reachId);
    if (only === undefined) return testProcess.run({ test, mutant: id }, limit);
    const run = await testProcess.run({ test, mutant: id, only }, limit);
    if (run.isGreen || this.#isStopped) return run;
    // They might fail by themselves, because they need a test before them.
    const key = `${test} ${only}`;
    if (!this.#passing.has(key)) {
      const alone = await testProcess.run({ test, mutant: 0, only }, limit);
      this.#passing.set(key, alone.isGreen);
    }
    return this.#passing.get(key) ? run : testProcess.run({ test, mutant: id }, limit);
  }

  /** How many mutants a test file has killed for its time. */
  #worthOf({ test, milliseconds }: Baseline): number {
    return ((this.#kills.get(test) ?? 0) + 1) / milliseconds;
  }

  /** Works through a list: each process takes the next item when it is done with its last. */
  async #share<Item>(
    items: readonly Item[],
    work: (item: Item, testProcess: TestProcess) => Promise<void>,
  ): Promise<void> {
    const waiting = [...items];
    const workThrough = async (testProcess: TestProcess) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        if (this.#isStopped) return;
        await work(item, testProcess);
      }
    };
    await Promise.all(this.#processes.map(workThrough));
  }
}

/** Whether a file's tests reach a mutant. */
export function reaches(baseline: Baseline, reachId: number): boolean {
  return testsReaching(baseline, reachId)?.length !== 0;
}

/** The places of the tests that reach a mutant; `undefined` if any may, as when loading the file does. */
function testsReaching(baseline: Baseline, reachId: number): readonly number[] | undefined {
  if (baseline.reachedOutside.includes(reachId)) return undefined;
  return [...baseline.reachedByTest.keys()].filter((place) =>
    baseline.reachedByTest[place]?.includes(reachId),
  );
}
