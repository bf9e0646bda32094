import { describe, expect, test } from "@jest/globals";
import type { AIMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { ToolInputError, ToolInputParsingException, wrapTool } from "toolmend";
import { toolChain, withToolErrors } from "toolmend/runnables";
import {
  complete,
  complexTool,
  forgetful,
  question,
} from "../../../support/langchain/runnables/complex-tool.ts";
import { type Answer, ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

// LangChain's guide "How to handle tool errors", its four ways, each on a chain piped by hand as the
// guide has it, and on toolChain.

const firstArgs = (message: AIMessage) => message.tool_calls?.[0]?.args as never;
const prompt = ChatPromptTemplate.fromMessages([["human", "{input}"]]);

const refusal = new ToolInputError({
  toolName: "complex_tool",
  causingData: { int_arg: 5, float_arg: 2.1 },
  issues: [{ path: "/dict_arg", code: "x", message: "", expected: "object", received: "nothing" }],
}).toModelMessage();
const message = [
  'Calling tool "complex_tool" with arguments:',
  "",
  '{"int_arg":5,"float_arg":2.1}',
  "",
  "raised the following error:",
  "",
  refusal,
].join("\n");

describe("the guide's chain, piped by hand", () => {
  const safeTool = wrapTool(complexTool);
  const chainOf = (...answers: Answer[]) => {
    const model = new ScriptedModel(...answers);
    return { model, withTools: model.bindTools([complexTool]) };
  };

  test("bare: throws", async () => {
    const { withTools } = chainOf(forgetful);
    const bare = withTools.pipe(firstArgs).pipe(complexTool);
    await expect(bare.invoke(question)).rejects.toThrow(ToolInputParsingException);
    const wrapped = chainOf(forgetful).withTools.pipe(firstArgs).pipe(safeTool);
    await expect(wrapped.invoke(question)).rejects.toThrow(ToolInputError);
  });

  test("try/except: the message", async () => {
    expect(refusal).toContain("- dict_arg: expected object, received nothing\n");
    const { withTools } = chainOf(forgetful);
    const chain = withTools.pipe(firstArgs).pipe(withToolErrors(complexTool));
    expect(await chain.invoke(question)).toBe(message);
  });

  test("fallback, by LangChain's own withFallbacks: 10.5", async () => {
    const chain = chainOf(forgetful).withTools.pipe(firstArgs).pipe(safeTool);
    const better = new ScriptedModel(complete);
    const betterChain = better.bindTools([complexTool]).pipe(firstArgs).pipe(safeTool);
    expect(await chain.withFallbacks([betterChain]).invoke(question)).toBe(10.5);
    expect(better.asked[0]?.messages[0]?.content).toBe(question);
  });
});

describe("toolChain", () => {
  const run = { id: "call_1_1", name: "complex_tool", ok: true, output: 10.5, repairs: [] };

  test("bare: throws", async () => {
    const chain = toolChain(new ScriptedModel(forgetful), [complexTool]);
    await expect(chain.invoke(question)).rejects.toMatchObject({
      name: "ToolInputError",
      toolName: "complex_tool",
      causingData: forgetful[0]?.args,
    });
  });

  test("try/except: the message", async () => {
    const chain = toolChain(new ScriptedModel(forgetful), [complexTool]);
    expect(await withToolErrors(chain).invoke(question)).toBe(message);
  });

  test("fallback: 10.5", async () => {
    const better = new ScriptedModel(complete);
    const chain = toolChain(new ScriptedModel(forgetful), [complexTool], { fallbacks: [better] });
    expect(await chain.invoke(question)).toMatchObject([run]);
    expect(better.asked).toMatchObject([{ tools: [{ name: "complex_tool" }] }]);
    expect(better.asked[0]?.messages).toHaveLength(1);
  });

  test("self-correcting: 10.5", async () => {
    const model = new ScriptedModel(forgetful, complete);
    const chain = prompt.pipe(toolChain(model, [complexTool], { selfCorrect: {} }));
    expect(await chain.invoke({ input: question })).toMatchObject([{ ...run, id: "call_2_1" }]);
    expect(model.asked[1]).toMatchObject({ toolChoice: "complex_tool" });
  });

  test("a correct call: no remedy is touched", async () => {
    const better = new ScriptedModel();
    const model = new ScriptedModel(complete);
    const remedies = { selfCorrect: {}, fallbacks: [better] };
    const chain = toolChain(model, [complexTool], remedies);
    expect(await chain.invoke(question)).toEqual([{ ...run, toolInput: complete[0]?.args }]);
    expect([model.asked.length, better.asked.length]).toEqual([1, 0]);
  });
});
