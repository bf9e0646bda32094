import { describe, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, ToolInputParsingException, tool } from "@langchain/core/tools";
import { GraphInterrupt } from "@langchain/langgraph";
import { z } from "zod";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

const done = new AIMessage("done");
const schema = z.object({ selector: z.string() });

function outputs(...selectors: string[]) {
  const tool_calls = selectors.map((selector, index) => ({
    type: "tool_call" as const,
    id: `call_${index}`,
    name: "click",
    args: { element: selector },
  }));
  return [new AIMessage({ content: "", tool_calls }), done];
}

function clickThat(func: (input: { selector: string }) => unknown) {
  return tool(func as never, { name: "click", description: "clicks", schema });
}

function failing(error: unknown) {
  return clickThat(async () => {
    throw error;
  });
}

describe.each(sampled(["invoke", "stream"] as const, 2))("by %s", (way) => {
  test.each([
    [new Error("DB down"), "Error: DB down"],
    [new TypeError("no such thing\n    at secret/path.ts:1"), "TypeError: no such thing"],
    [new Error(""), "Error"],
    ["just text", "Error: just text"],
  ])(
    "an error of a tool is observed, on one line and without its stack: %p",
    async (error, text) => {
      const { wrapped } = await setUp({ outputs: outputs("#1"), tools: [failing(error)] });
      const { steps, output } = await run(way, wrapped);
      expect(output).toBe("done");
      expect(steps).toMatchObject([{ action: { valid: true }, observation: text }]);
    },
  );

  test("onToolError makes the observation, and is told the action", async () => {
    const onToolError = jest.fn(async (error: Error, _action: unknown) => `told ${error.message}`);
    const error = new Error("DB down");
    const { wrapped } = await setUp({
      outputs: outputs("#1"),
      tools: [failing(error)],
      handleToolRuntimeErrors: () => "not asked",
      options: { onToolError },
    });
    expect((await run(way, wrapped)).steps).toMatchObject([{ observation: "told DB down" }]);
    expect(onToolError).toHaveBeenCalledWith(
      error,
      expect.objectContaining({ tool: "click", toolInput: { selector: "#1" } }),
    );
  });

  test("onToolError: throw ends the run, and nothing more is run", async () => {
    const ran: string[] = [];
    const click = clickThat(async ({ selector }) => {
      ran.push(selector);
      throw new Error("DB down");
    });
    const handleToolRuntimeErrors = jest.fn(() => "never");
    const { wrapped } = await setUp({
      outputs: outputs("#1", "#2"),
      tools: [click],
      handleToolRuntimeErrors,
      options: { onToolError: "throw" },
    });
    await expect(run(way, wrapped)).rejects.toThrow("DB down");
    expect(handleToolRuntimeErrors).not.toHaveBeenCalled();
    if (way === "stream") expect(ran).toEqual(["#1"]);
  });

  test("the executor's own handleToolRuntimeErrors counts without onToolError", async () => {
    const { wrapped } = await setUp({
      outputs: outputs("#1"),
      tools: [failing(new Error("DB down"))],
      handleToolRuntimeErrors: (error) => `own: ${error.message}`,
    });
    expect((await run(way, wrapped)).steps).toMatchObject([{ observation: "own: DB down" }]);
  });

  test("aborts and interrupts end the run, whatever onToolError says", async () => {
    const abort = new DOMException("stopped", "AbortError");
    const bubbling = Object.assign(new Error("up"), { is_bubble_up: true });
    for (const error of [abort, new GraphInterrupt([]), bubbling]) {
      const { wrapped } = await setUp({
        outputs: outputs("#1"),
        tools: [failing(error)],
        options: { onToolError: () => "never" },
      });
      await expect(run(way, wrapped)).rejects.toBe(error);
    }
    const controller = new AbortController();
    const click = clickThat(async () => {
      controller.abort();
      throw new Error("because of it");
    });
    const onToolError = jest.fn(() => "never");
    const { wrapped, model } = await setUp({
      outputs: outputs("#1"),
      tools: [click],
      options: { onToolError },
    });
    await expect(run(way, wrapped, { signal: controller.signal })).rejects.toThrow();
    expect(onToolError).not.toHaveBeenCalled();
    expect(model.prompts).toHaveLength(1);
  });

  test("an input that a tool refuses after all is a refused input", async () => {
    const error = new ToolInputParsingException("Received tool input did not match", "{}");
    const { wrapped } = await setUp({
      outputs: outputs("#1"),
      tools: [failing(error)],
      handleParsingErrors: "Again!",
    });
    expect((await run(way, wrapped)).steps).toMatchObject([
      { action: { valid: false }, observation: "Again!" },
    ]);
    const told = await setUp({ outputs: outputs("#1"), tools: [failing(error)] });
    expect((await run(way, told.wrapped)).steps).toMatchObject([
      { action: { valid: false }, observation: "Received tool input did not match" },
    ]);
    const throwing = await setUp({
      outputs: outputs("#1"),
      tools: [failing(error)],
      options: { keepLangChain: ["inputErrors"] },
    });
    await expect(run(way, throwing.wrapped)).rejects.toBe(error);
  });

  test.each([
    [{ ok: 1 }, '{"ok":1}'],
    [[1, 2], "[1,2]"],
    [0, "0"],
    [false, "false"],
    [undefined, ""],
    ["text", "text"],
  ])("a result that is no string becomes JSON text: %j", async (result, text) => {
    const func = async () => result as never;
    const click = new DynamicStructuredTool({ name: "click", description: "", schema, func });
    const { wrapped, model } = await setUp({ outputs: outputs("#1"), tools: [click] });
    expect((await run(way, wrapped)).steps[0]?.observation).toBe(text);
    expect(model.prompts[1]).toContain(`"content":${JSON.stringify(text)}`);
  });
});

const throwing = (error: Error) =>
  new DynamicStructuredTool({
    name: "click",
    description: "",
    schema,
    func: async () => Promise.reject(error),
  });

test("however long the message of a tool's error is, the model is told 1,000 characters", async () => {
  const tools = [throwing(new Error("x".repeat(1_000_000)))];
  const { wrapped } = await setUp({ outputs: outputs("#1"), tools });
  const { steps } = await run("invoke", wrapped);
  expect(steps[0]?.observation).toHaveLength(1_000);
  expect(steps[0]?.observation).toMatch(/^Error: x+…$/);
});

test("what a nested tool refuses is a failure of the tool, not of its input", async () => {
  const cause = new ToolInputParsingException("Received tool input did not match", "{}");
  const tools = [throwing(new Error("inner failed", { cause }))];
  const { wrapped } = await setUp({ outputs: outputs("#1"), tools });
  const { steps } = await run("invoke", wrapped);
  expect(steps).toMatchObject([{ action: { valid: true }, observation: "Error: inner failed" }]);
});

test("an action that the patched parser marked, and that was repaired, is run", async () => {
  const { wrapped, executor, ran } = await setUp({
    outputs: outputs("#a"),
  });
  const { agent } = executor as unknown as {
    agent: { plan: (...args: unknown[]) => Promise<unknown> };
  };
  const { plan } = agent;
  const seen: unknown[] = [];
  agent.plan = async (...args) => {
    const planned = await plan.apply(agent, args);
    if (Array.isArray(planned))
      for (const one of planned) one.parsingError = new Error("Malformed args.");
    return planned;
  };
  await run("invoke", wrapped, {
    callbacks: [{ handleAgentAction: (action: object) => void seen.push(action) }],
  });
  expect(ran).toEqual([{ selector: "#a" }]);
  expect(seen[0]).not.toHaveProperty("parsingError");
});
