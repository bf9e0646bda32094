import { describe, expect, test } from "@jest/globals";
import { createFixerRegistry, type InputEvent, repairToolCall } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

const tools = [
  { name: "click", schema: z.object({ selector: z.string() }) },
  { name: "read_page", schema: z.object({}) },
] as const;

describe("repairToolCall", () => {
  test("repairs the input of the called tool, and keeps the id", async () => {
    const fixers = createFixerRegistry(tools);
    fixers.register("click", renameKey("element", "selector"));
    const call = { name: "click", args: '{"element":"#a"}', id: "call_1" };
    const result = await repairToolCall(call, tools, { fixers });
    expect(result).toMatchObject({
      ok: true,
      name: "click",
      id: "call_1",
      toolInput: { selector: "#a" },
    });
    expect(result).not.toHaveProperty("nameRepair");
  });

  test("a name that differs only in case is repaired, recorded and reported", async () => {
    const events: InputEvent[] = [];
    const onToolCall = (event: InputEvent) => void events.push(event);
    const call = { name: "Click", args: { selector: "#a" } };
    const result = await repairToolCall(call, tools, { onToolCall });
    const nameRepair = { before: "Click", after: "click", level: "safe" };
    expect(result).toMatchObject({ ok: true, name: "click", nameRepair, repairs: [] });
    expect(events).toMatchObject([{ toolName: "click", nameRepair, repairs: [] }]);
    expect(await repairToolCall(call, tools, { level: "strict" })).toMatchObject({ ok: false });
  });

  test("the level of the tool that the name resolves to applies", async () => {
    const fixers = createFixerRegistry(tools);
    fixers.register("click", { level: "strict" });
    const call = { name: "Click", args: { selector: "#a" } };
    const result = await repairToolCall(call, tools, { fixers, level: "eager" });
    if (result.ok) throw new Error("must be refused");
    expect(result.error.issues).toMatchObject([{ code: "unknown_tool", didYouMean: '"click"' }]);
  });

  test.each(["purchase", "toString", "__proto__", ""])(
    "%j is an unknown tool: a clear error, fit for a model",
    async (name) => {
      const result = await repairToolCall({ name, args: {} }, tools, { level: "eager" });
      if (result.ok) throw new Error("must be refused");
      expect(result.error.toolName).toBe(name);
      expect(result.error.toModelMessage()).toBe(
        [
          "The tool call was not accepted, and no tool was run:",
          `- the tool's name: expected one of "click", "read_page", received ${JSON.stringify(name)}`,
          "Call one of the available tools.",
        ].join("\n"),
      );
    },
  );
});

test("a provider tool without a name does not affect the others", async () => {
  const click = {
    name: "click",
    schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  };
  const tools = [click, { type: "web_search_preview" }] as never;
  const meant = await repairToolCall({ name: "Click", args: { n: 1 } }, tools, { level: "eager" });
  expect(meant).toMatchObject({ ok: true, name: "click" });
  const unknown = await repairToolCall({ name: "fly_away", args: { n: 1 } }, tools);
  expect(unknown).toMatchObject({ ok: false, error: { reason: "unknown_tool" } });
  if (!unknown.ok) expect(unknown.error.message).not.toMatch(/nothing|undefined|not be loaded/);
});
