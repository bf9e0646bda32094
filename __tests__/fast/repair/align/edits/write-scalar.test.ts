import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, object, text } from "../../../../support/repair/align/run.ts";

const writeScalar = testsOf("write-scalar", "safe");

const LEVELS = ["safe", "eager"] as const;

async function repaired(raw: unknown, schema: unknown, level: "safe" | "eager"): Promise<unknown> {
  const result = await repairToolInput(raw, { name: "tool", schema }, { level });
  return result.ok ? result.toolInput : "refused";
}

describe("write-scalar: a number keeps its spelling where text is expected", () => {
  test.each([
    ["a version", '{"x": 3.10}', "3.10"],
    ["a version with a zero", '{"x": 1.0}', "1.0"],
    ["an amount", '{"x": 10.50}', "10.50"],
    ["a hash that looks like an exponent", '{"x": 12345e10}', "12345e10"],
    ["a phone number", '{"x": +4930123}', "+4930123"],
    ["an integer", '{"x": 42}', "42"],
    ["a decimal", '{"x": 2.5}', "2.5"],
    ["a negative number", '{"x": -5}', "-5"],
  ])("%s", async (_, raw, meant) => {
    for (const level of LEVELS) {
      expect(await repaired(raw, object({ x: text }), level)).toEqual({ x: meant });
      const encoded = JSON.stringify(raw);
      expect(await repaired(encoded, object({ x: text }), level)).toEqual({ x: meant });
    }
  });

  test("each number in a list keeps its own spelling", async () => {
    const schema = object({ x: { type: "array", items: text } });
    for (const level of LEVELS) {
      expect(await repaired('{"x": [1.10, 1.20, 2]}', schema, level)).toEqual({
        x: ["1.10", "1.20", "2"],
      });
    }
  });

  test("a value spelled in two ways has no spelling", async () => {
    for (const level of LEVELS) {
      expect(await repaired('{"x": 3.10, "y": 3.1}', object({ x: text, y: text }), level)).toBe(
        "refused",
      );
    }
  });

  test("a parsed value is spelled as JavaScript does, if that is unambiguous", async () => {
    for (const level of LEVELS) {
      expect(await repaired({ x: 3.5 }, object({ x: text }), level)).toEqual({ x: "3.5" });
      expect(await repaired({ x: 1e21 }, object({ x: text }), level)).toBe("refused");
      expect(await repaired({ x: 1e-9 }, object({ x: text }), level)).toBe("refused");
    }
  });
});

describe("write-scalar: a choice is matched by the spelling of a number", () => {
  const versions = object({ x: { enum: ["3.9", "3.10", "3.1"] } });
  test.each([
    ['{"x": 3.10}', "3.10"],
    ['{"x": 3.1}', "3.1"],
    ['{"x": 3.9}', "3.9"],
  ])("%s", async (raw, meant) => {
    for (const level of LEVELS) expect(await repaired(raw, versions, level)).toEqual({ x: meant });
  });

  test.each(['{"x": 3.90}', '{"x": 3.100}', '{"x": 3}'])("%s matches none of them", async (raw) => {
    for (const level of LEVELS) expect(await repaired(raw, versions, level)).toBe("refused");
  });
});

writeScalar.repairs("a number for a text, of which the description shows another form", [
  field("leading zeros", { ...text, description: "e.g. 00123" }, 5, "5"),
  field("an example", { ...text, examples: ["2024-01-31"] }, 5, "5"),
]);

writeScalar.repairs("a boolean where true, false or boolean is named", [
  field("by a choice", { enum: ["true", "auto"] }, true, "true"),
  field("by the description", { ...text, description: "true or a path" }, true, "true"),
  field(
    "by the description of one of several branches",
    { anyOf: [{ ...text, description: "true or a path" }, { enum: ["auto"] }] },
    true,
    "true",
  ),
  field("by the word for it", { ...text, description: "A boolean, or a path" }, false, "false"),
]);

writeScalar.rejects("a boolean that nothing names", /^nothing names true/, [
  badField("for any text", text, true),
  badField("for a described text", { ...text, description: "Middle name" }, false),
  badField("for the other choice", { enum: ["true", "auto"] }, false),
  badField("for a description of a word in it", { ...text, description: "Truest name" }, true),
]);

writeScalar.rejects("a boolean where no text is wanted", NO_OBJECTION, [
  badField("a number", integer, true),
]);
