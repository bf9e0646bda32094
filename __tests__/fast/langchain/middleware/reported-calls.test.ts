import { expect, test } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, humanInTheLoopMiddleware, toolStrategy } from "langchain";
import type { InputEvent } from "toolmend";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import {
  describeSince,
  testSince,
} from "../../../support/langchain/middleware/langchain-version.ts";

const CALL = { name: "click", args: { selector: "#a" }, id: "call_a" };
const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };
const TYPE = { name: "type", args: { selector: "#q", text: "x" }, id: "call_c" };
const GO = { messages: [{ role: "user" as const, content: "Buy it." }] };

function listening() {
  const events: string[] = [];
  const onToolCall = (event: InputEvent) => {
    const id = event.kind === "call" ? event.callId : event.by;
    events.push(`${event.kind} ${event.outcome} ${id} ${JSON.stringify(event.toolInput)}`);
  };
  return { events, options: { onToolCall, trace: false } satisfies ToolInputMiddlewareOptions };
}

describeSince("1.5")("a call that a human decides about", () => {
  const decide = async (decision: object, said: object = CALL.args) => {
    const { tools, fixers } = clickTools();
    const { events, options } = listening();
    const saver = new MemorySaver();
    const config = { configurable: { thread_id: "1" } };
    const agent = (...messages: readonly AIMessage[]) =>
      createAgent({
        model: saying(...messages),
        tools: [...tools],
        checkpointer: saver,
        middleware: [
          toolInputMiddleware({ ...options, fixers }),
          humanInTheLoopMiddleware({ interruptOn: { click: true } }),
        ],
      });
    await agent(calling({ ...CALL, args: said })).invoke(GO, config);
    await agent().invoke(new Command({ resume: { decisions: [decision] } }), config);
    return events;
  };
  const edit = (selector: string) => ({
    type: "edit",
    editedAction: { name: "click", args: { selector } },
  });

  test.each([{ type: "approve" }, edit("#a"), edit("#b")])(
    "is reported once if its input is valid: %j",
    async (decision) => {
      expect(await decide(decision)).toEqual(['call valid call_a {"selector":"#a"}']);
    },
  );

  test("is reported again if the edit needs a repair", async () => {
    const editedAction = { name: "click", args: { element: "#b" } };
    expect(await decide({ type: "edit", editedAction })).toEqual([
      'call valid call_a {"selector":"#a"}',
      'call repaired call_a {"selector":"#b"}',
    ]);
  });
});

describeSince("1.5")("a call beside a structured response", () => {
  const order = (args: object, id: string) => ({ name: "order", args, id });
  const REPAIRABLE = { name: "click", args: { element: "#a" }, id: "call_a" };
  const SHOE = { product: "shoe" };
  test.each([
    ["that is right", [calling(REPAIRABLE, BAD, order(SHOE, "call_o"))]],
    [
      "that is wrong",
      [calling(REPAIRABLE, BAD, order({}, "call_o")), calling(order(SHOE, "call_p"))],
    ],
    [
      "that has a rival",
      [
        calling(REPAIRABLE, BAD, order(SHOE, "call_o"), order(SHOE, "call_p")),
        calling(order(SHOE, "call_q")),
      ],
    ],
  ])("%s does not run, is not reported, and no handler is asked about it", async (_, said) => {
    const { tools, fixers, ran } = clickTools();
    const { events, options } = listening();
    const onUnfixable = () => `asked ${events.push("asked")}`;
    const format = z.object({ product: z.string() }).meta({ title: "order" });
    const agent = createAgent({
      model: saying(...said),
      tools: [...tools],
      middleware: [toolInputMiddleware({ ...options, trace: "full", fixers, onUnfixable })],
      responseFormat: toolStrategy(format),
    });
    const chunks: unknown[] = [];
    const streamMode = ["custom", "values"] as ("custom" | "values")[];
    for await (const chunk of await agent.stream(GO, { streamMode })) chunks.push(chunk);

    expect(chunks.at(-1)).toMatchObject(["values", { structuredResponse: SHOE }]);
    expect(chunks.filter((chunk) => (chunk as unknown[])[0] === "custom")).toEqual([]);
    expect(events).toEqual([]);
    expect(ran).toEqual([]);
  });
});

