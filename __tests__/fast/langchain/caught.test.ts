import { expect, test } from "@jest/globals";
import { HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import {
  isToolInputParsingException,
  type RefusalReason,
  ToolInputParsingException,
  wrapTool,
} from "toolmend";
import { repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { run, setUp } from "../../support/langchain/executor/set-up.ts";
import { calling } from "../../support/langchain/middleware/calling-model.ts";
import { clickTool } from "../../support/seams.ts";

// All the ways that a rejected input can reach a `catch`: one guard gives access to the fields.

const ID = "call_of_the_test";
const args = { nothing: "fits" };
const message = () => calling({ name: "click", args, id: ID });
const asCall = { type: "tool_call" as const, id: ID, name: "click", args };
const wrapped = () => wrapTool(clickTool());
const rethrow = (error: Error) => {
  throw error;
};

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  "wrapTool, a call": () => wrapped().invoke(asCall as never),
  "wrapTool, an input": () => wrapped().invoke(args as never),
  "wrapTool in a chain": () =>
    RunnableLambda.from(() => args as never)
      .pipe(wrapped())
      .invoke(""),
  "wrapTool with a retry": () =>
    wrapped()
      .withRetry({ stopAfterAttempt: 1 })
      .invoke(args as never),
  "wrapTool in a ToolNode": () =>
    new ToolNode([wrapped()], { handleToolErrors: false }).invoke([message()]),
  repairToolCalls: () => repairToolCalls([clickTool()]).invoke(message()),
  "repairToolCalls, with a fallback": () =>
    repairToolCalls([clickTool()])
      .withFallbacks([repairToolCalls([clickTool()])])
      .invoke(message()),
  "wrapAgentExecutor, compat": async () =>
    run("invoke", (await setUp({ outputs: [message()], options: { compat: true } })).wrapped),
  "wrapAgentExecutor, a handler that throws": async () =>
    run(
      "stream",
      (await setUp({ outputs: [message()], options: { onUnfixable: rethrow } })).wrapped,
    ),
  "toolInputMiddleware, a handler that throws": () =>
    createAgent({
      model: fakeModel().respond(message()),
      tools: [clickTool()],
      middleware: [toolInputMiddleware({ onUnfixable: rethrow })],
    }).invoke({ messages: [new HumanMessage("go")] }),
  "LangChain's own": () => clickTool().invoke(args as never),
};

test.each(Object.keys(ways))("%s", async (name) => {
  const error: unknown = await ways[name]?.().catch((thrown: unknown) => thrown);
  if (!isToolInputParsingException(error)) throw error;
  // A later check changes nothing.
  expect(isToolInputParsingException(error)).toBe(true);
  const isLangChains = name === "LangChain's own";
  const reason: RefusalReason = error.reason;
  const [issue] = error.issues;
  expect([error.toolName, error.causingData, reason]).toEqual([
    isLangChains ? "" : "click",
    args,
    "invalid",
  ]);
  expect(issue?.path).toBe(isLangChains ? "" : "/selector");
  expect(error.toModelMessage()).toMatch(/was not accepted/);
  const isCall = !isLangChains && name !== "wrapTool, an input" && !/chain|retry/.test(name);
  expect(error.action?.tool).toBe(isCall ? "click" : undefined);
  if (isCall) expect(error.action?.toolInput).toEqual(args);
  const isWrapped = name.startsWith("toolInputMiddleware");
  expect(error instanceof ToolInputParsingException).toBe(!isWrapped);
});
