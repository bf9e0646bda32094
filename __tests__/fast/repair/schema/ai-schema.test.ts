import { describe, expect, test } from "@jest/globals";
import { repairToolCall, repairToolInput, repairToolInputSync } from "toolmend/core";
import { z } from "zod";

const keywords = {
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
};

type Verdict = { success: true; value: unknown } | { success: false; error: Error };

/** What `jsonSchema()` of the AI SDK returns (ai 5 to 7; compat/ai-sdk has the real one). */
function jsonSchema(schema: unknown, validate?: (value: unknown) => Verdict | Promise<Verdict>) {
  return { [Symbol.for("vercel.ai.schema")]: true, _type: undefined, jsonSchema: schema, validate };
}

/** What `zodSchema()` of the AI SDK returns. */
function zodSchema(schema: z.ZodType) {
  return jsonSchema(
    () => z.toJSONSchema(schema, { io: "input" }),
    async (value) => {
      const { success, data, error } = await schema.safeParseAsync(value);
      return success ? { success, value: data } : { success: false, error: error as Error };
    },
  );
}

const SCHEMAS: readonly (readonly [what: string, schema: unknown])[] = [
  ["keywords", jsonSchema(keywords)],
  ["a promise of keywords", jsonSchema(Promise.resolve(keywords))],
  ["a function", jsonSchema(() => keywords)],
  ["a function that returns a promise", jsonSchema(async () => keywords)],
  ["a lazy schema", () => jsonSchema(keywords)],
];

describe.each(SCHEMAS)("a schema of the AI SDK that holds %s", (_, schema) => {
  const tool = { name: "roll", schema };

  test("is validated by its keywords", async () => {
    const valid = { count: 5 };
    const accepted = await repairToolInput(valid, tool);
    expect(accepted).toMatchObject({ ok: true, repairs: [] });
    expect(accepted.ok && accepted.toolInput).toBe(valid);
    const result = await repairToolInput({ count: [5, 6] }, tool);
    expect(result).toMatchObject({ ok: false, error: { issues: [{ path: "/count" }] } });
  });

  test("is what its inputs are repaired by", async () => {
    const call = { name: "roll", args: '{"Count": "5"}' };
    const result = await repairToolCall(call, [tool], {});
    expect(result).toMatchObject({ ok: true, toolInput: { count: 5 } });
  });
});

describe("a validator of the AI SDK", () => {
  const even = z.strictObject({ count: z.int().refine((n) => n % 2 === 0, "must be even") });
  const tool = { name: "roll", schema: zodSchema(even) };

  test("decides, after the keywords said what is wrong", async () => {
    expect(await repairToolInput({ count: "4" }, tool)).toMatchObject({ toolInput: { count: 4 } });
    const odd = await repairToolInput({ count: 5 }, tool);
    const issue = { path: "/count", message: "must be even" };
    expect(odd).toMatchObject({ ok: false, error: { issues: [issue] } });
  });

  test("may have no more than a message", async () => {
    const refuse = () => ({ success: false as const, error: new Error("never") });
    const strict = { name: "roll", schema: jsonSchema(keywords, refuse) };
    const result = repairToolInputSync({ count: 5 }, strict);
    expect(result).toMatchObject({ ok: false, error: { issues: [{ message: "never" }] } });
  });

  test("gives the parsed value", async () => {
    const double = z.object({ count: z.int().transform((n) => 2 * n) });
    const doubling = { name: "roll", schema: zodSchema(double) };
    expect(await repairToolInput({ count: "5" }, doubling)).toMatchObject({
      parsed: { count: 10 },
    });
  });
});

test("a promise of keywords cannot be awaited without a promise", async () => {
  const tool = { name: "roll", schema: jsonSchema(Promise.resolve(keywords)) };
  expect(() => repairToolInputSync({ count: "5" }, tool)).toThrow("cannot wait for the schema");
  await repairToolInput({ count: 5 }, tool);
  expect(repairToolInputSync({ count: "5" }, tool)).toMatchObject({ toolInput: { count: 5 } });
});

test("keywords that cannot be loaded reject with the reason", async () => {
  const schema = jsonSchema(() => Promise.reject(new Error("no such file")));
  await expect(repairToolInput({}, { name: "roll", schema })).rejects.toThrow("no such file");
});

describe("an object without a keyword of JSON Schema", () => {
  test.each([
    ["properties alone", { city: { type: "string" } }],
    ["a tool of OpenAI", { name: "roll", parameters: keywords }],
    ["a promise", Promise.resolve(keywords)],
    ["a function", async () => keywords],
  ])("is no schema: %s", async (_, schema) => {
    const repairing = repairToolInput({ city: "Paris" }, { name: "weather", schema });
    await expect(repairing).rejects.toThrow(TypeError);
    await expect(repairing).rejects.toThrow(/A tool's schema must be a zod schema/);
  });

  test("is rejected with its keys, and what to do", async () => {
    const schema = { city: { type: "string" } };
    await expect(repairToolInput({}, { name: "weather", schema })).rejects.toThrow(
      'this one has no keyword of JSON Schema, but ["city"]. Properties stand in { type: "object", properties: { … } }.',
    );
  });

  test.each([
    {},
    { description: "Anything." },
    { $schema: "https://json-schema.org/draft/2020-12/schema" },
  ])("is a schema if it is empty, or only described: %j", async (schema) => {
    expect(await repairToolInput({ a: 1 }, { name: "any", schema })).toMatchObject({ ok: true });
  });
});