test("a model that corrects its call: calls that are left out are not reported as valid", async () => {
  const { tools, fixers, ran } = clickTools();
  const { events, options } = listening();
  const again = { ...TYPE, id: "call_2c" };
  const extra = { ...TYPE, args: { selector: "#q", text: "more" }, id: "call_2e" };
  const agent = createAgent({
    model: saying(calling(TYPE, BAD), calling(again, { ...CALL, id: "call_2a" }, extra)),
    tools: [...tools],
    middleware: [toolInputMiddleware({ ...options, fixers, selfCorrect: {} })],
  });
  await agent.invoke(GO);

  expect(ran).toHaveLength(2);
  expect(events).toEqual([
    'call valid call_c {"selector":"#q","text":"x"}',
    "call refused call_b undefined",
    'call valid call_2a {"selector":"#a"}',
    'correction corrected call_2a {"selector":"#a"}',
  ]);
});

test("a model that corrects its call in text: calls that are left out are not reported", async () => {
  const { tools, fixers, ran } = clickTools();
  const { events, options } = listening();
  const basket = { ...CALL, args: { selector: "#basket" } };
  const text = [basket, { ...TYPE, args: { selector: "#search", text: "umbrella" } }]
    .map(({ name, args }) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`)
    .join("\n");
  const reading = { ...options, fixers, selfCorrect: {}, rescueTextToolCalls: true };
  const agent = createAgent({
    model: saying(calling(TYPE, BAD), new AIMessage({ id: "m", content: text })),
    tools: [...tools],
    middleware: [toolInputMiddleware(reading)],
  });
  await agent.invoke(GO);

  expect(ran).toHaveLength(2);
  expect(events).toEqual([
    'call valid call_c {"selector":"#q","text":"x"}',
    "call refused call_b undefined",
    'call rescued call_m_0 {"selector":"#basket"}',
    'correction corrected call_m_0 {"selector":"#basket"}',
  ]);
});

test("an id of an earlier turn is replaced: LangChain takes a call with an answered id for done", async () => {
  const { tools, fixers, ran } = clickTools();
  const { events, options } = listening();
  const agent = createAgent({
    model: saying(calling(CALL), calling({ ...CALL, args: { selector: "#b" } })),
    tools: [...tools],
    middleware: [toolInputMiddleware({ ...options, fixers })],
  });
  const { messages } = await agent.invoke(GO);

  expect(ran).toEqual([{ selector: "#a" }, { selector: "#b" }]);
  const calls = messages.filter(AIMessage.isInstance).flatMap(({ tool_calls = [] }) => tool_calls);
  const answers = messages.filter(ToolMessage.isInstance);
  const ids = calls.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
  expect(events.map((event) => event.split(" ")[2])).toEqual(ids);
});

testSince("1.5")("calls in a command of inner middleware are reported once", async () => {
  const { tools, fixers } = clickTools();
  const { events, options } = listening();
  const faulty = { name: "click", args: { element: "#b" }, id: "call_c" };
  const inner = createMiddleware({
    name: "inner",
    wrapModelCall: (request, handler) => {
      if (request.messages.length > 1) return handler(request);
      const said = calling(CALL, BAD, faulty, { name: "nope", args: {}, id: "call_d" });
      return new Command({ update: { messages: [said] } });
    },
  });
  const middleware = [toolInputMiddleware({ ...options, fixers }), inner] as const;
  const agent = createAgent({ model: saying(), tools: [...tools], middleware });
  const { messages } = await agent.invoke(GO);

  expect(messages.filter(ToolMessage.isInstance)).toMatchObject([
    { tool_call_id: "call_a", content: "clicked #a" },
    { tool_call_id: "call_b", status: "error" },
    { tool_call_id: "call_c", content: "clicked #b" },
    { tool_call_id: "call_d", status: "error" },
  ]);
  expect(messages[1]).toMatchObject({ tool_calls: [{}, {}, { args: { selector: "#b" } }, {}] });
  expect(events).toEqual([
    'call valid call_a {"selector":"#a"}',
    "call refused call_b undefined",
    'call repaired call_c {"selector":"#b"}',
    "call refused call_d undefined",
  ]);
});
