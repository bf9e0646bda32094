import { describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  tool,
  toolErrorMiddleware,
} from "langchain";
import { createFixerRegistry } from "toolmend";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { recordsOf } from "#src/langchain/message/messages.ts";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";

function kit() {
  const ran: unknown[] = [];
  const click = tool(
    (input) => {
      ran.push(input);
      if (input.selector === "#down") throw DOWN;
      return `clicked ${input.selector}`;
    },
    { name: "click", description: "Clicks.", schema: z.strictObject({ selector: z.string() }) },
  );
  return { ran, tools: [click] };
}

const DOWN = new RangeError("The page is down.");
const call = (id: string, args: unknown, name = "click") => ({ id, name, args });

function rounds(count: number): AIMessage[] {
  return Array.from({ length: count }, (_, index) =>
    calling(call(`call_${index}`, { selector: `#${index}` })),
  );
}

async function run(said: readonly AIMessage[], options: ToolInputMiddlewareOptions | "bare" = {}) {
  const { ran, tools } = kit();
  const model = saying(...said);
  const middleware = options === "bare" ? [] : [toolInputMiddleware(options)];
  const agent = createAgent({ model, tools, middleware });
  const { messages } = await agent.invoke({ messages: ["Buy it."] });
  return { ran, messages, sent: model.calls.map((one) => one.messages) };
}

function shown(messages: readonly BaseMessage[]): readonly unknown[] {
  return messages.map((message) => {
    if (ToolMessage.isInstance(message)) return [message.tool_call_id, message.status];
    if (!AIMessage.isInstance(message)) return message.getType();
    const { tool_calls = [], invalid_tool_calls = [] } = message;
    return { calls: tool_calls.map(({ id }) => id), invalid: invalid_tool_calls.length };
  });
}

describe("the steps of a graph", () => {
  test.each(["bare", {}] as const)("are no more than without toolmend: %j", async (options) => {
    const { ran } = await run(rounds(11), options);

    expect(ran).toHaveLength(11);
    await expect(run(rounds(12), options)).rejects.toThrow("Recursion limit of 25");
  });
});

