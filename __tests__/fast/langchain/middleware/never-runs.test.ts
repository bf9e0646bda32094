import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AIMessage, RemoveMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  fakeModel,
  humanInTheLoopMiddleware,
  piiMiddleware,
  type ToolCallRequest,
  tool,
} from "langchain";
import type { InputEvent } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { recordsOf } from "#src/langchain/message/messages.ts";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

const ran: unknown[] = [];
beforeEach(() => {
  ran.length = 0;
});

/** It accepts `{}`, and then does the most harm. */
const deleteRows = tool((input) => `deleted ${ran.push(input)}`, {
  name: "delete_rows",
  description: "Deletes rows; all of them without where.",
  schema: z.object({ where: z.string().optional(), tenant: z.string().optional() }),
});
const dryRun = tool((input) => `would delete ${ran.push({ dry: input })}`, {
  name: "dry_run",
  description: "Counts rows.",
  schema: z.object({ where: z.string().optional() }),
});

const GO = { messages: [{ role: "user" as const, content: "Delete it." }] };
const CONFIG = { configurable: { thread_id: "1" } };
const VALID = { name: "delete_rows", args: { where: "id = 1" }, id: "c0" };
const CUT = { name: "delete_rows", args: '{"where": "id = 5', id: "c1" };

type Around = (repair: AgentMiddleware) => readonly AgentMiddleware[];

/** A listener that writes down the id and the outcome of each reported call. */
function listening() {
  const events: string[] = [];
  const onToolCall = (event: InputEvent) => {
    if (event.kind === "call") events.push(`${event.callId}:${event.outcome}`);
  };
  return { events, options: { onToolCall, trace: false as const } };
}

const answersIn = (messages: readonly object[]) => messages.filter(ToolMessage.isInstance);
const NOT_ACCEPTED = expect.stringMatching(/was not accepted/);

/** It holds a text that piiMiddleware changes. */
const saidWith = (call: AIMessage, finish_reason = "stop") =>
  Object.assign(call, { content: "I delete b@x.org.", response_metadata: { finish_reason } });
const REFUSED: readonly (readonly [string, () => AIMessage])[] = [
  ["cut off", () => saidWith(unreadable(CUT))],
  ["unreadable", () => saidWith(unreadable({ ...CUT, args: "{where} = 5 and {" }))],
  ["cut off but parsed by LangChain", () => saidWith(calling({ ...VALID, id: "c1" }), "length")],
];

