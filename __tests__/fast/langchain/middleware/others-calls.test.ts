import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  createAgent,
  createMiddleware,
  fakeModel,
  humanInTheLoopMiddleware,
  tool,
} from "langchain";
import type { InputEvent } from "toolmend";
import { readToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import * as calls from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

const click = tool(({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "",
  schema: z.object({ selector: z.string() }),
});
const add = tool(({ a, b }) => `${a + b}`, {
  name: "add",
  description: "",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const calling = (name: string, args: Record<string, unknown>, content: unknown = "") =>
  new AIMessage({ content: content as string, tool_calls: [{ id: "1", name, args }] });

test("a call that a human redirects to another tool is sent as such, in the provider's form too", async () => {
  const args = { selector: "#old" };
  const block = { type: "tool_use", id: "1", name: "click", input: args };
  const model = fakeModel()
    .respond(calling("click", args, [block]))
    .respond(new AIMessage("done"));
  const agent = createAgent({
    model,
    tools: [click, add],
    checkpointer: new MemorySaver(),
    middleware: [toolInputMiddleware(), humanInTheLoopMiddleware({ interruptOn: { click: true } })],
  });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  const editedAction = { name: "add", args: { a: 1, b: 2 } };
  const decisions = [{ type: "edit", editedAction }];
  await agent.invoke(new Command({ resume: { decisions } }), config);
  const sent = model.calls[1]?.messages.find((one: BaseMessage) => AIMessage.isInstance(one));
  expect((sent as AIMessage).tool_calls).toMatchObject([editedAction]);
  expect(sent?.content).toEqual([
    { type: "tool_use", id: "1", name: "add", input: { a: 1, b: 2 } },
  ]);
});

test("an error thrown by the middleware of an agent in a tool is the tool's own error", async () => {
  const failing = createMiddleware({
    name: "failing",
    wrapModelCall: () => {
      throw new Error("inner down");
    },
  });
  const inner = createAgent({ model: fakeModel(), tools: [add], middleware: [failing] });
  const ask = tool(
    async () => {
      await inner.invoke({ messages: [{ role: "user", content: "go" }] });
      return "done";
    },
    { name: "ask", description: "", schema: z.object({}) },
  );
  const answers = async (middleware: readonly ReturnType<typeof toolInputMiddleware>[]) => {
    const model = fakeModel().respond(calling("ask", {})).respond(new AIMessage("done"));
    const agent = createAgent({ model, tools: [ask], middleware: [...middleware] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
    return messages.map(({ content }) => content);
  };
  expect(await answers([toolInputMiddleware()])).toEqual(await answers([]));
});

test("a call written as text in a model's refusal is not a call", async () => {
  const content = '<tool_call>{"name":"click","arguments":{"selector":"#buy"}}</tool_call>';
  const options = { rescueTextToolCalls: true };
  const rescued = await repairMessage(new AIMessage(content), [click], options);
  expect(rescued.tool_calls).toHaveLength(1);
  const refusal = new AIMessage({ content, additional_kwargs: { refusal: "I will not." } });
  expect(await repairMessage(refusal, [click], options)).toBe(refusal);
});

describe("a call of a tool that the model was not offered", () => {
  const run = async (
    made: AIMessage,
    inner: ReturnType<typeof createMiddleware>,
    tools: readonly StructuredToolInterface[] = [add],
  ) => {
    const agent = createAgent({
      model: calls.saying(made),
      tools: [...tools],
      middleware: [toolInputMiddleware(), inner],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
    return messages.map(({ content }) => content);
  };
  const seen: unknown[] = [];
  const running = createMiddleware({
    name: "running",
    wrapToolCall: (request, handler) => {
      if (request.toolCall.name !== "click") return handler(request);
      seen.push(request.tool, request.toolCall.args);
      return handler({ ...request, tool: click });
    },
  });
  beforeEach(() => {
    seen.length = 0;
  });

  test("is run by other middleware that has it", async () => {
    const args = { selector: "#buy" };
    expect(await run(calling("click", args), running)).toContain("clicked #buy");
    expect(seen).toEqual([undefined, args]);
  });

  test("is rejected if no middleware has it, with the names of the others", async () => {
    const [, , answer] = await run(calling("hover", { selector: "#buy" }), running);
    expect(answer).toMatch(/^The tool call was not accepted.*one of "add"/s);
  });

  test("is rejected where its input could not be read", async () => {
    const call = { name: "click", args: "{'selector", id: "1", type: "invalid_tool_call" as const };
    const made = new AIMessage({ content: "", invalid_tool_calls: [call] });
    const [, , answer] = await run(made, running);
    expect(answer).toMatch(/^The tool call was not accepted/);
    expect(seen).toEqual([]);
  });

  const selecting = createMiddleware({
    name: "selecting",
    wrapModelCall: (request, handler) =>
      handler({ ...request, tools: request.tools.filter(({ name }) => name !== "Click") }),
  });
  const other = tool(({ selector }) => `other ${selector}`, {
    name: "Click",
    description: "",
    schema: z.object({ selector: z.string() }),
  });

  test("is repaired and run where the agent has it", async () => {
    const made = calling("Click", { arguments: { selector: "#buy" } });
    expect(await run(made, selecting, [add, other])).toContain("other #buy");
  });

  test("is not taken for one of a tool with a similar name", async () => {
    const made = calling("Click", { selector: "#buy" });
    expect(await run(made, selecting, [click, other])).toContain("other #buy");
  });
});

describeSince("1.5")("a call of a tool that the model was not offered, but that can run", () => {
  const ran: unknown[] = [];
  const pay = tool(({ amount }) => ran.push(amount), {
    name: "pay",
    description: "",
    schema: z.object({ amount: z.number() }),
  });
  const filter = createMiddleware({
    name: "filter",
    wrapModelCall: (request, handler) =>
      handler({ ...request, tools: request.tools.filter(({ name }) => name === "click") }),
  });
  const give = createMiddleware({
    name: "give",
    wrapToolCall: (request, handler) =>
      handler(request.toolCall.name === "pay" ? { ...request, tool: pay } : request),
  });
  const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
  const config = { configurable: { thread_id: "1" } };
  const go = { messages: ["go"] };
  type Repair = ReturnType<typeof toolInputMiddleware>;
  const setUp = (
    made: readonly calls.ModelCall[],
    tools: readonly StructuredToolInterface[],
    around: (repair: Repair) => readonly (Repair | ReturnType<typeof createMiddleware>)[],
    version: "v1" | "v2" = "v1",
  ) => {
    const events: string[] = [];
    const checkpointer = new MemorySaver();
    const onToolCall = (event: InputEvent) => {
      if (event.kind === "call") events.push(`${event.outcome} ${event.toolName} ${event.callId}`);
    };
    const model = calls.saying(calls.calling(...made));
    const make = () => {
      const middleware = [...around(toolInputMiddleware({ onToolCall, trace: false }))];
      return createAgent({ model, tools: [...tools], checkpointer, middleware, version });
    };
    return { events, make };
  };
  const approving = () => humanInTheLoopMiddleware({ interruptOn: { pay: true } });
  beforeEach(() => {
    ran.length = 0;
  });

  test.each<[string, readonly StructuredToolInterface[], (repair: Repair) => readonly Repair[]]>([
    ["which outer middleware hides", [click, pay], (one) => [filter, one, approving()] as never],
    ["which inner middleware hides", [click, pay], (one) => [one, filter, approving()] as never],
    ["which inner middleware has", [click], (one) => [one, give, approving()] as never],
    ["which outer middleware has", [click], (one) => [give, one, approving()] as never],
  ])("%s, needs a human's approval, and is reported once", async (_, tools, around) => {
    const { events, make } = setUp([{ name: "pay", args: { amount: 2 }, id: "1" }], tools, around);
    const agent = make();
    const asked = await agent.invoke(go, config);

    expect(asked).toHaveProperty("__interrupt__");
    expect(ran).toEqual([]);
    await agent.invoke(approve, config);
    expect(ran).toEqual([2]);
    expect(events).toEqual(["valid pay 1"]);
  });

  test("has no approval by the reserved name", async () => {
    const name = "input_refused__pay";
    const made = [{ name, args: { amount: 2 }, id: "1" }];
    const around = (one: Repair) => [one, approving()] as never;
    const { events, make } = setUp(made, [click, pay], around);
    const { messages } = await make().invoke(go, config);

    expect(ran).toEqual([]);
    expect(messages[2]).toMatchObject({ status: "error" });
    expect(events).toEqual([`refused ${name} 1`]);
  });

  const MADE = [
    { name: "pay", args: { amount: "2" }, id: "1" },
    { name: "nope", args: { x: 1 }, id: "2" },
    { name: "pay", args: { amount: 3 }, id: "3" },
    { name: "click", args: { selector: "#a" }, id: "4" },
    { name: "pay", args: { sum: [] }, id: "5" },
  ];

  test.each(["v1", "v2"] as const)(
    "is repaired at the tools, the same after an interrupt and in another process: %s",
    async (version) => {
      const run = async (isStopped: boolean, isOther: boolean) => {
        ran.length = 0;
        const around = (one: Repair) => [filter, one] as never;
        const { events, make } = setUp(MADE, [click, pay], around, version);
        const agent = make();
        const stop = isStopped ? { ...config, interruptBefore: ["tools" as const] } : config;
        const first = await agent.invoke(go, stop as typeof config);
        const resumed = () => (isOther ? make() : agent).invoke(null, config);
        const { messages } = isStopped ? await resumed() : first;
        const read = await readToolCalls(messages, [click, pay]);
        const answers = read.map(({ id, valid, observation }) => [id, valid, observation]);
        return { ran: [...ran].sort(), events: events.sort(), answers };
      };
      const straight = await run(false, false);

      expect(straight.ran).toEqual([2, 3]);
      expect(straight.events).toEqual([
        "refused nope 2",
        "refused pay 5",
        "repaired pay 1",
        "valid click 4",
        "valid pay 3",
      ]);
      expect(straight.answers[1]).toEqual(["2", false, expect.stringMatching(/one of "click"/)]);
      expect(await run(true, false)).toEqual(straight);
      expect(await run(true, true)).toEqual(straight);
    },
  );

  test.each(["v1", "v2"] as const)(
    "is in the history as it ran, even if it reaches the tools after the others: %s",
    async (version) => {
      const late = createMiddleware({
        name: "late",
        wrapToolCall: async (request, handler) => {
          if (request.toolCall.id === "1") await new Promise((resolve) => setTimeout(resolve, 20));
          return handler(request);
        },
      });
      const pays = ["2", "3"].map((amount) => ({ name: "pay", args: { amount } }));
      const made = pays.map((call, index) => ({ ...call, id: `${index + 1}` }));
      const around = (one: Repair) => [filter, late, one] as never;
      const agent = setUp(made, [click, pay], around, version).make();
      await agent.invoke(go, config);
      const { messages } = (await agent.graph.getState(config)).values as { messages: AIMessage[] };

      expect(ran).toEqual([3, 2]);
      expect(messages[1]?.tool_calls).toMatchObject([
        { args: { amount: 2 } },
        { args: { amount: 3 } },
      ]);
    },
  );
});
