import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import type { Runnable } from "@langchain/core/runnables";
import { ChatOpenAI } from "@langchain/openai";
import { type AttemptEvent, toolChain } from "toolmend/runnables";
import {
  type Answer,
  type OpenAIServer,
  startOpenAIServer,
} from "../../../support/integration/openai-server.ts";
import { complexTool, question } from "../../../support/langchain/runnables/complex-tool.ts";

// A real client, against a server of the test's own on 127.0.0.1.

let server: OpenAIServer;
beforeAll(async () => {
  // LangChain warns of calls that it cannot read, as if its package were old.
  jest.spyOn(console, "warn").mockImplementation(() => {});
  server = await startOpenAIServer();
});
afterAll(() => {
  jest.restoreAllMocks();
  return server.close();
});

const chat = (model = "gpt-small") =>
  new ChatOpenAI({
    model,
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: server.baseURL },
  });

const wire = (text: string) => ({ calls: [{ name: "complex_tool", arguments: text }] });
const forgets = wire('{"int_arg": 5, "float_arg": 2.1}');
const remembers = wire('{"int_arg": 5, "float_arg": 2.1, "dict_arg": {}}');

interface Body {
  readonly model: string;
  readonly tool_choice?: unknown;
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: OpenAIServer["requests"][number]["messages"];
}
const bodies = () => server.requests as unknown as readonly Body[];

/** The retry holds the malformed call, the answer to it and the request, and must call the tool. */
function expectRetry(args: string): void {
  const [first, retry] = bodies();
  expect(first?.messages).toEqual([{ role: "user", content: question }]);
  expect(first?.tool_choice).toBeUndefined();
  expect(retry?.messages).toEqual([
    { role: "user", content: question },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "call_0", type: "function", function: { name: "complex_tool", arguments: args } },
      ],
    },
    {
      role: "tool",
      name: "complex_tool",
      tool_call_id: "call_0",
      content: expect.stringMatching(
        /^The input of tool "complex_tool" was not accepted.*Call "complex_tool" again/s,
      ),
    },
    { role: "user", content: expect.stringMatching(/again with corrected arguments/) },
  ]);
  expect(retry?.tool_choice).toEqual({ type: "function", function: { name: "complex_tool" } });
  expect(retry?.tools).toMatchObject([{ function: { name: "complex_tool" } }]);
  expect(JSON.stringify(retry)).not.toMatch(/node_modules|\.ts:\d+/);
}

describe.each([false, true])("ChatOpenAI, streamed: %j", (streaming) => {
  /** Who listens to the events makes the model stream, inside of the chain. */
  const ask = async (chain: Runnable, input: unknown) => {
    if (!streaming) return chain.invoke(input);
    let output: unknown;
    for await (const { event, data } of chain.streamEvents(input, { version: "v2" })) {
      if (event === "on_chain_end") output = data.output;
    }
    return output;
  };
  const run = async (answers: readonly Answer[]) => {
    server.script(...answers);
    const attempts: AttemptEvent[] = [];
    const onAttempt = (event: AttemptEvent) => attempts.push(event);
    const model = chat();
    const chain = toolChain(model, [complexTool], { selfCorrect: { onAttempt } });
    const results = await ask(chain, question);
    expect(server.requests.map(({ stream }) => stream ?? false)).toEqual(
      answers.map(() => streaming),
    );
    return { results, attempts };
  };

  test("toolChain corrects itself", async () => {
    const { results, attempts } = await run([forgets, remembers]);
    expect(results).toMatchObject([{ ok: true, output: 10.5 }]);
    expectRetry('{"int_arg":5,"float_arg":2.1}');
    expect(attempts).toMatchObject([
      { attempt: 1, ok: false },
      { attempt: 2, remedy: "self-correction", ok: true },
    ]);
    if (!streaming) expect(attempts[1]).toMatchObject({ totalUsage: { total_tokens: 4 } });
  });

  test("what can be repaired is: the model is not asked again", async () => {
    const { results } = await run([wire("{'int_arg': 5, 'float_arg': '2.1', 'dict_arg': {},}")]);
    expect(results).toMatchObject([{ ok: true, output: 10.5 }]);
  });

  test("arguments that are no JSON are shown to the model in a form that every provider takes", async () => {
    const text = "five and two point one";
    const { results } = await run([wire(text), remembers]);
    expect(results).toMatchObject([{ ok: true, output: 10.5 }]);
    expectRetry(JSON.stringify({ malformed_arguments: text }));
  });

  test("arguments that were cut off are not run", async () => {
    const text = '{"int_arg": 5, "float_arg": 2.1, "dict_arg": {"a": "b';
    const { results } = await run([{ ...wire(text), finishReason: "length" }, remembers]);
    expect(results).toMatchObject([{ ok: true, toolInput: { dict_arg: {} }, output: 10.5 }]);
    expectRetry(JSON.stringify({ malformed_arguments: text }));
  });

  test("a prompt before it is asked once", async () => {
    server.script(forgets, remembers);
    const model = chat();
    const chain = ChatPromptTemplate.fromMessages([["human", "{input}"]])
      .pipe(toolChain(model, [complexTool], { selfCorrect: {} }))
      .pipe((results) => results[0]?.output);
    expect(await ask(chain, { input: question })).toBe(10.5);
    expectRetry('{"int_arg":5,"float_arg":2.1}');
  });
});

test("the fallback model is sent the same input, and nothing of what went wrong", async () => {
  server.script(forgets, remembers);
  const chain = toolChain(chat(), [complexTool], { fallbacks: [chat("gpt-large")] });
  expect(await chain.invoke(question)).toMatchObject([{ ok: true, output: 10.5 }]);
  expect(bodies().map(({ model }) => model)).toEqual(["gpt-small", "gpt-large"]);
  expect(bodies()[1]?.messages).toEqual(bodies()[0]?.messages);
  expect(bodies()[1]?.tools).toEqual(bodies()[0]?.tools);
});

test("of parallel calls every one is answered in the retry", async () => {
  const right = { name: "complex_tool", arguments: '{"int_arg":1,"float_arg":2,"dict_arg":{}}' };
  server.script({ calls: [right, ...forgets.calls] }, remembers);
  const results = await toolChain(chat(), [complexTool], { selfCorrect: {} }).invoke(question);
  expect(results.map(({ output }) => output)).toEqual([2, 10.5]);
  expect(bodies()[1]?.messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
    "user",
    "assistant",
    "call_0",
    "call_1",
    "user",
  ]);
});
