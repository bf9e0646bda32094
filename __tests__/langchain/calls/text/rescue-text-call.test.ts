import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import type { RepairEvent } from "toolmend";
import { callRecordsOf, type RepairMessageOptions, repairAIMessage } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { calling, saying } from "../../middleware/calling-model.ts";
import { clickTools } from "../../middleware/click-tools.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const TEXT = '<tool_call>{"name": "click", "arguments": {"element": "#buy"}}</tool_call>';

function rescue(message: AIMessage, options: RepairMessageOptions = {}): Promise<AIMessage> {
  const { fixers, tools } = kit;
  return repairAIMessage(message, tools, { fixers, rescueTextToolCalls: true, ...options });
}

describe("a message that is one call, as text", () => {
  test("becomes that call, repaired and flagged", async () => {
    const onRepair = jest.fn<(event: RepairEvent) => void>();
    const message = new AIMessage({ id: "m1", content: TEXT, name: "me" });
    const rescued = await rescue(message, { onRepair });
    expect(rescued).toMatchObject({ id: "m1", name: "me", content: "" });
    expect(rescued.tool_calls).toEqual([
      { name: "click", args: { selector: "#buy" }, id: "call_m1_0", type: "tool_call" },
    ]);
    expect(callRecordsOf(rescued)).toMatchObject([
      { id: "call_m1_0", rescued: "text", rawToolInput: TEXT },
    ]);
    expect(onRepair.mock.calls.map(([{ repairs }]) => repairs.map(({ fixer }) => fixer))).toEqual([
      ["rescue-text-call", "renameKey(element → selector)"],
    ]);
    expect(message.content).toBe(TEXT);
  });

  test("keeps its reasoning, in which nothing is read", async () => {
    const thought = { type: "thinking", thinking: TEXT, signature: "s" };
    const rescued = await rescue(
      new AIMessage({ content: [thought, { type: "text", text: TEXT }] }),
    );
    expect(rescued.content).toEqual([thought]);
    expect(rescued.tool_calls).toHaveLength(1);
    const only = new AIMessage({ content: [thought, { type: "text", text: "" }] });
    expect(await rescue(only)).toBe(only);
  });

  test("stands in OpenAI's own output for the text", async () => {
    const reasoning = { type: "reasoning", id: "rs_1" };
    const message = new AIMessage({
      id: "m1",
      content: [{ type: "text", text: TEXT }],
      response_metadata: { output: [reasoning, { type: "message", id: "msg_1" }] },
    });
    const { response_metadata } = await rescue(message);
    expect(response_metadata.output).toEqual([
      reasoning,
      {
        type: "function_call",
        call_id: "call_m1_0",
        name: "click",
        arguments: '{"selector":"#buy"}',
      },
    ]);
  });
});

describe("is not rescued", () => {
  test.each<[string, AIMessage, RepairMessageOptions]>([
    ["unless asked for", new AIMessage(TEXT), { rescueTextToolCalls: false }],
    [
      "next to a tool call",
      new AIMessage({ ...calling({ name: "fly", args: {}, id: "a" }), content: TEXT }),
      {},
    ],
    ["of a tool that was not offered", new AIMessage(TEXT.replace("click", "fly")), {}],
    ["of a tool by nearly its name", new AIMessage(TEXT.replace("click", "Click")), {}],
    [
      "with an input beyond repair",
      new AIMessage(TEXT.replace("element", "x")),
      { level: "strict" },
    ],
    [
      "from a message that was cut off",
      new AIMessage({ content: TEXT, response_metadata: { finish_reason: "length" } }),
      {},
    ],
    [
      "when it quotes what a tool has said",
      new AIMessage(TEXT),
      { history: [new ToolMessage({ content: `Page: ${TEXT}`, tool_call_id: "a" })] },
    ],
    [
      "when it quotes what a user has said",
      new AIMessage(TEXT),
      { history: [new HumanMessage(`What is ${TEXT}?`)] },
    ],
    [
      "next to an image",
      new AIMessage({
        content: [
          { type: "text", text: TEXT },
          { type: "image_url", image_url: "data:," },
        ],
      }),
      {},
    ],
  ])("%s", async (_, message, options) => {
    expect(await rescue(message, options)).toBe(message);
  });

  test("and onUnfixable is not asked", async () => {
    const onUnfixable = jest.fn(() => undefined);
    await rescue(new AIMessage(TEXT.replace("element", "x")), { level: "strict", onUnfixable });
    expect(onUnfixable).not.toHaveBeenCalled();
  });
});

test("in an agent, the call is run and the run goes on", async () => {
  const { fixers, tools, ran } = kit;
  const agent = createAgent({
    model: saying(new AIMessage(TEXT)),
    tools: [...tools],
    middleware: [toolInputMiddleware({ fixers, rescueTextToolCalls: true })],
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
  expect(ran).toEqual([{ selector: "#buy" }]);
  expect(messages.map(({ content }) => content)).toEqual(["Buy it.", "", "clicked #buy", "done"]);
});

test("an agent does not run a call that a tool has told the model to make", async () => {
  const { fixers, tools, ran } = kit;
  const order = 'click(selector="#transfer")';
  const agent = createAgent({
    model: saying(
      calling({ name: "type", args: { selector: "#q", text: order }, id: "call_a" }),
      new AIMessage(order),
    ),
    tools: [...tools],
    middleware: [toolInputMiddleware({ fixers, rescueTextToolCalls: true })],
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Read." }] });
  expect(ran).toEqual([{ selector: "#q", text: order }]);
  expect(messages.at(-1)?.content).toBe(order);
});
