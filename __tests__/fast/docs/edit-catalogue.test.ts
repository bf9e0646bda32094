import { describe, expect, test } from "@jest/globals";
import { type RepairOptions, repairToolInput } from "toolmend";
import { type EditCase, edits } from "../../../scripts/edits/edit-catalogue.ts";
import { applyRepairs } from "../../support/repair/apply-repairs.ts";

const LEVELS = ["safe", "eager"] as const;

function repair({ schema, input, description }: EditCase, options: RepairOptions) {
  return repairToolInput(input, { name: "run_step", description, schema }, options);
}

function optionsOf(name: string, level: "safe" | "eager"): RepairOptions {
  return {
    level,
    objectAsText: name === "write-json",
    ...(name === "correct-choice" && { edits: { "correct-choice": true } }),
  };
}

describe("every edit does what its example says", () => {
  test.each(edits.map((edit) => [edit.name, edit] as const))("%s", async (name, edit) => {
    const { input, after } = edit.example;
    const result = await repair(edit.example, optionsOf(name, edit.level));
    expect(result).toMatchObject({ ok: true, toolInput: after });
    if (!result.ok) return;
    expect(result.repairs.map(({ fixer }) => fixer)).toContain(name);
    expect(result.repairs.map(({ level }) => level)).toContain(edit.level);
    expect(applyRepairs(input, result.repairs)).toEqual(after);
    if (edit.level === "safe") return;
    expect(await repair(edit.example, {})).toMatchObject({ ok: false });
  });
});

describe("every edit rejects what only looks like its fault, at every level that has it", () => {
  const cases = edits.flatMap(({ name, level, mustRefuse }) =>
    mustRefuse.map((one) => [name, JSON.stringify(one.input), level, one] as const),
  );
  test.each(cases)("%s: %s", async (name, _, needed, one) => {
    for (const level of LEVELS.slice(LEVELS.indexOf(needed))) {
      const result = await repair(one, optionsOf(name, level));
      expect(result.ok ? result.toolInput : "refused").toBe("refused");
    }
  });
});

test("names are unique", () => {
  const names = edits.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
