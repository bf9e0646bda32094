import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { ChatOpenAICompletions } from "@langchain/openai";
import fc from "fast-check";
import { fromLangSmith } from "#src/evidence/record/from-langsmith.ts";
import { fromOtel } from "#src/evidence/record/from-otel.ts";
import { type ReadExport, readExport } from "#src/evidence/record/read-export.ts";
import { readOfferedTools, readOutputCalls } from "#src/evidence/record/read-output.ts";
import { recordCalls } from "#src/evidence/record/record-calls.ts";
import {
  type OpenAIServer,
  startOpenAIServer,
} from "../../../support/integration/openai-server.ts";

const schema = {
  type: "object",
  properties: { selector: { type: "string" } },
  required: ["selector"],
};
const click = { name: "click", description: "Click", schema };

describe("LangSmith", () => {
  let server: OpenAIServer;
  beforeAll(async () => {
    server = await startOpenAIServer();
  });
  afterAll(() => server.close());

  /** The runs as LangChain passes them to LangSmith's client, created and updated. */
  async function trace(run: (tracer: LangChainTracer) => Promise<unknown>) {
    const runs = new Map<string, Record<string, unknown>>();
    const client = {
      createRun: async (created: { id: string }) => void runs.set(created.id, { ...created }),
      updateRun: async (id: string, updated: object) =>
        void runs.set(id, { ...runs.get(id), ...updated, id }),
    };
    const tracer = new LangChainTracer({ client: client as never });
    await run(tracer);
    // An export is JSON.
    return [...runs.values()].map((one) => JSON.parse(JSON.stringify(one)));
  }

  test.each([false, true])(
    "a real run of ChatOpenAICompletions, streamed: %s",
    async (streaming) => {
      server.script({
        content: "Clicking.",
        calls: [
          { name: "click", arguments: '{"element": "#buy", "n": 1.10}' },
          { name: "click", arguments: '{"selector": "#a' },
        ],
        finishReason: "length",
      });
      const chat = new ChatOpenAICompletions({
        model: "gpt-test",
        apiKey: "none",
        maxRetries: 0,
        streaming,
        configuration: { baseURL: server.baseURL },
      });
      // Otherwise it counts tokens over the network.
      chat.getNumTokens = async () => 0;
      const model = chat.bindTools([
        { type: "function", function: { name: "click", description: "Click", parameters: schema } },
      ]);
      const runs = await trace((tracer) =>
        model.invoke("Buy it", { callbacks: [tracer], metadata: { thread_id: "t-1" } }),
      );
      const calls = runs.flatMap(fromLangSmith);
      expect(calls).toMatchObject([
        {
          name: "click",
          args: '{"element": "#buy", "n": 1.10}',
          model: "gpt-test",
          provider: "openai",
          thread: "t-1",
          tools: [click],
          truncated: true,
          isRun: false,
        },
        { name: "click", args: '{"selector": "#a', truncated: true },
      ]);
      expect(calls[0]?.run).toMatch(/^[0-9a-f-]{36}$/);
      expect(calls[0]?.id).not.toBe(calls[1]?.id);
      expect(Math.abs((calls[0]?.time ?? 0) - Date.now())).toBeLessThan(60_000);
    },
  );

  test("a tool's run is read with its input, also if it failed", () => {
    const run = {
      id: "r",
      trace_id: "t",
      run_type: "tool",
      name: "click",
      start_time: "2026-11-01T10:00:00.000000",
      inputs: { input: '{"selector":"#a"}' },
      outputs: { output: "ok" },
    };
    expect(fromLangSmith(run)).toMatchObject([
      {
        name: "click",
        args: '{"selector":"#a"}',
        run: "t",
        isRun: true,
        time: Date.UTC(2026, 10, 1, 10),
      },
    ]);
    expect(fromLangSmith({ ...run, error: "no" })).toEqual(fromLangSmith(run));
    expect(fromLangSmith({ ...run, inputs: '{"selector":"#a"}' })).toMatchObject([
      { args: { selector: "#a" } },
    ]);
  });

  test("children are read, chains and everything else are not", () => {
    const message = { role: "assistant", tool_calls: [{ id: "1", name: "click", args: {} }] };
    const llm = {
      id: "b",
      run_type: "llm",
      end_time: 5,
      inputs: {},
      outputs: { messages: [message] },
    };
    const chain = { ...llm, id: "a", run_type: "chain", child_runs: [llm] };
    expect(fromLangSmith(chain)).toHaveLength(1);
    for (const entry of [null, 5, "x", [], {}, { run_type: "llm" }, { ...llm, outputs: null }]) {
      expect(fromLangSmith(entry)).toEqual([]);
    }
  });
});

