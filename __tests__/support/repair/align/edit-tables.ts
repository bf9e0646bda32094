import { describe, expect, test } from "@jest/globals";
import type { SwitchableEdit } from "#src/repair/edit-switches.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { object, outcome, type RunOptions, run } from "./run.ts";

/** What a case is about, the schema, an input that it rejects, and the repaired input. */
export type RepairedCase = readonly [
  name: string,
  schema: unknown,
  input: JsonValue,
  after: JsonValue,
];

/** What a case is about, the schema, and an input that no level repairs. */
export type RejectedCase = readonly [name: string, schema: unknown, input: JsonValue];

/** Where an edit proposes no change, or two at the same cost. */
export const NO_OBJECTION = undefined;

/** The objection of an edit that nothing proves. */
export const UNPROVEN = /^nothing shows that /;

/** A case of one required field: its schema, what was written, and what it becomes. */
export function field(
  name: string,
  schema: unknown,
  written: JsonValue,
  after: JsonValue,
  key = "x",
): RepairedCase {
  return [name, object({ [key]: schema }), { [key]: written }, { [key]: after }];
}

/** A case of one required field that is rejected. */
export function badField(
  name: string,
  schema: unknown,
  written: JsonValue,
  key = "x",
): RejectedCase {
  return [name, object({ [key]: schema }), { [key]: written }];
}

/** The tables of tests of one edit: the title of each begins with its name. */
export function testsOf(edit: SwitchableEdit, level: "safe" | "eager") {
  return {
    /** The edit repairs each input, alone or with others, at its level and at no lower one. */
    repairs(
      title: string,
      cases: readonly RepairedCase[],
      { others = [], ...options }: RunOptions & { readonly others?: readonly string[] } = {},
    ): void {
      describe(`${edit}: ${title}`, () => {
        test.each(cases)("%s", async (_, schema, input, after) => {
          const result = await run(schema, input, { ...options, level });
          expect(result).toMatchObject({ ok: true, value: after });
          const fixers = result.ok ? result.repairs.map(({ fixer }) => fixer) : [];
          expect(new Set(fixers)).toEqual(new Set([edit, ...others]));
          const other = level === "safe" ? "eager" : "safe";
          const expected = level === "safe" ? after : "refused";
          expect(await outcome(schema, input, { ...options, level: other })).toEqual(expected);
        });
      });
    },

    /** No level repairs any of the inputs: the edit objects, or proposes nothing to object to. */
    rejects(
      title: string,
      objection: string | RegExp | undefined,
      cases: readonly RejectedCase[],
      options: RunOptions = {},
    ): void {
      describe(`${edit}: ${title}`, () => {
        test.each(cases)("not %s", async (_, schema, input) => {
          const result = await run(schema, input, { ...options, level: "eager" });
          expect(result.ok && result.value).toBe(false);
          expect(await outcome(schema, input, options)).toBe("refused");
          const reasons = result.objections.filter(([name]) => name === edit);
          const matching = expect.stringMatching(objection ?? /^/);
          if (objection === undefined) expect(reasons).toEqual([]);
          else expect(reasons.map(([, , reason]) => reason)).toContainEqual(matching);
        });
      });
    },
  };
}
