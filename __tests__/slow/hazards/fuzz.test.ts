import { expect, test } from "@jest/globals";
import { fuzz } from "../../support/fuzz/fuzz.ts";

test("random inputs for random schemas hold every promise (more by npm run fuzz)", async () => {
  const { broken } = await fuzz({ runs: 8_000, seed: 20_261_121 });
  expect([...broken].map(([property, { samples }]) => [property, samples[0]])).toEqual([]);
}, 120_000);
