import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type JsonValue, type Repair, repairToolInput } from "#src/index.ts";
import { boundRepairs, countRepairs } from "#src/repair/records.ts";
import { applyRepairs } from "../../support/repair/apply-repairs.ts";
import { runsAll } from "../../support/tier.ts";

const long = "x".repeat(5_000);

function repair(path: string, before: JsonValue, after: JsonValue): Repair {
  return { fixer: "some-edit", path, before, after, level: "safe" };
}

describe("the record of repairs", () => {
  test("returns short repairs by reference", () => {
    const repairs = [repair("/count", "5", 5), repair("/on", "true", true)];

    expect(boundRepairs(repairs)).toBe(repairs);
  });

  test("replaces a long value by its length and hash, equal for equal values", () => {
    const [first, second] = boundRepairs([
      repair("", { text: long }, { body: long }),
      repair("", { body: long }, { body: long, count: 1 }),
    ]);

    expect(first).toEqual({
      fixer: "some-edit",
      path: "",
      before: undefined,
      after: undefined,
      level: "safe",
      omitted: {
        before: { length: 5_011, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
        after: { length: 5_011, hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      },
    });
    expect(second?.omitted?.before).toEqual(first?.omitted?.after);
    expect(first?.omitted?.before?.hash).not.toBe(first?.omitted?.after?.hash);
  });

  test("truncates a long path, and records its length and hash", () => {
    const [bounded] = boundRepairs([repair(`/${long}`, "5", 5)]);

    expect(bounded?.path).toHaveLength(500);
    expect(bounded).toMatchObject({ after: 5, omitted: { path: { length: 5_001 } } });
  });

  test("summarizes the repairs past the limit in its last entry", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => repair(`/items/${index}`, "5", 5));
    const eager: Repair = { ...repair("/a", 1, 2), level: "eager" };

    const bounded = boundRepairs([...many, eager]);

    expect(bounded).toHaveLength(101);
    expect(bounded.slice(0, 100)).toEqual(many.slice(0, 100));
    expect(bounded.at(-1)).toMatchObject({ level: "eager", omitted: { repairs: 4_901 } });
    expect(countRepairs(bounded)).toBe(5_001);
    expect(boundRepairs(bounded)).toEqual(bounded);
    expect(countRepairs(boundRepairs(bounded))).toBe(5_001);
  });

  test("never exceeds 100 repairs of 3,000 characters", () => {
    const value = fc.oneof(fc.jsonValue() as fc.Arbitrary<JsonValue>, fc.constant(long));
    const one = fc.record({
      path: fc.constantFrom("", "/a", `/${long}`),
      before: value,
      after: value,
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 300 }), (parts) => {
        const repairs = parts.map((part) => repair(part.path, part.before, part.after));
        const bounded = boundRepairs(repairs);
        expect(countRepairs(bounded)).toBe(repairs.length);
        expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(101 * 3_000);
        expect(boundRepairs(bounded)).toEqual(bounded);
      }),
      { numRuns: runsAll ? 100 : 20 },
    );
  });
});

describe("replaying a record", () => {
  const schema = {
    type: "object",
    properties: { body: { type: "string" }, count: { type: "integer" } },
    required: ["body", "count"],
    additionalProperties: false,
  };
  const tool = { name: "save", schema };

  test("reproduces the input", async () => {
    const raw = { Body: long, count: "5" };
    const result = await repairToolInput(raw, tool);
    if (!result.ok) throw result.error;

    expect(applyRepairs(raw, result.repairs)).toEqual(result.toolInput);
    expect(
      applyRepairs({ body: "b", count: "5" }, boundRepairs([repair("/count", "5", 5)])),
    ).toEqual({
      body: "b",
      count: 5,
    });
  });

  test("does not need the previous value", () => {
    const repairs = boundRepairs([repair("/note", long, "short")]);

    expect(applyRepairs({ note: long }, repairs)).toEqual({ note: "short" });
  });
});
