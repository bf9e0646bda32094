import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool, toolStrategy } from "langchain";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  type ModelCall,
  Repeating,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";

/**
 * LangGraph gives a message without an id one when it adds it to the state. A model that returns one
 * object twice, as fakes do, then replaces its own message, and the run ends: its calls are answered.
 */
async function runTwice(said: AIMessage, options: ToolInputMiddlewareOptions | "bare" = {}) {
  const ran: unknown[] = [];
  const click = tool((input) => ran.push(input), {
    name: "click",
    description: "Clicks.",
    schema: z.strictObject({ selector: z.string() }),
  });
  const say = tool((input) => ran.push(input), { name: "say", description: "Says." });
  const model = new Repeating(said);
  const agent = createAgent({
    model,
    tools: [click, say],
    middleware: options === "bare" ? [] : [toolInputMiddleware(options)],
  });
  const { messages } = await agent.invoke({ messages: ["Buy it."] }, { recursionLimit: 60 });
  return { ran, asked: model.count, types: messages.map((message) => message.getType()) };
}

const RIGHT = { name: "click", args: { selector: "#buy" }, id: "call_a" };

describe("a message without an id that a model returns twice", () => {
  const bare = { ran: [{ selector: "#buy" }], asked: 2, types: ["human", "ai", "tool"] };

  test("replaces itself without toolmend, and if it needs no repair", async () => {
    expect(await runTwice(calling(RIGHT), "bare")).toEqual(bare);
    expect(await runTwice(calling(RIGHT))).toEqual(bare);
  });

  test("replaces itself after a repair", async () => {
    expect(await runTwice(calling({ ...RIGHT, args: { Selector: "#buy" } }))).toEqual(bare);
  });

  test("replaces itself if the model may be asked to correct it", async () => {
    const said = calling({ ...RIGHT, args: { Selector: "#buy" } });

    expect(await runTwice(said, { selfCorrect: {} })).toEqual(bare);
  });

  test("replaces itself if its call could not be parsed", async () => {
    const said = unreadable({ name: "click", args: '{"selector": "#buy",}', id: "call_a" });

    expect(await runTwice(said)).toEqual(bare);
  });

  test("replaces itself if the key of a string tool is misspelled", async () => {
    const call: ModelCall = { name: "say", args: { Input: "arg1" }, id: "call_a" };

    expect(await runTwice(calling(call))).toEqual({ ...bare, ran: ["arg1"] });
  });

  test("replaces itself if its calls had no ids", async () => {
    const said = calling({ name: "click", args: { selector: "#buy" } });

    expect(await runTwice(said)).toEqual(bare);
  });
});

test("a message without an id replaces itself if it gives a structured response too", async () => {
  const Answer = z.object({ title: z.string() });
  const said = calling({ name: "answer", args: { title: "t" }, id: "call_a" });
  const format = toolStrategy({ title: "answer", ...(z.toJSONSchema(Answer) as object) } as never);
  const agent = createAgent({
    model: new Repeating(said),
    tools: [],
    middleware: [toolInputMiddleware()],
    responseFormat: format,
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };

  await agent.invoke({ messages: ["What is it?"] }, config);
  const { messages } = await agent.invoke({ messages: ["And now?"] }, config);

  expect(
    messages.filter((message) => message.getType() === "ai" && message.id === said.id),
  ).toHaveLength(1);
});

test("a call is judged by the tools of its own agent if another's message has the same id", async () => {
  const ran: unknown[] = [];
  const repair = toolInputMiddleware();
  const agentOf = (schema: z.ZodObject, args: Record<string, unknown>) => {
    const pay = tool((input) => ran.push(input), { name: "pay", description: "Pays.", schema });
    const call = { name: "pay", args, id: "call_a" };
    const said = new AIMessage({ id: "same", content: "", tool_calls: [call] });
    return createAgent({
      model: saying(said),
      tools: [pay],
      checkpointer: new MemorySaver(),
      middleware: [repair, humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    });
  };
  const config = { configurable: { thread_id: "1" } };
  const agent = agentOf(z.object({ amount: z.union([z.number(), z.string()]) }), { amount: 1 });
  await agent.invoke({ messages: ["Pay."] }, config);
  await agentOf(z.object({ amount: z.string() }), { amount: "1" }).invoke(
    { messages: ["Pay."] },
    config,
  );
  const editedAction = { name: "pay", args: { amount: 2 } };
  const decisions = [{ type: "edit", editedAction }];
  await agent.invoke(new Command({ resume: { decisions } }), config);

  expect(ran).toEqual([{ amount: 2 }]);
});

test("a rejected call of a message that replaces itself has its own name, beside an approval too", async () => {
  const click = tool(() => "clicked", {
    name: "click",
    description: "Clicks.",
    schema: z.object({ selector: z.string() }),
  });
  const agent = createAgent({
    model: new Repeating(calling({ name: "click", args: { one: 1, two: 2 }, id: "call_a" })),
    tools: [click],
    checkpointer: new MemorySaver(),
    middleware: [toolInputMiddleware(), humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
  });
  const { messages } = await agent.invoke(
    { messages: ["Buy it."] },
    { configurable: { thread_id: "1" } },
  );
  const calls = messages.filter(AIMessage.isInstance).flatMap(({ tool_calls = [] }) => tool_calls);

  expect(calls.map(({ name }) => name)).toEqual(["click"]);
});
