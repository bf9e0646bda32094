// What the worker, the transformer and the test environment share: they run in one process.

export const state = {
  /** The instrumented texts, by absolute path. */
  sources: {},
  /** The numbers of the active mutants. */
  active: new Set(),
  /** The tests of the present file that run, by their place in it; `undefined` if all do. */
  only: undefined,
  /** The numbers that each test of the present file reached, and what was reached outside of them. */
  reachedByTest: [],
  reachedOutside: new Set(),
};
