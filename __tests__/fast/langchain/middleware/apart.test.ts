import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, jest, test } from "@jest/globals";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, humanInTheLoopMiddleware, tool } from "langchain";
import type { InputEvent } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { ByHistory, calling } from "../../../support/langchain/middleware/calling-model.ts";
import {
  describeSince,
  testSince,
} from "../../../support/langchain/middleware/langchain-version.ts";

// What runs side by side must not know of each other: threads, and the calls of one message.

const ran: number[] = [];
const pay = tool(
  ({ amount }) => {
    ran.push(amount);
    return `paid ${amount}`;
  },
  { name: "pay", description: "Pays.", schema: z.object({ amount: z.number() }) },
);
const GO = { messages: [new HumanMessage("Pay.")] };
const thread = (id: string) => ({ configurable: { thread_id: id } });
const edit = (amount: unknown) => ({
  type: "edit",
  editedAction: { name: "pay", args: { amount } },
});
const resume = (...decisions: object[]) => new Command({ resume: { decisions } });
const wait = (call: string, ms: number) =>
  createMiddleware({
    name: "wait",
    wrapToolCall: async (request, handler) => {
      if ([request.toolCall.id, request.toolCall.name].includes(call)) await sleep(ms);
      return handler(request);
    },
  });
/** The arguments of the calls in a history. */
const shown = (messages: readonly BaseMessage[]) =>
  messages.flatMap((one) =>
    AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ args }) => args) : [],
  );

beforeEach(() => {
  ran.length = 0;
});

describeSince("1.5")("two threads whose model gave one message", () => {
  const twoCalls = () =>
    calling(
      { id: "a", name: "pay", args: { amount: 1 } },
      { id: "b", name: "pay", args: { amount: 2 } },
    );

  test.each(["v1", "v2"] as const)("show their own edits: %s", async (version) => {
    const cached = twoCalls();
    const agent = createAgent({
      model: new ByHistory(() => cached),
      tools: [pay],
      version,
      checkpointer: new MemorySaver(),
      middleware: [
        wait("b", 15),
        toolInputMiddleware({ tools: [pay] }),
        humanInTheLoopMiddleware({ interruptOn: { pay: true } }),
      ],
    });
    await Promise.all(["1", "2"].map((id) => agent.invoke(GO, thread(id))));
    const [one, two] = await Promise.all([
      agent.invoke(resume(edit("10"), edit("20")), thread("1")),
      sleep(5).then(() => agent.invoke(resume(edit("30"), edit("40")), thread("2"))),
    ]);

    expect(shown(one.messages)).toEqual([{ amount: 10 }, { amount: 20 }]);
    expect(shown(two.messages)).toEqual([{ amount: 30 }, { amount: 40 }]);
  });

  test.each([
    ["v1", true],
    ["v1", false],
    ["v2", true],
    ["v2", false],
  ] as const)("are aborted one by one: %s, with a checkpointer: %s", async (version, isSaved) => {
    const cached = calling({ id: "a", name: "nope", args: {} });
    const onUnfixable = async () => {
      await sleep(60);
      return "handled";
    };
    const agent = createAgent({
      model: new ByHistory(() => cached),
      tools: [pay],
      version,
      ...(isSaved && { checkpointer: new MemorySaver() }),
      middleware: [toolInputMiddleware({ onUnfixable })],
    });
    const abort = new AbortController();
    const one = agent.invoke(GO, { ...(isSaved && thread("1")), signal: abort.signal });
    const two = agent.invoke(GO, isSaved ? thread("2") : {});
    setTimeout(() => abort.abort(new Error("user 1 left")), 20);

    await expect(one).rejects.toThrow("user 1 left");
    expect((await two).messages[2]?.content).toBe("handled");
  });
});

test("a tool that has finished does not run again because another call's handler failed", async () => {
  let failures = 0;
  const onUnfixable = async () => {
    await sleep(40);
    failures += 1;
    if (failures === 1) throw new Error("handler down");
    return "no such tool";
  };
  const agent = createAgent({
    model: new ByHistory(() =>
      calling({ id: "a", name: "pay", args: { amount: 1 } }, { id: "b", name: "nope", args: {} }),
    ),
    tools: [pay],
    version: "v2",
    checkpointer: new MemorySaver(),
    middleware: [toolInputMiddleware({ onUnfixable })],
  });
  await expect(agent.invoke(GO, thread("1"))).rejects.toThrow("handler down");
  const { messages } = await agent.invoke(null, thread("1"));

  expect(ran).toEqual([1]);
  expect(messages.slice(2, 4).map(({ content }) => content)).toEqual(["paid 1", "no such tool"]);
});

