import { describe, expect, test } from "@jest/globals";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

const done = new AIMessage("done");

function call(id: string | undefined, args: unknown, name = "click") {
  return { type: "tool_call" as const, id, name, args: args as Record<string, unknown> };
}

function invalid(id: string | undefined, args: string, name = "click") {
  return { type: "invalid_tool_call" as const, id, name, args, error: "Malformed args." };
}

/** The last message but one in the prompt of the model's last output. */
function historyOf(prompts: readonly string[]) {
  return JSON.parse(prompts.at(-1) ?? "[]") as Record<string, unknown>[];
}

describe.each(sampled(["invoke", "stream"] as const, 2))("by %s", (way) => {
  test("parallel calls are each repaired, in the steps and in the next prompt", async () => {
    const message = new AIMessage({
      content: "",
      id: "msg_1",
      tool_calls: [call("a", { element: "#1" }), call("b", { selector: "#2" }), call("c", "#3")],
    });
    const before = JSON.stringify(message);
    const { wrapped, ran, model } = await setUp({ outputs: [message, done] });
    const { steps } = await run(way, wrapped);
    expect(ran).toEqual([{ selector: "#1" }, { selector: "#2" }, { selector: "#3" }]);
    expect(steps.map(({ action }) => action.toolCallId)).toEqual(["a", "b", "c"]);
    expect(steps.map(({ action }) => action.repairs.length)).toEqual([1, 0, 1]);
    const [, , sent, ...answers] = historyOf(model.prompts);
    expect(sent).toMatchObject({
      id: "msg_1",
      tool_calls: [
        { id: "a", args: { selector: "#1" } },
        { id: "b", args: { selector: "#2" } },
        { id: "c", args: { selector: "#3" } },
      ],
    });
    expect(answers).toMatchObject([
      { tool_call_id: "a", content: "clicked #1" },
      { tool_call_id: "b", content: "clicked #2" },
      { tool_call_id: "c", content: "clicked #3" },
    ]);
    expect(JSON.stringify(message)).toBe(before);
  });

  test("a message without repairs is sent again by reference", async () => {
    const message = new AIMessage({ content: "", tool_calls: [call("a", { selector: "#1" })] });
    const { wrapped } = await setUp({ outputs: [message, done] });
    const { steps } = await run("invoke", wrapped);
    expect(steps[0]?.action.messageLog[0]).toBe(message);
    expect(steps[0]?.action.toolInput).toBe(message.tool_calls?.[0]?.args);
  });

  test("a call that LangChain could not parse is repaired and run, alone or with others", async () => {
    const alone = new AIMessage({ content: "", invalid_tool_calls: [invalid("a", '"#1"')] });
    const mixed = new AIMessage({
      content: "",
      tool_calls: [call("b", { selector: "#2" })],
      invalid_tool_calls: [invalid("c", "{'element': '#3'}")],
    });
    const { wrapped, ran, model } = await setUp({ outputs: [alone, mixed, done] });
    const seen: string[] = [];
    const handleAgentAction = ({ tool }: { tool: string }) => void seen.push(tool);
    const { steps, output } = await run(way, wrapped, { callbacks: [{ handleAgentAction }] });
    expect(output).toBe("done");
    expect(seen).toEqual(["click", "click", "click"]);
    expect(ran).toEqual([{ selector: "#1" }, { selector: "#2" }, { selector: "#3" }]);
    expect(steps.map(({ action }) => action.rawToolInput)).toEqual([
      '"#1"',
      { selector: "#2" },
      "{'element': '#3'}",
    ]);
    expect(steps[0]?.action).toMatchObject({
      toolCallId: "a",
      log: 'Invoking "click" with "#1"\n',
      valid: true,
    });
    expect(historyOf(model.prompts)).toMatchObject([
      {},
      {},
      { tool_calls: [{ id: "a", args: { selector: "#1" } }], invalid_tool_calls: [] },
      { tool_call_id: "a" },
      { tool_calls: [{ id: "b" }, { id: "c", args: { selector: "#3" } }], invalid_tool_calls: [] },
      { tool_call_id: "b" },
      { tool_call_id: "c" },
    ]);
  });

  test("a call without an id gets one, and its answer has the same id", async () => {
    const message = new AIMessage({
      content: "",
      invalid_tool_calls: [invalid(undefined, '{"selector": "#1"}')],
    });
    const { wrapped, ran, model } = await setUp({ outputs: [message, done] });
    await run(way, wrapped);
    expect(ran).toEqual([{ selector: "#1" }]);
    const [, , sent, answer] = historyOf(model.prompts) as [
      unknown,
      unknown,
      { tool_calls: { id: string }[] },
      { tool_call_id: string },
    ];
    expect(sent.tool_calls[0]?.id).toMatch(/./);
    expect(answer.tool_call_id).toBe(sent.tool_calls[0]?.id);
  });

  test("calls without an id, or with the same one, get unique ids", async () => {
    const message = new AIMessage({
      content: "",
      id: "msg_1",
      tool_calls: [
        call(undefined, { selector: "#1" }),
        call("a", { element: "#2" }),
        call("a", { element: "#3" }),
      ],
    });
    const { wrapped, ran, model } = await setUp({ outputs: [message, done] });
    await run(way, wrapped);
    expect(ran).toEqual([{ selector: "#1" }, { selector: "#2" }, { selector: "#3" }]);
    const [, , sent, ...answers] = historyOf(model.prompts) as [
      unknown,
      unknown,
      { tool_calls: { id: string; args: unknown }[] },
      ...{ tool_call_id: string }[],
    ];
    expect(sent.tool_calls.map(({ args }) => args)).toEqual(ran);
    const ids = sent.tool_calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(answers.map((one) => one.tool_call_id)).toEqual(ids);
  });

  test("a call that cannot be repaired is not dropped", async () => {
    const outputs = [new AIMessage({ content: "", invalid_tool_calls: [invalid("a", "[1, 2")] })];
    const refused = await setUp({ outputs, options: { compat: true } });
    await expect(run(way, refused.wrapped)).rejects.toMatchObject({
      name: "ToolInputError",
      toolName: "click",
      causingData: "[1, 2",
    });
    const again = await setUp({ outputs: [...outputs, done], handleParsingErrors: "Again!" });
    const { steps, output } = await run(way, again.wrapped);
    expect(output).toBe("done");
    expect(steps).toMatchObject([
      {
        action: { tool: "click", toolInput: "[1, 2", rawToolInput: "[1, 2", valid: false },
        observation: "Again!",
      },
    ]);
    expect(historyOf(again.model.prompts)).toMatchObject([
      {},
      {},
      { tool_calls: [{ id: "a", name: "click", args: { input: "[1, 2" } }] },
      { tool_call_id: "a", content: "Again!" },
    ]);
  });

  test("calls keep the model's order, unparsed ones too", async () => {
    const tool_calls = [
      {
        id: "a",
        type: "function" as const,
        function: { name: "click", arguments: "{'element': '#1'}" },
      },
      {
        id: "b",
        type: "function" as const,
        function: { name: "click", arguments: '{"element":"#2"}' },
      },
    ];
    const message = new AIMessage({
      content: "",
      tool_calls: [call("b", { element: "#2" })],
      invalid_tool_calls: [invalid("a", "{'element': '#1'}")],
      additional_kwargs: { tool_calls },
    });
    const { wrapped, ran, model } = await setUp({ outputs: [message, done] });
    const { steps } = await run(way, wrapped);
    expect(ran).toEqual([{ selector: "#1" }, { selector: "#2" }]);
    expect(steps.map(({ action }) => action.messageLog.length)).toEqual([1, 0]);
    expect(historyOf(model.prompts)[2]).toMatchObject({
      additional_kwargs: {
        tool_calls: [
          { id: "a", function: { name: "click", arguments: '{"selector":"#1"}' } },
          { id: "b", function: { name: "click", arguments: '{"selector":"#2"}' } },
        ],
      },
    });
  });

  test("a call that LangChain closed for a truncated model output is rejected", async () => {
    const chunk = (args: string) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [{ type: "tool_call_chunk", index: 0, id: "a", name: "click", args }],
      });
    const cut = await setUp({
      outputs: [[chunk('{"selector": "#bu')]],
      options: { compat: true },
    });
    await expect(run(way, cut.wrapped)).rejects.toMatchObject({
      name: "ToolInputError",
      causingData: '{"selector": "#bu',
    });
    expect(cut.ran).toEqual([]);
    const whole = await setUp({ outputs: [[chunk('{"element": "#buy"}')], done] });
    const { steps } = await run(way, whole.wrapped);
    expect(steps).toMatchObject([
      { action: { rawToolInput: { element: "#buy" }, toolInput: { selector: "#buy" } } },
    ]);
  });

  test("a broken call is rejected if the provider reports that it was cut off", async () => {
    const message = new AIMessage({
      content: "",
      invalid_tool_calls: [invalid("a", "'#buy'")],
      response_metadata: { finish_reason: "length" },
    });
    const { wrapped, ran } = await setUp({
      outputs: [message],
      options: { compat: true },
    });
    await expect(run(way, wrapped)).rejects.toMatchObject({ name: "ToolInputError" });
    expect(ran).toEqual([]);
  });

  test.each(["createToolCallingAgent", "createOpenAIToolsAgent"])(
    "%s: arguments that LangChain's parser rejects are repaired",
    async (kind) => {
      const tool_calls = [
        {
          id: "a",
          type: "function" as const,
          function: { name: "click", arguments: "{'element': '#1'}" },
        },
      ];
      const broken = new AIMessage({
        content: "",
        tool_calls: [call("x", {})],
        additional_kwargs: { tool_calls },
      });
      broken.tool_calls = [];
      const { wrapped, ran, model } = await setUp({ kind, outputs: [broken, done] });
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([{ selector: "#1" }]);
      expect(steps).toMatchObject([
        { action: { toolCallId: "a", rawToolInput: "{'element': '#1'}" } },
      ]);
      expect(historyOf(model.prompts)[2]).toMatchObject({
        tool_calls: [{ id: "a", args: { selector: "#1" } }],
        additional_kwargs: { tool_calls: [{ function: { arguments: '{"selector":"#1"}' } }] },
      });
    },
  );

  test.each(["createOpenAIFunctionsAgent", "OpenAIAgent"])(
    "%s: arguments that LangChain's parser rejects are repaired",
    async (kind) => {
      const function_call = { name: "click", arguments: "{'element': '#1'}" };
      const broken = new AIMessage({ content: "", additional_kwargs: { function_call } });
      const { wrapped, ran, model } = await setUp({ kind, outputs: [broken, done] });
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([{ selector: "#1" }]);
      expect(steps[0]?.action).not.toHaveProperty("toolCallId");
      expect(JSON.stringify(historyOf(model.prompts))).toContain('{\\"selector\\":\\"#1\\"}');
    },
  );

  test("arguments that cannot be repaired throw LangChain's error, and run nothing", async () => {
    const tool_calls = [
      {
        id: "a",
        type: "function" as const,
        function: { name: "click", arguments: '{"selector":"#1"}' },
      },
      {
        id: "b",
        type: "function" as const,
        function: { name: "click", arguments: '{"selector":' },
      },
    ];
    const broken = new AIMessage({
      content: "",
      tool_calls: [call("x", {})],
      additional_kwargs: { tool_calls },
    });
    const { wrapped, ran } = await setUp({
      kind: "createOpenAIToolsAgent",
      outputs: [broken],
      options: { compat: true },
    });
    await expect(run(way, wrapped)).rejects.toThrow("Failed to parse tool arguments");
    expect(ran).toEqual([]);
  });
});

test("content blocks and OpenAI's responses show the repaired input", async () => {
  const message = new AIMessage({
    content: [
      { type: "text", text: "hm" },
      { type: "tool_use", id: "a", name: "Click", input: { element: "#1" } },
    ],
    tool_calls: [call("a", { element: "#1" }, "Click")],
    response_metadata: {
      output: [
        { type: "function_call", call_id: "a", name: "Click", arguments: '{"element":"#1"}' },
      ],
    },
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  });
  const { wrapped } = await setUp({ outputs: [message, done] });
  const { steps } = await run("invoke", wrapped);
  const [sent] = steps[0]?.action.messageLog ?? [];
  expect(sent).not.toBe(message);
  expect(sent.content).toEqual([
    { type: "text", text: "hm" },
    { type: "tool_use", id: "a", name: "click", input: { selector: "#1" } },
  ]);
  expect(sent.response_metadata.output).toEqual([
    { type: "function_call", call_id: "a", name: "click", arguments: '{"selector":"#1"}' },
  ]);
  expect(sent.usage_metadata).toEqual(message.usage_metadata);
});