describe("a malformed export", () => {
  const nest = (value: unknown, key: string, depth: number): unknown =>
    depth === 0 ? value : nest([{ [key]: value }], key, depth - 1);
  const folder = mkdtempSync(join(tmpdir(), "toolmend-exports-"));
  const readAll = (read: ReadExport, entries: readonly unknown[]) => {
    writeFileSync(
      join(folder, "export.jsonl"),
      entries.map((one) => JSON.stringify(one)).join("\n"),
    );
    const stdin = (async function* () {})();
    return readExport(["export.jsonl"], read, { folder, stdin });
  };
  const run = (args: unknown, more: object = {}) => ({
    run_type: "llm",
    end_time: 5,
    outputs: { tool_calls: [{ name: "click", args }] },
    ...more,
  });

  test("loses only the calls that are nested too deep, or have no time", async () => {
    // Deeper than JSON.stringify follows: it is written as text.
    const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);
    writeFileSync(
      join(folder, "deep.jsonl"),
      [
        JSON.stringify(run({ selector: "#a" })),
        `{"child_runs":${deep('[{"child_runs":', "}]").replace("}", "1}")}}`,
        JSON.stringify(run("DEEP")).replace('"DEEP"', deep("[", "]")),
        JSON.stringify(run(nest(1, "a", 400))),
        JSON.stringify(run({}, { end_time: 1e300 })),
        JSON.stringify(run({}, { end_time: "-271821-01-01T00:00:00Z" })),
      ].join("\n"),
    );
    const stdin = (async function* () {})();
    const { calls, odd, entries } = await readExport(["deep.jsonl"], fromLangSmith, {
      folder,
      stdin,
    });
    expect([entries, odd]).toEqual([6, 4]);
    expect(calls.map(({ args }) => args)).toEqual([{ selector: "#a" }]);
  });

  test.each([
    [
      "LangSmith",
      fromLangSmith,
      [
        "run_type",
        "outputs",
        "inputs",
        "extra",
        "end_time",
        "child_runs",
        "tool_calls",
        "generations",
      ],
    ],
    [
      "OpenTelemetry",
      fromOtel,
      [
        "resourceSpans",
        "scopeSpans",
        "spans",
        "attributes",
        "events",
        "key",
        "value",
        "endTimeUnixNano",
      ],
    ],
  ] as const)("%s: wrong types stop nothing", async (_, read, keys) => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<unknown>(
          null,
          5,
          -1,
          true,
          "",
          "llm",
          "x.0.y",
          "[1]",
          '{"a":{}}',
          "1793527200000000000",
        ),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(...keys, "__proto__", "message", "stringValue", "arrayValue"),
          tie("value"),
          { maxKeys: 5 },
        ),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 5 }), async (entries) => {
        const { calls } = await readAll(read, entries);
        await recordCalls(calls);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a model's output", () => {
  const args = { selector: "#a" };
  const text = JSON.stringify(args);
  test.each<[string, unknown, object]>([
    [
      "LangChain's message",
      { type: "ai", data: { tool_calls: [{ name: "click", args, id: "1" }] } },
      { args },
    ],
    [
      "a serialized message whose text is kept",
      {
        generations: [
          [
            {
              message: {
                lc: 1,
                type: "constructor",
                id: ["langchain_core", "messages", "AIMessage"],
                kwargs: {
                  content: "",
                  tool_calls: [{ name: "click", args, id: "1", type: "tool_call" }],
                  additional_kwargs: {
                    tool_calls: [
                      { id: "1", type: "function", function: { name: "click", arguments: text } },
                    ],
                  },
                },
              },
            },
          ],
        ],
      },
      { args: text },
    ],
    [
      "a call that LangChain could not parse",
      {
        kwargs: undefined,
        tool_calls: [],
        invalid_tool_calls: [{ name: "click", args: "{", id: "1", type: "invalid_tool_call" }],
      },
      { args: "{" },
    ],
    [
      "OpenAI's completion",
      {
        choices: [
          {
            message: {
              role: "assistant",
              tool_calls: [
                { id: "1", type: "function", function: { name: "click", arguments: text } },
              ],
            },
          },
        ],
      },
      { args: text },
    ],
    [
      "Anthropic's message",
      {
        role: "assistant",
        content: [
          { type: "text", text: "a" },
          { type: "tool_use", id: "1", name: "click", input: args },
        ],
      },
      { args },
    ],
    [
      "OpenTelemetry's message",
      {
        role: "assistant",
        parts: [{ type: "tool_call", id: "1", name: "click", arguments: args }],
        finish_reason: "tool_call",
      },
      { args },
    ],
  ])("%s", (_, output, call) => {
    expect(readOutputCalls(output)).toEqual([
      { name: "click", id: "1", truncated: false, ...call },
    ]);
  });

  test("text stays text, even if it is the JSON of a call", () => {
    const quoted = JSON.stringify([{ type: "tool_use", id: "1", name: "click", input: args }]);
    const message = JSON.stringify({ tool_calls: [{ id: "1", name: "click", args }] });
    for (const output of [
      { role: "assistant", content: quoted },
      { role: "assistant", content: [quoted] },
      { role: "assistant", parts: quoted },
      { choices: [{ message }] },
      { generations: [[{ text: quoted, message }]] },
      { output: quoted },
    ]) {
      expect(readOutputCalls(output)).toEqual([]);
    }
  });

  test("calls that other models wrote in a history beside it are not its own", () => {
    const call = { name: "click", args, id: "1" };
    const messages = ["user", "system", "tool"].map((role) => ({ role, tool_calls: [call] }));
    expect(readOutputCalls({ messages })).toEqual([]);
    const human = { lc: 1, id: ["x", "HumanMessage"], kwargs: { tool_calls: [call] } };
    expect(readOutputCalls({ messages: [human] })).toEqual([]);
  });

  test.each(["length", "max_tokens", "MAX_TOKENS"])("%s marks it as cut off", (reason) => {
    const message = { tool_calls: [{ name: "click", args, id: "1" }] };
    for (const output of [
      { choices: [{ message, finish_reason: reason }] },
      { ...message, stop_reason: reason },
      { ...message, response_metadata: { finish_reason: reason } },
      { generations: [[{ message, generationInfo: { finish_reason: reason } }]] },
    ]) {
      expect(readOutputCalls(output)).toMatchObject([{ truncated: true }]);
    }
  });
});