describeSince("1.5")("other middleware rewrites the message of a rejected call", () => {
  const pii = () => piiMiddleware("email", { applyToOutput: true }) as AgentMiddleware;
  const renaming = createMiddleware({
    name: "renaming",
    afterModel: ({ messages }) => {
      const said = messages.at(-1) as AIMessage;
      if (!said.tool_calls?.length) return undefined;
      const { content, tool_calls, id = "" } = said;
      const copy = new AIMessage({ content, tool_calls, id: "other" });
      return { messages: [new RemoveMessage({ id }), copy] };
    },
  });
  const PII: readonly (readonly [string, Around])[] = [
    ["piiMiddleware, put last", (repair) => [repair, pii()]],
    ["piiMiddleware, put first", (repair) => [pii(), repair]],
  ];
  const OTHERS: typeof PII = [
    ...PII,
    ["an afterModel that gives a new id", (repair) => [repair, renaming as AgentMiddleware]],
    ["none", (repair) => [repair]],
  ];
  const setUp = (around: Around, options: Parameters<typeof toolInputMiddleware>[0] = {}) => {
    const checkpointer = new MemorySaver();
    return (...messages: readonly AIMessage[]) => {
      const model = saying(...messages);
      const middleware = around(toolInputMiddleware(options) as AgentMiddleware);
      return createAgent({ model, tools: [deleteRows], checkpointer, middleware });
    };
  };

  describe.each(OTHERS)("%s", (_, around) => {
    const places = ["one process", "two processes"] as const;
    const cases = REFUSED.flatMap(([name, say]) =>
      places.map((where) => [name, where, say] as const),
    );

    test.each(cases)("a call that is %s does not run, in %s", async (_, where, say) => {
      const make = setUp(around);
      const agent = make(say());
      const stop = { ...CONFIG, interruptBefore: ["tools" as const] };
      await agent.invoke(GO, stop as typeof CONFIG);
      const { messages } = await (where === "one process" ? agent : make()).invoke(null, CONFIG);

      expect(ran).toEqual([]);
      expect(answersIn(messages)).toMatchObject([{ status: "error", content: NOT_ACCEPTED }]);
      expect(messages.at(-1)?.content).toBe("done");
      const calls = messages.filter(AIMessage.isInstance).flatMap((one) => one.tool_calls ?? []);
      expect(calls).toMatchObject([{ args: { malformed_arguments: expect.any(String) } }]);
    });
  });

  test.each(PII)("%s: the call is reported once, and a handler asked once", async (_, around) => {
    const onUnfixable = jest.fn(() => "Write it again.");
    for (const [handler, outcome, answer] of [
      [{}, "c1:refused", NOT_ACCEPTED],
      [{ onUnfixable }, "c1:answered", "Write it again."],
    ] as const) {
      const { events, options } = listening();
      const agent = setUp(around, { ...options, ...handler })(saidWith(unreadable(CUT)));
      const { messages } = await agent.invoke(GO, CONFIG);

      expect(messages[1]?.content).not.toContain("b@x.org");
      expect(answersIn(messages)).toMatchObject([{ status: "error", content: answer }]);
      expect(events).toEqual([outcome]);
    }
    expect(onUnfixable).toHaveBeenCalledTimes(1);
  });
});

type Change = (request: ToolCallRequest) => ToolCallRequest;
const changing = (change: Change) =>
  createMiddleware({
    name: "changing",
    wrapToolCall: (request, handler) => handler(change(request)),
  }) as AgentMiddleware;
const ORDERS = ["outer", "inner"] as const;
const place = (order: (typeof ORDERS)[number], other: AgentMiddleware): Around =>
  order === "outer" ? (repair) => [other, repair] : (repair) => [repair, other];

describeSince("1.5").each(ORDERS)("%s middleware changes each call at the tools", (order) => {
  const decorate: Change = (request) => {
    const { args } = request.toolCall;
    return { ...request, toolCall: { ...request.toolCall, args: { ...args, tenant: "t1" } } };
  };
  const redirect: Change = (request) => {
    return { ...request, tool: undefined, toolCall: { ...request.toolCall, name: "dry_run" } };
  };
  const run = async (change: Change, ...others: readonly AgentMiddleware[]) => {
    const { events, options } = listening();
    const repair = toolInputMiddleware({ ...options, tools: [deleteRows] }) as AgentMiddleware;
    const { invalid_tool_calls = [] } = unreadable(CUT);
    const agent = createAgent({
      model: saying(Object.assign(calling(VALID), { invalid_tool_calls })),
      tools: [deleteRows, dryRun],
      checkpointer: new MemorySaver(),
      middleware: [...place(order, changing(change))(repair), ...others],
    });
    let result = await agent.invoke(GO, CONFIG);
    if (others.length > 0) {
      expect(result).toHaveProperty("__interrupt__.0.value.actionRequests.length", 1);
      const resume = { decisions: [{ type: "approve" }] };
      result = await agent.invoke(new Command({ resume }), CONFIG);
    }
    const answer = answersIn(result.messages).find((one) => one.tool_call_id === "c1");
    expect(answer).toMatchObject({ name: "delete_rows", status: "error", content: NOT_ACCEPTED });
    expect(events).toEqual(["c0:valid", "c1:refused"]);
  };

  test("a valid call runs with added arguments, a rejected one does not run", async () => {
    await run(decorate);
    expect(ran).toEqual([{ where: "id = 1", tenant: "t1" }]);
  });

  test("a rejected call that was hidden from a human does not run", async () => {
    const approval = humanInTheLoopMiddleware({ interruptOn: { delete_rows: true } });
    await run(decorate, approval as AgentMiddleware);
    expect(ran).toEqual([{ where: "id = 1", tenant: "t1" }]);
  });

  test("a valid call runs under another name, a rejected one does not run", async () => {
    await run(redirect);
    expect(ran).toEqual([{ dry: { where: "id = 1" } }]);
  });
});

