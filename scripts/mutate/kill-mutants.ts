// Finds out which mutants the tests kill. The test files follow each other, the fastest first, and each
// runs the tests that reach a mutant for those that are alive.
//
// For a file that kills few, mutants of different functions are tried as a group. If its tests fail, they
// are tried with each half of the group, and so on: a kill is always that of a single mutant. A survivor
// may be one that was only hidden by others of its group.
import { TestProcess, type TestRun, type TestSetup, TIME_LIMIT } from "./test-process.ts";

/** A mutant that may be killed by some test files. */
export interface Target {
  readonly id: number;
  readonly reachId: number;
  readonly file: string;
  readonly scope: number;
  readonly tests: readonly string[];
}

export interface Kill {
  readonly id: number;
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

/** From this share of killed mutants, single mutants take fewer runs than groups do. */
const MOST_KILLS = 0.15;
/** So many mutants show whether a file kills many. */
const SAMPLE = 6;

/** Processes that run the tests. */
export class TestPool {
  readonly #processes: readonly TestProcess[];
  readonly #baselines = new Map<string, Baseline>();
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
      const run = await testProcess.run({ test, mutants: [] }, BASELINE_LIMIT);
      this.#baselines.set(test, { ...run, test });
    });
    return tests.flatMap((test) => this.#baselines.get(test) ?? []);
  }

  /** Tries mutants, and reports each when it is known: its kill, or `undefined` if it survived. */
  async kill(
    targets: readonly Target[],
    report: (target: Target, kill: Kill | undefined) => void,
  ): Promise<void> {
    const alive = new Map(targets.map((target) => [target.id, target]));
    const bury = (kill: Kill) => {
      const target = alive.get(kill.id);
      alive.delete(kill.id);
      if (target !== undefined) report(target, kill);
    };
    const byTime = [...this.#baselines.values()]
      .filter(({ isGreen }) => isGreen)
      .sort((baseline, next) => baseline.milliseconds - next.milliseconds);
    for (const baseline of byTime) {
      const reaching = [...alive.values()].filter(
        ({ tests, reachId }) => tests.includes(baseline.test) && reaches(baseline, reachId),
      );
      await this.#tryAll(baseline, reaching, bury);
      if (this.#isStopped) return;
    }
    for (const target of alive.values()) report(target, undefined);
  }

  /** Tries mutants with one file: some of them one by one; the others too if it killed many, or as groups. */
  async #tryAll(
    baseline: Baseline,
    targets: readonly Target[],
    bury: (kill: Kill) => void,
  ): Promise<void> {
    const step = Math.ceil(targets.length / SAMPLE);
    const sample = targets.filter((_, index) => index % step === 0);
    const others = targets.filter((_, index) => index % step !== 0);
    let kills = 0;
    const tryGroup = async (group: readonly Target[], testProcess: TestProcess) => {
      const killed = await this.#killsIn(baseline, group, testProcess);
      kills += killed.length;
      for (const kill of killed) bury(kill);
    };
    const singly = (singles: readonly Target[]) => singles.map((target) => [target]);
    await this.#share(singly(sample), tryGroup);
    const killsMany = kills > MOST_KILLS * sample.length;
    await this.#share(killsMany ? singly(others) : groupsOf(others), tryGroup);
  }

  /** Those of some mutants that a file's tests kill. */
  async #killsIn(
    baseline: Baseline,
    targets: readonly Target[],
    testProcess: TestProcess,
  ): Promise<readonly Kill[]> {
    const [target, ...others] = targets;
    if (target === undefined) return [];
    const run = await this.#runReaching(baseline, targets, testProcess);
    if (run.isGreen || this.#isStopped) return [];
    if (others.length > 0) {
      const half = Math.ceil(targets.length / 2);
      const first = await this.#killsIn(baseline, targets.slice(0, half), testProcess);
      const second = await this.#killsIn(baseline, targets.slice(half), testProcess);
      return [...first, ...second];
    }
    const { test } = baseline;
    const failure = run.failure ?? "a failure without a name";
    return [{ id: target.id, test, failure, isByTime: failure === TIME_LIMIT }];
  }

  /** Runs the tests of a file that reach one of the mutants. */
  async #runReaching(
    baseline: Baseline,
    targets: readonly Target[],
    testProcess: TestProcess,
  ): Promise<TestRun> {
    const { test, milliseconds } = baseline;
    const limit = 5_000 + 5 * milliseconds;
    const mutants = targets.map(({ id }) => id);
    const only = testsReaching(baseline, targets);
    if (only === undefined) return testProcess.run({ test, mutants }, limit);
    const run = await testProcess.run({ test, mutants, only }, limit);
    if (run.isGreen || this.#isStopped) return run;
    // They might fail by themselves, because they need a test before them.
    const key = `${test} ${only}`;
    if (!this.#passing.has(key)) {
      const alone = await testProcess.run({ test, mutants: [], only }, limit);
      this.#passing.set(key, alone.isGreen);
    }
    return this.#passing.get(key) ? run : testProcess.run({ test, mutants }, limit);
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

/** Groups of mutants that can be tried together: one of each function. */
function groupsOf(targets: readonly Target[]): readonly (readonly Target[])[] {
  const groups: Target[][] = [];
  const counts = new Map<string, number>();
  for (const target of targets) {
    const place = `${target.file} ${target.scope}`;
    const count = counts.get(place) ?? 0;
    counts.set(place, count + 1);
    groups[count] ??= [];
    groups[count].push(target);
  }
  return groups;
}

/** Whether a file's tests reach a mutant. */
export function reaches(baseline: Baseline, reachId: number): boolean {
  return testsReaching(baseline, [{ reachId }])?.length !== 0;
}

/** The places of the tests that reach some mutants; `undefined` if any may, as when loading the file does. */
function testsReaching(
  { reachedByTest, reachedOutside }: Baseline,
  targets: readonly Pick<Target, "reachId">[],
): readonly number[] | undefined {
  const isMeant = (id: number) => targets.some(({ reachId }) => reachId === id);
  if (reachedOutside.some(isMeant)) return undefined;
  return [...reachedByTest.keys()].filter((place) => reachedByTest[place]?.some(isMeant));
}
