import { describe, expect, jest, test } from "@jest/globals";
import { repairToolInput } from "toolmend";

const loading = { fails: true, loads: 0 };

jest.mock("#src/repair/schema/validator-parts.ts", () => {
  loading.loads++;
  if (loading.fails) throw new Error("chunk 7f3a.js answered 404");
  return jest.requireActual("#src/repair/schema/validator-parts.ts");
});

const mail = (to: object) => ({
  name: "mail",
  schema: {
    type: "object",
    properties: { to, copies: { type: "integer", minimum: 0 } },
    required: ["to"],
    additionalProperties: false,
  },
});

const plain = mail({ type: "string", pattern: "@", minLength: 3 });
const byFormat = mail({ type: "string", format: "email" });
const byRareKeyword = mail({ type: "array", contains: { const: "ada@example.com" } });

describe("the validator", () => {
  test("is not loaded for an input that compiled checks accept", async () => {
    const input = { to: "ada@example.com", copies: 0 };
    expect(await repairToolInput(input, plain)).toMatchObject({ ok: true, repairs: [] });
    expect(loading.loads).toBe(0);
  });

  test.each([
    ["a format", byFormat, "ada@example.com"],
    ["a rare keyword", byRareKeyword, ["ada@example.com"]],
  ])("where it cannot be loaded, what needs it for %s is refused", async (_, tool, to) => {
    const result = await repairToolInput({ to }, tool);
    if (result.ok) throw new Error("was not refused");
    expect(result.error.reason).toBe("not_loaded");
    expect(result.error.issues).toHaveLength(1);
    expect(result.error.message).toContain("ship all the chunks that the bundler made of it");
  });

  test("is loaded by the next input that needs it", async () => {
    loading.fails = false;
    const accepted = await repairToolInput({ to: "ada@example.com" }, byFormat);
    expect(accepted).toMatchObject({ ok: true, repairs: [] });
    const refused = await repairToolInput({ to: "ada at home", copies: "2" }, byFormat);
    if (refused.ok) throw new Error("was not refused");
    expect(refused.error.issues.map(({ path }) => path)).toEqual(["/to", "/copies"]);
  });
});
