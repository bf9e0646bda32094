import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { isSince } from "../../../support/langchain/middleware/langchain-version.ts";
import {
  type Answer,
  anthropicMessage,
  anthropicStream,
  completion,
  completionStream,
  type Loopback,
  openAIResponse,
  openAIResponseStream,
  startLoopback,
  type WrittenCall,
} from "../../../support/langchain/middleware/loopback.ts";

let provider: Loopback;
beforeAll(async () => {
  // LangChain warns of messages whose calls it could not parse: these tests are about them.
  jest.spyOn(console, "warn").mockImplementation(() => {});
  provider = await startLoopback();
});
afterAll(() => provider.close());

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

/** A call and its answer as they are sent back to the provider, in one shape for all of them. */
interface Sent {
  readonly calls: readonly { id: unknown; name: unknown; args: unknown }[];
  readonly answers: Readonly<Record<string, string>>;
}

interface Api {
  readonly name: string;
  model(): ChatOpenAI | ChatAnthropic;
  answer(calls: readonly WrittenCall[], options?: object): Answer;
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
  sent(body: any): Sent;
}

function openAI(useResponsesApi: boolean): ChatOpenAI {
  return new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${provider.url}/v1` },
  });
}

function anthropic(): ChatAnthropic {
  return new ChatAnthropic({
    model: "claude-test",
    apiKey: "none",
    maxRetries: 0,
    anthropicApiUrl: provider.url,
  });
}

const completions: Pick<Api, "sent"> = {
  sent: ({ messages }) => ({
    // biome-ignore lint/suspicious/noExplicitAny: see above
    calls: messages.flatMap(({ tool_calls = [] }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: see above
      tool_calls.map(({ id, function: called }: any) => ({
        id,
        name: called.name,
        args: JSON.parse(called.arguments),
      })),
    ),
    answers: Object.fromEntries(
      // biome-ignore lint/suspicious/noExplicitAny: see above
      messages.flatMap(({ role, tool_call_id, content }: any) =>
        role === "tool" ? [[tool_call_id, content]] : [],
      ),
    ),
  }),
};

const responses: Pick<Api, "sent"> = {
  sent: ({ input }) => ({
    // biome-ignore lint/suspicious/noExplicitAny: see above
    calls: input.flatMap(({ type, call_id, name, arguments: args }: any) =>
      type === "function_call" ? [{ id: call_id, name, args: JSON.parse(args) }] : [],
    ),
    answers: Object.fromEntries(
      // biome-ignore lint/suspicious/noExplicitAny: see above
      input.flatMap(({ type, call_id, output }: any) =>
        type === "function_call_output" ? [[call_id, output]] : [],
      ),
    ),
  }),
};

const messages: Pick<Api, "sent"> = {
  sent: (body) => {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const blocks = body.messages.flatMap(({ content }: any) =>
      Array.isArray(content) ? content : [],
    );
    return {
      // biome-ignore lint/suspicious/noExplicitAny: see above
      calls: blocks.flatMap(({ type, id, name, input }: any) =>
        type === "tool_use" ? [{ id, name, args: input }] : [],
      ),
      answers: Object.fromEntries(
        // biome-ignore lint/suspicious/noExplicitAny: see above
        blocks.flatMap(({ type, tool_use_id, content }: any) =>
          type === "tool_result" ? [[tool_use_id, content]] : [],
        ),
      ),
    };
  },
};

const TEXT_APIS: readonly (Api & { readonly streaming: boolean })[] = [
  {
    name: "OpenAI completions",
    streaming: false,
    model: () => openAI(false),
    answer: (calls, options) => completion(calls, options),
    ...completions,
  },
  {
    name: "OpenAI completions, streaming",
    streaming: true,
    model: () => openAI(false),
    answer: (calls, options) => completionStream(calls, options),
    ...completions,
  },
  {
    name: "OpenAI responses",
    streaming: false,
    model: () => openAI(true),
    answer: (calls, options) => openAIResponse(calls, options),
    ...responses,
  },
  {
    name: "OpenAI responses, streaming",
    streaming: true,
    model: () => openAI(true),
    answer: (calls, options) => openAIResponseStream(calls, options),
    ...responses,
  },
  {
    name: "Anthropic, streaming",
    streaming: true,
    model: anthropic,
    answer: (calls, options) => anthropicStream(calls, options),
    ...messages,
  },
];

const ANTHROPIC: Api & { readonly streaming: boolean } = {
  name: "Anthropic",
  streaming: false,
  model: anthropic,
  answer: (calls, options) =>
    anthropicMessage(
      calls.map(({ id = "", name, args }) => ({ id, name, input: JSON.parse(args) })),
      options,
    ),
  ...messages,
};

const ASK = { messages: [{ role: "user" as const, content: "Buy it." }] };

async function runAgent(
  api: Api & { readonly streaming: boolean },
): Promise<readonly BaseMessage[]> {
  const { tools, fixers } = kit;
  const agent = createAgent({
    model: api.model(),
    tools: [...tools],
    middleware: [toolInputMiddleware({ fixers })],
  });
  if (!api.streaming) return (await agent.invoke(ASK)).messages;
  // A token listener makes the model stream; `streaming: true` would count tokens over the network.
  let messages: readonly BaseMessage[] = [];
  for await (const [mode, part] of await agent.stream(ASK, {
    streamMode: ["messages", "values"],
  })) {
    if (mode === "values") messages = (part as { messages: BaseMessage[] }).messages;
  }
  return messages;
}

describe.each([...TEXT_APIS, ANTHROPIC])("$name", (api) => {
  test("sends the provider the repaired arguments, of parallel calls too", async () => {
    provider.answer(
      api.answer([
        { id: "call_a", name: "click", args: '{"element": "#a"}' },
        { id: "call_b", name: "click", args: '{"element": "#b"}' },
        { id: "call_c", name: "type", args: '{"selector": "#c", "text": "hi"}' },
      ]),
      api.answer([]),
    );

    await runAgent(api);

    expect(kit.ran).toEqual([
      { selector: "#a" },
      { selector: "#b" },
      { selector: "#c", text: "hi" },
    ]);
    const body = provider.requests[1];
    expect(api.sent(body)).toEqual({
      calls: [
        { id: "call_a", name: "click", args: { selector: "#a" } },
        { id: "call_b", name: "click", args: { selector: "#b" } },
        { id: "call_c", name: "type", args: { selector: "#c", text: "hi" } },
      ],
      answers: { call_a: "clicked #a", call_b: "clicked #b", call_c: "typed hi" },
    });
    expect(JSON.stringify(body.messages ?? body.input)).not.toContain("element");
  });

  test("answers a call that cannot be repaired, and goes on", async () => {
    provider.answer(
      api.answer([
        { id: "call_a", name: "click", args: '{"wrong": 1}' },
        { id: "call_b", name: "click", args: '{"element": "#b"}' },
      ]),
      api.answer([{ id: "call_c", name: "click", args: '{"wrong": 2}' }]),
      api.answer([]),
    );

    await runAgent(api);

    expect(kit.ran).toEqual([{ selector: "#b" }]);
    expect(provider.requests).toHaveLength(3);
    const { calls, answers } = api.sent(provider.requests[2]);
    expect(calls).toEqual(
      expect.arrayContaining([
        { id: "call_a", name: "click", args: { wrong: 1 } },
        { id: "call_b", name: "click", args: { selector: "#b" } },
        { id: "call_c", name: "click", args: { wrong: 2 } },
      ]),
    );
    expect(calls).toHaveLength(3);
    expect(answers).toEqual({
      call_a: expect.stringContaining("the tool was not run"),
      call_b: "clicked #b",
      call_c: expect.stringContaining("selector: expected string"),
    });
  });

  test("leaves valid calls unchanged, by reference", async () => {
    provider.answer(
      api.answer([{ id: "call_a", name: "click", args: '{"selector": "#a"}' }]),
      api.answer([]),
    );

    const all = await runAgent(api);

    expect(JSON.stringify(all)).not.toContain("toolmend");
    expect(kit.ran).toEqual([{ selector: "#a" }]);
  });
});

describe.each(TEXT_APIS)("$name: text that LangChain cannot parse", (api) => {
  test("becomes a call of the same id", async () => {
    provider.answer(
      api.answer([
        { id: "call_a", name: "click", args: '"#a"' },
        { id: "call_b", name: "click", args: "#b" },
      ]),
      api.answer([]),
    );

    await runAgent(api);

    expect(kit.ran).toEqual([{ selector: "#a" }, { selector: "#b" }]);
    expect(api.sent(provider.requests[1]).calls).toEqual([
      { id: "call_a", name: "click", args: { selector: "#a" } },
      { id: "call_b", name: "click", args: { selector: "#b" } },
    ]);
  });

  test("is answered if it cannot be repaired, and the run goes on", async () => {
    provider.answer(
      api.answer([{ id: "call_a", name: "type", args: "[1, 2" }]),
      api.answer([{ id: "call_b", name: "type", args: '{"element": "#b", "text": "x"}' }]),
      api.answer([]),
    );

    await runAgent(api);

    expect(kit.ran).toEqual([{ selector: "#b", text: "x" }]);
    expect(api.sent(provider.requests[1])).toEqual({
      calls: [{ id: "call_a", name: "type", args: { malformed_arguments: "[1, 2" } }],
      answers: { call_a: expect.stringContaining("not run") },
    });
  });

  test("is rejected if it was cut off, though LangChain completes it", async () => {
    provider.answer(
      api.answer([
        { id: "call_a", name: "type", args: '{"selector": "#a", "text": "all of it"}' },
        { id: "call_b", name: "type", args: '{"selector": "#b", "text": "half of' },
      ]),
      api.answer([]),
    );

    await runAgent(api);

    expect(kit.ran).toEqual([{ selector: "#a", text: "all of it" }]);
    expect(api.sent(provider.requests[1]).answers).toEqual({
      call_a: "typed all of it",
      call_b: expect.stringContaining("cut off"),
    });
    const half = '{"selector": "#b", "text": "half of';
    expect(api.sent(provider.requests[1]).calls).toMatchObject([
      { id: "call_a", args: { selector: "#a", text: "all of it" } },
      { id: "call_b", args: { malformed_arguments: half } },
    ]);
  });
});

const CUT_OFF: readonly [string, Api & { readonly streaming: boolean }, object][] = [
  ...TEXT_APIS.map((api): [string, typeof api, object] => [
    api.name,
    api,
    api.name.startsWith("OpenAI responses")
      ? { incomplete: true }
      : { finish: "length", stop: "max_tokens" },
  ]),
  [ANTHROPIC.name, ANTHROPIC, { stop: "max_tokens" }],
];

describe.each(CUT_OFF)("%s: a message that was cut off", (name, api, options) => {
  test("runs its complete calls, and its last one only if its text shows that it is complete", async () => {
    provider.answer(
      api.answer(
        [
          { id: "call_a", name: "click", args: '{"element": "#a"}' },
          { id: "call_b", name: "click", args: '{"selector": "#b"}' },
        ],
        options,
      ),
      api.answer([]),
    );

    await runAgent(api);

    // Without streaming, Anthropic has no text; the verdict is the same as with it.
    const isText =
      !name.startsWith(ANTHROPIC.name) && (name !== "OpenAI responses" || isSince("1.5"));
    expect(kit.ran).toEqual([{ selector: "#a" }, ...(isText ? [{ selector: "#b" }] : [])]);
    expect(api.sent(provider.requests[1]).answers).toEqual({
      call_a: "clicked #a",
      call_b: isText ? "clicked #b" : expect.stringContaining("cut off"),
    });
  });
});
