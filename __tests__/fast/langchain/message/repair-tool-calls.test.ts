import { describe, expect, test } from "@jest/globals";
import { AIMessage, AIMessageChunk, type ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { isToolInputParsingException, ToolInputError } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { repairToolCalls, settleToolCalls } from "toolmend/messages";
import { z } from "zod";
import {
  complete,
  complexTool,
  forgetful,
  question,
} from "../../../support/langchain/runnables/complex-tool.ts";
import { type Answer, ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

// The four ways of LangChain's guide "How to handle tool errors", with LangChain's own means.

const tools = [complexTool];
const step = repairToolCalls(tools);
const ask = (...answers: Answer[]) => {
  const model = new ScriptedModel(...answers);
  return { model, chain: model.bindTools(tools).pipe(step) };
};
const runTool = ({ tool_calls = [] }: AIMessage) =>
  complexTool.invoke(tool_calls[0]?.args as never);
const thrownBy = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the guide's chain", () => {
  test("bare: throws, and no tool runs", async () => {
    const error = await thrownBy(ask(forgetful).chain.pipe(runTool).invoke(question));
    expect(error).toBeInstanceOf(ToolInputError);
    expect(error).toMatchObject({
      toolName: "complex_tool",
      causingData: forgetful[0]?.args,
      reason: "invalid",
      issues: [{ path: "/dict_arg" }],
      toolCall: { id: "call_1_1", name: "complex_tool" },
    });
  });

  test("try/except: the error holds the message for a model", async () => {
    const chain = ask(forgetful).chain.pipe(runTool);
    const told = await chain.invoke(question).catch((error: unknown) => {
      if (!isToolInputParsingException(error)) throw error;
      return error.toModelMessage();
    });
    expect(told).toContain("- dict_arg: expected object, received nothing\n");
  });

  test("fallback, by LangChain's own withFallbacks: 10.5", async () => {
    const better = ask(complete);
    const chain = ask(forgetful).chain.withFallbacks([better.chain]).pipe(runTool);
    expect(await chain.invoke(question)).toBe(10.5);
    expect(better.model.asked[0]?.messages[0]?.content).toBe(question);
  });

  test("retry, by LangChain's own withRetry: 10.5", async () => {
    const { chain, model } = ask(forgetful, complete);
    const retried = chain.withRetry({ stopAfterAttempt: 2 }).pipe(runTool);
    expect(await retried.invoke(question)).toBe(10.5);
    expect(model.asked).toHaveLength(2);
  }, 20_000);

  test("returns a valid call by reference, and repairs a repairable one", async () => {
    const message = new AIMessage({
      content: "",
      tool_calls: [{ ...complete[0], id: "a" } as never],
    });
    expect(await step.invoke(message)).toBe(message);
    const sloppy = [{ name: "Complex_Tool", args: { arguments: { ...complete[0]?.args } } }];
    expect(await ask(sloppy).chain.pipe(runTool).invoke(question)).toBe(10.5);
  });
});

