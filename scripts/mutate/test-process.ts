// A process that runs test files, one at a time, each with some mutants switched on. It is started when it
// is first needed, and again after it was stopped, ended by itself, or used too much memory.
import { type ChildProcess, fork } from "node:child_process";

/** What a test process is started with. */
export interface TestSetup {
  readonly root: string;
  /** Jest's configuration. */
  readonly config: object;
  /** The instrumented texts, by absolute path. */
  readonly sources: Readonly<Record<string, string>>;
}

/** A test file, to be run with some mutants, or none. */
export interface TestRequest {
  readonly test: string;
  readonly mutants: readonly number[];
  /** The tests of the file that are meant, by their place in it. All by default. */
  readonly only?: readonly number[];
}

export interface TestRun {
  readonly isGreen: boolean;
  /** The name of the first failing test, if one failed. */
  readonly failure?: string;
  /** The mutants that each test of the file reached; only if none was active. */
  readonly reachedByTest: readonly (readonly number[])[];
  /** Those that were reached outside of tests, as when the file was loaded. */
  readonly reachedOutside: readonly number[];
  readonly milliseconds: number;
}

interface Answer extends Omit<TestRun, "milliseconds"> {
  readonly rss: number;
}

/** The failure of a run that was stopped. */
export const TIME_LIMIT = "the time limit";

/** Each test file leaves some memory behind. */
const MOST_BYTES = 1_000_000_000;

const NOTHING_REACHED = { reachedByTest: [], reachedOutside: [] };

export class TestProcess {
  #child: ChildProcess | undefined;
  #hasEnded = false;
  readonly #setup: TestSetup;

  constructor(setup: TestSetup) {
    this.#setup = setup;
  }

  /** Runs a test file, for at most `limit` milliseconds. */
  async run(request: TestRequest, limit: number): Promise<TestRun> {
    const began = performance.now();
    // A promise that an earlier run left behind may end the process: then a new one decides.
    const answer = (await this.#ask(request, limit)) ?? (await this.#ask(request, limit));
    const milliseconds = performance.now() - began;
    if (answer === undefined) {
      return {
        isGreen: false,
        failure: "the end of the process",
        ...NOTHING_REACHED,
        milliseconds,
      };
    }
    if (answer.rss > MOST_BYTES) this.stop();
    return { ...answer, milliseconds };
  }

  /** Stops it for good: what is still asked of it fails. */
  end(): void {
    this.#hasEnded = true;
    this.stop();
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  /** The answer of the process; `undefined` if it ended instead. */
  async #ask(request: TestRequest, limit: number): Promise<Answer | undefined> {
    if (this.#hasEnded) return undefined;
    this.#child ??= this.#start();
    const child = this.#child;
    const answer = new Promise<Answer | undefined>((resolve) => {
      child.once("message", (message) => resolve(message as Answer));
      child.once("exit", () => resolve(undefined));
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<Answer>((resolve) => {
      const late = { isGreen: false, failure: TIME_LIMIT, ...NOTHING_REACHED, rss: 0 };
      timer = setTimeout(() => {
        this.stop();
        resolve(late);
      }, limit);
    });
    child.send(request);
    const first = await Promise.race([answer, tooLate]);
    clearTimeout(timer);
    child.removeAllListeners();
    if (first === undefined) this.stop();
    return first;
  }

  #start(): ChildProcess {
    const { root, config, sources } = this.#setup;
    const child = fork(`${root}/scripts/mutate/jest/worker.mjs`, [], {
      cwd: root,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...process.env, NODE_ENV: "test" },
    });
    child.send({ config, sources });
    return child;
  }
}
