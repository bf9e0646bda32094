import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "#src/repair/types.ts";
import { integer, number, object, outcome, run, text } from "../../../support/repair/align/run.ts";

const eager = { level: "eager" } as const;
const email = { type: "string", format: "email" };

describe("a value further in is put into its object where the field within is the thing itself", () => {
  test.each<[key: string, field: string, schema: JsonValue, value: JsonValue]>([
    ["user", "name", text, "Ada"],
    ["user", "user_name", text, "Ada"],
    ["room", "room", text, "blue"],
    ["threshold", "value", number, 0.5],
    ["remark", "text", text, "nice"],
    ["contact", "mail", email, "ada@example.com"],
  ])("%s: {%s}", async (key, field, schema, value) => {
    const tool = object({ [key]: object({ [field]: schema }) });
    expect(await outcome(tool, { [key]: value }, eager)).toEqual({ [key]: { [field]: value } });
    expect(await outcome(tool, { [key]: value })).toBe("refused");
    const result = await run(tool, { [key]: value }, eager);
    expect(result.ok && result.repairs).toMatchObject([{ reason: expect.any(String) }]);
  });
});

describe("a part, a bound, a measure or a side is not", () => {
  test.each<[key: string, field: string, schema: JsonValue, value: JsonValue]>([
    ["time", "hours", number, 30],
    ["dose", "mg", number, 5],
    ["heat", "celsius", number, 21],
    ["age", "gt", number, 18],
    ["age", "max", number, 18],
    ["filter", "exclude", text, "live"],
    ["match", "not", text, "jazz"],
    ["transfer", "to", text, "Ada"],
    ["person", "employer", text, "Ada"],
    ["place", "street", text, "Paris"],
    ["flags", "force", { type: "boolean" }, true],
    ["user", "id", text, "Ada Lovelace"],
    ["product", "id", text, "p-17"],
    ["user", "name", integer, 5],
    ["filter", "exclude", email, "ada@example.com"],
    ["style", "color", { enum: ["red", "blue"] }, "red"],
  ])("%s: {%s}", async (key, field, schema, value) => {
    const tool = object({ [key]: object({ [field]: schema }) });
    expect(await outcome(tool, { [key]: value }, eager)).toBe("refused");
  });
});
