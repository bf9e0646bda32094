import { describe, expect, test } from "@jest/globals";
import { FAMILIES } from "../../support/growth-families.ts";
import { run } from "../../support/repair/align/run.ts";

/** The limit for ten times the input: a little more than ten times the steps. */
const MOST_PER_DECADE = 12;

describe.each(["safe", "eager"] as const)(
  "at %s, the steps grow linearly with the input:",
  (level) => {
    test.each(FAMILIES)("$name", async ({ schema, make }) => {
      const limits = { maxSteps: Number.POSITIVE_INFINITY };
      const steps: number[] = [];
      for (const length of [400, 4_000, 40_000]) {
        steps.push((await run(schema, make(length), { level, limits })).steps);
      }
      const [small = 0, medium = 0, large = 0] = steps;
      // The schema costs steps too, for any input.
      expect(medium).toBeLessThanOrEqual(MOST_PER_DECADE * small + 1_000);
      expect(large).toBeLessThanOrEqual(MOST_PER_DECADE * medium + 1_000);
    });
  },
);
