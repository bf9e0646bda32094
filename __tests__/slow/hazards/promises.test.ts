import { describe, expect, test } from "@jest/globals";
import { jsonEquals } from "#src/repair/json.ts";
import type { RepairResult } from "#src/repair/result.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { type Level, levels, repairHazard } from "../../support/hazards/check.ts";
import { hazardClasses } from "../../support/hazards/table.ts";
import { applyRepairs } from "../../support/repair/apply-repairs.ts";

const hazards = hazardClasses.flatMap(({ groups }) =>
  groups.flatMap(({ schema, hazards }) =>
    hazards.map((hazard) => ({ hazard, schema: schema.json })),
  ),
);

/** The hazards that are accepted at a level, with their results. */
async function accepted(level: Level) {
  const found: { raw: JsonValue; schema: unknown; result: Extract<RepairResult, { ok: true }> }[] =
    [];
  for (const { hazard, schema } of hazards) {
    const result = await repairHazard(hazard, schema, level);
    if (result.ok) found.push({ raw: hazard.raw, schema, result });
  }
  return found;
}

const again = (raw: JsonValue, schema: unknown, level: Level) =>
  repairHazard({ raw } as (typeof hazards)[number]["hazard"], schema, level);

describe.each(levels)("every hazard that is accepted at %s", (level) => {
  test("is repaired to a result that needs no repair", async () => {
    const changed = [];
    for (const { schema, result } of await accepted(level)) {
      const second = await again(result.toolInput, schema, level);
      if (!second.ok || second.toolInput !== result.toolInput) changed.push(result.toolInput);
    }
    expect(changed).toEqual([]);
  });

  test("is described by its repairs: replayed, they give the result", async () => {
    const others = [];
    for (const { raw, result } of await accepted(level)) {
      const { repairs, toolInput } = result;
      const isText = typeof raw === "string" && repairs[0]?.before !== raw;
      const start = isText ? (JSON.parse(raw.replace(/^\ufeff/, "")) as JsonValue) : raw;
      if (!jsonEquals(applyRepairs(start, repairs) as JsonValue, toolInput)) others.push(raw);
    }
    expect(others).toEqual([]);
  });

  test("is repaired the same way again, with the same edits", async () => {
    for (const { raw, schema, result } of await accepted(level)) {
      expect(await again(raw, schema, level)).toEqual(result);
      for (const { fixer } of result.repairs) expect(fixer).not.toBe("");
    }
  });
});

test("eager repairs what safe repairs to the same value, or rejects it", async () => {
  const others = [];
  for (const { raw, schema, result } of await accepted("safe")) {
    const eager = await again(raw, schema, "eager");
    if (!eager.ok || result.repairs.length === 0) continue;
    if (!jsonEquals(eager.toolInput, result.toolInput)) others.push(raw);
  }
  expect(others).toEqual([]);
});

test("no rejected input has modified the prototype of all objects", async () => {
  for (const level of levels) await accepted(level);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});
