import { describe, expect, test } from "@jest/globals";
import { jsonEquals } from "#src/repair/json.ts";
import { type Fault, faults } from "../../support/faults/catalogue.ts";
import { type Case, isRefused, picker, samples, tally } from "../../support/faults/check.ts";
import { isJsonObject } from "../../support/faults/places.ts";

const CASES = 300;

/** Two faults in one input: the second is put into the result of the first. */
async function pairsOf(kinds: readonly Fault[], seed: number): Promise<Case[]> {
  const pick = picker(seed);
  const found: Case[] = [];
  for (let round = 0; found.length < CASES && round < 40_000; round++) {
    const sample = samples[pick(samples.length)];
    const [first, second] = [kinds[pick(kinds.length)], kinds[pick(kinds.length)]];
    if (sample === undefined || first === undefined || second === undefined) continue;
    const one = first.inject(sample, pick);
    if (one === undefined || !isJsonObject(one.raw)) continue;
    const other = second.inject({ ...sample, input: one.raw as Case["sample"]["input"] }, pick);
    if (other === undefined || jsonEquals(other.raw, one.raw)) continue;
    if (await isRefused(other.raw, sample))
      found.push({ sample, raw: other.raw, meant: one.meant });
  }
  return found;
}

describe("two faults in one input", () => {
  const safe = faults.filter(({ level }) => level === "safe");
  const eager = faults.filter(({ level }) => level !== "never");

  test.each([
    ["safe", safe, 0.85],
    ["eager", eager, 0.75],
  ] as const)("at %s", async (level, kinds, least) => {
    const cases = await pairsOf(kinds, 4_711);
    const { right, wrong } = await tally(cases, level);
    expect(wrong).toEqual([]);
    expect(right / cases.length).toBeGreaterThanOrEqual(least);
  });

  test("with one beyond repair: never accepted as complete", async () => {
    const pick = picker(99);
    const never = faults.filter(({ level }) => level === "never");
    const cases: Case[] = [];
    for (let round = 0; cases.length < CASES && round < 40_000; round++) {
      const sample = samples[pick(samples.length)];
      const [first, second] = [never[pick(never.length)], safe[pick(safe.length)]];
      if (sample === undefined || first === undefined || second === undefined) continue;
      const one = first.inject(sample, pick);
      if (one === undefined || !isJsonObject(one.raw) || !(await isRefused(one.raw, sample)))
        continue;
      const other = second.inject({ ...sample, input: one.raw as Case["sample"]["input"] }, pick);
      if (other === undefined || !(await isRefused(other.raw, sample))) continue;
      cases.push({ sample, raw: other.raw, meant: undefined });
    }
    const { wrong } = await tally(cases, "eager");
    expect(wrong).toEqual([]);
  });
});
