import { test } from "@jest/globals";
import fc from "fast-check";
import { faultsIn, sequences } from "./state-machine.ts";

/** As many as fit into a minute; 50,000 by `npm run threads`. */
const RUNS = Number(process.env.THREAD_RUNS ?? 400);

test(
  "whatever happens to a thread, it can be sent to any provider, and nothing runs twice or is shown otherwise",
  async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const faults = await faultsIn(sequence);
        if (faults.length > 0) throw new Error(faults.join("\n"));
      }),
      { numRuns: RUNS },
    );
  },
  1_000 * RUNS,
);
