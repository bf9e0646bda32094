import { describe, expect, test } from "@jest/globals";
import { applyRepairs } from "#src/repair/records.ts";
import { edits } from "../../../scripts/edits/edit-catalogue.ts";
import { run } from "../../support/repair/align/run.ts";

describe("every edit does what its example says", () => {
  test.each(edits.map((edit) => [edit.name, edit] as const))("%s", async (name, edit) => {
    const { schema, before, after } = edit.example;
    const result = await run(schema, before, {
      level: edit.level,
      objectAsText: name === "write-json",
    });
    expect(result).toMatchObject({ ok: true, value: after });
    if (!result.ok) return;
    expect(result.repairs.map(({ fixer }) => fixer)).toContain(name);
    expect(result.repairs.map(({ level }) => level)).toContain(edit.level);
    expect(applyRepairs(before, result.repairs)).toEqual(after);
    if (edit.level === "eager") expect(await run(schema, before)).toMatchObject({ ok: false });
  });

  test("names are unique, and edits are sorted by cost where the search relies on it", () => {
    const names = edits.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
