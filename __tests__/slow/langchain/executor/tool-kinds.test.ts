import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { StructuredTool, Tool } from "@langchain/core/tools";
import { z } from "zod";
import { ToolInputError } from "#src/repair/errors.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";

const schema = z.object({ selector: z.string() });
const ran: unknown[] = [];

/** A tool as most people write it: a class without a static `lc_name`. */
class ClickTool extends StructuredTool {
  name = "click";
  description = "clicks";
  schema = schema;
  #clicks = 0;
  protected async _call(input: z.output<typeof schema>) {
    this.#clicks++;
    ran.push(input);
    return `clicked ${input.selector}, ${this.#clicks} in all`;
  }
}

class SayTool extends Tool {
  name = "click";
  description = "takes a string";
  protected async _call(input: string) {
    ran.push(input);
    return `said ${input}`;
  }
}

const runnable = () =>
  RunnableLambda.from(async (input: z.output<typeof schema>) => {
    ran.push(input);
    return `clicked ${input.selector}`;
  }).asTool({ name: "click", description: "clicks", schema });

function call(args: unknown): AIMessage {
  const toolCall = { type: "tool_call" as const, id: "call_1", name: "click", args: args as never };
  return new AIMessage({ content: "", tool_calls: [toolCall] });
}

describe.each(["invoke", "stream"] as const)("by %s, a tool of each kind runs", (way) => {
  test.each([
    [
      "a class",
      () => new ClickTool(),
      { element: "#a" },
      { selector: "#a" },
      "clicked #a, 1 in all",
    ],
    [
      "a class, valid",
      () => new ClickTool(),
      { selector: "#a" },
      { selector: "#a" },
      "clicked #a, 1 in all",
    ],
    ["a string tool", () => new SayTool(), { input: "hi" }, "hi", "said hi"],
    ["a runnable", runnable, { element: "#a" }, { selector: "#a" }, "clicked #a"],
  ])("%s", async (_, make, args, input, observation) => {
    ran.length = 0;
    const outputs = [call(args), new AIMessage("done")];
    const { wrapped } = await setUp({ outputs, tools: [make()] });
    const { steps, output } = await run(way, wrapped);
    expect(ran).toEqual([input]);
    expect(steps).toMatchObject([{ action: { tool: "click", valid: true }, observation }]);
    expect(output).toBe("done");
  });

  test("a runnable with a string for a schema, by text", async () => {
    const like = RunnableLambda.from((text: string) => `said ${text}`).asTool({
      name: "click",
      schema: z.string() as never,
    });
    const outputs = [
      new AIMessage("Action: click\nAction Input: a b"),
      new AIMessage("Final Answer: done"),
    ];
    const { wrapped } = await setUp({ kind: "createReactAgent", outputs, tools: [like] });
    const { steps } = await run(way, wrapped);
    expect(steps).toMatchObject([
      { action: { toolInput: "a b", repairs: [] }, observation: "said a b" },
    ]);
  });

  test("errors and events name the tool call", async () => {
    const errors: unknown[] = [];
    const events: unknown[] = [];
    const { wrapped } = await setUp({
      outputs: [call({ nothing: 1 }), call("#a"), new AIMessage("done")],
      options: {
        onUnfixable: (error) => void errors.push(error),
        onToolCall: (event) => void events.push(event),
      },
      handleParsingErrors: true,
    });
    await run(way, wrapped);
    expect(errors).toEqual([expect.any(ToolInputError)]);
    expect(errors).toMatchObject([{ toolCall: { id: "call_1", name: "click" } }]);
    expect(events).toMatchObject([
      {
        callId: "call_1",
        outcome: "refused",
        error: { toolCall: { id: "call_1", name: "click" } },
      },
      { callId: "call_1", outcome: "repaired", toolInput: { selector: "#a" } },
    ]);
  });
});
