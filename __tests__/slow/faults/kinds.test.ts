import { describe, expect, test } from "@jest/globals";
import { faults } from "../../support/faults/catalogue.ts";
import { casesOf, tally } from "../../support/faults/check.ts";

const CASES = 30;

/**
 * The kinds with fewer than 95 in 100 repaired, and why: the rest is ambiguous and
 * rejected.
 */
const LEAST: { readonly [name: string]: number } = {
  // Undeclared keys alone, where every key is optional: nothing of the input would be left.
  "key that the schema forbids": 0.85,
  // Fields beside others may be meant for the whole.
  "fields one level too high": 0,
  // The field may define them the other way round.
  "boolean as 1 or 0": 0,
  // In capitals throughout, a word of two letters may be a unit.
  "key in upper case": 0.9,
  // A description that names no default may give a meaning to nothing; and something must be left.
  "null where nothing need be": 0.75,
  '"null" where nothing need be': 0.8,
  '"undefined" where nothing need be': 0.8,
  '"" where nothing need be': 0.8,
  '"None" where nothing need be': 0.8,
  // A word, a sentence or a number may be something else than one element.
  "lone value for a list": 0.45,
  // A slip in a word of fewer than eight letters is another word, and so may be any that lost a
  // consonant or doubled a letter between vowels.
  "key misspelt": 0.1,
  "key in the plural": 0.25,
  // An empty object has no keys that show its place.
  "another word for the key of an object whose keys no other has": 0.8,
  // Text for a field without a format is accepted if it is a word or a name.
  "bare value": 0.85,
  // Two words may be one name.
  "list of words as one text": 0.85,
  "list as lines": 0.85,
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
