import { beforeEach, describe, expect, test } from "@jest/globals";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";
import { completionStream, startLoopback } from "../../../support/langchain/middleware/loopback.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const ASK = { messages: [{ role: "user" as const, content: "Buy it." }] };
const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };

function agentFor(...messages: readonly AIMessage[]) {
  return createAgent({
    model: saying(...messages),
    tools: [...kit.tools],
    middleware: [toolInputMiddleware({ fixers: kit.fixers })],
  });
}

test("updates only show repaired calls", async () => {
  const updates: object[] = [];
  for await (const update of await agentFor(calling(CALL)).stream(ASK, { streamMode: "updates" })) {
    updates.push(update);
  }
  const text = JSON.stringify(updates);
  expect(text).toContain('"args":{"selector":"#buy"}');
  expect(text).not.toContain('"args":{"element":"#buy"}');
  expect(updates.flatMap(Object.keys)).toEqual(["model_request", "tools", "model_request"]);
});

test("updates of a rejected call: the model's message, and its answer", async () => {
  const said = unreadable({ name: "type", args: "{", id: "call_a" });
  const updates: Record<string, { messages?: BaseMessage[] }>[] = [];
  for await (const update of await agentFor(said).stream(ASK, { streamMode: "updates" })) {
    updates.push(update as (typeof updates)[number]);
  }
  const answer = updates[1]?.tools?.messages?.at(-1);
  expect(answer).toMatchObject({ tool_call_id: "call_a", status: "error" });
});

test("a token stream shows the model's tokens as they come, and no repaired message", async () => {
  const provider = await startLoopback();
  try {
    provider.answer(
      completionStream([{ id: "call_a", name: "click", args: '{"element": "#buy"}' }]),
      completionStream([], { content: "done" }),
    );
    const agent = createAgent({
      model: new ChatOpenAI({
        model: "gpt-test",
        apiKey: "none",
        maxRetries: 0,
        configuration: { baseURL: `${provider.url}/v1` },
      }),
      tools: [...kit.tools],
      middleware: [toolInputMiddleware({ fixers: kit.fixers })],
    });
    const shown: BaseMessage[] = [];
    for await (const [message] of await agent.stream(ASK, { streamMode: "messages" })) {
      shown.push(message);
    }
    const written = shown
      .flatMap((one) => (AIMessageChunk.isInstance(one) ? (one.tool_call_chunks ?? []) : []))
      .map(({ args }) => args ?? "")
      .join("");
    expect(written).toBe('{"element": "#buy"}');
    const others = shown.filter((one) => !AIMessageChunk.isInstance(one));
    expect(others.map(({ type, content }) => [type, content])).toEqual([["tool", "clicked #buy"]]);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
  } finally {
    await provider.close();
  }
});

test("streamed events: the tool starts with its repaired input", async () => {
  const started: unknown[] = [];
  for await (const { event, data } of agentFor(calling(CALL)).streamEvents(ASK, {
    version: "v2",
  })) {
    if (event === "on_tool_start") started.push(data.input);
  }
  expect(JSON.stringify(started)).toContain("selector");
  expect(JSON.stringify(started)).not.toContain("element");
});

testSince("1.5").each(["none", "keys", "full"] as const)(
  "streamed events of the newer version: a rejected call is answered, and shown with content %s",
  async (content) => {
    for (const said of [
      calling({ name: "click", args: { one: 1, two: 2 }, id: "call_a" }),
      unreadable({ name: "click", args: '{"selector": "#b', id: "call_a" }),
      unreadable({ name: "click", args: "", id: "call_a" }),
    ]) {
      const agent = createAgent({
        model: saying(said),
        tools: [...kit.tools],
        middleware: [toolInputMiddleware({ trace: { content } })],
      });
      const { output } = await agent.streamEvents(ASK, { version: "v3" });
      const { messages } = (await output) as { messages: BaseMessage[] };
      expect(messages.at(-1)?.content).toBe("done");
    }
  },
);

/** As with Gemini: a call is an object, and the message holds no stop reason. */
class StreamingModel extends BaseChatModel {
  readonly #answers: ChatGenerationChunk[][];

  constructor(reason: string) {
    super({});
    const part = (fields: object, info?: object) =>
      new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({ content: "", ...fields }),
        ...(info && { generationInfo: info }),
      });
    const args = '{"selector":"#buy"}';
    const tool_call_chunks = [{ type: "tool_call_chunk" as const, ...CALL, args, index: 0 }];
    const response_metadata = { model_provider: "google-genai" };
    this.#answers = [
      [part({ tool_call_chunks, response_metadata }), part({}, { finishReason: reason })],
      [part({ content: "done" })],
    ];
  }

  _llmType(): string {
    return "streaming";
  }

  override bindTools(): StreamingModel {
    return this;
  }

  override async _generate(): Promise<never> {
    throw new Error("It streams.");
  }

  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    _options: unknown,
    manager?: CallbackManagerForLLMRun,
  ) {
    for (const chunk of this.#answers.shift() ?? []) {
      yield chunk;
      const fields = { chunk };
      await manager?.handleLLMNewToken("", undefined, undefined, undefined, undefined, fields);
    }
  }
}

describe("why a model stopped, if its tokens are streamed", () => {
  const COPIES = {
    "the model's": (said: AIMessage) => said,
    "a copy": ({ content, id, tool_calls = [], response_metadata }: AIMessage) =>
      new AIMessage({ content, tool_calls, response_metadata, ...(id && { id }) }),
    "a copy without its id": ({ content, tool_calls = [], response_metadata }: AIMessage) =>
      new AIMessage({ content, tool_calls, response_metadata }),
    "a copy with other ids": ({ content, tool_calls = [], response_metadata }: AIMessage) =>
      new AIMessage({
        content,
        tool_calls: tool_calls.map((call) => ({ ...call, id: "call_other" })),
        response_metadata,
      }),
  };

  describe.each(Object.entries(COPIES))("middleware inside returns %s", (_name, copy) => {
    test.each([
      ["MAX_TOKENS", 0],
      ["STOP", 1],
    ])("%s: number of runs of a complete last call: %i", async (reason, count) => {
      const inside = createMiddleware({
        name: "inside",
        wrapModelCall: async (request, handler) => copy((await handler(request)) as AIMessage),
      });
      const agent = createAgent({
        model: new StreamingModel(reason),
        tools: [...kit.tools],
        middleware: [toolInputMiddleware(), inside],
      });
      for await (const _ of await agent.stream(ASK, { streamMode: "messages" }));
      expect(kit.ran).toHaveLength(count);
    });
  });
});
