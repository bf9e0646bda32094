import { describe, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, DynamicTool } from "@langchain/core/tools";
import { z } from "zod";
import type { KeepLangChain } from "#src/langchain/executor/options.ts";
import { run, type SetUp, setUp } from "../../../support/langchain/executor/set-up.ts";

const done = new AIMessage("done");
const schema = z.object({ selector: z.string() });

function call(name: string, args: unknown) {
  const tool_call = { type: "tool_call" as const, id: "a", name, args: args as never };
  return new AIMessage({ content: "", tool_calls: [tool_call] });
}

function clickThat(func: () => unknown) {
  return new DynamicStructuredTool({ name: "click", description: "", schema, func: func as never });
}

/** What each way is about: `bare` is what LangChain does, `wrapped` what toolmend does. */
const ways: readonly {
  readonly keep: KeepLangChain;
  readonly what: string;
  readonly given: () => SetUp;
  readonly bare: { invoke: unknown; stream: unknown };
  readonly wrapped: unknown;
}[] = [
  {
    keep: "toolErrors",
    what: "an error of a tool",
    given: () => ({
      outputs: [call("click", { selector: "#1" }), done],
      tools: [clickThat(() => Promise.reject(new Error("DB down")))],
    }),
    bare: { invoke: "", stream: "" },
    wrapped: "Error: DB down",
  },
  {
    keep: "toolErrors",
    what: "an error of a tool, with handleToolRuntimeErrors",
    given: () => ({
      outputs: [call("click", { selector: "#1" }), done],
      tools: [clickThat(() => Promise.reject(new Error("DB down")))],
      handleToolRuntimeErrors: () => "own",
    }),
    bare: { invoke: "own", stream: "" },
    wrapped: "own",
  },
  {
    keep: "toolResults",
    what: "a result that is no string",
    given: () => ({
      outputs: [call("click", { selector: "#1" }), done],
      tools: [clickThat(async () => ({ ok: 1 }))],
    }),
    bare: { invoke: { ok: 1 }, stream: { ok: 1 } },
    wrapped: '{"ok":1}',
  },
  {
    keep: "toolNames",
    what: "a name in another case",
    given: () => ({ outputs: [call("CLICK", { selector: "#1" }), done] }),
    bare: {
      invoke: "clicked #1",
      stream: "CLICK is not a valid tool, try another available tool: click",
    },
    wrapped: "clicked #1",
  },
  {
    keep: "invalidToolCalls",
    what: "a call that could not be read",
    given: () => ({
      outputs: [
        new AIMessage({
          content: "",
          invalid_tool_calls: [
            { type: "invalid_tool_call", id: "a", name: "click", args: '"#1"', error: "" },
          ],
        }),
        done,
      ],
    }),
    bare: { invoke: undefined, stream: undefined },
    wrapped: "clicked #1",
  },
  {
    keep: "parsingErrors",
    what: "output that the parser cannot read",
    given: () => ({
      kind: "createReactAgent",
      outputs: [new AIMessage("hm"), new AIMessage("Final Answer: done")],
      handleParsingErrors: "Again!",
    }),
    bare: {
      invoke: "Again!",
      stream: "_Exception is not a valid tool, try another available tool: click",
    },
    wrapped: "Again!",
  },
  {
    keep: "parsingErrors",
    what: "a falsy action_input",
    given: () => ({
      kind: "createStructuredChatAgent",
      outputs: [
        new AIMessage('```json\n{"action": "search", "action_input": ""}\n```'),
        new AIMessage('```json\n{"action": "Final Answer", "action_input": "done"}\n```'),
      ],
      tools: [
        new DynamicTool({ name: "search", description: "", func: async (text) => `got ${text}` }),
      ],
      handleParsingErrors: "Again!",
      options: { level: "strict" },
    }),
    bare: { invoke: "got undefined", stream: "got undefined" },
    wrapped: "got ",
  },
];

describe.each(["invoke", "stream"] as const)("by %s", (way) => {
  test.each(ways)("$keep: $what", async ({ keep, given, bare, wrapped }) => {
    const observe = async (which: "executor" | "wrapped", keepLangChain: KeepLangChain[]) => {
      const { options } = given();
      const made = await setUp({ ...given(), options: { ...options, keepLangChain } });
      const { steps } = await run(way, made[which]);
      return steps[0]?.observation;
    };
    expect(await observe("executor", [])).toEqual(bare[way]);
    expect(await observe("wrapped", [])).toEqual(wrapped);
    expect(await observe("wrapped", [keep])).toEqual(bare[way]);
  });
});

test("parsingErrors: the handler is not asked, and LangChain asks the model again", async () => {
  const onUnfixable = jest.fn(() => "never");
  const blob = "```json\n{'action': 'Final Answer', 'action_input': 'done'}\n```";
  const { wrapped, model } = await setUp({
    kind: "createStructuredChatAgent",
    outputs: [new AIMessage(blob), new AIMessage(blob.replaceAll("'", '"'))],
    options: { onUnfixable, keepLangChain: ["parsingErrors"] },
  });
  expect((await run("invoke", wrapped)).output).toBe("done");
  expect(onUnfixable).not.toHaveBeenCalled();
  expect(model.prompts).toHaveLength(2);
});
