import { test } from "@jest/globals";
import fc from "fast-check";
import {
  faultsIn,
  sequences,
} from "../../../../support/langchain/middleware/threads/state-machine.ts";

/** As many as fit into a minute, the same each time; 50,000 others by `npm run threads`. */
const { THREAD_RUNS = "250", THREAD_SEED = "1" } = process.env;
const RUNS = Number(THREAD_RUNS);
const SEED = THREAD_SEED === "random" ? Date.now() : Number(THREAD_SEED);

test(
  "after any sequence of events, a thread is valid for every provider, and nothing runs twice or changes",
  async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const faults = await faultsIn(sequence);
        if (faults.length > 0) throw new Error(faults.join("\n"));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  },
  1_000 * RUNS,
);
