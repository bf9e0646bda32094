import { beforeEach, describe, expect, test } from "@jest/globals";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelRetryMiddleware,
  tool,
} from "langchain";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  saying,
  unreadable,
} from "../../../../support/langchain/middleware/calling-model.ts";
import { faultsOfPayload } from "../../../../support/langchain/middleware/threads/check-payload.ts";

let ran: string[];
beforeEach(() => {
  ran = [];
});

const click = tool(
  ({ selector }) => {
    ran.push(`click ${selector}`);
    return `clicked ${selector}`;
  },
  { name: "click", description: "Clicks.", schema: z.object({ selector: z.string() }) },
);
const pay = tool(
  ({ to }) => {
    ran.push(`pay ${to}`);
    return `paid ${to}`;
  },
  { name: "pay", description: "Pays.", schema: z.object({ to: z.string() }) },
);
const tools = [click, pay];

const RIGHT = { name: "click", args: { selector: "#a" }, id: "call_a" };
const FAULTY = { name: "click", args: { Selector: "#b" }, id: "call_b" };
const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_c" };
const PAY = { name: "pay", args: { to: "al" }, id: "call_p" };

type Order = "first" | "last";

/** A thread, each step of which may be taken by another process. */
function thread(messages: readonly AIMessage[], order: Order = "first") {
  const model = saying(...messages);
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "1" } };
  const agent = (
    options: ToolInputMiddlewareOptions | "bare" = {},
    more: AgentMiddleware[] = [],
  ) => {
    const human = humanInTheLoopMiddleware({ interruptOn: { click: true, pay: true } });
    const mend = options === "bare" ? [] : [toolInputMiddleware(options)];
    return createAgent({
      model,
      tools,
      checkpointer,
      middleware: order === "first" ? [...mend, human, ...more] : [human, ...more, ...mend],
    });
  };
  return {
    model,
    config,
    agent,
    say: (content: string, by = agent()) =>
      by.invoke({ messages: [new HumanMessage(content)] }, config),
    decide: (decisions: object[], by = agent()) =>
      by.invoke(new Command({ resume: { decisions } }), config),
    sent: () => model.calls.map((call) => faultsOfPayload(call.messages)),
  };
}

function asked(result: object): readonly unknown[] {
  const { __interrupt__: [first] = [] } = result as {
    __interrupt__?: { value: { actionRequests: { name: string; args: unknown }[] } }[];
  };
  return first?.value.actionRequests.map(({ args }) => args) ?? [];
}

const answersOf = (messages: readonly BaseMessage[]) =>
  messages.flatMap((one) => (ToolMessage.isInstance(one) ? [one.tool_call_id] : []));
const callsOf = (messages: readonly BaseMessage[]) =>
  messages.flatMap((one) => (AIMessage.isInstance(one) ? (one.tool_calls ?? []) : []));
const edit = (args: object, name = "click") => ({ type: "edit", editedAction: { name, args } });

test("a thread from before toolmend stays fit for the provider, also once toolmend is gone", async () => {
  const { say, model, agent, sent } = thread(
    ["1", "2", "3", "4"].map((text) => new AIMessage(text)),
  );
  await agent("bare").invoke(
    {
      messages: [
        new HumanMessage("Go."),
        unreadable({ name: "click", args: "{", id: "old" }),
        new HumanMessage("Well?"),
      ],
    },
    { configurable: { thread_id: "1" } },
  );
  await say("Again.");
  await say("Again.");
  await say("Again.", agent("bare"));
  expect(sent().slice(1)).toEqual([[], [], []]);
  expect(callsOf(model.calls.at(-1)?.messages ?? [])).toMatchObject([{ id: "old" }]);
});

