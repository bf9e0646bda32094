import { describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import type { InputEvent } from "toolmend";
import { repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { recordsOf } from "#src/langchain/message/messages.ts";
import { run, setUp } from "../../support/langchain/executor/set-up.ts";
import { saying } from "../../support/langchain/middleware/calling-model.ts";

const ARGS = { before: "2025-01-01" };
const JSON_ARGS = JSON.stringify(ARGS);
const NAMES = [
  `delete_messages${JSON_ARGS}`,
  `delete_messages(${JSON_ARGS})`,
  `delete_messages:${JSON_ARGS}`,
  `delete_messages\n${JSON_ARGS}`,
  `delete_messages<|message|>${JSON_ARGS}`,
];

function deleteTool() {
  const ran: unknown[] = [];
  const deleteMessages = tool(
    (input) => {
      ran.push(input);
      return "deleted";
    },
    {
      name: "delete_messages",
      description: "Deletes messages: all, or those before a day.",
      schema: z.object({ before: z.string().optional(), folder: z.string().optional() }),
    },
  );
  return { deleteMessages, ran };
}

/** A call as each provider's package holds it. */
const MESSAGES: readonly (readonly [string, (name: string) => AIMessage])[] = [
  [
    "LangChain's tool_calls",
    (name) => new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "call_1" }] }),
  ],
  [
    "OpenAI's tool_calls",
    (name) =>
      new AIMessage({
        content: "",
        tool_calls: [{ name, args: {}, id: "call_1" }],
        additional_kwargs: {
          tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: "" } }],
        },
      }),
  ],
  [
    "Anthropic's content",
    (name) =>
      new AIMessage({
        content: [{ type: "tool_use", id: "call_1", name, input: {} }],
        tool_calls: [{ name, args: {}, id: "call_1" }],
      }),
  ],
  [
    "invalid_tool_calls",
    (name) =>
      new AIMessage({
        content: "",
        invalid_tool_calls: [{ name, args: "", id: "call_1", type: "invalid_tool_call" }],
      }),
  ],
];

/** All that a message holds, apart from toolmend's own record of what the model wrote. */
function sentForms({ content, tool_calls, invalid_tool_calls, additional_kwargs }: AIMessage) {
  return JSON.stringify({ content, tool_calls, invalid_tool_calls, additional_kwargs });
}

describe.each(MESSAGES)("arguments in the name of a call in %s", (_, write) => {
  test.each(NAMES)("run, are recorded and are sent next, by repairToolCalls: %s", async (name) => {
    const { deleteMessages } = deleteTool();
    const events: InputEvent[] = [];
    const step = repairToolCalls([deleteMessages], { onToolCall: (event) => events.push(event) });
    const message = await step.invoke(write(name));
    expect(message.tool_calls).toMatchObject([{ name: "delete_messages", args: ARGS }]);
    expect(sentForms(message)).not.toContain(JSON.stringify(name).slice(1, -1));
    expect(sentForms(message)).not.toMatch(/"(?:input|arguments|args)":(?:\{\}|"")/);
    const [record] = recordsOf(message);
    expect(record).toMatchObject({
      nameRepair: { fixer: "cut-tool-name", before: name, after: "delete_messages" },
      repairs: [{ fixer: "cut-tool-name", path: "", after: ARGS, level: "safe" }],
    });
    expect(events).toMatchObject([{ toolInput: ARGS, nameRepair: { before: name } }]);
    expect(events).toMatchObject([{ repairs: [{ fixer: "cut-tool-name" }] }]);
    expect((await step.invoke(message)).tool_calls).toEqual(message.tool_calls);
  });

  test("run in an agent with the middleware, and the model is sent what ran", async () => {
    for (const name of NAMES) {
      const { deleteMessages, ran } = deleteTool();
      const model = saying(write(name));
      const agent = createAgent({
        model,
        tools: [deleteMessages],
        middleware: [toolInputMiddleware()],
      });
      await agent.invoke({ messages: [{ role: "user", content: "Clean up." }] });
      expect(ran).toEqual([ARGS]);
      const sent = model.calls[1]?.messages.find((one) => AIMessage.isInstance(one)) as AIMessage;
      expect(sent.tool_calls).toMatchObject([{ name: "delete_messages", args: ARGS }]);
      expect(sentForms(sent)).not.toContain(JSON.stringify(name).slice(1, -1));
    }
  });
});

const answerIn = (messages: readonly BaseMessage[]) =>
  messages.find((one) => ToolMessage.isInstance(one))?.content;

describe("a name that holds more, or other arguments than were given", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["other arguments", NAMES[0] as string, { folder: "spam" }],
    ["cut-off arguments", 'delete_messages{"before":"2025', {}],
    ["two objects", `delete_messages${JSON_ARGS}${JSON_ARGS}`, {}],
    ["a word", `delete_messages${JSON_ARGS} unless read`, {}],
  ])("does not run, and the model reads why: %s", async (_, name, args) => {
    const { deleteMessages, ran } = deleteTool();
    const said = new AIMessage({ content: "", tool_calls: [{ name, args, id: "call_1" }] });
    const model = saying(said);
    const agent = createAgent({
      model,
      tools: [deleteMessages],
      middleware: [toolInputMiddleware({ level: "eager" })],
    });
    const { messages } = await agent.invoke({
      messages: [{ role: "user", content: "Clean up." }],
    });
    expect(ran).toEqual([]);
    expect(answerIn(messages)).toContain('"delete_messages" and nothing else');
    expect(answerIn(messages)).toContain(JSON.stringify(name).slice(1, 30));
    const step = repairToolCalls([deleteMessages], { level: "eager" });
    await expect(step.invoke(said)).rejects.toMatchObject({ reason: "unknown_tool" });
  });

  test("shows the rejected arguments in the history, if the tool's schema rejects them", async () => {
    const { deleteMessages } = deleteTool();
    const name = 'delete_messages{"before":{"day":1}}';
    const said = new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "call_1" }] });
    const model = saying(said);
    const agent = createAgent({
      model,
      tools: [deleteMessages],
      middleware: [toolInputMiddleware()],
    });
    await agent.invoke({ messages: [{ role: "user", content: "Clean up." }] });
    const sent = model.calls[1]?.messages.find((one) => AIMessage.isInstance(one)) as AIMessage;
    expect(sent.tool_calls).toMatchObject([
      { name: "delete_messages", args: { before: { day: 1 } } },
    ]);
  });
});

test("arguments in the name of an executor's action run and are recorded", async () => {
  const name = 'click{"selector":"#1"}';
  const call = new AIMessage({ content: "", tool_calls: [{ name, args: {}, id: "call_1" }] });
  const { wrapped, ran } = await setUp({ outputs: [call, new AIMessage("done")] });
  const { steps } = await run("invoke", wrapped);
  expect(ran).toEqual([{ selector: "#1" }]);
  expect(steps).toMatchObject([
    {
      action: {
        tool: "click",
        toolInput: { selector: "#1" },
        valid: true,
        nameRepair: { before: name },
        repairs: [{ fixer: "cut-tool-name", before: {}, after: { selector: "#1" } }],
      },
    },
  ]);
});
