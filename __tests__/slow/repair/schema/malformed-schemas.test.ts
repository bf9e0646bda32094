import { type Schema, validate } from "@cfworker/json-schema";
import { describe, expect, test } from "@jest/globals";
import { repairToolInput, wrapTool } from "toolmend";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";

/** Values of keywords in schemas that are written by hand or by other languages. */
const VALUES: readonly unknown[] = [
  ...[null, undefined, true, false, 0, 1.5, Number.NaN, "", "any", "integer", [], {}],
  ...[["a"], [null], [{}], { a: null }, { a: [] }, { type: "string" }, { type: null }],
];

const KEYWORDS =
  "type enum const not anyOf allOf oneOf if then else properties required additionalProperties patternProperties items prefixItems additionalItems minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum multipleOf contains minProperties propertyNames dependentRequired dependentSchemas dependencies unevaluatedProperties $ref $anchor $defs".split(
    " ",
  );

const INPUTS = ["", "a", 5, 1.5, true, null, [], ["a"], [1, null], {}, { a: 1 }, { a: "a", b: 2 }];

function byValidator(schema: object, input: unknown): boolean {
  try {
    return validate(input, structuredClone(schema) as Schema).valid;
  } catch {
    return false;
  }
}

describe("a schema with a keyword of the wrong kind", () => {
  test.each(KEYWORDS)("in %s gives the validator's verdict", async (keyword) => {
    const different: unknown[] = [];
    for (const value of VALUES) {
      const part = { [keyword]: value };
      const inside = { type: "object", properties: { a: part }, required: ["a"] };
      for (const input of INPUTS) {
        for (const [schema, given] of [[part, input] as const, [inside, { a: input }] as const]) {
          const { ok } = await compileSchema(schema).validate(given);
          if (ok !== byValidator(schema, given)) different.push({ schema, given, ok });
        }
      }
    }
    expect(different).toEqual([]);
  });

  test.each(KEYWORDS)("in %s never makes a repair throw", async (keyword) => {
    for (const value of VALUES) {
      const fields = { a: { type: "integer", [keyword]: value }, b: { [keyword]: value } };
      const schema = { type: "object", properties: fields, required: ["a"] };
      for (const raw of ['{"a": "5", "c": 1}', { A: "5", b: [1] }, "a", undefined]) {
        const result = await repairToolInput(raw, { name: "t", schema }, { level: "eager" });
        if (result.ok) expect(byValidator(schema, result.toolInput)).toBe(true);
        else expect(result.error.message).not.toBe("");
      }
    }
  });

  test("of draft 3, where a field itself is marked as required, is used for repairs", async () => {
    const schema = {
      type: "object",
      properties: { path: { type: "string", required: true }, depth: { type: "integer" } },
    };
    const valid = { path: "/", depth: 1 };
    expect(await repairToolInput(valid, { name: "list", schema })).toMatchObject({ repairs: [] });
    expect(
      await repairToolInput({ path: "/", depth: "1" }, { name: "list", schema }),
    ).toMatchObject({ ok: true, toolInput: valid });
  });
});

describe("a reference", () => {
  test("to an anchor at the root is followed", async () => {
    const range = {
      $anchor: "range",
      type: "object",
      properties: { from: { type: "integer" } },
      required: ["from"],
    };
    const tool = { name: "read", schema: { $ref: "#range", $defs: { range } } };
    expect(await repairToolInput({ from: "5" }, tool)).toMatchObject({
      ok: true,
      toolInput: { from: 5 },
    });
    expect(await repairToolInput({ from: "now" }, tool)).toMatchObject({ ok: false });
  });

  test("that is not a URI rejects, and throws nothing", async () => {
    const schema = { type: "object", properties: { from: { $ref: "#/$defs/100%" } } };
    const result = await repairToolInput({ from: "5" }, { name: "read", schema });
    expect(result).toMatchObject({ ok: false, error: { name: "ToolInputError" } });
  });

  test("that is circular through a union rejects, and its tool can be wrapped", async () => {
    const schema = { anyOf: [{ $ref: "#" }, { $ref: "#" }] };
    const result = await repairToolInput({ from: 5 }, { name: "read", schema });
    expect(result).toMatchObject({ ok: false, error: { name: "ToolInputError" } });
    const read = { name: "read", schema, invoke: async () => "read" };
    expect(() => wrapTool(read as never)).not.toThrow();
  });
});
