import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  modelCallLimitMiddleware,
  tool,
  toolCallLimitMiddleware,
  toolErrorMiddleware,
  toolRetryMiddleware,
} from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import {
  describeSince,
  testSince,
} from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };
const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };
const ASK = { messages: [{ role: "user" as const, content: "Buy it." }] };

async function contents(
  middleware: readonly AgentMiddleware[],
  messages: readonly AIMessage[],
  tools: readonly (typeof kit)["tools"][number][] = kit.tools,
): Promise<readonly unknown[]> {
  const model = saying(...messages);
  const agent = createAgent({ model, tools: [...tools], middleware });
  const result = await agent.invoke(ASK);
  return result.messages.slice(1).map(({ content }) => content);
}

/** The same in both orders. */
function orders(
  other: () => AgentMiddleware,
): readonly [string, () => readonly AgentMiddleware[]][] {
  const mend = () => toolInputMiddleware({ fixers: kit.fixers });
  return [
    ["before", () => [mend(), other()]],
    ["after", () => [other(), mend()]],
  ];
}

describe("errors of tools are handled as without toolmend", () => {
  const failing = tool(
    () => {
      throw new TypeError("DB down");
    },
    { name: "save", description: "Saves.", schema: z.object({ id: z.string() }) },
  );
  const said = () => calling({ name: "save", args: { id: "1" }, id: "call_a" });

  test("a tool that throws is answered by LangChain, and the run goes on", async () => {
    for (const middleware of [[], [toolInputMiddleware()]]) {
      const agent = createAgent({ model: saying(said()), tools: [failing], middleware });
      const { messages } = await agent.invoke(ASK);
      expect(messages[2]?.content).toBe("TypeError: DB down\n Please fix your mistakes.");
      expect(messages.at(-1)?.content).toBe("done");
    }
  });

  const sorry = () =>
    toolErrorMiddleware({ onError: (error) => `Sorry: ${(error as Error).message}` });
  const patient = () => toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 });

  testSince("1.5").each([
    // The one that is put first gets the errors last.
    ["before", "Sorry: DB down"],
    ["after", "TypeError: DB down\n Please fix your mistakes."],
  ])("%s toolErrorMiddleware", async (order, told) => {
    const [, middleware] = orders(sorry).find(([one]) => one === order) ?? [];
    const agent = createAgent({
      model: saying(said(), calling(CALL)),
      tools: [failing, kit.click],
      middleware: middleware?.() ?? [],
    });
    const { messages } = await agent.invoke(ASK);
    expect(messages[2]?.content).toBe(told);
    expect(messages[4]?.content).toBe("clicked #buy");
  });

  testSince("1.5").each([
    ["before", 3],
    ["after", 1],
  ])("%s toolRetryMiddleware: a tool that throws is tried %i times", async (order, times) => {
    let tried = 0;
    const flaky = tool(
      () => {
        tried++;
        throw new TypeError("DB down");
      },
      { name: "save", description: "Saves.", schema: z.object({ id: z.string() }) },
    );
    const [, middleware] = orders(patient).find(([one]) => one === order) ?? [];
    const agent = createAgent({
      model: saying(said()),
      tools: [flaky],
      middleware: middleware?.() ?? [],
    });
    const { messages } = await agent.invoke(ASK);
    expect(tried).toBe(times);
    expect(messages.at(-1)?.content).toBe("done");
  });
});

describeSince("1.5").each(orders(() => toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })))(
  "%s toolRetryMiddleware",
  (_, middleware) => {
    test("a repaired call is not retried, and a rejected one not tried", async () => {
      expect(await contents(middleware(), [calling(CALL), calling(BAD)])).toEqual([
        "",
        "clicked #buy",
        "",
        expect.stringContaining("selector: expected string"),
        "done",
      ]);
      expect(kit.ran).toHaveLength(1);
    });
  },
);

describeSince("1.5").each(
  orders(() => toolCallLimitMiddleware({ runLimit: 1, exitBehavior: "continue" })),
)("%s toolCallLimitMiddleware", (_, middleware) => {
  test("counts the calls that are rejected, too: a model that makes no other is stopped", async () => {
    const said = await contents(middleware(), [
      unreadable({ name: "type", args: "{", id: "call_0" }),
      calling({ ...CALL, id: "call_1" }),
    ]);
    // Where no call is left, LangChain ends the run.
    expect(said).toEqual([
      "",
      expect.stringContaining("not run"),
      "",
      expect.stringContaining("limit exceeded"),
    ]);
    expect(kit.ran).toEqual([]);
  });
});

