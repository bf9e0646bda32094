import { beforeEach, describe, expect, test } from "@jest/globals";
import {
  AIMessage,
  AIMessageChunk,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  ToolMessage,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { recordsOf } from "#src/langchain/message/messages.ts";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

function repair(message: AIMessage, options: Parameters<typeof repairMessage>[2] = {}) {
  return repairMessage(message, kit.tools, { fixers: kit.fixers, ...options });
}

const RAW = { element: "#buy" };
const FIXED = { selector: "#buy" };

/** One call, in the form of every provider. */
function everywhere(args: object, id = "call_a") {
  return {
    id: "m1",
    name: "agent",
    content: [
      { type: "text", text: "I click." },
      { type: "tool_use", id, name: "click", input: args, cache_control: { type: "ephemeral" } },
      { type: "tool_call", id, name: "click", args },
    ],
    tool_calls: [
      { id, name: "click", args: args as Record<string, unknown>, type: "tool_call" as const },
    ],
    additional_kwargs: {
      tool_calls: [
        {
          id,
          type: "function" as const,
          function: { name: "click", arguments: JSON.stringify(args) },
        },
      ],
      reasoning_content: "hm",
    },
    response_metadata: {
      model_name: "m",
      output: [
        { type: "reasoning", id: "rs_1" },
        {
          type: "function_call",
          id: "fc_1",
          call_id: id,
          name: "click",
          arguments: JSON.stringify(args),
        },
      ],
    },
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  };
}

describe("a message whose call is repaired", () => {
  test("may have null where a provider sends calls", async () => {
    const { id, tool_calls } = everywhere(RAW);
    const additional_kwargs = { tool_calls: null as never };
    const repaired = await repair(
      new AIMessage({ id, content: "", tool_calls, additional_kwargs }),
    );
    expect(repaired.tool_calls).toMatchObject([{ args: FIXED }]);
    expect(repaired.additional_kwargs).toEqual({});
  });

  test("holds the repaired call everywhere a provider resends it, and all else unchanged", async () => {
    const message = new AIMessage(everywhere(RAW));
    const repaired = await repair(message);
    const { toolmend: _, ...response_metadata } = repaired.response_metadata;
    const expected = everywhere(FIXED);
    expect({
      id: repaired.id,
      name: repaired.name,
      additional_kwargs: repaired.additional_kwargs,
      usage_metadata: repaired.usage_metadata,
      tool_calls: repaired.tool_calls,
      response_metadata,
    }).toEqual({
      id: expected.id,
      name: expected.name,
      additional_kwargs: expected.additional_kwargs,
      usage_metadata: expected.usage_metadata,
      tool_calls: expected.tool_calls,
      response_metadata: expected.response_metadata,
    });
    // A message has each call in one of the two forms of content; the first one found is read.
    expect(repaired.content).toContainEqual(expected.content[1]);
  });

  test("is a new message: the model's own stays unchanged", async () => {
    const message = new AIMessage(everywhere(RAW));
    const before = JSON.stringify(message);
    expect(await repair(message)).not.toBe(message);
    expect(JSON.stringify(message)).toBe(before);
  });

  test("survives being stored", async () => {
    const repaired = await repair(new AIMessage(everywhere(RAW)));
    const { load } = await import("@langchain/core/load");
    const stored = await load<AIMessage>(JSON.stringify(repaired));
    expect(stored.tool_calls).toEqual(repaired.tool_calls);
    expect(recordsOf(stored)).toEqual(recordsOf(repaired));
  });

  test("has no field in a checkpoint that the model's own message lacks", async () => {
    const tool_calls = [{ id: "call_a", name: "click", args: RAW }];
    const repaired = await repair(new AIMessage({ content: "", tool_calls }));
    const [, stored] = await new MemorySaver().serde.dumpsTyped(repaired);
    expect(new TextDecoder().decode(stored)).not.toContain('"undefined"');
  });

  testSince("1.5")("in LangChain's own content blocks", async () => {
    const message = new AIMessage({
      content: [
        { type: "tool_call", id: "call_a", name: "Click", args: RAW },
        { type: "invalid_tool_call", id: "call_b", name: "click", args: '"#b"', error: "x" },
        { type: "tool_call", id: "call_c", name: "click", args: { one: 1, two: 2 } },
      ] as never,
      tool_calls: [
        { type: "tool_call", id: "call_a", name: "Click", args: RAW },
        { type: "tool_call", id: "call_c", name: "click", args: { one: 1, two: 2 } },
      ],
      invalid_tool_calls: [
        { type: "invalid_tool_call", id: "call_b", name: "click", args: '"#b"', error: "x" },
      ],
      response_metadata: { output_version: "v1" },
    });
    const repaired = await repair(message);
    expect(repaired.tool_calls).toEqual([
      { type: "tool_call", id: "call_a", name: "click", args: FIXED },
      { type: "tool_call", id: "call_b", name: "click", args: { selector: "#b" } },
    ]);
    expect(repaired.contentBlocks).toEqual([
      { type: "tool_call", id: "call_a", name: "click", args: FIXED },
      { type: "tool_call", id: "call_b", name: "click", args: { selector: "#b" } },
      expect.objectContaining({ type: "invalid_tool_call", id: "call_c" }),
    ]);
  });

  test("calls with the same id are told apart in every place", async () => {
    const message = new AIMessage({
      id: "m1",
      content: "",
      tool_calls: [
        { id: "x", name: "click", args: { element: "#1" } },
        { id: "x", name: "click", args: { element: "#2" } },
      ],
      additional_kwargs: {
        tool_calls: ["#1", "#2"].map((element) => ({
          id: "x",
          type: "function",
          function: { name: "click", arguments: JSON.stringify({ element }) },
        })),
      },
    });
    const { tool_calls, additional_kwargs } = await repair(message);
    expect(tool_calls?.map(({ id, args }) => [id, args])).toEqual([
      ["x", { selector: "#1" }],
      ["call_m1_1", { selector: "#2" }],
    ]);
    expect(additional_kwargs.tool_calls).toMatchObject([
      { id: "x", function: { arguments: '{"selector":"#1"}' } },
      { id: "call_m1_1", function: { arguments: '{"selector":"#2"}' } },
    ]);
  });
});

describe("a message with valid calls", () => {
  test("is returned by reference", async () => {
    const message = new AIMessage(everywhere(FIXED));
    expect(await repair(message)).toBe(message);
  });

  test("is returned by reference without calls, and after a repair", async () => {
    const message = new AIMessage("Hi.");
    expect(await repair(message)).toBe(message);
    const repaired = await repair(new AIMessage(everywhere(RAW)));
    expect(await repair(repaired)).toBe(repaired);
    const refused = await repair(new AIMessage(everywhere({ one: 1, two: 2 })));
    expect(await repair(refused)).toBe(refused);
  });
});

describe("a call that cannot be repaired", () => {
  test("becomes an invalid call, with the message for the model", async () => {
    const repaired = await repair(new AIMessage(everywhere({ one: 1, two: 2 })));
    expect(repaired.tool_calls).toEqual([]);
    expect(repaired.invalid_tool_calls).toEqual([
      {
        id: "call_a",
        name: "click",
        args: '{"one":1,"two":2}',
        error: expect.stringContaining("selector: expected string"),
        type: "invalid_tool_call",
      },
    ]);
    // Chat completions would resend it from here, without an answer.
    expect(repaired.additional_kwargs).toEqual({ reasoning_content: "hm" });
  });

  test("is rejected too if its tool does not exist, and left alone if it is the provider's", async () => {
    const message = new AIMessage({
      content: "",
      tool_calls: [{ id: "a", name: "computer", args: { element: 1 } }],
    });
    const { tool_calls, invalid_tool_calls } = await repair(message);
    expect(tool_calls).toEqual([]);
    expect(invalid_tool_calls?.[0]?.error).toContain('expected one of "click", "type"');
    const provided = [...kit.tools, { type: "computer_20250124", name: "computer" }];
    expect(await repairMessage(message, provided)).toBe(message);
  });
});

/** A streamed message, as LangChain assembles it: LangChain completes what was cut off. */
function streamed(args: string, fields: object = {}) {
  return new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ id: "call_a", name: "type", args, index: 0, type: "tool_call_chunk" }],
    ...fields,
  });
}

