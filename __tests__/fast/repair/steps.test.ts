import { describe, expect, test } from "@jest/globals";
import { DynamicTool, tool } from "@langchain/core/tools";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import { createFixerRegistry } from "#src/repair/fixers/registry.ts";
import { normalizeIntermediateSteps } from "#src/repair/steps.ts";

const click = tool(async () => "", {
  name: "click",
  description: "",
  schema: z.object({ selector: z.string() }),
});
const search = new DynamicTool({ name: "search", description: "", func: async () => "" });
const tools = [click, search] as const;
const fixers = createFixerRegistry(tools, { level: "strict" });
fixers.register("click", renameKey("element", "selector"));

function step(tool: string, toolInput: unknown, more: object = {}) {
  return { action: { tool, toolInput, log: "", ...more }, observation: "seen" };
}

/** The actions of steps recorded elsewhere. */
async function actionsOf(...steps: unknown[]) {
  const normalized = await normalizeIntermediateSteps(steps, tools, { fixers });
  return normalized.map(({ action }) => action);
}

describe("normalizeIntermediateSteps", () => {
  test("returns valid input by reference", async () => {
    const toolInput = { selector: "#buy" };
    const [action] = await actionsOf(step("click", toolInput, { toolCallId: "a" }));
    expect(action).toEqual({
      tool: "click",
      toolInput,
      rawToolInput: toolInput,
      repairs: [],
      undeclared: [],
      valid: true,
      log: "",
      toolCallId: "a",
    });
    expect(action?.toolInput).toBe(toolInput);
  });

  test("parses and repairs input recorded raw", async () => {
    const raw = [{ element: "#buy" }, '{"selector": "#buy"}', '{"element": "#buy"}'];
    const actions = await actionsOf(...raw.map((one) => step("click", one)));
    expect(actions.map(({ toolInput }) => toolInput)).toEqual(
      raw.map(() => ({ selector: "#buy" })),
    );
    expect(actions.map(({ rawToolInput }) => rawToolInput)).toEqual(raw);
    expect(actions.map(({ repairs }) => repairs.length)).toEqual([1, 0, 1]);
    expect(actions.every(({ valid }) => valid)).toBe(true);
  });

  test("marks input that cannot be repaired, and leaves it unchanged", async () => {
    const actions = await actionsOf(
      step("click", { nothing: "fits" }),
      step("click", '{"selector": "#bu'),
      step("clack", { selector: "#buy" }),
      step("click", undefined),
    );
    expect(actions.map(({ valid }) => valid)).toEqual([false, false, false, false]);
    expect(actions.map(({ toolInput }) => toolInput)).toEqual([
      { nothing: "fits" },
      '{"selector": "#bu',
      { selector: "#buy" },
      null,
    ]);
    expect(actions[2]?.tool).toBe("clack");
  });

  test("keeps a string tool's text, and the text of _Exception", async () => {
    const actions = await actionsOf(step("search", '"shoes"'), step("_Exception", "Again!"));
    expect(actions).toMatchObject([
      { toolInput: '"shoes"', valid: true },
      { tool: "_Exception", toolInput: "Again!", valid: false },
    ]);
  });

  test("changes nothing the second time, and keeps what the first run recorded", async () => {
    const once = await normalizeIntermediateSteps(
      [step("click", { element: "#buy" }), step("Click", { selector: "#buy" }), step("click", 5)],
      tools,
      { fixers, level: "safe" },
    );
    const twice = await normalizeIntermediateSteps(once, tools, { fixers, level: "safe" });
    expect(twice).toEqual(once);
    const stored = await normalizeIntermediateSteps(JSON.parse(JSON.stringify(once)), tools, {
      fixers,
    });
    expect(stored).toEqual(once);
    expect(once[1]?.action).toMatchObject({ tool: "click", nameRepair: { before: "Click" } });
  });

  test("gives a step its log and observation as text", async () => {
    const action = { tool: "click", toolInput: { element: "#1" } };
    const steps = [{ action, observation: { ok: 1 } }, { action }];
    const normalized = await normalizeIntermediateSteps(steps, tools, { fixers });
    expect(normalized).toMatchObject([
      { action: { toolInput: { selector: "#1" }, log: "" }, observation: '{"ok":1}' },
      { action: { toolInput: { selector: "#1" }, log: "" }, observation: "" },
    ]);
  });

  test.each([
    [{}, "steps of normalizeIntermediateSteps must be an array"],
    ['[{"a": 1}]', "steps of normalizeIntermediateSteps must be an array"],
    [[5], "Step 0 must be"],
    [[step("click", {}), { observation: "" }], "Step 1 must be"],
    [["{"], "Step 0 must be"],
    [[{ action: { toolInput: {} } }], "Step 0 must be"],
  ])("names an entry that is not a step: %j", async (steps, message) => {
    await expect(normalizeIntermediateSteps(steps as never, tools)).rejects.toThrow(TypeError);
    await expect(normalizeIntermediateSteps(steps as never, tools)).rejects.toThrow(message);
  });
});
