import { expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { repairToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

const ran: number[] = [];
const pay = tool(({ amount }) => `${ran.push(amount)}`, {
  name: "pay",
  schema: z.object({ amount: z.number() }),
});
const UNKNOWN = { name: "zap", args: { to: { deep: 1 } }, id: "call_zap" };
const VALID = { name: "pay", args: { amount: 2 }, id: "call_pay" };
const CONFIG = { configurable: { thread_id: "1" } };
const GO = { messages: [{ role: "user" as const, content: "Go." }] };
const answersOf = (messages: readonly BaseMessage[]) =>
  messages.filter((one) => one.getType() === "tool").map(({ content }) => content);

describeSince("1.5")("a run that ended in a handler", () => {
  const agentWith = (options: ToolInputMiddlewareOptions, ...calls: readonly (typeof VALID)[]) =>
    createAgent({
      model: saying(calling(...calls), new AIMessage("done")),
      tools: [pay],
      checkpointer: new MemorySaver(),
      middleware: [
        toolInputMiddleware({ ...options, tools: [pay] }),
        humanInTheLoopMiddleware({ interruptOn: { pay: true } }),
      ],
    });

  test("goes on when it is resumed: the handler is asked again, approved calls run", async () => {
    ran.length = 0;
    let asked = 0;
    const onUnfixable = () => {
      if (++asked === 1) throw new Error("The database is down.");
      return "There is no such tool.";
    };
    const agent = agentWith({ onUnfixable }, { ...VALID, id: "call_1" }, VALID);
    await agent.invoke(GO, CONFIG);
    const editedAction = { name: "pay", args: { amount: "none of it" } };
    const decisions = [{ type: "edit", editedAction }, { type: "approve" }];
    const resumed = agent.invoke(new Command({ resume: { decisions } }), CONFIG);
    await expect(resumed).rejects.toThrow(/database is down|Multiple errors/);
    const { messages } = await agent.invoke(null, CONFIG);
    expect(asked).toBe(2);
    expect(ran).toEqual([2]);
    expect(answersOf(messages)).toEqual(["There is no such tool.", "1"]);
  });
});

describeSince("1.5")("a handler that is asked about an unknown tool", () => {
  test("has a time limit, and a copy of the data", async () => {
    const slow = repairToolCalls([pay], {
      onUnfixable: () => new Promise<never>(() => {}),
      limits: { handlerTimeoutMs: 20 },
    });
    await expect(slow.invoke(calling(UNKNOWN))).rejects.toMatchObject({
      reason: "handler_timeout",
      toolName: "zap",
    });
    const changing = repairToolCalls([pay], {
      onUnfixable: (_, data) => {
        (data as typeof UNKNOWN.args).to.deep = 99;
        return "There is no such tool.";
      },
    });
    const message = calling(UNKNOWN);
    await changing.invoke(message).catch(() => {});
    expect(message.tool_calls?.[0]?.args).toEqual(UNKNOWN.args);
  });
});