describe.each<Order>(["first", "last"])("toolmend %s", (order) => {
  test("a call that is refused beside one that a human rejects has its answer ever after", async () => {
    const { say, decide, sent } = thread([calling(BAD, RIGHT), new AIMessage("ok")], order);
    expect(asked(await say("Go."))).toEqual([{ selector: "#a" }]);
    await decide([{ type: "reject", message: "No." }]);
    const { messages } = await say("Again.");
    expect(sent()).toEqual([[], [], []]);
    expect(callsOf(messages).map(({ id }) => id)).toEqual(["call_c", "call_a"]);
    expect(answersOf(messages)).toEqual(["call_c", "call_a"]);
    expect(faultsOfPayload(messages)).toEqual([]);
    expect(ran).toEqual([]);
  });

  test("calls and answers keep the model's order", async () => {
    const right = { ...RIGHT, id: "call_z" };
    const { say, decide, sent } = thread([calling(right, BAD, FAULTY)], order);
    await say("Go.");
    const { messages } = await decide([{ type: "approve" }, { type: "approve" }]);
    expect(sent()).toEqual([[], []]);
    expect(callsOf(messages).map(({ id }) => id)).toEqual(["call_z", "call_c", "call_b"]);
    expect(answersOf(messages)).toEqual(["call_z", "call_c", "call_b"]);
    expect(ran).toEqual(["click #a", "click #b"]);
  });

  test("a thread waiting for a human can go on without toolmend", async () => {
    const said = new AIMessage({
      content: [BAD, RIGHT].map(({ id, name, args }) => ({
        type: "tool_use",
        id,
        name,
        input: args,
      })),
      tool_calls: [BAD, RIGHT] as never,
    });
    const { say, decide, sent, agent } = thread([said], order);
    await say("Go.");
    await decide([{ type: "approve" }], agent("bare"));
    expect(sent()).toEqual([[], []]);
    expect(ran).toEqual(["click #a"]);
  });

  test.each(["approve", "reject", "edit"])(
    "an edited call that a tool refused is made again beside one that ran, then: %s",
    async (type) => {
      const { say, decide, sent } = thread([calling(RIGHT, PAY)], order);
      await say("Go.");
      let result = await decide([edit({ Selector: "#b" }), { type: "approve" }]);
      expect(ran).toEqual(["pay al"]);
      expect(asked(result)).toEqual([{ selector: "#b" }]);
      const decision = type === "edit" ? edit({ Selector: "#c" }) : { type, message: "No." };
      result = await decide([decision]);
      if (asked(result).length > 0) result = await decide([{ type: "approve" }]);
      const expected = { approve: ["click #b"], reject: [], edit: ["click #c"] }[type] ?? [];
      expect(ran).toEqual(["pay al", ...expected]);
      expect(sent().flat()).toEqual([]);
      expect(faultsOfPayload(result.messages)).toEqual([]);
      expect(callsOf(result.messages)).toContainEqual(expect.objectContaining(PAY));
      expect(result.messages.at(-1)?.content).toBe("done");
    },
  );

  test.each(["approve", "reject", "edit"])(
    "an edited call that a tool refused is made again in its place, then: %s",
    async (type) => {
      const { say, decide, sent } = thread([calling(RIGHT)], order);
      await say("Go.");
      let result = await decide([edit({ Selector: "#b" })]);
      if (order === "first") {
        expect(asked(result)).toEqual([{ selector: "#b" }]);
        const decision = type === "edit" ? edit({ Selector: "#c" }) : { type, message: "No." };
        result = await decide([decision]);
        if (asked(result).length > 0) result = await decide([{ type: "approve" }]);
        const expected = { approve: ["click #b"], reject: [], edit: ["click #c"] }[type] ?? [];
        expect(ran).toEqual(expected);
      } else {
        expect(ran).toEqual(["click #b"]);
      }
      expect(sent().flat()).toEqual([]);
      expect(faultsOfPayload(result.messages)).toEqual([]);
      expect(answersOf(result.messages)).toEqual(["call_a"]);
      expect(result.messages.at(-1)?.content).toBe("done");
    },
  );
});

test("what a tool said of an edited call goes with the call, where a human then rejects the one beside it", async () => {
  const other = { ...RIGHT, id: "call_o" };
  const { say, decide, sent } = thread([calling(RIGHT, other)]);
  await say("Go.");
  const again = await decide([edit({ Selector: "#b" }), edit({ Selector: "#c" })]);
  expect(asked(again)).toEqual([{ selector: "#b" }, { selector: "#c" }]);
  const { messages } = await decide([{ type: "reject", message: "No." }, { type: "approve" }]);
  expect(sent().flat()).toEqual([]);
  expect(answersOf(messages)).toEqual(["call_a"]);
  expect(faultsOfPayload(messages)).toEqual([]);
  expect(ran).toEqual([]);
});

test("what a tool refused is told of once, however often the model that is told of it fails", async () => {
  const failing = thread([calling(RIGHT)], "last");
  const refused: unknown[] = [];
  const answer = failing.model._generate.bind(failing.model);
  const agent = () =>
    failing.agent({ onRefused: ({ rawToolInput }) => refused.push(rawToolInput) }, [
      modelRetryMiddleware({ maxRetries: 3, initialDelayMs: 0, jitter: false }),
    ]);
  await failing.say("Go.");
  let failures = 2;
  failing.model._generate = async (messages) => {
    if (failures-- > 0) throw new Error("503");
    return answer(messages);
  };
  const { messages } = await failing.decide([edit(BAD.args)], agent());
  expect(messages.at(-1)?.content).toBe("done");
  expect(refused).toEqual([BAD.args]);
});