testSince("1.5")(
  "calls that a human edited are all in the history as they ran, though the first arrives last",
  async () => {
    const checkpointer = new MemorySaver();
    const make = () =>
      createAgent({
        model: new ByHistory(() =>
          calling(
            { id: "a", name: "pay", args: { amount: 1 } },
            { id: "b", name: "pay", args: { amount: 2 } },
          ),
        ),
        tools: [pay],
        checkpointer,
        middleware: [
          wait("a", 30),
          toolInputMiddleware(),
          humanInTheLoopMiddleware({ interruptOn: { pay: true } }),
        ],
      });
    await make().invoke(GO, thread("1"));
    const { messages } = await make().invoke(resume(edit("10"), edit("20")), thread("1"));
    expect(shown(messages)).toEqual([{ amount: 10 }, { amount: 20 }]);
  },
);

describeSince("1.5")("a call that a human edited", () => {
  const decide = async (
    run: (n: number) => unknown,
    onUnfixable?: () => Promise<string>,
    others: readonly { id: string; name: string; args: object }[] = [],
  ) => {
    const events: string[] = [];
    const count = tool(({ n }) => run(n), {
      name: "count",
      description: "Counts.",
      schema: z.object({ n: z.number() }),
    });
    const onToolCall = (event: InputEvent) =>
      void events.push(`${event.outcome} ${event.toolName}`);
    const own = toolInputMiddleware({ onUnfixable, onToolCall, tools: [count], trace: false });
    const agent = createAgent({
      model: new ByHistory(() => calling({ id: "a", name: "count", args: { n: 1 } }, ...others)),
      tools: [count],
      version: "v2",
      checkpointer: new MemorySaver(),
      middleware: [
        wait("nope", 30),
        own,
        humanInTheLoopMiddleware({ interruptOn: { count: true, nope: true } }),
      ],
    });
    await agent.invoke(GO, thread("1"));
    const editedAction = { name: "count", args: { n: "10" } };
    const decided = resume(
      { type: "edit", editedAction },
      ...others.map(() => ({ type: "approve" })),
    );
    return { events, go: (input: Command | null) => agent.invoke(input, thread("1")), decided };
  };

  test("is in the history as it ran, and reported once, if an unknown call beside it fails later", async () => {
    const handle = jest.fn<() => Promise<string>>();
    handle.mockImplementationOnce(async () => {
      await sleep(40);
      throw new Error("handler down");
    });
    handle.mockResolvedValue("no such tool");
    const beside = [{ id: "b", name: "nope", args: {} }];
    const { events, go, decided } = await decide((n) => ran.push(n), handle, beside);
    await expect(go(decided)).rejects.toThrow("handler down");
    const { messages } = await go(null);

    expect(ran).toEqual([10]);
    expect(shown(messages)).toEqual([{ n: 10 }, {}]);
    expect(events).toEqual(["valid count", "repaired count", "answered nope"]);
  });

  test("runs in its turn: its judgement keeps no other call from running after it", async () => {
    const beside = [{ id: "b", name: "count", args: { n: 2 } }];
    const { go, decided } = await decide((n) => ran.push(n), undefined, beside);
    await go(decided);

    expect(ran).toEqual([10, 2]);
  });

  test("may have a tool that answers with a frozen command", async () => {
    const answer = new ToolMessage({ content: "ten", tool_call_id: "a" });
    const { go, decided } = await decide(() =>
      Object.freeze(new Command({ update: { messages: [answer] } })),
    );
    const { messages } = await go(decided);

    expect(shown(messages)).toEqual([{ n: 10 }]);
    expect(messages[2]?.content).toBe("ten");
  });

  test("may have a tool that removes its message", async () => {
    const answer = new ToolMessage({ content: "ten", tool_call_id: "a" });
    const { go, decided } = await decide((_n) => {
      const removed = new RemoveMessage({ id: "__remove_all__" });
      return new Command({ update: { messages: [removed, new HumanMessage("Anew."), answer] } });
    });
    const { messages } = await go(decided);

    expect(messages.map(({ content }) => content)).not.toContain("Pay.");
    expect(shown(messages)).toEqual([]);
  });
});