test("tools are read in the form of each provider, and equal JSON gives one schema object", () => {
  const named = { name: "click", description: "Click" };
  const forms = [
    { type: "function", function: { ...named, parameters: schema } },
    { type: "function", ...named, parameters: schema },
    { ...named, input_schema: schema },
    { ...named, inputSchema: schema },
    { toolSpec: { ...named, inputSchema: { json: schema } } },
    {
      functionDeclarations: [
        {
          ...named,
          parameters: {
            ...schema,
            type: "OBJECT",
            properties: { selector: { type: "STRING" } },
          },
        },
      ],
    },
    JSON.stringify({ ...named, parameters: schema }),
  ];
  for (const form of forms) expect(readOfferedTools([form])).toEqual([click]);
  expect(readOfferedTools(forms)[0]).toBe(readOfferedTools(forms)[1]);
  for (const none of [undefined, {}, "x", [null, 5, {}, { name: "x" }, { parameters: schema }]]) {
    expect(readOfferedTools(none)).toEqual([]);
  }
});

describe("OpenTelemetry", () => {
  const toValue = (value: unknown): object =>
    typeof value === "string"
      ? { stringValue: value }
      : Array.isArray(value)
        ? { arrayValue: { values: value.map(toValue) } }
        : typeof value === "object"
          ? { kvlistValue: { values: toAttributes(value as object) } }
          : { intValue: String(value) };
  const toAttributes = (fields: object) =>
    Object.entries(fields).map(([key, value]) => ({ key, value: toValue(value) }));
  const toExport = (fields: object, more: object = {}) => ({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: "t",
                name: "chat",
                startTimeUnixNano: "1",
                endTimeUnixNano: "1793527200000000000",
                attributes: toAttributes(fields),
                ...more,
              },
            ],
          },
        ],
      },
    ],
  });

  const args = '{"element":"#a"}';
  const parts = [{ type: "tool_call", id: "1", name: "click", arguments: { element: "#a" } }];
  const messages = [{ role: "assistant", parts, finish_reason: "tool_call" }];
  const definitions = [
    { type: "function", name: "click", description: "Click", parameters: schema },
  ];
  const whole = { type: "function", function: { ...definitions[0], type: undefined } };

  test.each<[string, object, object]>([
    [
      "GenAI conventions, as JSON text",
      {
        "gen_ai.request.model": "gpt-test",
        "gen_ai.provider.name": "openai",
        "gen_ai.conversation.id": "c",
        "gen_ai.output.messages": JSON.stringify(messages),
        "gen_ai.tool.definitions": JSON.stringify(definitions),
      },
      { args: { element: "#a" } },
    ],
    [
      "GenAI conventions, structured",
      {
        "gen_ai.request.model": "gpt-test",
        "gen_ai.system": "openai",
        "session.id": "c",
        "gen_ai.output.messages": messages,
        "gen_ai.tool.definitions": definitions,
      },
      { args: { element: "#a" } },
    ],
    [
      "OpenInference",
      {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-test",
        "llm.provider": "openai",
        "session.id": "c",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "click",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": args,
        "llm.tools.0.tool.json_schema": JSON.stringify(whole),
      },
      { args },
    ],
    [
      "OpenLLMetry",
      {
        "gen_ai.system": "openai",
        "gen_ai.request.model": "gpt-test",
        "traceloop.association.properties.thread_id": "c",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.tool_calls.0.id": "1",
        "gen_ai.completion.0.tool_calls.0.name": "click",
        "gen_ai.completion.0.tool_calls.0.arguments": args,
        "llm.request.functions.0.name": "click",
        "llm.request.functions.0.description": "Click",
        "llm.request.functions.0.parameters": JSON.stringify(schema),
      },
      { args },
    ],
  ])("%s", (_, fields, call) => {
    expect(fromOtel(toExport(fields))).toEqual([
      {
        name: "click",
        id: "1",
        model: "gpt-test",
        provider: "openai",
        run: "t",
        thread: "c",
        time: 1_793_527_200_000,
        tools: [click],
        truncated: false,
        isRun: false,
        ...call,
      },
    ]);
  });

  test("a schema on its own has its tool's name beside it", () => {
    const calls = fromOtel(
      toExport({
        "gen_ai.output.messages": messages,
        "llm.tools.0.tool.name": "click",
        "llm.tools.0.tool.json_schema": JSON.stringify(schema),
      }),
    );
    expect(calls[0]?.tools).toEqual([{ name: "click", schema }]);
  });

  test("an event of the span counts as the span", () => {
    const event = {
      name: "gen_ai.client.inference.operation.details",
      attributes: toAttributes({ "gen_ai.output.messages": messages }),
    };
    expect(fromOtel(toExport({}, { events: [event] }))).toHaveLength(1);
  });

  test("the span of a tool is the call that ran", () => {
    const fields = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "click",
      "gen_ai.tool.call.id": "1",
      "gen_ai.tool.call.arguments": args,
    };
    expect(fromOtel(toExport(fields))).toMatchObject([
      { name: "click", args, id: "1", isRun: true },
    ]);
  });

  const spoken = (more: object) => ({
    attributes: [
      { key: "gen_ai.request.model", value: { stringValue: "m" } },
      {
        key: "gen_ai.output.messages",
        value: {
          stringValue: JSON.stringify([
            {
              role: "assistant",
              parts: [{ type: "tool_call", name: "click", arguments: { a: 1 } }],
            },
          ]),
        },
      },
    ],
    traceId: "t",
    ...more,
  });
  test.each<[string, object]>([
    [
      "what Tempo returns",
      { batches: [{ scopeSpans: [{ spans: [spoken({ endTimeUnixNano: "5000000" })] }] }] },
    ],
    [
      "a span as Phoenix exports it",
      {
        name: "ChatOpenAI",
        context: { trace_id: "t", span_id: "s" },
        end_time: new Date(5).toISOString(),
        attributes: {
          llm: {
            model_name: "m",
            output_messages: [
              {
                message: {
                  tool_calls: [
                    { tool_call: { function: { name: "click", arguments: '{"a":1}' } } },
                  ],
                },
              },
            ],
          },
        },
      },
    ],
  ])("%s hold calls", (_, entry) => {
    const [call, ...others] = fromOtel(entry);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: "click", run: "t", time: 5, isRun: false });
    expect([{ a: 1 }, '{"a":1}']).toContainEqual(call?.args);
  });

  test("other spans have no calls", () => {
    const hostile = {
      "__proto__.0.x": "1",
      "llm.tools.constructor": "x",
      "gen_ai.completion.0": "x",
    };
    for (const entry of [
      null,
      5,
      {},
      { resourceSpans: {} },
      toExport(hostile),
      toExport({}, { endTimeUnixNano: "x" }),
    ]) {
      expect(fromOtel(entry)).toEqual([]);
    }
  });
});
