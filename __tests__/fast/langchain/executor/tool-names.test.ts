import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { clickTool, run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

const done = new AIMessage("done");

function call(name: string, args: unknown = { selector: "#1" }) {
  const tool_call = { type: "tool_call" as const, id: "a", name, args: args as never };
  return new AIMessage({ content: "", tool_calls: [tool_call] });
}

describe.each(sampled(["invoke", "stream"] as const, 2))("by %s", (way) => {
  test.each(["strict", "safe"] as const)(
    "a name that differs in case is resolved, at %s",
    async (level) => {
      const { wrapped, ran, model } = await setUp({
        outputs: [call("CLICK"), done],
        options: { level },
      });
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([{ selector: "#1" }]);
      expect(steps).toMatchObject([
        { action: { tool: "click", valid: true, nameRepair: { before: "CLICK", after: "click" } } },
      ]);
      expect(model.prompts[1]).not.toContain('"name":"CLICK"');
    },
  );

  test("a name with capitals is resolved, and returns directly if LangChain finds it", async () => {
    const { click, ran } = clickTool("goTo", { returnDirect: true });
    const text = 'Action: goTo\nAction Input: {"selector": "#1"}';
    const { wrapped } = await setUp({
      kind: "createReactAgent",
      outputs: [new AIMessage(text), new AIMessage("Final Answer: done")],
      tools: [click],
    });
    expect((await run(way, wrapped)).output).toBe(way === "invoke" ? "clicked #1" : "done");
    expect(ran).toEqual([{ selector: "#1" }]);
  });

  test("two names that differ only in case are two tools", async () => {
    const lower = clickTool("click");
    const upper = clickTool("Click");
    const { wrapped } = await setUp({
      outputs: [call("click", { selector: "#lower" }), call("Click", { selector: "#upper" }), done],
      tools: [lower.click, upper.click],
    });
    await run(way, wrapped);
    expect([lower.ran, upper.ran]).toEqual([[{ selector: "#lower" }], [{ selector: "#upper" }]]);
    const unclear = await setUp({
      outputs: [call("CLICK"), done],
      tools: [lower.click, upper.click],
    });
    const { steps } = await run(way, unclear.wrapped);
    expect(steps[0]?.action.valid).toBe(false);
    expect(steps[0]?.observation).toContain("CLICK is not a valid tool");
  });

  test.each(["open", "constructor", "__proto__", "toString", "hasOwnProperty"])(
    "%s, which is no tool's name: the model reads which tools exist",
    async (name) => {
      const { wrapped, ran, model } = await setUp({ outputs: [call(name), done] });
      const { steps, output } = await run(way, wrapped);
      expect(output).toBe("done");
      expect(ran).toEqual([]);
      expect(steps).toMatchObject([{ action: { tool: name, valid: false, repairs: [] } }]);
      const told = `${name} is not a valid tool, try another available tool: click`;
      expect(steps[0]?.observation).toBe(told);
      expect(model.prompts[1]).toContain(told);
    },
  );

  test("in compat, the answer to an unknown name is LangChain's", async () => {
    const outputs = [call("open"), done];
    const { executor } = await setUp({ outputs });
    const { wrapped } = await setUp({ outputs, options: { compat: true } });
    const [bare, compat] = [await run(way, executor), await run(way, wrapped)];
    expect(compat.steps[0]?.observation).toBe(bare.steps[0]?.observation);
  });
});
