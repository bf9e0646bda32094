import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { type RepairOptions, repairToolCall, repairToolInput } from "toolmend";
import { type SpecifiedEdit, specifiedEdits } from "#src/repair/align/edits/specs.ts";
import { keyEdits, valueEdits, valueEditsOn } from "#src/repair/align/edits/tables.ts";
import type { EditCase } from "#src/repair/align/rule.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { applyRepairs } from "../../../../support/repair/apply-repairs.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

/** Repairs a case as an agent would have it repaired: text is what the model wrote. */
async function repair(given: EditCase, options: RepairOptions) {
  const { schema, input, description, toolName = "run_step" } = given;
  const tool = { name: toolName, description, schema };
  if (given.isToolCall !== true) return repairToolInput(input, tool, options);
  return repairToolCall({ name: toolName, args: input as never }, [tool], options);
}

const optionsOf = ({ edit }: SpecifiedEdit, level: "safe" | "eager"): RepairOptions => ({
  level,
  objectAsText: edit.name === "write-json",
});

const outcomeOf = (result: Awaited<ReturnType<typeof repair>>): JsonValue =>
  result.ok ? (result.toolInput as JsonValue) : "rejected";

/** Makes a condition of an edit never hold. */
function lift(conditions: object | undefined, reason: string): void {
  const named = conditions as Record<string, () => boolean>;
  jest.spyOn(named, reason).mockReturnValue(false);
}

/** A title for a case: the edit and the input. */
const titled = <Row extends readonly unknown[]>(
  { edit }: SpecifiedEdit,
  { input }: EditCase,
  ...row: Row
) => [edit.name, JSON.stringify(input), ...row] as const;

test("every edit of the tables is specified, in their order", () => {
  const edits = specifiedEdits.map(({ edit }) => edit);
  expect(edits).toEqual([...valueEdits, ...keyEdits]);
});

// The engine leaves out an edit that costs more than a repair that was found before it.
describe("the edits that look at a value come in the order of their costs", () => {
  const types = new Set(valueEdits.flatMap((edit) => edit.types));
  test.each([...types])("at a value of type %s", (type) => {
    const costs = valueEditsOn(type).map(({ cost }) => cost);
    expect(costs).toEqual(costs.toSorted((cost, next) => cost - next));
  });
});

describe("the example of an edit is repaired by it, at its level and no lower", () => {
  test.each(specifiedEdits.map((one) => titled(one, one.spec.example, one)))(
    "%s: %s",
    async (name, _, specified) => {
      const { edit, spec } = specified;
      const result = await repair(spec.example, optionsOf(specified, edit.level));
      expect(outcomeOf(result)).toEqual(spec.example.after);
      expect(result.repairs).toContainEqual(
        expect.objectContaining({ fixer: name, level: edit.level }),
      );
      expect(applyRepairs(spec.example.input, result.repairs)).toEqual(spec.example.after);
      if (edit.level === "safe") return;
      expect(outcomeOf(await repair(spec.example, { level: "safe" }))).toBe("rejected");
    },
  );
});

describe("each evidence of an edit proves what no other does", () => {
  const rows = specifiedEdits.flatMap((specified) =>
    Object.entries(specified.edit.because ?? {}).map(
      ([evidence]) => [specified.edit.name, evidence, specified] as const,
    ),
  );
  test.each(rows)("%s: %s", async (name, evidence, specified) => {
    const proof = specified.spec.proofs?.[evidence];
    if (proof === undefined) throw new Error(`${name} has no case for: ${evidence}`);
    const options = optionsOf(specified, specified.edit.level);
    const result = await repair(proof, options);
    expect(outcomeOf(result)).toEqual(proof.after);
    expect(result.repairs).toContainEqual(
      expect.objectContaining({ fixer: name, reason: evidence }),
    );
    lift(specified.edit.because, evidence);
    expect((await repair(proof, options)).repairs.map(({ fixer }) => fixer)).not.toContain(name);
  });
});

describe("each objection of an edit rejects its witness, which is repaired without it", () => {
  const rows = specifiedEdits.flatMap((specified) =>
    Object.keys(specified.edit.unless ?? {}).map(
      (reason) => [specified.edit.name, reason, specified] as const,
    ),
  );
  test.each(rows)("%s, if %s", async (name, reason, specified) => {
    const witness = specified.spec.witnesses?.[reason];
    if (witness === undefined) throw new Error(`${name} has no witness for: ${reason}`);
    const { level } = specified.edit;
    const options: RepairOptions = { level, objectAsText: false };
    expect(outcomeOf(await repair(witness, options))).toBe("rejected");
    const { repairs } = await repair(witness, { ...options, level: "eager" });
    expect(repairs.map(({ fixer }) => fixer)).not.toContain(name);
    lift(specified.edit.unless, reason);
    const lifted = await repair(witness, options);
    expect(lifted.repairs.map(({ fixer }) => fixer)).toContain(name);
  });
});

describe("an edit leaves alone what only looks like its fault", () => {
  const rows = specifiedEdits.flatMap((specified) =>
    specified.spec.notFor.map((given) => titled(specified, given, given, specified)),
  );
  test.each(rows)("%s: %s", async (_, __, given, specified) => {
    const { name, level } = specified.edit;
    expect(outcomeOf(await repair(given, optionsOf(specified, level)))).toBe("rejected");
    const { repairs } = await repair(given, optionsOf(specified, "eager"));
    expect(repairs.map(({ fixer }) => fixer)).not.toContain(name);
  });
});

describe("no specification outlives what it specifies", () => {
  test.each(specifiedEdits.map((one) => [one.edit.name, one] as const))("%s", (_, specified) => {
    const { edit, spec } = specified;
    expect(Object.keys(spec.witnesses ?? {}).sort()).toEqual(Object.keys(edit.unless ?? {}).sort());
    expect(Object.keys(spec.proofs ?? {}).sort()).toEqual(Object.keys(edit.because ?? {}).sort());
  });
});
