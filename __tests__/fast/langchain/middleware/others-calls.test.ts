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
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import { saying } from "../../../support/langchain/middleware/calling-model.ts";

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
      model: saying(made),
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
