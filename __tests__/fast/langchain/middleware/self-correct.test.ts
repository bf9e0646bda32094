import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { isToolInputParsingException, ToolInputError } from "toolmend";
import { callRecordsOf } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import type { AttemptEvent } from "toolmend/runnables";
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
  const attempts: AttemptEvent[] = [];
  const onAttempt = (event: AttemptEvent) => attempts.push(event);
  const agent = createAgent({
    model,
    tools: [...kit.tools],
    middleware: [
      toolInputMiddleware({
        fixers: kit.fixers,
        ...options,
        selfCorrect: { onAttempt, ...selfCorrect },
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const invoke = async (text = "Buy it.", thread = "1"): Promise<BaseMessage[]> => {
    const messages = [{ role: "user", content: text }];
    return (await agent.invoke({ messages }, { configurable: { thread_id: thread } })).messages;
  };
  return { model, attempts, invoke, agent };
}

const shape = (messages: readonly BaseMessage[] = []) =>
  messages.map((message) => {
    const { tool_calls, tool_call_id } = message as unknown as Record<string, { args: object }[]>;
    return tool_calls?.length
      ? tool_calls.map(({ args }) => args)
      : (tool_call_id ?? message.content);
  });

function correctionsOf(message: BaseMessage | undefined): readonly unknown[] {
  const metadata = message?.response_metadata as { toolmend?: { corrections: unknown[] } };
  return metadata?.toolmend?.corrections ?? [];
}

describe("selfCorrect of an agent", () => {
  test("the model corrects itself: the history and its next prompt hold the corrected call alone", async () => {
    const { model, invoke, attempts } = agentOf([[wrong], [click("#buy")], done]);
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
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      "click",
      undefined,
    ]);
    expect(attempts).toMatchObject([
      { attempt: 1, ok: false, errors: [{ toolName: "click" }], usage: { total_tokens: 15 } },
      { attempt: 2, remedy: "self-correction", ok: true, totalUsage: { total_tokens: 30 } },
      { attempt: 1, remedy: "first", ok: true },
    ]);
    expect((messages[1] as AIMessage).usage_metadata).toMatchObject({ total_tokens: 30 });
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
    expect(callRecordsOf(asked as AIMessage)).toMatchObject([
      { id: "call_1_3", rawToolInput: { element: "#q", text: "b" } },
      { id: "call_1_2", rawToolInput: { element: "#buy" }, repairs: [{ path: "" }] },
    ]);
    expect(callRecordsOf(asked as AIMessage).some(({ error }) => error)).toBe(false);
  });

  test("where nothing helps it is as without: the model is told, and the run goes on", async () => {
    const { model, invoke, attempts } = agentOf([[wrong], [other], done]);
    const messages = await invoke();
    expect(kit.ran).toEqual([]);
    expect(shape(messages)).toEqual(["Buy it.", [other.args], "call_2_1", "Done."]);
    expect(model.asked).toHaveLength(3);
    expect(attempts[1]).toMatchObject({ ok: false, stopped: "attempts" });
  });

  test("giveUp: throw ends the run with the error", async () => {
    const { invoke } = agentOf([[wrong], [wrong]], { giveUp: "throw" });
    await expect(invoke()).rejects.toThrow(/did not match expected schema of tool "click"/);
    const again = agentOf([[wrong], [wrong]], { giveUp: "throw" });
    const error = await again.invoke("Buy it.", "other").catch((thrown: unknown) => thrown);
    expect(isToolInputParsingException(error)).toBe(true);
  });

  test("the storm breaker and the budget hold for the whole run, and end with it", async () => {
    const repeated = agentOf([[wrong], [click("#a")], [wrong], done], { maxAttempts: 5 });
    await repeated.invoke();
    expect(repeated.attempts.map(({ stopped }) => stopped)).toEqual([
      undefined,
      undefined,
      "repeated",
      undefined,
    ]);
    const answers: Answer[] = [[wrong], [click("#a")], [other], done, [wrong], [click("#b")], done];
    const spent = agentOf(answers, { maxCorrections: 1 });
    await spent.invoke();
    expect(spent.attempts[2]).toMatchObject({ stopped: "budget" });
    expect(kit.ran.at(-1)).toEqual({ selector: "#a" });
    spent.attempts.length = 0;
    await spent.invoke("And again.");
    expect(kit.ran.at(-1)).toEqual({ selector: "#b" });
    expect(spent.attempts).toMatchObject([
      { attempt: 1, ok: false },
      { attempt: 2, ok: true },
      { attempt: 1, ok: true },
    ]);
  });

  test.each([
    ["full", 50_000],
    ["bounded", 400],
    ["outline", 400],
  ] as const)(
    "a long mistake is known again in the next turn, and kept as record %s says",
    async (record, most) => {
      const long = { name: "click", args: { one: "x".repeat(20_000), two: 2 } };
      const swapped = { name: "click", args: { two: 2, one: long.args.one } };
      const answers = [[long], [click("#a")], [swapped], done];
      const { model, attempts, invoke } = agentOf(answers, {}, { record });

      const messages = await invoke();

      expect(attempts.map(({ stopped }) => stopped)).toContain("repeated");
      expect(model.asked).toHaveLength(4);
      const corrections = correctionsOf(messages[1]);
      expect(corrections).toHaveLength(1);
      expect(JSON.stringify(corrections).length).toBeLessThan(most);
      expect(JSON.stringify(corrections).includes("xxx")).toBe(record === "full");
    },
  );

  test('a short mistake is kept, but not where record is "outline"', async () => {
    for (const record of ["bounded", "outline"] as const) {
      const { invoke } = agentOf([[wrong], [click("#a")], done], {}, { record });
      const [, said] = await invoke();
      const digest = { length: 17, hash: expect.any(String) };
      expect(correctionsOf(said)).toMatchObject([
        record === "outline"
          ? { toolName: "click", omitted: { causingData: digest } }
          : { toolName: "click", causingData: wrong.args },
      ]);
    }
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
    expect(mixed.attempts[1]).toMatchObject({ ok: false, stopped: "no-call" });
    expect(shape(messages).at(-1)).toBe("Done.");
  });

  test("a provider that refuses to force a call is asked without", async () => {
    const { model, invoke } = agentOf([[wrong], new Error("tool_choice!"), [click("#a")], done]);
    await invoke();
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      "click",
      undefined,
      undefined,
    ]);
  });

  test("the model's own messages are as they were, and no stack is shown to it", async () => {
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

  test("a valid message is handed on by reference", async () => {
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
  expect(ToolInputError.isInstance(new Error(""))).toBe(false);
});
