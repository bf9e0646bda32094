import { describe, expect, test } from "@jest/globals";
import { faults } from "../../support/faults/catalogue.ts";
import { casesOf, tally } from "../../support/faults/check.ts";
import { runsAll } from "../../support/tier.ts";

const CASES = runsAll ? 80 : 25;

const hopeless = faults.filter(({ level }) => level === "never");

describe("an ambiguous input is rejected at every level", () => {
  test.each(hopeless.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    const cases = await casesOf(fault, CASES);
    expect(cases.length).toBeGreaterThanOrEqual(10);
    for (const level of ["safe", "eager"] as const) {
      const { wrong } = await tally(cases, level);
      expect(wrong).toEqual([]);
    }
  });
});