describe("an answer that other middleware takes away", () => {
  const run = async (take: AgentMiddleware) => {
    const model = saying(calling(RIGHT), calling(PAY));
    const middleware = [take, toolInputMiddleware() as AgentMiddleware];
    const agent = createAgent({ model, tools, middleware });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Go.")] });
    expect(model.calls.flatMap((call) => faultsOfPayload(call.messages))).toEqual([]);
    expect(ran).toEqual(["click #a", "pay al"]);
    const shown = model.calls.flatMap((call) => call.messages.filter(ToolMessage.isInstance));
    return { messages, shown: shown.map(({ content }) => content) };
  };

  test("from a request is shown all the same", async () => {
    const { messages, shown } = await run(
      createMiddleware({
        name: "hide",
        wrapModelCall: (request, handler) => {
          const messages = request.messages.filter((one) => !ToolMessage.isInstance(one));
          return handler({ ...request, messages });
        },
      }),
    );
    expect(shown).toEqual(["clicked #a", "clicked #a", "paid al"]);
    expect(messages).toHaveLength(6);
  });

  test("from the state is not said to be of a tool that was not run", async () => {
    const { shown } = await run(
      createMiddleware({
        name: "remove",
        beforeModel: ({ messages }) => ({
          messages: messages
            .filter((one) => ToolMessage.isInstance(one) && one.tool_call_id === "call_a")
            .map(({ id }) => new RemoveMessage({ id: id as string })),
        }),
      }),
    );
    const missing =
      /^There is no answer of the tool "click": it was not run, or was broken off, or/;
    expect(shown).toEqual(Array(2).fill(expect.stringMatching(missing)).concat("paid al"));
  });
});

test("a call that nobody ran is answered once somebody speaks again", async () => {
  const { say, sent } = thread([calling(RIGHT, BAD)]);
  await say("Go.");
  await say("Stop that, do something else.");
  expect(sent()).toEqual([[], []]);
  expect(ran).toEqual([]);
});

test("one message of a model's cache in two conversations: each keeps its own", async () => {
  const mend = toolInputMiddleware();
  const said = new AIMessage({ id: "same", content: "Hi." });
  const run = async (who: string) => {
    const agent = createAgent({ model: saying(said), tools, middleware: [mend] });
    const old = unreadable({ name: "click", args: "{", id: `old_${who}` });
    old.id = `ai_${who}`;
    const human = (id: string) => new HumanMessage({ id, content: who });
    const { messages } = await agent.invoke({
      messages: [human(`h1_${who}`), old, human(`h2_${who}`)],
    });
    return messages.map(({ id }) => id);
  };
  const [ann, bob] = await Promise.all([run("ann"), run("bob")]);
  expect(ann).toEqual(["h1_ann", "ai_ann", expect.any(String), "h2_ann", "same"]);
  expect(bob).toEqual(["h1_bob", "ai_bob", expect.any(String), "h2_bob", "same"]);
});

test("what is only shown to the model does not get into the state with a note", async () => {
  const hide = createMiddleware({
    name: "hide",
    wrapModelCall: (request, handler) =>
      handler({
        ...request,
        messages: request.messages.map((one) =>
          ToolMessage.isInstance(one)
            ? new ToolMessage({
                ...one,
                id: one.id as string,
                content: "[cleared]",
                tool_call_id: one.tool_call_id,
              })
            : one,
        ),
      }),
  });
  const agent = createAgent({
    model: saying(calling(FAULTY)),
    tools,
    middleware: [hide, toolInputMiddleware({ tellModel: true })],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("Go.")] });
  expect(messages[2]?.content).toMatch(/^clicked #b\n\nNote: /);
});

test("middleware inside that edits the state's very messages still does", async () => {
  const edits: boolean[] = [];
  const look = createMiddleware({
    name: "look",
    wrapModelCall: (request, handler) => {
      edits.push(request.messages === request.state.messages);
      return handler(request);
    },
  });
  const agent = createAgent({
    model: saying(calling(RIGHT)),
    tools,
    middleware: [toolInputMiddleware(), look],
  });
  await agent.invoke({ messages: [new HumanMessage("Go.")] });
  expect(edits).toEqual([true, true]);
});

test("a message that replaces one of the same id keeps its calls' ids", async () => {
  const said = () => {
    const message = calling(RIGHT);
    message.id = "0";
    return message;
  };
  const agent = createAgent({
    model: saying(said(), said()),
    tools,
    middleware: [toolInputMiddleware()],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("Go.")] });
  expect(ran).toEqual(["click #a"]);
  expect(callsOf(messages)).toMatchObject([{ id: "call_a" }]);
});

test("a model that counts ids anew in each attempt is shown each id once", async () => {
  const again = (id: string) => calling({ ...BAD, id });
  const model = saying(again("call_0"), again("call_0"), calling({ ...FAULTY, id: "call_0" }));
  const agent = createAgent({
    model,
    tools,
    middleware: [toolInputMiddleware({ selfCorrect: { maxAttempts: 3 } })],
  });
  await agent.invoke({ messages: [new HumanMessage("Go.")] });
  expect(ran).toEqual(["click #b"]);
  expect(model.calls.flatMap(({ messages }) => faultsOfPayload(messages))).toEqual([]);
});
