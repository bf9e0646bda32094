import { describe, expect, test } from "@jest/globals";
import { faults } from "../../support/faults/catalogue.ts";
import { casesOf, tally } from "../../support/faults/check.ts";

const CASES = 30;

/**
 * The kinds of which fewer than 95 in 100 are repaired, and why: the rest is refused, where more
 * than one thing could have been meant.
 */
const LEAST: { readonly [name: string]: number } = {
  // Undeclared keys alone, where every key is optional: nothing of the input would be left.
  "key that the schema forbids": 0.9,
  // One key beside others may be meant for the whole.
  "fields one level too high": 0.35,
  // A slip in a short word is another word.
  "key misspelt": 0.6,
  "key in the plural": 0.3,
  // Text for a field of no form is taken where it is a word or a name.
  "bare value": 0.9,
  // Two words may be one name.
  "list of words as one text": 0.85,
  "list as lines": 0.85,
};

const repairable = faults.filter(({ level }) => level !== "never");

describe("a fault is repaired to what was meant, or refused", () => {
  test.each(repairable.map((fault) => [fault.name, fault] as const))("%s", async (name, fault) => {
    const cases = await casesOf(fault, CASES);
    expect(cases.length).toBeGreaterThanOrEqual(10);
    const level = fault.level === "never" ? "safe" : fault.level;
    const { right, wrong } = await tally(cases, level);
    expect(wrong).toEqual([]);
    expect(right / cases.length).toBeGreaterThanOrEqual(LEAST[name] ?? 0.95);
  });
});

describe("what only `eager` repairs is never repaired wrongly at `safe`", () => {
  const eager = repairable.filter(({ level }) => level === "eager");
  test.each(eager.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    const { wrong } = await tally(await casesOf(fault, CASES), "safe");
    expect(wrong).toEqual([]);
  });
});

describe("what `safe` repairs, `eager` repairs alike", () => {
  const safe = repairable.filter(({ level }) => level === "safe");
  test.each(safe.map((fault) => [fault.name, fault] as const))("%s", async (name, fault) => {
    const cases = await casesOf(fault, CASES / 2);
    const { right, wrong } = await tally(cases, "eager");
    expect(wrong).toEqual([]);
    expect(right / cases.length).toBeGreaterThanOrEqual(LEAST[name] ?? 0.95);
  });
});
