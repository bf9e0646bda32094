import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { recordsOf } from "#src/langchain/message/messages.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { type Answer, ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const done = new AIMessage("Done.");
const wrong = { name: "click", args: { one: 1, two: 2 } };
const other = { name: "click", args: { three: 3, four: 4 } };
const click = (selector: string) => ({ name: "click", args: { selector } });
const typing = (text: string) => ({ name: "type", args: { selector: "#q", text } });

function agentOf(
  answers: readonly Answer[],
  selfCorrect: NonNullable<ToolInputMiddlewareOptions["selfCorrect"]> = {},
  options: ToolInputMiddlewareOptions = {},
) {
  const model = new ScriptedModel(...answers);
  const agent = createAgent({
    model,
    tools: [...kit.tools],
    middleware: [
      toolInputMiddleware({
        fixers: kit.fixers,
        ...options,
        selfCorrect,
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const invoke = async (text = "Buy it.", thread = "1"): Promise<BaseMessage[]> => {
    const messages = [{ role: "user", content: text }];
    return (await agent.invoke({ messages }, { configurable: { thread_id: thread } })).messages;
  };
  return { model, invoke, agent };
}

const shape = (messages: readonly BaseMessage[] = []) =>
  messages.map((message) => {
    const { tool_calls, tool_call_id } = message as unknown as Record<string, { args: object }[]>;
    return tool_calls?.length
      ? tool_calls.map(({ args }) => args)
      : (tool_call_id ?? message.content);
  });

describe("selfCorrect of an agent", () => {
  test("the model corrects itself: the history and its next prompt hold the corrected call alone", async () => {
    const { model, invoke } = agentOf([[wrong], [click("#buy")], done]);
    const messages = await invoke();
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const history = ["Buy it.", [{ selector: "#buy" }], "call_2_1", "Done."];
    expect(shape(messages)).toEqual(history);
    expect(shape(model.asked[2]?.messages)).toEqual(history.slice(0, -1));
    expect(model.asked[1]?.messages).toMatchObject([
      { content: "Buy it." },
      { tool_calls: [{ id: "call_1_1", args: wrong.args }] },
      {
        tool_call_id: "call_1_1",
        status: "error",
        content: expect.stringMatching(/^The input of tool "click" was not accepted/),
      },
      { content: expect.stringMatching(/with corrected arguments/) },
    ]);
  });

  test("what can be repaired is: the model is not asked again", async () => {
    const { model, invoke } = agentOf([[{ name: "click", args: { element: "#a" } }], done]);
    await invoke();
    expect(kit.ran).toEqual([{ selector: "#a" }]);
    expect(model.asked).toHaveLength(2);
  });

  test("of many calls, those that were right wait, and the corrected ones take their place", async () => {
    const { model, invoke } = agentOf([
      [typing("a"), wrong, { name: "type", args: { element: "#q", text: "b" } }],
      [{ name: "click", args: { element: "#buy" } }, typing("extra")],
      done,
    ]);
    const messages = await invoke();
    expect(kit.ran).toHaveLength(3);
    expect(kit.ran).toEqual(
      expect.arrayContaining([
        { selector: "#q", text: "a" },
        { selector: "#buy" },
        { selector: "#q", text: "b" },
      ]),
    );
    const [, asked, ...answers] = messages;
    expect(asked).toMatchObject({
      tool_calls: [
        { id: "call_1_1", args: { text: "a" } },
        { id: "call_1_2", args: { selector: "#buy" } },
        { id: "call_1_3", args: { selector: "#q", text: "b" } },
      ],
      invalid_tool_calls: [],
    });
    expect(shape(answers)).toEqual(["call_1_1", "call_1_2", "call_1_3", "Done."]);
    const told = model.asked[1]?.messages.slice(2, 5);
    expect(told).toMatchObject([
      { content: expect.stringMatching(/^Accepted/) },
      { status: "error" },
      { content: expect.stringMatching(/^Accepted/) },
    ]);
    expect(recordsOf(asked as AIMessage)).toMatchObject([
      { id: "call_1_3", rawToolInput: { element: "#q", text: "b" } },
      { id: "call_1_2", rawToolInput: { element: "#buy" }, repairs: [{ path: "" }] },
    ]);
    expect(recordsOf(asked as AIMessage).some(({ error }) => error)).toBe(false);
  });

  test("if no correction succeeds, the model reads why, and the run goes on", async () => {
    const { model, invoke } = agentOf([[wrong], [other], done]);
    const messages = await invoke();
    expect(kit.ran).toEqual([]);
    expect(shape(messages)).toEqual(["Buy it.", [other.args], "call_2_1", "Done."]);
    expect(model.asked).toHaveLength(3);
  });

  test("a model that repeats a mistake is not asked about it again", async () => {
    const stuck = agentOf([[wrong], [wrong], done], { maxAttempts: 5 });
    await stuck.invoke();
    expect(stuck.model.asked).toHaveLength(3);
  });

  test("it is asked as often as maxAttempts says", async () => {
    const answers: Answer[] = [[wrong], [other], [click("#a")], done];
    const { model, invoke } = agentOf(answers, { maxAttempts: 3 });
    await invoke();
    expect(model.asked).toHaveLength(4);
    expect(kit.ran).toEqual([{ selector: "#a" }]);
  });

  test("onUnfixable comes first", async () => {
    const { model, invoke } = agentOf(
      [[wrong], done],
      {},
      { onUnfixable: () => ({ selector: "#c" }) },
    );
    await invoke();
    expect(kit.ran).toEqual([{ selector: "#c" }]);
    expect(model.asked).toHaveLength(2);
    const told = agentOf([[wrong], done], {}, { onUnfixable: () => "Look first." });
    expect(shape(await told.invoke())).toHaveLength(4);
    expect(told.model.asked[1]?.messages.at(-1)?.content).toBe("Look first.");
  });

  test("a call that onUnfixable has answered waits with that answer", async () => {
    const onUnfixable = (_: unknown, data: unknown) =>
      JSON.stringify(data) === JSON.stringify(other.args) ? "Ask a human." : undefined;
    const { model, invoke } = agentOf([[wrong, other], [click("#a")], done], {}, { onUnfixable });
    await invoke();
    expect(model.asked[1]?.messages.slice(2, 4)).toMatchObject([
      { status: "error", content: expect.stringMatching(/^The input of tool "click" was not/) },
      { content: "Ask a human." },
    ]);
    expect(kit.ran).toEqual([{ selector: "#a" }]);
  });

  test("a call that LangChain cannot read is corrected too", async () => {
    const { model, invoke } = agentOf([[{ name: "click", args: "[true, 5" }], [click("#a")], done]);
    await invoke();
    expect(kit.ran).toEqual([{ selector: "#a" }]);
    expect(model.asked[1]?.messages[1]).toMatchObject({
      tool_calls: [{ id: "call_1_1", args: { malformed_arguments: "[true, 5" } }],
    });
  });

  test("a model that answers instead of calling again ends the run with its answer", async () => {
    const { invoke } = agentOf([[wrong], done]);
    expect(shape(await invoke())).toEqual(["Buy it.", "Done."]);
    const mixed = agentOf([[typing("a"), wrong], done, done]);
    const messages = await mixed.invoke("Go.", "2");
    expect(kit.ran).toEqual([{ selector: "#q", text: "a" }]);
    expect(shape(messages).at(-1)).toBe("Done.");
  });

  test("the model is shown its call in the provider's form, too", async () => {
    const said = new AIMessage({
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "tool_use", id: "c", name: "click", input: "[1" },
      ],
      invalid_tool_calls: [{ type: "invalid_tool_call", id: "c", name: "click", args: "[1" }],
    });
    const right = new AIMessage({
      content: "",
      tool_calls: [{ ...click("#a"), id: "d", type: "tool_call" }],
    });
    const { model, invoke } = agentOf([said, right, done]);
    await invoke();
    expect(model.asked[1]?.messages[1]).toMatchObject({
      content: [
        { type: "thinking", signature: "s" },
        { type: "tool_use", id: "c", input: { malformed_arguments: "[1" } },
      ],
      tool_calls: [{ id: "c", args: { malformed_arguments: "[1" } }],
      invalid_tool_calls: [],
    });
  });

  test("the model's own messages stay unchanged, and it sees no stack", async () => {
    const said = new AIMessage({
      content: "",
      tool_calls: [{ ...wrong, id: "c", type: "tool_call" }],
    });
    const { model, invoke } = agentOf([said, [click("#a")], done]);
    await invoke();
    expect(said.tool_calls).toMatchObject([wrong]);
    expect(said.response_metadata).toEqual({});
    expect(JSON.stringify(model.asked[1]?.messages)).not.toMatch(/node_modules|\.ts:\d+/);
  });

  test("a valid message is returned by reference", async () => {
    const said = new AIMessage({
      content: "",
      id: "m",
      tool_calls: [{ ...click("#a"), id: "c", type: "tool_call" }],
    });
    const { agent } = agentOf([said, done]);
    const { messages } = await agent.invoke(
      { messages: [new HumanMessage("Go.")] },
      { configurable: { thread_id: "9" } },
    );
    expect((messages[1] as AIMessage).response_metadata).toEqual({});
  });
});

test("wrong options are a TypeError, at once", () => {
  expect(() => toolInputMiddleware({ selfCorrect: { maxAttempts: 0 } })).toThrow(TypeError);
});