describe("a streamed call", () => {
  test("that was cut off is rejected at every level, though LangChain completes it", async () => {
    const message = streamed('{"selector": "#to", "text": "half of');
    expect(message.tool_calls?.[0]?.args).toEqual({ selector: "#to", text: "half of" });
    for (const level of ["strict", "safe", "eager"] as const) {
      const { tool_calls, invalid_tool_calls } = await repair(message, { level });
      expect(tool_calls).toEqual([]);
      expect(invalid_tool_calls?.[0]?.error).toContain("cut off");
    }
  });

  test("that only lacks closing brackets is repaired at eager, unless it is known to be cut off", async () => {
    const text = '{"selector": "#to", "text": "all of it"';
    const safe = await repair(streamed(text));
    expect(safe.tool_calls).toEqual([]);
    const eager = await repair(streamed(text), { level: "eager" });
    expect(eager.tool_calls?.[0]?.args).toEqual({ selector: "#to", text: "all of it" });
    const cut = streamed(text, { response_metadata: { finish_reason: "length" } });
    expect((await repair(cut, { level: "eager" })).tool_calls).toEqual([]);
  });

  test("that is complete is returned by reference; a repaired one is not a chunk", async () => {
    const whole = streamed('{"selector": "#to", "text": "x"}');
    expect(await repair(whole)).toBe(whole);
    const repaired = await repair(streamed('{"element": "#to", "text": "x"}'));
    expect(AIMessageChunk.isInstance(repaired) && "tool_call_chunks" in repaired).toBe(false);
    expect(repaired.tool_calls?.[0]?.args).toEqual({ selector: "#to", text: "x" });
  });

  test("without arguments is a call of a tool that needs none", async () => {
    const refresh = { name: "refresh", schema: { type: "object", properties: {} } };
    const message = new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ id: "a", name: "refresh", args: "", index: 0, type: "tool_call_chunk" }],
    });
    expect(await repairMessage(message, [refresh])).toBe(message);
  });
});

