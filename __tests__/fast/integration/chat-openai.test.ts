import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createFixerRegistry, wrapAgentExecutor } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import {
  type OpenAIServer,
  startOpenAIServer,
  type WireCall,
} from "../../support/integration/openai-server.ts";

let server: OpenAIServer;
const ran: unknown[] = [];

beforeAll(async () => {
  server = await startOpenAIServer();
  const warn = console.warn;
  jest.spyOn(console, "warn").mockImplementation((...args: unknown[]) => {
    // LangChain logs this for every message that has only unparseable calls.
    if (!String(args[0]).startsWith("New LangChain packages are available")) warn(...args);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  ran.length = 0;
});

const click = tool(
  ({ selector }) => {
    ran.push({ click: selector });
    return `Clicked ${selector}`;
  },
  { name: "click", description: "Click", schema: z.object({ selector: z.string() }) },
);
const sendMail = tool(
  ({ to, text }) => {
    ran.push({ to, text });
    return `Sent to ${to}`;
  },
  {
    name: "send_mail",
    description: "Send an e-mail",
    schema: z.object({ to: z.string(), text: z.string() }),
  },
);
const tools = [click, sendMail] as const;

function bareExecutor(streamed: boolean): AgentExecutor {
  const llm = new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: server.baseURL },
  });
  const prompt = ChatPromptTemplate.fromMessages([
    ["system", "You use tools."],
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const agent = createToolCallingAgent({
    llm,
    tools: [...tools],
    prompt,
    streamRunnable: streamed,
  });
  return new AgentExecutor({ agent, tools: [...tools], returnIntermediateSteps: true });
}

function wrappedExecutor(streamed: boolean) {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"));
  return wrapAgentExecutor(bareExecutor(streamed), {
    fixers,
    onUnfixable: (error) => ("toModelMessage" in error ? error.toModelMessage() : error.message),
  });
}

function scriptCalls(...calls: WireCall[]): void {
  server.script({ calls }, { content: "Done." });
}

/** The calls and results that the model is shown in the second request. */
function shownToModel() {
  const messages = server.requests[1]?.messages.slice(2) ?? [];
  return {
    calls: messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function)),
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => content),
  };
}

const input = { input: "Buy it." };

