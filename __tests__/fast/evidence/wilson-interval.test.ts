import { expect, test } from "@jest/globals";
import { wilsonInterval } from "#src/evidence/wilson-interval.ts";

/** Values of Wilson's interval at 95 %, from published tables. */
const KNOWN = [
  [11, 11, 0.741, 1],
  [4, 4, 0.51, 1],
  [3, 3, 0.4385, 1],
  [0, 10, 0, 0.278],
  [50, 100, 0.404, 0.596],
  [0, 0, 0, 1],
] as const;

test.each(KNOWN)("%i of %i lies between %f and %f", (hits, total, lower, upper) => {
  const interval = wilsonInterval(hits, total);
  expect(interval.lower).toBeCloseTo(lower, 3);
  expect(interval.upper).toBeCloseTo(upper, 3);
});