describe("a message that was cut off", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["OpenAI, Mistral", { finish_reason: "length" }, {}],
    ["Anthropic", { stop_reason: "max_tokens" }, {}],
    ["Anthropic, streaming", {}, { stop_reason: "max_tokens" }],
    ["Google", { finishReason: "MAX_TOKENS" }, {}],
    ["Bedrock", { stopReason: "max_tokens" }, {}],
    ["Bedrock, streaming", { messageStop: { stopReason: "max_tokens" } }, {}],
    ["Ollama", { done_reason: "length" }, {}],
    ["OpenAI's responses", { incomplete_details: { reason: "max_output_tokens" } }, {}],
  ])("%s", async (_, response_metadata, additional_kwargs) => {
    const tool_calls = [
      { id: "call_a", name: "click", args: { selector: "#a" } },
      { id: "call_b", name: "click", args: { selector: "#b" } },
    ];
    const fields = { content: "", tool_calls, response_metadata, additional_kwargs };
    const repaired = await repair(new AIMessage(fields));
    expect(repaired.tool_calls?.map(({ id }) => id)).toEqual(["call_a"]);
    expect(repaired.invalid_tool_calls?.map(({ id }) => id)).toEqual(["call_b"]);
  });
});

test("no key of a message reaches a prototype", async () => {
  const args = JSON.parse('{"selector": "#a", "__proto__": {"polluted": true}}');
  const message = new AIMessage({
    content: "",
    tool_calls: [{ id: "__proto__", name: "constructor", args }],
    invalid_tool_calls: [
      { id: "constructor", name: "click", args: '{"__proto__": {"polluted": 1}, "element": "x"}' },
    ],
  });
  await repair(message, { history: [new ToolMessage({ content: "", tool_call_id: "toString" })] });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("a message in LangChain's own content blocks", () => {
  const v1 = (content: readonly object[], tool_calls: readonly object[]) =>
    new AIMessageChunk({
      id: "m1",
      content: content as never,
      tool_calls: tool_calls as never,
      response_metadata: { output_version: "v1" },
    });
  const call = (name: string, args: object, id?: string) => ({
    type: "tool_call",
    name,
    args,
    ...(id && { id }),
  });
  const shown = ({ tool_calls = [] }: AIMessage) =>
    tool_calls.map(({ id, name, args }) => ({ id, name, args }));
  const TYPED = { selector: "#a", text: "b" };

  test("has no more calls after one of them is repaired", async () => {
    const message = v1(
      [call("type", TYPED), call("click", RAW)],
      [call("type", TYPED, "c1"), call("click", RAW, "c2")],
    );
    const repaired = await repair(message);
    const expected = [
      { id: "c1", name: "type", args: TYPED },
      { id: "c2", name: "click", args: FIXED },
    ];
    expect(shown(repaired)).toEqual(expected);
    expect(repaired.content).toEqual([call("type", TYPED, "c1"), call("click", FIXED, "c2")]);
    // A checkpoint is read like this: LangChain's constructor takes unknown blocks for calls.
    const [restored] = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([repaired]));
    expect(shown(restored as AIMessage)).toEqual(expected);
    expect(message.content).toEqual([call("type", TYPED), call("click", RAW)]);
  });

  test("keeps no block of a call that it does not have", async () => {
    const message = v1(
      [call("type", { selector: "#other", text: "b" }), call("click", RAW)],
      [call("click", RAW, "c2")],
    );
    const repaired = await repair(message);
    expect(shown(repaired)).toEqual([{ id: "c2", name: "click", args: FIXED }]);
    const [restored] = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([repaired]));
    expect(shown(restored as AIMessage)).toEqual([{ id: "c2", name: "click", args: FIXED }]);
  });

  test("has no second call for the block of a call that was repaired since", async () => {
    const block = { type: "invalid_tool_call", id: "c1", name: "click", args: "{'selector':'#a'}" };
    const message = v1([{ type: "text", text: "hm" }, block], [call("click", FIXED, "c1")]);
    expect(shown(await repair(message))).toEqual([{ id: "c1", name: "click", args: FIXED }]);
  });

  test("gets no call blocks if it has none, in a checkpoint either", async () => {
    const message = v1([{ type: "text", text: "" }], [call("click", RAW, "c1")]);
    const repaired = await repair(message);
    expect(shown(repaired)).toEqual([{ id: "c1", name: "click", args: FIXED }]);
    const [restored] = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([repaired]));
    for (const { content } of [repaired, restored as AIMessage]) expect(content).toBe("");
  });

  test("drops its streaming chunks, and keeps each call", async () => {
    const text = (id: string, name: string, args: object) => ({
      type: "tool_call_chunk" as const,
      id,
      name,
      args: JSON.stringify(args),
    });
    const chunks = [text("c1", "click", RAW), text("c2", "type", TYPED)];
    const empty = (name: string, id: string) => ({ ...call(name, {}, id), args: "" });
    const message = new AIMessageChunk({
      // LangChain casts streamed Anthropic messages like this.
      content: [empty("click", "c1"), chunks[0], empty("type", "c2"), chunks[0]] as never,
      tool_call_chunks: chunks.map((chunk, index) => ({ ...chunk, index })),
      response_metadata: { output_version: "v1" },
    });
    const { content } = await repair(message);
    expect(content).toEqual([call("click", FIXED, "c1"), call("type", TYPED, "c2")]);
  });

  test("keeps the position of a call that LangChain could not parse and that has only a block", async () => {
    const unread = {
      type: "invalid_tool_call",
      id: "c1",
      name: "click",
      args: "{'element': '#buy'}",
    };
    const message = v1([unread, call("type", TYPED, "c2")], [call("type", TYPED, "c2")]);
    const repaired = await repair(message);
    expect(repaired.content).toEqual([call("click", FIXED, "c1"), call("type", TYPED, "c2")]);
    expect(shown(repaired).map(({ id }) => id)).toEqual(["c1", "c2"]);
  });

  test("keeps a call that LangChain left out of its blocks before the next one", async () => {
    const message = new AIMessage({
      content: [call("type", TYPED, "c2")],
      invalid_tool_calls: [
        { type: "invalid_tool_call", id: "c1", name: "click", args: "{'element': '#buy'}" },
      ],
      response_metadata: {
        output_version: "v1",
        output: ["c1", "c2"].map((call_id, index) => ({
          type: "function_call",
          call_id,
          name: ["click", "type"][index],
          arguments: ["{'element': '#buy'}", JSON.stringify(TYPED)][index],
        })),
      },
    } as never);
    const { content } = await repair(message);
    expect(content).toEqual([call("click", FIXED, "c1"), call("type", TYPED, "c2")]);
  });

  test("does not get a rejected call back as one to run", async () => {
    const wrong = { a: 1, b: 2 };
    const message = v1([call("click", wrong)], [call("click", wrong, "c1")]);
    const repaired = await repair(message);
    expect(shown(repaired)).toEqual([]);
    expect(repaired.invalid_tool_calls).toMatchObject([{ id: "c1", name: "click" }]);
    const [restored] = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([repaired]));
    expect(shown(restored as AIMessage)).toEqual([]);
  });
});

describe("Google's form of a call", () => {
  const google = (args: unknown, id?: string) => ({
    type: "functionCall",
    functionCall: { name: "click", args, ...(id && { id }) },
  });

  test("written as text is sent repaired", async () => {
    const message = new AIMessage({
      content: [google(JSON.stringify(RAW))] as never,
      invalid_tool_calls: [
        {
          type: "invalid_tool_call",
          id: "c1",
          name: "click",
          args: JSON.stringify(RAW),
          error: "",
        },
      ],
    });
    expect((await repair(message)).content).toEqual([google(FIXED)]);
  });

  test("with an id that was taken gets the call's new one", async () => {
    const history = [
      new AIMessage({ content: "", tool_calls: [{ id: "#0", name: "click", args: FIXED }] }),
    ];
    const message = new AIMessage({
      id: "m2",
      content: [google(RAW, "#0")] as never,
      tool_calls: [{ id: "#0", name: "click", args: RAW }],
    });
    const repaired = await repair(message, { history });
    expect(repaired.tool_calls?.[0]?.id).not.toBe("#0");
    expect(repaired.content).toEqual([google(FIXED, repaired.tool_calls?.[0]?.id)]);
  });
});
