import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool } from "langchain";
import type { InputEvent, ToolInputError } from "toolmend";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { recordsOf } from "#src/langchain/message/messages.ts";
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

  test("leaves the model's own message unchanged", async () => {
    const said = calling(CALL);
    await runAgent([said]);
    expect(said.tool_calls?.[0]?.args).toEqual({ element: "#buy" });
    expect(said.response_metadata).toEqual({});
  });

  test("is recorded with the message, with what the model wrote", async () => {
    const { messages } = await runAgent([calling(CALL)]);
    expect(recordsOf(messages[1] as AIMessage)).toEqual([
      {
        id: "call_a",
        call: { length: '["click",{"selector":"#buy"}]'.length, hash: expect.any(String) },
        rawToolInput: { element: "#buy" },
        repairs: [expect.objectContaining({ fixer: "renameKey(element → selector)" })],
      },
    ]);
  });

  test("is reported to onToolCall, once", async () => {
    const events: InputEvent[] = [];
    await runAgent([calling(CALL), calling({ ...CALL, args: { selector: "#x" }, id: "c" })], {
      onToolCall: (event) => events.push(event),
    });
    expect(events).toMatchObject([
      { outcome: "repaired", callId: "call_a", toolInput: { selector: "#buy" } },
      { outcome: "valid", callId: "c", toolInput: { selector: "#x" } },
    ]);
  });

  test("may be of a tool whose name was wrong", async () => {
    const { messages } = await runAgent([calling({ ...CALL, name: "Click" })]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const [record] = recordsOf(messages[1] as AIMessage);
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
  test("does not run, and the model reads why in its own terms", async () => {
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

  test("does not run if it holds a BigInt, and the run goes on", async () => {
    const { messages } = await runAgent([calling({ ...CALL, args: { ...CALL.args, times: 5n } })]);
    expect(kit.ran).toEqual([]);
    expect(answersIn(messages).call_a).toMatch(/^The input of tool "click" was not accepted/);
    expect(messages.at(-1)?.content).toBe("done");
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

  test("gets the text that onUnfixable returns for the model", async () => {
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
    expect(recordsOf(asked)[0]).toMatchObject({ rescued: "invalid_tool_call" });
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

describe("tools of other kinds", () => {
  testSince("1.5").each(["outside", "inside"])(
    "a call of a tool that middleware %s adds to the request is repaired too",
    async (side) => {
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
      const mend = toolInputMiddleware({ fixers });
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

  test("a call of a tool that does not exist is reported, and the model reads which tools exist", async () => {
    const onToolCall = jest.fn<(event: InputEvent) => void>();
    const { messages } = await runAgent([calling({ name: "fly", args: {}, id: "call_a" })], {
      onToolCall,
    });
    expect(onToolCall.mock.calls.map(([{ toolName }]) => toolName)).toEqual(["fly"]);
    expect(answersIn(messages).call_a).toContain('expected one of "click", "type"');
  });

  testSince("1.5")("a name is not repaired to a tool's beside which there is another", async () => {
    const ran: string[] = [];
    const named = (name: string) =>
      tool(() => void ran.push(name), { name, description: name, schema: z.object({}) });
    const [inner, outer] = [named("deleteFile"), named("delete_file")];
    const dynamic = createMiddleware({
      name: "dynamic",
      wrapModelCall: (request, handler) =>
        handler({ ...request, tools: [...request.tools, inner] }),
      wrapToolCall: (request, handler) =>
        handler(request.toolCall.name === "deleteFile" ? { ...request, tool: inner } : request),
    });
    const said = () => saying(calling({ name: "deleteFile", args: {}, id: "call_a" }));
    const wrapped = () => said().withConfig({ tags: ["bound"] }) as never;
    for (const model of [said(), wrapped()]) {
      const agent = createAgent({
        model,
        tools: [outer],
        middleware: [toolInputMiddleware(), dynamic],
      });
      await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    }
    expect(ran).toEqual(["deleteFile", "deleteFile"]);
  });

  testSince("1.5")(
    "where the model is wrapped, a tool that does not exist is reported too",
    async () => {
      const onToolCall = jest.fn<(event: InputEvent) => void>();
      const model = saying(calling({ name: "fly", args: {}, id: "call_a" })).withConfig({});
      const agent = createAgent({
        model: model as never,
        tools: [kit.click],
        middleware: [toolInputMiddleware({ onToolCall })],
      });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
      expect(onToolCall).toHaveBeenCalledTimes(1);
      expect(answersIn(messages).call_a).toContain('expected one of "click"');
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
