import { describe, expect, jest, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { repairToolCall, repairToolInput, wrapTool } from "toolmend";
import { z } from "zod";

const loading = { fails: false, loads: 0 };

jest.mock("#src/repair/repairing.ts", () => {
  loading.loads++;
  if (loading.fails) throw new Error("chunk 7f3a.js answered 404 at https://intranet.example");
  return jest.requireActual("#src/repair/repairing.ts");
});

const schema = {
  type: "object",
  properties: { amount: { type: "number" } },
  required: ["amount"],
  additionalProperties: false,
};
const pay = { name: "pay", schema };
const NOT_LOADED = "toolmend could not import the rest of its code";

describe("the repair code", () => {
  test("is not loaded for a valid input, whether value or text", async () => {
    expect(await repairToolInput({ amount: 5 }, pay)).toMatchObject({ ok: true });
    expect(await repairToolInput(' {"amount": 5}\n', pay)).toMatchObject({
      ok: true,
      toolInput: { amount: 5 },
      repairs: [],
    });
    expect(await repairToolCall({ name: "pay", args: '{"amount": 5}' }, [pay])).toMatchObject({
      ok: true,
    });
    const paid = tool(() => "paid", { name: "pay", schema: z.object({ amount: z.number() }) });
    expect(await wrapTool(paid).invoke({ amount: 5 })).toBe("paid");
    expect(loading.loads).toBe(0);
  });

  test("that fails to load throws for a faulty input, with the remedy and the cause", async () => {
    loading.fails = true;
    const error = await repairToolInput({ amount: "5" }, pay).catch((thrown: unknown) => thrown);
    loading.fails = false;
    expect(error).toMatchObject({
      message: expect.stringContaining("ship all the chunks that the bundler made of it"),
      cause: { message: expect.stringContaining("404") },
    });
    expect((error as Error).message).not.toContain("intranet");
  });

  test("that fails to load keeps a wrapped tool from running, and matches no wrong tool name", async () => {
    loading.fails = true;
    const run = jest.fn(() => "paid");
    const paid = tool(run, { name: "pay", schema: z.object({ amount: z.number() }) });
    await expect(wrapTool(paid).invoke({ amount: "5" } as never)).rejects.toThrow(NOT_LOADED);
    const named = repairToolCall({ name: "Pay", args: { amount: 5 } }, [pay]);
    await expect(named).rejects.toThrow(NOT_LOADED);
    loading.fails = false;
    expect(run).not.toHaveBeenCalled();
  });

  test("that fails to load keeps an input with undeclared keys from running", async () => {
    loading.fails = true;
    const open = { ...pay, schema: { ...schema, additionalProperties: undefined } };
    const result = repairToolInput({ amount: 5, dryRun: true }, open);
    await expect(result).rejects.toThrow(NOT_LOADED);
    loading.fails = false;
  });

  test("is loaded once, by the next call that needs it", async () => {
    const before = loading.loads;
    const repaired = { ok: true, toolInput: { amount: 5 } };
    expect(await repairToolInput({ amount: "5" }, pay)).toMatchObject(repaired);
    expect(loading.loads).toBe(before + 1);
    expect(await repairToolInput({ amount: "5" }, pay)).toMatchObject(repaired);
    expect(await repairToolCall({ name: "Pay", args: { amount: "5" } }, [pay])).toMatchObject({
      ...repaired,
      name: "pay",
    });
    expect(loading.loads).toBe(before + 1);
  });
});
