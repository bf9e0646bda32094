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

/** A thread that may change processes at every step. */
function thread(messages: readonly AIMessage[], order: Order = "first") {
  const model = saying(...messages);
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "1" } };
  const agent = (
    options: ToolInputMiddlewareOptions | "bare" = {},
    more: AgentMiddleware[] = [],
  ) => {
    const human = humanInTheLoopMiddleware({ interruptOn: { click: true, pay: true } });
    const toolmend = options === "bare" ? [] : [toolInputMiddleware(options)];
    return createAgent({
      model,
      tools,
      checkpointer,
      middleware: order === "first" ? [...toolmend, human, ...more] : [human, ...more, ...toolmend],
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

test("a thread from before toolmend is made valid for the provider, and is not rewritten", async () => {
  const { say, model, agent, sent } = thread(["1", "2", "3"].map((text) => new AIMessage(text)));
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
  const { messages } = await say("Again.");
  expect(sent().slice(1)).toEqual([[], []]);
  expect(callsOf(model.calls.at(-1)?.messages ?? [])).toMatchObject([{ id: "old" }]);
  expect(callsOf(messages)).toEqual([]);
});

describe.each<Order>(["first", "last"])("toolmend %s", (order) => {
  test("a call that toolmend rejected keeps its place, and has an answer in every request, when a human rejects another", async () => {
    const { model, say, decide, sent } = thread([calling(BAD, RIGHT), new AIMessage("ok")], order);
    expect(asked(await say("Go."))).toEqual([{ selector: "#a" }]);
    await decide([{ type: "reject", message: "No." }]);
    const { messages } = await say("Again.");
    expect(sent()).toEqual([[], [], []]);
    expect(callsOf(messages).map(({ id, name }) => [id, name])).toEqual([
      ["call_c", "click"],
      ["call_a", "click"],
    ]);
    expect(answersOf(model.calls.at(-1)?.messages ?? [])).toEqual(["call_c", "call_a"]);
    expect(ran).toEqual([]);
  });

  test("calls and answers are in one order: LangChain puts those without approval first", async () => {
    const right = { ...RIGHT, id: "call_z" };
    const { say, decide, sent } = thread([calling(right, BAD, FAULTY)], order);
    await say("Go.");
    const { messages } = await decide([{ type: "approve" }, { type: "approve" }]);
    expect(sent()).toEqual([[], []]);
    expect(callsOf(messages).map(({ id, name }) => [id, name])).toEqual([
      ["call_c", "click"],
      ["call_z", "click"],
      ["call_b", "click"],
    ]);
    expect(answersOf(messages)).toEqual(["call_c", "call_z", "call_b"]);
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

  test("edited calls are repaired where they run, at once, and the record holds the repaired input", async () => {
    const other = { ...RIGHT, id: "call_o" };
    const { say, decide, sent } = thread([calling(RIGHT, PAY, BAD, other)], order);
    await say("Go.");
    const decisions = [edit({ Selector: "#b" }), { type: "approve" }, edit({ Selector: "#c" })];
    const { messages } = await decide(decisions);
    expect(ran.sort()).toEqual(["click #b", "click #c", "pay al"]);
    expect(sent().flat()).toEqual([]);
    expect(faultsOfPayload(messages)).toEqual([]);
    const byId = Object.fromEntries(callsOf(messages).map(({ id, args }) => [id, args]));
    expect(byId).toEqual({
      call_a: { selector: "#b" },
      call_p: { to: "al" },
      call_c: { one: 1, two: 2 },
      call_o: { selector: "#c" },
    });
    expect(callsOf(messages).map(({ name }) => name)).not.toContain("input_refused__click");
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("while a human is asked, a rejected call has a name that needs no approval", async () => {
    const { say, agent, config } = thread([calling(BAD, RIGHT)], order);
    expect(asked(await say("Go."))).toEqual([{ selector: "#a" }]);
    const { values } = await agent().graph.getState(config);
    expect(callsOf(values.messages).map(({ name }) => name)).toEqual([
      "input_refused__click",
      "click",
    ]);
  });

  test("without a humanInTheLoop option, a human is asked about a rejected call, which is not run", async () => {
    const { say, decide, agent, sent } = thread([calling(BAD)], order);
    const unseen = () => agent({ humanInTheLoop: false });
    expect(asked(await say("Go.", unseen()))).toEqual([BAD.args]);
    const { messages } = await decide([{ type: "approve" }], unseen());
    expect(ran).toEqual([]);
    expect(sent().flat()).toEqual([]);
    expect(answersOf(messages)).toEqual(["call_c"]);
  });
});

test("a tool's rejection is reported once, however often the next model call fails", async () => {
  const failing = thread([calling(RIGHT)], "last");
  const refused: unknown[] = [];
  const answer = failing.model._generate.bind(failing.model);
  const agent = () =>
    failing.agent(
      { onToolCall: ({ outcome, rawToolInput }) => refused.push([outcome, rawToolInput]) },
      [modelRetryMiddleware({ maxRetries: 3, initialDelayMs: 0, jitter: false })],
    );
  await failing.say("Go.");
  let failures = 2;
  failing.model._generate = async (messages) => {
    if (failures-- > 0) throw new Error("503");
    return answer(messages);
  };
  const { messages } = await failing.decide([edit(BAD.args)], agent());
  expect(messages.at(-1)?.content).toBe("done");
  expect(refused).toEqual([["refused", BAD.args]]);
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

  test("from the state is not reported as one of a tool that did not run", async () => {
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

test("a call that never ran is answered with the next message", async () => {
  const { say, sent } = thread([calling(RIGHT, BAD)]);
  await say("Go.");
  const { messages } = await say("Stop that, do something else.");
  expect(sent()).toEqual([[], []]);
  expect(callsOf(messages).map(({ name }) => name)).toEqual(["click", "click"]);
  expect(ran).toEqual([]);
});

test("a model's cached message in two conversations: each keeps its own", async () => {
  const toolmend = toolInputMiddleware();
  const said = new AIMessage({ id: "same", content: "Hi." });
  const run = async (who: string) => {
    const agent = createAgent({ model: saying(said), tools, middleware: [toolmend] });
    const old = unreadable({ name: "click", args: "{", id: `old_${who}` });
    old.id = `ai_${who}`;
    const human = (id: string) => new HumanMessage({ id, content: who });
    const { messages } = await agent.invoke({
      messages: [human(`h1_${who}`), old, human(`h2_${who}`)],
    });
    return messages.map(({ id }) => id);
  };
  const [ann, bob] = await Promise.all([run("ann"), run("bob")]);
  expect(ann).toEqual(["h1_ann", "ai_ann", "h2_ann", "same"]);
  expect(bob).toEqual(["h1_bob", "ai_bob", "h2_bob", "same"]);
});

test("a note for the model only does not get into the state", async () => {
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
    middleware: [hide, toolInputMiddleware()],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("Go.")] });
  expect(messages[2]?.content).toBe("clicked #b");
});

test("middleware inside can still edit the state's own messages", async () => {
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

test("a model that restarts its ids in each attempt is shown each id once", async () => {
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
