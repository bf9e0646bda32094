import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool } from "langchain";
import type { RepairEvent, ToolInputError } from "toolmend";
import { callRecordsOf } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

async function runAgent(
  messages: readonly AIMessage[],
  options: ToolInputMiddlewareOptions = {},
): Promise<{ messages: BaseMessage[]; sent: BaseMessage[][] }> {
  const model = saying(...messages);
  const { tools, fixers } = kit;
  const agent = createAgent({
    model,
    tools: [...tools],
    middleware: [toolInputMiddleware({ fixers, ...options })],
  });
  const result = await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
  return { messages: result.messages, sent: model.calls.map((call) => call.messages) };
}

function answersIn(messages: readonly BaseMessage[]): Record<string, unknown> {
  return Object.fromEntries(
    messages
      .filter((message) => ToolMessage.isInstance(message))
      .map(({ tool_call_id, content }) => [tool_call_id, content]),
  );
}

const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };
const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };

describe("a repaired call", () => {
  test("is what the tool runs with, and what the history holds", async () => {
    const { messages, sent } = await runAgent([calling(CALL)]);

    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    for (const history of [messages, sent[1] ?? []]) {
      const asked = history.find((one) => AIMessage.isInstance(one)) as AIMessage;
      expect(asked.tool_calls).toEqual([
        { name: "click", args: { selector: "#buy" }, id: "call_a", type: "tool_call" },
      ]);
    }
  });

  test("leaves the model's own message as it was", async () => {
    const said = calling(CALL);
    await runAgent([said]);
    expect(said.tool_calls?.[0]?.args).toEqual({ element: "#buy" });
    expect(said.response_metadata).toEqual({});
  });

  test("is recorded with the message, with what the model wrote", async () => {
    const { messages } = await runAgent([calling(CALL)]);
    expect(callRecordsOf(messages[1] as AIMessage)).toEqual([
      {
        id: "call_a",
        rawToolInput: { element: "#buy" },
        repairs: [expect.objectContaining({ fixer: "renameKey(element → selector)" })],
      },
    ]);
  });

  test("is told to onRepair, once", async () => {
    const onRepair = jest.fn<(event: RepairEvent) => void>();
    await runAgent([calling(CALL), calling({ ...CALL, args: { selector: "#x" }, id: "c" })], {
      onRepair,
    });
    expect(
      onRepair.mock.calls.map(([{ toolCall, toolInput }]) => [toolCall?.id, toolInput]),
    ).toEqual([["call_a", { selector: "#buy" }]]);
  });

  test("may be of a tool whose name was wrong", async () => {
    const { messages } = await runAgent([calling({ ...CALL, name: "Click" })]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const [record] = callRecordsOf(messages[1] as AIMessage);
    expect(record?.nameRepair).toMatchObject({ before: "Click", after: "click" });
  });

  test("keeps to the level: at strict, only the registered fixers repair", async () => {
    const registered = await runAgent([calling(CALL)], { level: "strict" });
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(answersIn(registered.messages)).toEqual({ call_a: "clicked #buy" });
    kit.ran.length = 0;

    const generic = { name: "type", args: { selector: "#a", text: 5 }, id: "call_a" };
    await runAgent([calling(generic)], { level: "strict" });
    expect(kit.ran).toEqual([]);
    await runAgent([calling(generic)]);
    expect(kit.ran).toEqual([{ selector: "#a", text: "5" }]);
  });
});

describe("a call that cannot be repaired", () => {
  test("is not run, and the model is told in its terms", async () => {
    const { messages } = await runAgent([calling(BAD)]);
    expect(kit.ran).toEqual([]);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages[2]).toMatchObject({
      tool_call_id: "call_b",
      name: "click",
      status: "error",
      content: expect.stringMatching(/^The input of tool "click" was not accepted/),
    });
  });

  test("does not keep the others from being run", async () => {
    const { messages, sent } = await runAgent([calling(BAD, CALL), calling(BAD)]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(answersIn(sent[1] ?? [])).toEqual({
      call_a: "clicked #buy",
      call_b: expect.stringContaining("not run"),
    });
    const asked = messages[1] as AIMessage;
    expect(asked.invalid_tool_calls).toEqual([]);
    expect(asked.tool_calls?.map(({ id }) => id).sort()).toEqual(["call_a", "call_b"]);
  });

  test("gets what onUnfixable wants the model to be told", async () => {
    const onUnfixable = jest.fn((error: ToolInputError, data: unknown) => {
      return `${error.toolName} ${JSON.stringify(data)} ${error.toolCall?.id}`;
    });
    const { messages } = await runAgent([calling(BAD)], { onUnfixable });
    expect(answersIn(messages)).toEqual({ call_b: 'click {"one":1,"two":2} call_b' });
    expect(onUnfixable).toHaveBeenCalledTimes(1);
  });

  test("is run with the JSON that onUnfixable gives", async () => {
    await runAgent([calling(BAD)], { onUnfixable: async () => ({ element: "#given" }) });
    expect(kit.ran).toEqual([{ selector: "#given" }]);
  });

  test("ends the run where onUnfixable throws", async () => {
    const stop = runAgent([calling(BAD)], {
      onUnfixable: () => {
        throw new Error("enough");
      },
    });
    await expect(stop).rejects.toThrow("enough");
  });
});

describe("a call that LangChain could not read", () => {
  test("becomes a tool call of the same id", async () => {
    const { messages } = await runAgent([
      unreadable({ name: "click", args: "#buy", id: "call_a" }),
    ]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const asked = messages[1] as AIMessage;
    expect(asked.tool_calls?.[0]?.id).toBe("call_a");
    expect(asked.invalid_tool_calls).toEqual([]);
    expect(callRecordsOf(asked)[0]).toMatchObject({ rescued: "invalid_tool_call" });
  });

  test("is answered where it cannot be repaired, instead of ending the run", async () => {
    const { messages } = await runAgent([unreadable({ name: "type", args: "{", id: "call_a" })]);
    expect(messages.map(({ content }) => content)).toEqual([
      "Buy it.",
      "",
      expect.stringContaining('tool "type" was not accepted'),
      "done",
    ]);
  });

  test("is answered where there is no such tool", async () => {
    const { messages } = await runAgent([unreadable({ name: "fly", args: "{", id: "call_a" })]);
    expect(answersIn(messages).call_a).toContain("no tool was run");
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("is left to LangChain on demand, which ends the run", async () => {
    const { messages } = await runAgent(
      [unreadable({ name: "click", args: "#buy", id: "call_a" })],
      { rescueInvalidToolCalls: false },
    );
    expect(kit.ran).toEqual([]);
    expect(messages).toHaveLength(2);
  });
});

describe("ids", () => {
  test("a call without one gets one", async () => {
    const { messages } = await runAgent([
      calling({ name: "click", args: { selector: "#a" } }),
      unreadable({ name: "click", args: '{"selector": "#b"}' }),
    ]);
    expect(kit.ran).toEqual([{ selector: "#a" }, { selector: "#b" }]);
    const ids = messages.flatMap((one) =>
      AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ id }) => id) : [],
    );
    expect(ids).toEqual([expect.stringMatching(/^call_.{8,35}$/), expect.any(String)]);
    expect(Object.keys(answersIn(messages))).toEqual(ids);
  });

  test("calls with the same one are told apart", async () => {
    const { messages } = await runAgent([
      calling({ ...CALL, id: "same" }, { ...CALL, args: { selector: "#b" }, id: "same" }),
      calling({ ...CALL, args: { selector: "#c" }, id: "same" }),
    ]);
    // Without that, LangChain takes the third for one that has been answered, and does not run it.
    expect(kit.ran).toEqual([{ selector: "#buy" }, { selector: "#b" }, { selector: "#c" }]);
    expect(new Set(Object.keys(answersIn(messages))).size).toBe(3);
  });
});

describe("tellModel", () => {
  test("adds to the answer what was repaired, without values", async () => {
    const { messages, sent } = await runAgent([calling(CALL, { ...CALL, id: "c" })], {
      tellModel: true,
    });
    const note = expect.stringMatching(/^clicked #buy\n\nNote: .*renameKey\(element → selector\)/);
    expect(answersIn(sent[1] ?? [])).toEqual({ call_a: note, c: note });
    expect(answersIn(messages)).toEqual({ call_a: note, c: note });
    expect(messages.filter(({ type }) => type === "tool")).toHaveLength(2);
  });

  test("says it once, names at most four repairs, and tells nothing of right calls", async () => {
    const keys = ["a", "b", "c", "d", "e", "f"];
    const wide = tool(() => "ok", {
      name: "wide",
      description: "Takes a lot.",
      schema: z.object(Object.fromEntries(keys.map((key) => [key, z.number()]))),
    });
    const secret = Object.fromEntries(keys.map((key, index) => [key, `${index + 41_000}`]));
    const right = Object.fromEntries(keys.map((key) => [key, 1]));
    const agent = createAgent({
      model: saying(
        calling({ name: "wide", args: secret, id: "call_a" }),
        calling({ name: "wide", args: right, id: "call_b" }),
      ),
      tools: [wide],
      middleware: [toolInputMiddleware({ tellModel: true })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    const { call_a, call_b } = answersIn(messages);
    expect(call_b).toBe("ok");
    expect(`${call_a}`.match(/Note:/g)).toHaveLength(1);
    expect(`${call_a}`.match(/ at \//g)).toHaveLength(4);
    expect(call_a).toContain("and 2 more");
    expect(call_a).not.toContain("4100");
  });
});

describe("tools of other kinds", () => {
  testSince("1.5").each([
    ["outside", {}],
    ["outside", { hook: "wrapToolCall" }],
    ["inside", { isTold: true }],
    ["inside", { hook: "wrapToolCall", isTold: true }],
  ] as const)(
    "a call of a tool that middleware %s adds to the request is repaired too: %j",
    async (side, { isTold = false, ...options }: { hook?: "wrapToolCall"; isTold?: boolean }) => {
      const { fixers, click } = kit;
      const late = tool(({ city }) => `sunny in ${city}`, {
        name: "weather",
        description: "Tells the weather.",
        schema: z.object({ city: z.string() }),
      });
      const dynamic = createMiddleware({
        name: "dynamic",
        wrapModelCall: (request, handler) =>
          handler({ ...request, tools: [...request.tools, late] }),
        wrapToolCall: (request, handler) =>
          handler(request.toolCall.name === "weather" ? { ...request, tool: late } : request),
      });
      const mend = toolInputMiddleware({ fixers, ...options, ...(isTold && { tools: [late] }) });
      const agent = createAgent({
        model: saying(calling({ name: "weather", args: '{"city": "Bonn"}', id: "call_a" })),
        tools: [click],
        middleware: side === "inside" ? [mend, dynamic] : [dynamic, mend],
      });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
      expect(answersIn(messages)).toEqual({ call_a: "sunny in Bonn" });
    },
  );

  testSince("1.5")("a provider's tool is left alone", async () => {
    const { fixers, click } = kit;
    const search = { type: "web_search", name: "web_search" };
    const said = calling({ name: "web_search", args: { element: 1 }, id: "call_a" });
    const agent = createAgent({
      model: saying(said),
      tools: [click, search],
      middleware: [toolInputMiddleware({ fixers })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    expect((messages[1] as AIMessage).tool_calls?.[0]?.args).toEqual({ element: 1 });
  });

  testSince("1.5")(
    "a well-formed call of a tool that was not offered is left to LangChain",
    async () => {
      const { messages } = await runAgent([calling({ name: "fly", args: {}, id: "call_a" })]);
      expect(answersIn(messages).call_a).toContain("fly is not a valid tool");
    },
  );

  test("a string tool gets its text", async () => {
    const ran: unknown[] = [];
    const { DynamicTool } = await import("@langchain/core/tools");
    const search = new DynamicTool({
      name: "search",
      description: "Searches.",
      func: async (query) => {
        ran.push(query);
        return "found";
      },
    });
    const agent = createAgent({
      model: saying(unreadable({ name: "search", args: "red shoes", id: "call_a" })),
      tools: [search],
      middleware: [toolInputMiddleware()],
    });
    await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    expect(ran).toEqual(["red shoes"]);
  });
});