test("a model that only makes calls beyond repair is stopped by modelCallLimitMiddleware", async () => {
  const bad = Array.from({ length: 6 }, (_, index) => calling({ ...BAD, id: `call_${index}` }));
  const middleware = [
    toolInputMiddleware(),
    modelCallLimitMiddleware({ runLimit: 3, exitBehavior: "end" }),
  ];
  const said = await contents(middleware, bad);
  expect(said.filter((content) => content === "")).toHaveLength(3);
  expect(said.at(-1)).toContain("limit");
});

describe("returnDirect", () => {
  const direct = () =>
    tool(({ selector }) => `clicked ${selector}`, {
      name: "click",
      description: "Clicks.",
      schema: z.object({ selector: z.string() }),
      returnDirect: true,
    });

  test("ends the run with the tool's answer", async () => {
    const agent = createAgent({
      model: saying(calling(CALL)),
      tools: [direct()],
      middleware: [toolInputMiddleware({ fixers: kit.fixers })],
    });
    const { messages } = await agent.invoke(ASK);
    expect(messages.map(({ content }) => content)).toEqual(["Buy it.", "", "clicked #buy"]);
  });

  testSince("1.5")("a rejected call does not end it", async () => {
    const agent = createAgent({
      model: saying(calling(BAD), calling(CALL)),
      tools: [direct()],
      middleware: [toolInputMiddleware({ fixers: kit.fixers })],
    });
    const { messages } = await agent.invoke(ASK);
    expect(messages.map(({ content }) => content)).toEqual([
      "Buy it.",
      "",
      expect.stringContaining("not run"),
      "",
      "clicked #buy",
    ]);
  });
});

describe("a history from before", () => {
  const history = (): BaseMessage[] => [
    new HumanMessage({ id: "h1", content: "Click." }),
    new AIMessage({
      id: "a1",
      content: "",
      tool_calls: [{ name: "click", args: { element: "#old" }, id: "old_1" }],
      invalid_tool_calls: [
        { name: "click", args: '"#lost', id: "old_2", error: "x", type: "invalid_tool_call" },
      ],
    }),
    new ToolMessage({
      id: "t1",
      tool_call_id: "old_1",
      name: "click",
      status: "error",
      metadata: { trace: "abc" },
      content: "Error invoking tool 'click' with kwargs {}",
    }),
    new HumanMessage({ id: "h2", content: "Again." }),
  ];

  test("is made fit for the provider, and stays as it is in the state", async () => {
    const model = saying(calling(CALL));
    const agent = createAgent({
      model,
      tools: [...kit.tools],
      middleware: [toolInputMiddleware({ fixers: kit.fixers })],
    });
    const given = history();
    const { messages } = await agent.invoke({ messages: given });

    const sent = model.calls[0]?.messages ?? [];
    expect(sent.map(({ type }) => type)).toEqual(["human", "ai", "tool", "tool", "human"]);
    expect((sent[1] as AIMessage).tool_calls).toMatchObject([
      { id: "old_1", args: { element: "#old" } },
      { id: "old_2", args: {} },
    ]);
    expect((sent[1] as AIMessage).invalid_tool_calls).toEqual([]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.slice(0, given.length)).toEqual(history());
  });

  test("is never run again", async () => {
    await contents([toolInputMiddleware({ fixers: kit.fixers })], [new AIMessage("no calls")]);
    const agent = createAgent({
      model: saying(),
      tools: [...kit.tools],
      middleware: [toolInputMiddleware({ fixers: kit.fixers })],
    });
    await agent.invoke({ messages: history() });
    expect(kit.ran).toEqual([]);
  });
});

test("a call whose answer was taken away does not get that of another with its id", async () => {
  const made = (selector: string) => calling({ name: "click", args: { selector }, id: "call_0" });
  const answer = (content: string) => new ToolMessage({ content, tool_call_id: "call_0" });
  const outer = createMiddleware({
    name: "outer",
    wrapModelCall: (request, handler) => {
      const messages = request.messages.filter(({ content }) => content !== "clicked #a");
      return handler({ ...request, messages });
    },
  }) as AgentMiddleware;
  const model = saying();
  const agent = createAgent({
    model,
    tools: [...kit.tools],
    middleware: [outer, toolInputMiddleware()],
  });
  const [first, second] = [answer("clicked #a"), answer("clicked #b")];
  await agent.invoke({ messages: ["Go.", made("#a"), first, made("#b"), second, "Again."] });
  const answers = model.calls[0]?.messages.filter(ToolMessage.isInstance) ?? [];
  expect(answers).toMatchObject([
    { status: "error", content: expect.stringMatching(/^There is no answer of the tool/) },
    { content: "clicked #b" },
  ]);
});