describe("repairToolCalls", () => {
  const bad = { name: "complex_tool", args: { int_arg: 5 } };

  test("throws the first of several errors, with the others as its cause", async () => {
    const error = await thrownBy(ask([...forgetful, bad, ...complete]).chain.invoke(question));
    expect(error).toMatchObject({ toolCall: { id: "call_1_1" } });
    const { errors } = (error as ToolInputError).cause as AggregateError;
    expect(errors).toMatchObject([{ toolCall: { id: "call_1_2" }, causingData: bad.args }]);
  });

  test("keeps the cause of the first of several errors", async () => {
    const failure = new Error("mine");
    const fixer = () => {
      throw failure;
    };
    const calls = repairToolCalls(tools, { fixers: { complex_tool: [fixer] } });
    const tool_calls = ["a", "b"].map((id) => ({ ...bad, id }));
    const error = await thrownBy(calls.invoke(new AIMessage({ content: "", tool_calls })));
    const { cause } = error as ToolInputError;
    expect(cause).toBeInstanceOf(AggregateError);
    expect(cause).toMatchObject({ cause: { name: "FixerError", cause: failure } });
  });

  test("throws the handler's own error, and nothing if the handler answers", async () => {
    const by = (onUnfixable: never) => repairToolCalls(tools, { onUnfixable });
    const message = new AIMessage({ content: "", tool_calls: [{ ...bad, id: "a" } as never] });
    const failing = () => {
      throw new RangeError("mine");
    };
    await expect(by(failing as never).invoke(message)).rejects.toThrow("mine");
    const fixed = await by((() => complete[0]?.args) as never).invoke(message);
    expect(fixed.tool_calls).toMatchObject([{ id: "a", args: complete[0]?.args }]);
    for (const answer of ["tellModel", () => "Not so."]) {
      const told = await by(answer as never).invoke(message);
      expect(told.tool_calls).toEqual([]);
      const [, answered] = settleToolCalls([told]) as [AIMessage, ToolMessage];
      expect(answered).toMatchObject({ tool_call_id: "a", status: "error" });
    }
  });

  test("throws the rejection of a handler's own correction", async () => {
    const message = new AIMessage({ content: "", tool_calls: [{ ...bad, id: "a" } as never] });
    const chain = repairToolCalls(tools, { onUnfixable: () => ({ nothing: "fits" }) });
    expect(await thrownBy(chain.invoke(message))).toBeInstanceOf(ToolInputError);
  });

  test("repairs a tool that is named as the type of a provider's, which it leaves alone", async () => {
    const schema = z.object({ n: z.number() });
    const named = tool(({ n }) => n, { name: "function", description: "", schema });
    const described = { type: "function", function: { name: "complex_tool" } };
    const args = { n: "5" };
    const calls = ["function", "complex_tool"].map((name) => ({ id: name, name, args }));
    const message = new AIMessage({ content: "", tool_calls: calls });
    const { tool_calls } = await repairToolCalls([described, named]).invoke(message);
    expect(tool_calls?.map(({ args }) => args)).toEqual([{ n: 5 }, { n: "5" }]);
  });

  test("repairs calls that LangChain could not parse, and rejects truncated ones", async () => {
    const text = "{'int_arg': 5, 'float_arg': 2.1, 'dict_arg': {},}";
    expect(
      await ask([{ name: "complex_tool", args: text }])
        .chain.pipe(runTool)
        .invoke(""),
    ).toBe(10.5);
    const cut = [
      { name: "complex_tool", args: '{"int_arg": 5, "float_arg": 2.1, "dict_arg": {"a": "b' },
    ];
    expect(await thrownBy(ask(cut).chain.invoke(""))).toMatchObject({
      reason: "cut_off",
      causingData: cut[0]?.args,
    });
  });

  test("reads a stream, in one piece", async () => {
    const chunk = (args: string) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [
          {
            type: "tool_call_chunk",
            index: 0,
            id: "a",
            name: args[0] === "{" ? "complex_tool" : "",
            args,
          },
        ],
      });
    async function* model() {
      yield chunk('{"int_arg": 5, "float_arg"');
      yield chunk(': "2.1", "dict_arg": {}}');
    }
    const chunks: AIMessage[] = [];
    const stream = await RunnableLambda.from(model)
      .pipe(step as never)
      .stream("");
    for await (const one of stream) chunks.push(one as AIMessage);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.tool_calls).toMatchObject([{ args: { float_arg: 2.1 } }]);
  });

  test("reports once, and appears to a tracer as a run of that name", async () => {
    const events: InputEvent[] = [];
    const names: unknown[] = [];
    const watching = repairToolCalls(tools, {
      onToolCall: (event) => events.push(event),
    });
    const message = new AIMessage({
      content: "",
      tool_calls: [{ ...bad, id: "a" } as never, { ...complete[0], id: "b" } as never],
    });
    const handler = { handleChainStart: (...args: unknown[]) => void names.push(args[7]) };
    await thrownBy(watching.invoke(message, { callbacks: [handler as never] }));
    expect(events).toMatchObject([
      { outcome: "refused", seam: "messages", callId: "a" },
      { outcome: "valid", callId: "b" },
    ]);
    expect(names).toContain("repairToolCalls");
  });

  test("leaves a tool's own error to LangChain", async () => {
    const failing = tool(async () => Promise.reject(new Error("down")), {
      name: "complex_tool",
      description: "",
      schema: z.object({}),
    });
    const chain = new ScriptedModel([{ name: "complex_tool", args: {} }])
      .pipe(repairToolCalls([failing]))
      .pipe(() => failing.invoke({}));
    await expect(chain.invoke("")).rejects.toThrow("down");
  });
});
