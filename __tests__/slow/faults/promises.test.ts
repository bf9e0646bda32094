import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { jsonEquals } from "#src/repair/json.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import { sample } from "../../support/faults/arbitraries.ts";
import { faults } from "../../support/faults/catalogue.ts";
import { casesOf, repair, replay } from "../../support/faults/check.ts";

const repairable = faults.filter(({ level }) => level !== "never");

describe("promises", () => {
  test.each(["strict", "safe", "eager"] as const)(
    "a valid input is untouched at %s",
    async (level) => {
      await fc.assert(
        fc.asyncProperty(sample, async ({ toolName: name, schema, input }) => {
          const before = JSON.stringify(input);
          const result = await repairToolInput(input, { name, schema }, { level });
          expect(result.ok && result.toolInput).toBe(input);
          expect(result.repairs).toEqual([]);
          expect(JSON.stringify(input)).toBe(before);
        }),
        { seed: 1, numRuns: 200 },
      );
    },
  );

  test("every output is accepted by its schema, and repairing it again changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(sample, fc.jsonValue(), async ({ toolName: name, schema }, raw) => {
        const given = JSON.parse(JSON.stringify(raw));
        const result = await repairToolInput(given, { name, schema }, { level: "eager" });
        expect(given).toEqual(JSON.parse(JSON.stringify(raw)));
        if (!result.ok) return;
        const again = await repairToolInput(result.toolInput, { name, schema }, { level: "eager" });
        expect(again.ok && again.toolInput).toBe(result.toolInput);
        expect(again.repairs).toEqual([]);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test.each(repairable.map((fault) => [fault.name, fault] as const))(
    "%s: the input is unchanged, replayed repairs give the result, the same every time",
    async (_, fault) => {
      for (const each of await casesOf(fault, 12)) {
        const before = JSON.stringify(each.raw);
        const result = await repair(each, "eager");
        expect(JSON.stringify(each.raw)).toBe(before);
        if (!result.ok) continue;
        expect(replay(each.raw, result)).toEqual(result.toolInput);
        expect(result.repairs.length).toBeGreaterThan(0);
        const twice = await repair(each, "eager");
        expect(twice.ok && jsonEquals(twice.toolInput, result.toolInput)).toBe(true);
        expect(twice.repairs).toEqual(result.repairs);
      }
    },
  );
});
