// Switches the active mutants on in the tests' globals, collects which mutants each test reaches, and
// skips the tests that are not meant, and all after the first that fails.
import { TestEnvironment } from "jest-environment-node";
import { state } from "./state.mjs";

export default class MutantEnvironment extends TestEnvironment {
  #hasFailed = false;
  #reached = state.reachedOutside;

  constructor(config, context) {
    super(config, context);
    const isActive = (id) => {
      if (state.active.size === 0) this.#reached.add(id);
      return state.active.has(id);
    };
    Object.defineProperty(this.global, "__mutant", { value: isActive });
  }

  handleTestEvent({ name, test }) {
    if (name === "test_fn_failure" || name === "hook_failure") this.#hasFailed = true;
    if (name === "test_done") this.#reached = state.reachedOutside;
    if (name === "test_start") {
      const place = state.reachedByTest.length;
      this.#reached = new Set();
      state.reachedByTest.push(this.#reached);
      const isMeant = state.only?.has(place) ?? true;
      if (this.#hasFailed || !isMeant) test.mode = "skip";
    }
  }
}