test.each(ORDERS)("%s middleware sees the tool itself, so that its guard holds", async (order) => {
  const guard = createMiddleware({
    name: "guard",
    wrapToolCall: ({ tool: one, toolCall: { id = "", name } }) => {
      if (one !== deleteRows) throw new Error("It is another tool.");
      return new ToolMessage({ content: "blocked", tool_call_id: id, name });
    },
  });
  const agent = createAgent({
    model: saying(calling(VALID)),
    tools: [deleteRows],
    middleware: [...place(order, guard as AgentMiddleware)(toolInputMiddleware() as never)],
  });
  const { messages } = await agent.invoke(GO);
  expect(ran).toEqual([]);
  expect(answersIn(messages)).toMatchObject([{ content: "blocked" }]);
});

describeSince("1.5")("inner middleware asks a small model, then one with more tools", () => {
  const named = (name: string) =>
    tool(() => `${ran.push(name)}`, { name, description: "", schema: z.object({}) });
  const [few, more] = [named("search"), named("Search")];
  const refusing = new AIMessage("I cannot.");

  test.each([
    ["cannot do it", () => fakeModel().respond(refusing).respond(refusing)],
    ["fails", () => fakeModel().alwaysThrow(new Error("overloaded"))],
  ])("the small one %s: a name is judged by the tools of the other", async (_, small) => {
    const big = saying(calling({ name: "Search", args: {}, id: "c1" }));
    const escalating = createMiddleware({
      name: "escalating",
      wrapModelCall: async (request, handler) => {
        await Promise.resolve(handler(request)).catch(() => undefined);
        return handler({ ...request, model: big, tools: [...request.tools, more] });
      },
      wrapToolCall: (request, handler) =>
        handler(request.toolCall.name === "Search" ? { ...request, tool: more } : request),
    });
    const { events, options } = listening();
    const agent = createAgent({
      model: small(),
      tools: [few],
      middleware: [toolInputMiddleware(options), escalating],
    });
    const { messages } = await agent.invoke(GO);
    expect(ran).toEqual(["Search"]);
    expect(events).toEqual(["c1:valid"]);
    const said = messages[1] as AIMessage;
    expect(said.tool_calls).toMatchObject([{ name: "Search" }]);
    expect(recordsOf(said)).not.toMatchObject([{ nameRepair: expect.anything() }]);
  });
});

/** A model that passes its stop reason to callbacks only, as where tokens are streamed. */
function stopping(finish_reason: string, ...messages: readonly AIMessage[]) {
  const model = saying(...messages);
  const generate = model._generate.bind(model);
  model._generate = async (prompt) => {
    const { generations } = await generate(prompt);
    return {
      generations: generations.map((one) => ({ ...one, generationInfo: { finish_reason } })),
    };
  };
  return model;
}

test("a valid call runs if only another model was cut off", async () => {
  const judging = createMiddleware({
    name: "judging",
    wrapModelCall: async (request, handler) => {
      const { content, tool_calls } = (await handler(request)) as AIMessage;
      await stopping("length", new AIMessage("It is fi")).invoke("Is it fine?");
      return new AIMessage({ content, tool_calls });
    },
  });
  const agent = createAgent({
    model: stopping("tool_calls", calling(VALID)),
    tools: [deleteRows],
    middleware: [toolInputMiddleware(), judging],
  });
  for await (const _ of await agent.stream(GO, { streamMode: "messages" }));
  expect(ran).toEqual([VALID.args]);
});