describe.each([
  { way: "streamed", streamed: true },
  { way: "not streamed", streamed: false },
])("ChatOpenAI, $way", ({ streamed }) => {
  test("passes it that way", async () => {
    scriptCalls({ name: "click", arguments: '{"selector":"#buy"}' });
    await bareExecutor(streamed).invoke(input);
    expect(server.requests.map(({ stream }) => stream ?? false)).toEqual([streamed, streamed]);
  });

  test("a valid call runs untouched", async () => {
    scriptCalls({ name: "click", arguments: '{"selector":"#buy"}' });
    const { output, intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
    expect(output).toBe("Done.");
    expect(ran).toEqual([{ click: "#buy" }]);
    expect(intermediateSteps).toMatchObject([
      { action: { tool: "click", toolInput: { selector: "#buy" }, repairs: [], valid: true } },
    ]);
  });

  const repairable: [what: string, text: string, raw: unknown, bareThrows: RegExp][] = [
    ["a wrong key", '{"element":"#buy"}', { element: "#buy" }, /did not match expected schema/],
    ["a bare string", '"#buy"', "#buy", /did not match expected schema/],
    [
      "stringified JSON",
      '"{\\"selector\\":\\"#buy\\"}"',
      '{"selector":"#buy"}',
      /did not match expected schema/,
    ],
    ["text that is no JSON", "{'selector': '#buy',}", "{'selector': '#buy',}", /Failed to parse/],
    [
      "JSON in a code fence",
      '```json\n{"selector":"#buy"}\n```',
      '```json\n{"selector":"#buy"}\n```',
      /Failed to parse/,
    ],
  ];

  test.each(repairable)("%s: bare throws", async (_, text, __, bareThrows) => {
    scriptCalls({ name: "click", arguments: text });
    await expect(bareExecutor(streamed).invoke(input)).rejects.toThrow(bareThrows);
    expect(ran).toEqual([]);
  });

  test.each(repairable)("%s: runs repaired", async (_, text, raw) => {
    scriptCalls({ name: "click", arguments: text });
    const { output, intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
    expect(output).toBe("Done.");
    expect(ran).toEqual([{ click: "#buy" }]);
    expect(shownToModel()).toEqual({
      calls: [{ name: "click", arguments: '{"selector":"#buy"}' }],
      results: ["Clicked #buy"],
    });
    expect(intermediateSteps).toMatchObject([
      {
        action: {
          tool: "click",
          toolInput: { selector: "#buy" },
          rawToolInput: raw,
          valid: true,
          toolCallId: "call_0",
        },
        observation: "Clicked #buy",
      },
    ]);
  });

  describe("a call that was cut off", () => {
    const cut = '{"to":"ann@example.org","text":"The price is 1';
    const calls = [{ name: "send_mail", arguments: cut }];

    test(streamed ? "bare sends half a mail" : "bare throws", async () => {
      scriptCalls(...calls);
      if (streamed) {
        await bareExecutor(streamed).invoke(input);
        expect(ran).toEqual([{ to: "ann@example.org", text: "The price is 1" }]);
      } else {
        await expect(bareExecutor(streamed).invoke(input)).rejects.toThrow(/Failed to parse/);
      }
    });

    test.each(["length", "tool_calls"])(
      "is rejected and the model gets an error, with finish_reason %s",
      async (finishReason) => {
        server.script({ calls, finishReason }, { content: "Done." });
        const { output, intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
        expect(output).toBe("Done.");
        expect(ran).toEqual([]);
        expect(shownToModel().results).toEqual([expect.stringMatching(/cut off/)]);
        expect(intermediateSteps).toMatchObject([
          { action: { tool: "send_mail", rawToolInput: cut, valid: false } },
        ]);
      },
    );

    test("does not keep the other calls of the same output from running", async () => {
      server.script(
        {
          calls: [{ name: "click", arguments: '{"selector":"#buy"}' }, ...calls],
          finishReason: "length",
        },
        { content: "Done." },
      );
      const { intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
      expect(ran).toEqual([{ click: "#buy" }]);
      expect(intermediateSteps.map(({ action }) => action.valid)).toEqual([true, false]);
      expectEveryCallAnswered();
    });
  });

  describe("parallel calls", () => {
    const calls = [
      { name: "click", arguments: "{'element': '#buy',}" },
      { name: "click", arguments: '{"selector":"#close"}' },
      { name: "Send_Mail", arguments: '{"to":"ann@example.org" "text":"Bought"}' },
    ];

    test("bare drops those that are not JSON", async () => {
      scriptCalls(...calls);
      const { intermediateSteps } = await bareExecutor(streamed).invoke(input);
      expect(ran).toEqual([{ click: "#close" }]);
      expect(intermediateSteps).toHaveLength(1);
    });

    test("all run, are recorded in the model's order, and are shown to the model repaired", async () => {
      scriptCalls(...calls);
      const { intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
      expect(ran).toHaveLength(3);
      expect(ran).toEqual(
        expect.arrayContaining([
          { click: "#buy" },
          { click: "#close" },
          { to: "ann@example.org", text: "Bought" },
        ]),
      );
      const { calls: shown, results } = shownToModel();
      expect(shown).toEqual([
        { name: "click", arguments: '{"selector":"#buy"}' },
        { name: "click", arguments: '{"selector":"#close"}' },
        { name: "send_mail", arguments: '{"to":"ann@example.org","text":"Bought"}' },
      ]);
      expect(results).toEqual(["Clicked #buy", "Clicked #close", "Sent to ann@example.org"]);
      expectEveryCallAnswered();
      expect(
        intermediateSteps.map(({ action }) => [action.tool, action.toolCallId, action.valid]),
      ).toEqual([
        ["click", "call_0", true],
        ["click", "call_1", true],
        ["send_mail", "call_2", true],
      ]);
      expect(intermediateSteps[1]?.action.repairs).toEqual([]);
    });
  });

  test("an unknown tool: the model gets an error, and its call is answered", async () => {
    scriptCalls({ name: "scroll", arguments: '{"to":"#buy"}' });
    const { output, intermediateSteps } = await wrappedExecutor(streamed).invoke(input);
    expect(output).toBe("Done.");
    expect(shownToModel().results).toEqual([
      expect.stringContaining('expected one of "click", "send_mail", received "scroll"'),
    ]);
    expect(intermediateSteps).toMatchObject([
      { action: { tool: "_Exception", rawToolInput: { to: "#buy" }, valid: false } },
    ]);
    expectEveryCallAnswered();
  });

  test("in compat mode, an input that cannot be repaired ends the run", async () => {
    scriptCalls({ name: "click", arguments: '{"x":1,"y":2}' });
    const executor = wrapAgentExecutor(bareExecutor(streamed), {
      fixers: createFixerRegistry(tools),
      compat: true,
    });
    await expect(executor.invoke(input)).rejects.toMatchObject({
      name: "ToolInputError",
      toolName: "click",
      causingData: { x: 1, y: 2 },
    });
    expect(ran).toEqual([]);
  });
});

/** OpenAI rejects a request with a call without an answer, or an answer without a call. */
function expectEveryCallAnswered(): void {
  const messages = server.requests[1]?.messages ?? [];
  const asked = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  expect(asked).not.toEqual([]);
  expect([...answered].sort()).toEqual([...asked].sort());
}
