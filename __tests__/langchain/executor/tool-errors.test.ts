import { describe, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, ToolInputParsingException, tool } from "@langchain/core/tools";
import { GraphInterrupt } from "@langchain/langgraph";
import { z } from "zod";
import { run, setUp } from "./set-up.ts";

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

describe.each(["invoke", "stream"] as const)("by %s", (way) => {
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
    const throwing = await setUp({ outputs: outputs("#1"), tools: [failing(error)] });
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