describe("at the tools", () => {
  test("answers a rejected call in its place, and the run goes on", async () => {
    const said = calling(
      call("call_a", { Selector: "#a" }),
      call("call_b", { one: 1, two: 2 }),
      call("call_c", { selector: "#c" }),
    );
    const { ran, messages, sent } = await run([said]);

    expect(ran).toEqual([{ selector: "#a" }, { selector: "#c" }]);
    const asked = { calls: ["call_a", "call_b", "call_c"], invalid: 0 };
    const answers = [
      ["call_a", "success"],
      ["call_b", "error"],
      ["call_c", "success"],
    ];
    expect(shown(sent[1] ?? [])).toEqual(["human", asked, ...answers]);
    expect(shown(messages).slice(0, 5)).toEqual(["human", asked, ...answers]);
    const answer = messages[3];
    expect(answer?.content).toMatch(
      /^The input of tool "click" was not accepted, and the tool was not run/,
    );
  });

  test.each([
    ["an input that cannot be repaired", calling(call("call_a", { one: 1, two: 2 }))],
    [
      "text that was cut off",
      unreadable({ id: "call_a", name: "click", args: '{"selector": "#b' }),
    ],
    ["a tool that does not exist", unreadable({ id: "call_a", name: "fly", args: "{}" })],
  ])("goes on after a turn whose calls were all rejected: %s", async (_, said) => {
    const { ran, messages } = await run([said]);

    expect(ran).toEqual([]);
    expect(shown(messages)).toEqual([
      "human",
      { calls: ["call_a"], invalid: 0 },
      ["call_a", "error"],
      { calls: [], invalid: 0 },
    ]);
  });

  test("runs a call that another middleware makes right after it was rejected", async () => {
    const { ran, tools } = kit();
    const mend = createMiddleware({
      name: "mend",
      afterModel: ({ messages }) => {
        const last = messages.at(-1) as AIMessage;
        if (last.tool_calls?.[0]?.id !== "call_a") return;
        last.tool_calls[0].args = { selector: "#right" };
        return { messages: [last] };
      },
    });
    const agent = createAgent({
      model: saying(calling(call("call_a", { one: 1, two: 2 }))),
      tools,
      middleware: [toolInputMiddleware(), mend],
    });

    await agent.invoke({ messages: ["Buy it."] });

    expect(ran).toEqual([{ selector: "#right" }]);
  });

  test("repairs a call that another middleware changed, before its tool rejects it", async () => {
    const { ran, tools } = kit();
    const spoil = createMiddleware({
      name: "spoil",
      afterModel: ({ messages }) => {
        const last = messages.at(-1) as AIMessage;
        if (last.tool_calls?.[0]?.id !== "call_a") return;
        last.tool_calls[0].args = { Selector: "#spoilt" };
        return { messages: [last] };
      },
    });
    const agent = createAgent({
      model: saying(calling(call("call_a", { selector: "#a" }))),
      tools,
      middleware: [toolInputMiddleware(), spoil],
    });

    const { messages } = await agent.invoke({ messages: ["Buy it."] });

    expect(ran).toEqual([{ selector: "#spoilt" }]);
    expect((messages[1] as AIMessage).tool_calls?.[0]?.args).toEqual({ selector: "#spoilt" });
    expect(shown(messages)).toHaveLength(4);
  });

  test('toolErrors: "throw" leaves what a tool throws to LangChain, as with any middleware there', async () => {
    const inert = createMiddleware({
      name: "inert",
      wrapToolCall: (request, handler) => handler(request),
    });
    const start = (...middleware: readonly AgentMiddleware[]) => {
      const model = saying(calling(call("call_a", { selector: "#down" })));
      const agent = createAgent({ model, tools: kit().tools, middleware });
      return agent.invoke({ messages: ["Buy it."] });
    };
    const mend = toolInputMiddleware({ toolErrors: "throw" }) as AgentMiddleware;

    await expect(start(inert)).rejects.toBe(DOWN);
    await expect(start(mend)).rejects.toBe(DOWN);
    const { messages } = await start(
      mend,
      toolErrorMiddleware({ onError: String }) as AgentMiddleware,
    );
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("a tool that interrupts the run is no tool that fails", async () => {
    const ask = tool(() => `approved: ${interrupt("May I?")}`, {
      name: "ask",
      description: "Asks.",
      schema: z.strictObject({}),
    });
    const said = [calling(call("call_a", {}, "ask"))];
    const agent = createAgent({
      model: saying(...said),
      tools: [ask],
      middleware: [toolInputMiddleware()],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };

    const first = await agent.invoke({ messages: ["Buy it."] }, config);
    expect(first).toMatchObject({ __interrupt__: [{ value: "May I?" }] });

    const { messages } = await agent.invoke(new Command({ resume: "yes" }), config);
    expect(messages[2]?.content).toBe("approved: yes");
  });

  test("other middleware gets a view of the tool, or the tool itself where nothing needs repair", async () => {
    const { tools } = kit();
    const seen: unknown[] = [];
    const watch = createMiddleware({
      name: "watch",
      wrapToolCall: (request, handler) => {
        seen.push(request.tool);
        return handler(request);
      },
    });
    for (const toolErrors of ["answer", "throw"] as const) {
      const agent = createAgent({
        model: saying(calling(call("call_a", { selector: "#a" }))),
        tools,
        middleware: [toolInputMiddleware({ toolErrors }), watch],
      });
      await agent.invoke({ messages: ["Buy it."] });
    }

    expect(seen[0]).toMatchObject({ name: "click", description: "Clicks." });
    expect(seen[0]).toBeInstanceOf(tools[0]?.constructor);
    expect(seen[1]).toBe(tools[0]);
  });

  test("a rejected call that its tool would take is not run", async () => {
    const ran: unknown[] = [];
    const lax = tool((input) => ran.push(input), {
      name: "click",
      description: "Clicks.",
      schema: z.object({ selector: z.string() }),
    });
    const args = '{"selector": "#b", "dry_run": true}';
    const refusing = createFixerRegistry(undefined, { undeclaredKeys: "refuse" });
    const agent = createAgent({
      model: saying(unreadable({ id: "call_a", name: "click", args })),
      tools: [lax],
      middleware: [toolInputMiddleware({ fixers: refusing })],
    });

    const { messages } = await agent.invoke({ messages: ["Buy it."] });

    expect(ran).toEqual([]);
    expect(messages[2]?.content).toMatch(/^The input of tool "click" was not accepted/);
  });

  test("a rejected call that a human edits is run", async () => {
    const { ran, tools } = kit();
    const agent = createAgent({
      model: saying(calling(call("call_a", { one: 1, two: 2 }))),
      tools,
      middleware: [
        toolInputMiddleware({ humanInTheLoop: false }),
        humanInTheLoopMiddleware({ interruptOn: { click: true } }),
      ],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke({ messages: ["Buy it."] }, config);
    const editedAction = { name: "click", args: { selector: "#c" } };
    const decisions = [{ type: "edit", editedAction }];

    await agent.invoke(new Command({ resume: { decisions } }), config);

    expect(ran).toEqual([{ selector: "#c" }]);
  });

  test("keeps what the model wrote with the message", async () => {
    const said = unreadable({ id: "call_a", name: "click", args: '{"selector": "#b' });
    const { messages } = await run([said]);

    const asked = messages.find((one) => AIMessage.isInstance(one)) as AIMessage;
    expect(recordsOf(asked)).toMatchObject([{ id: "call_a", rawToolInput: '{"selector": "#b' }]);
  });
});
