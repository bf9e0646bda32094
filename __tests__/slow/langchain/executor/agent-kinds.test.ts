import { describe, expect, test } from "@jest/globals";
import { AgentExecutor } from "@langchain/classic/agents";
import { DynamicTool, tool } from "@langchain/core/tools";
import { renameKey, wrapValue } from "toolmend/fixers";
import { z } from "zod";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import { createFixerRegistry } from "#src/repair/fixers/registry.ts";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { type Output, ScriptedModel } from "../../../support/langchain/executor/scripted-model.ts";

const inputs = { input: "buy it", chat_history: [] };

function clickTools() {
  const ran: unknown[] = [];
  const click = tool(
    async (input: { selector: string }) => {
      ran.push(input);
      return `clicked ${input.selector}`;
    },
    { name: "click", description: "clicks", schema: z.object({ selector: z.string() }) },
  );
  const search = new DynamicTool({
    name: "search",
    description: "searches",
    func: async (query) => {
      ran.push(query);
      return `found ${query}`;
    },
  });
  const tools = [click, search] as const;
  const fixers = createFixerRegistry(tools, { level: "strict" });
  fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));
  return { ran, tools, fixers };
}

describe.each(Object.entries(agentKinds))("%s", (_, { make, act, finish, callsTools }) => {
  async function wrap(...outputs: Output[]) {
    const { ran, tools, fixers } = clickTools();
    const model = new ScriptedModel(outputs);
    const agent = await make(model, tools);
    const executor = new AgentExecutor({
      agent,
      tools: [...tools],
      returnIntermediateSteps: true,
    });
    return { ran, model, executor, wrapped: wrapAgentExecutor(executor, { fixers }) };
  }

  test.each([
    ["a wrong key", '{"element": "#buy"}'],
    ["a bare value", "#buy"],
  ])("%s is repaired, run and recorded", async (_fault, input) => {
    const { ran, model, wrapped } = await wrap(act("click", input), finish("done"));
    const result = await wrapped.invoke(inputs);
    expect(result.output).toBe("done");
    expect(ran).toEqual([{ selector: "#buy" }]);
    expect(result.intermediateSteps).toMatchObject([
      {
        action: { tool: "click", toolInput: { selector: "#buy" }, valid: true },
        observation: "clicked #buy",
      },
    ]);
    const [{ action }] = result.intermediateSteps as never as [{ action: Record<string, unknown> }];
    expect(action.repairs).toHaveLength(1);
    expect(JSON.stringify(action.rawToolInput)).toContain("#buy");
    const [, next] = model.prompts;
    if (callsTools) {
      expect(next).toContain("selector");
      expect(next).not.toContain("element");
    }
  });

  test("the same in a stream", async () => {
    const { ran, wrapped } = await wrap(act("click", '{"element": "#buy"}'), finish("done"));
    const chunks = [];
    for await (const chunk of await wrapped.stream(inputs)) chunks.push(chunk);
    expect(ran).toEqual([{ selector: "#buy" }]);
    expect(chunks).toMatchObject([
      { intermediateSteps: [{ action: { tool: "click", toolInput: { selector: "#buy" } } }] },
      { output: "done" },
    ]);
  });

  test("a valid input stays as LangChain read it", async () => {
    const { ran, wrapped, executor } = await wrap(
      act("click", '{"selector": "#buy"}'),
      finish("done"),
    );
    const result = await wrapped.invoke(inputs);
    expect(ran).toEqual([{ selector: "#buy" }]);
    expect(result.intermediateSteps).toMatchObject([{ action: { repairs: [], valid: true } }]);
    expect(executor.handleParsingErrors).toBe(false);
  });

  test("a string tool keeps its string", async () => {
    const { ran, wrapped, model } = await wrap(act("search", "blue shoes"), finish("done"));
    const result = await wrapped.invoke(inputs);
    expect(ran).toEqual(["blue shoes"]);
    expect(result.intermediateSteps).toMatchObject([
      {
        action: { tool: "search", toolInput: "blue shoes", valid: true },
        observation: "found blue shoes",
      },
    ]);
    expect(model.prompts.join()).not.toContain("[object Object]");
  });
});