describeSince("1.5")("a command of inner middleware", () => {
  const run = async (
    said: AIMessage,
    around: readonly ReturnType<typeof createMiddleware>[] = [],
    version: "v1" | "v2" = "v2",
  ) => {
    const events: string[] = [];
    const onToolCall = (event: InputEvent) => {
      events.push(`${event.outcome} ${event.toolName}`);
    };
    const inner = createMiddleware({
      name: "inner",
      wrapModelCall: (request, handler) =>
        HumanMessage.isInstance(request.messages.at(-1))
          ? new Command({ update: [["messages", [said]]] })
          : handler(request),
    });
    const own = toolInputMiddleware({ onToolCall, tools: [pay], trace: false });
    const agent = createAgent({
      model: new ByHistory(() => said),
      tools: [pay],
      version,
      checkpointer: new MemorySaver(),
      middleware: [...around.slice(0, 1), own, inner, ...around.slice(1)],
    });
    const result = await agent.invoke(GO, thread("1"));
    return { events, messages: result.messages, result };
  };

  test.each(["v1", "v2"] as const)(
    "has calls that a human approves as they run: %s",
    async (version) => {
      const said = calling({ id: "a", name: "Pay", args: { amount: "5" } });
      const nothing = createMiddleware({ name: "nothing" });
      const human = humanInTheLoopMiddleware({ interruptOn: { pay: true } });
      const { result, events } = await run(said, [nothing, human as never], version);

      expect(result).toMatchObject({
        __interrupt__: [{ value: { actionRequests: [{ name: "pay", args: { amount: 5 } }] } }],
      });
      expect([ran, events]).toEqual([[], ["repaired pay"]]);
    },
  );

  test("has unreadable calls, and calls with one id, that run and are answered once", async () => {
    const said = new AIMessage({
      content: "",
      tool_calls: ["5", "6"].map((amount) => ({ id: "a", name: "pay", args: { amount } })),
      invalid_tool_calls: [
        { id: "b", name: "pay", args: '{"amount": 7,}', type: "invalid_tool_call" },
      ],
    });
    const { messages, events } = await run(said);
    const [, asked, ...answers] = messages as [unknown, AIMessage, ...BaseMessage[]];
    const ids = asked.tool_calls?.map(({ id }) => id);

    expect(ran).toEqual([5, 6, 7]);
    expect(events).toEqual(["repaired pay", "repaired pay", "rescued pay"]);
    expect(new Set(ids).size).toBe(3);
    expect(answers.slice(0, 3)).toMatchObject(ids?.map((tool_call_id) => ({ tool_call_id })) ?? []);
  });

  test("has a rejected call that does not run, even if outer middleware changes it", async () => {
    const said = calling({ id: "a", name: "pay", args: { amount: "many" } });
    const change = createMiddleware({
      name: "change",
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, args: { amount: 6 } } }),
    });
    const { messages, events } = await run(said, [change]);

    expect(ran).toEqual([]);
    expect(events).toEqual(["refused pay"]);
    expect(messages[2]).toMatchObject({ status: "error" });
  });

  test("is not changed: it may be frozen, and serve several threads", async () => {
    const said = calling(
      { id: "a", name: "pay", args: { amount: "5" } },
      { id: "b", name: "pay", args: { amount: "many" } },
    );
    said.id = "said";
    const update = Object.freeze({ messages: Object.freeze([said]) });
    const command = Object.freeze(new Command({ update: update as never }));
    const inner = createMiddleware({
      name: "inner",
      wrapModelCall: (request, handler) =>
        HumanMessage.isInstance(request.messages.at(-1)) ? command : handler(request),
    });
    const events: string[] = [];
    const onToolCall = ({ outcome }: InputEvent) => void events.push(outcome);
    const agent = createAgent({
      model: new ByHistory(() => said),
      tools: [pay],
      checkpointer: new MemorySaver(),
      middleware: [toolInputMiddleware({ onToolCall, trace: false }), inner],
    });
    for (const id of ["1", "2"]) {
      const { messages } = await agent.invoke(GO, thread(id));
      expect(shown(messages)).toEqual([{ amount: 5 }, { amount: "many" }]);
    }

    expect(ran).toEqual([5, 5]);
    expect(events).toEqual(["repaired", "refused", "repaired", "refused"]);
    expect(shown([said])).toEqual([{ amount: "5" }, { amount: "many" }]);
  });
});

describeSince("1.5")("calls that other middleware changed", () => {
  test.each(["v1", "v2"] as const)(
    "are reported once, even if outer middleware has another tool of the name: %s",
    async (version) => {
      const change = createMiddleware({
        name: "change",
        afterModel: ({ messages }) => {
          const last = messages.at(-1) as AIMessage;
          const changed = last.tool_calls?.map((call) => ({ ...call, args: { amount: "7" } }));
          if (!changed?.length) return undefined;
          return { messages: [new AIMessage({ ...last, id: last.id, tool_calls: changed })] };
        },
      });
      const other = tool(() => "other", { name: "pay", description: "", schema: pay.schema });
      const give = createMiddleware({
        name: "give",
        wrapToolCall: (request, handler) => handler({ ...request, tool: other }),
      });
      const events: string[] = [];
      const onToolCall = ({ outcome }: InputEvent) => void events.push(outcome);
      const made = ["a", "b"].map((id) => ({ id, name: "pay", args: { amount: 1 } }));
      const agent = createAgent({
        model: new ByHistory(() => calling(...made)),
        tools: [pay],
        version,
        middleware: [give, toolInputMiddleware({ onToolCall, tools: [pay], trace: false }), change],
      });
      const { messages } = await agent.invoke(GO);

      expect(shown(messages)).toEqual([{ amount: 7 }, { amount: 7 }]);
      expect(messages[2]?.content).toBe("other");
      expect(events).toEqual(["valid", "valid", "repaired", "repaired"]);
    },
  );
});
