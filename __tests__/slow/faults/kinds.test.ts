import { describe, expect, test } from "@jest/globals";
import { faults } from "../../support/faults/catalogue.ts";
import { casesOf, tally } from "../../support/faults/check.ts";

const CASES = 30;

/**
 * The kinds with fewer than 95 in 100 repaired, and why: the rest is ambiguous and
 * rejected.
 */
const LEAST: { readonly [name: string]: number } = {
  // Several words for a list are wrapped only if they are a name.
  "lone value for a list": 0.9,
  // Undeclared keys alone, where every key is optional: nothing of the input would be left.
  "key that the schema forbids": 0.9,
  // A field alone may be another thing's, and so may all where another field declares one of them.
  "fields one level too high": 0.25,
  // A letter lost or too many in a key of fewer than eight letters may make another word.
  "key misspelt": 0.7,
  // Several numbers are no number, and beside another missing field nothing shows which is meant.
  "key in the plural": 0.4,
  // At `safe`, text must show the form of its field.
  "bare value": 0.85,
  // Two words may be one name.
  "list of words as one text": 0.9,
  "list as lines": 0.9,
};

const repairable = faults.filter(({ level }) => level !== "never");

describe("a fault is repaired to the intended input, or rejected", () => {
  test.each(repairable.map((fault) => [fault.name, fault] as const))("%s", async (name, fault) => {
    const cases = await casesOf(fault, CASES);
    expect(cases.length).toBeGreaterThanOrEqual(10);
    const level = fault.level === "never" ? "safe" : fault.level;
    const { right, wrong } = await tally(cases, level);
    expect(wrong).toEqual([]);
    expect(right / cases.length).toBeGreaterThanOrEqual(LEAST[name] ?? 0.95);
  });
});

describe("`safe` never repairs wrongly what only `eager` repairs", () => {
  const eager = repairable.filter(({ level }) => level === "eager");
  test.each(eager.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    const { wrong } = await tally(await casesOf(fault, CASES), "safe");
    expect(wrong).toEqual([]);
  });
});

describe("`eager` repairs what `safe` repairs in the same way", () => {
  const safe = repairable.filter(({ level }) => level === "safe");
  test.each(safe.map((fault) => [fault.name, fault] as const))("%s", async (name, fault) => {
    const cases = await casesOf(fault, CASES / 2);
    const { right, wrong } = await tally(cases, "eager");
    expect(wrong).toEqual([]);
    expect(right / cases.length).toBeGreaterThanOrEqual(LEAST[name] ?? 0.95);
  });
});
