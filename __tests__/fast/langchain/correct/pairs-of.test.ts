import { describe, expect, test } from "@jest/globals";
import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { wrapTool } from "toolmend";
import { pairsOf } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";

const orderTool = (name = "order") =>
  tool(async () => "done", {
    name,
    description: "",
    schema: z.strictObject({ product: z.string(), amount: z.number() }),
  });

const call = (id: string, args: unknown, name = "order") => ({ id, name, args });
const BAD = { item: "bread", amount: "many" };
const GOOD = { product: "bread", amount: 2 };
const bad = call("call_bad", BAD);
const good = call("call_good", GOOD);
const GO = { messages: [{ role: "user", content: "go" }] };

type Options = Parameters<typeof toolInputMiddleware>[0];

async function history(messages: AIMessage[], options: Options = {}): Promise<BaseMessage[]> {
  const agent = createAgent({
    model: saying(...messages),
    tools: [orderTool(), orderTool("cancel")],
    middleware: [toolInputMiddleware({ trace: false, ...options })],
  });
  return (await agent.invoke(GO)).messages;
}

const PAIR = { toolName: "order", of: "call_bad", rawToolInput: BAD, toolInput: GOOD };

describe("a pair is found in a history", () => {
  test.each(["afterModel", "wrapToolCall"] as const)(
    "after a refusal, by the later call (%s)",
    async (hook) => {
      const messages = await history([calling(bad), calling(good)], { hook });
      expect(pairsOf(messages)).toEqual([{ ...PAIR, by: "call_good", source: "later-call" }]);
    },
  );

  test("after a refusal of text that LangChain could not read", async () => {
    const args = '{"item": "bread", "amount": ';
    const first = unreadable({ id: "call_bad", name: "order", args });
    const messages = await history([first, calling(good)]);
    expect(pairsOf(messages)).toMatchObject([{ of: "call_bad", rawToolInput: args }]);
  });

  test("after a refusal by LangChain itself, or by a wrapped tool, without the middleware", async () => {
    for (const one of [orderTool(), wrapTool(orderTool(), { trace: false })]) {
      const model = saying(calling(bad), calling(good));
      const { messages } = await createAgent({ model, tools: [one] }).invoke(GO);
      expect(pairsOf(messages)).toEqual([{ ...PAIR, by: "call_good", source: "later-call" }]);
      const asked = [new HumanMessage("go"), calling(bad)];
      const refused: ToolMessage[] = await new ToolNode([one]).invoke(asked);
      const answered = new ToolMessage({ content: "done", tool_call_id: "call_good" });
      expect(pairsOf([...asked, ...refused, calling(good), answered])).toMatchObject([PAIR]);
    }
  });

  test.each([
    ["with one call", [calling(bad), calling(good)], "call_good"],
    [
      "beside a call that was right",
      [calling(call("call_held", { product: "milk", amount: 1 }), bad), calling(good)],
      "call_bad",
    ],
    [
      "at the second attempt",
      [calling(bad), calling(call("call_worse", { goods: "bread" })), calling(good)],
      "call_good",
    ],
  ] as const)("where the model corrected itself, %s", async (_, messages, by) => {
    const selfCorrect = { maxAttempts: 3 };
    const found = pairsOf(await history([...messages], { selfCorrect }));
    expect(found[0]).toEqual({ ...PAIR, by, source: "self-correct" });
    expect(found.every(({ toolInput }) => toolInput !== BAD)).toBe(true);
  });

  test("where a handler gave another input", async () => {
    const messages = await history([calling(bad)], { onUnfixable: () => GOOD });
    expect(pairsOf(messages)).toEqual([{ ...PAIR, by: "call_bad", source: "handler" }]);
  });

  test("where a human edited a refused call, from a checkpoint", async () => {
    const checkpointer = new MemorySaver();
    const agent = createAgent({
      model: saying(calling(bad)),
      tools: [orderTool()],
      middleware: [
        toolInputMiddleware({ hook: "wrapToolCall", trace: false }),
        humanInTheLoopMiddleware({ interruptOn: { order: true } }),
      ],
      checkpointer,
    });
    const config = { configurable: { thread_id: "t" } };
    await agent.invoke(GO, config);
    const decisions = [{ type: "edit" as const, editedAction: { name: "order", args: GOOD } }];
    await agent.invoke(new Command({ resume: { decisions } }), config);
    const saved = await checkpointer.get(config);
    const messages = saved?.channel_values.messages as BaseMessage[];
    expect(pairsOf(messages)).toEqual([{ ...PAIR, by: "call_bad", source: "human" }]);
  });

  test("of two calls that were refused together, each with its own", async () => {
    const milk = call("call_milk", { item: "milk", amount: "some" });
    const later = calling(call("call_2", { product: "milk", amount: 1 }), good);
    const found = pairsOf(await history([calling(bad, milk), later]));
    expect(found.map(({ of, by }) => [of, by])).toEqual([
      ["call_bad", "call_good"],
      ["call_milk", "call_2"],
    ]);
  });
});

describe("no pair is found", () => {
  test("with a later call of another tool", async () => {
    const other = call("call_other", GOOD, "cancel");
    expect(pairsOf(await history([calling(bad), calling(other)]))).toEqual([]);
  });

  test("with a later call that says nothing of what was said before", async () => {
    const other = call("call_other", { product: "milk", amount: 1 });
    expect(pairsOf(await history([calling(bad), calling(other)]))).toEqual([]);
  });

  test("with a call after somebody has spoken, or of another thread", async () => {
    const [one = [], other = []] = [await history([calling(bad)]), await history([calling(good)])];
    expect(pairsOf([...one, ...other])).toEqual([]);
  });

  test("with a call that was refused again, or not run", async () => {
    const worse = call("call_worse", { goods: "bread", amount: 2 });
    expect(pairsOf(await history([calling(bad), calling(worse)]))).toEqual([]);
    const [asked, first, answer] = await history([calling(bad)]);
    expect(pairsOf([asked, first, answer, calling(good)] as BaseMessage[])).toEqual([]);
  });

  test("where nothing was refused", async () => {
    expect(pairsOf(await history([calling(good), calling(call("call_2", GOOD))]))).toEqual([]);
  });
});

test.each([undefined, "a history", {}])("%j is refused", (messages) => {
  expect(() => pairsOf(messages as never)).toThrow(TypeError);
});
