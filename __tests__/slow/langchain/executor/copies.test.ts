import { describe, expect, jest, test } from "@jest/globals";
import type * as Agents from "@langchain/classic/agents";
import { createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import { ToolInputError } from "#src/repair/errors.ts";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { ScriptedModel } from "../../../support/langchain/executor/scripted-model.ts";
import { clickTool, INPUTS, run } from "../../../support/langchain/executor/set-up.ts";

const prompt = ChatPromptTemplate.fromMessages([
  ["human", "{input}"],
  ["placeholder", "{agent_scratchpad}"],
]);

/** The executor of another install of LangChain, as with CJS and ESM or duplicates of core. */
function otherCopy(): typeof Agents {
  let copy: typeof Agents | undefined;
  jest.isolateModules(() => {
    copy = jest.requireActual("@langchain/classic/agents");
  });
  return copy as typeof Agents;
}

function call(args: unknown) {
  const tool_call = { type: "tool_call" as const, id: "a", name: "click", args: args as never };
  return new AIMessage({ content: "", tool_calls: [tool_call] });
}

function executorOf(args: unknown, fields: object = {}) {
  const { click, ran } = clickTool();
  const llm = new ScriptedModel([call(args), new AIMessage("done")]);
  const { AgentExecutor } = otherCopy();
  const executor = new AgentExecutor({
    agent: createToolCallingAgent({ llm, tools: [click], prompt }) as never,
    tools: [click] as never,
    returnIntermediateSteps: true,
    ...fields,
  });
  return { executor, ran, llm };
}

describe.each(["invoke", "stream"] as const)(
  "an executor of another install of LangChain, by %s",
  (way) => {
    test("swallows an input error bare; wrapped, it answers it, or throws where LangChain intends to", async () => {
      const bare = await run(way, executorOf({}).executor);
      expect(bare.steps).toMatchObject([{ observation: "" }]);
      const kept = wrapAgentExecutor(executorOf({}).executor, { compat: true });
      await expect(run(way, kept)).rejects.toBeInstanceOf(ToolInputError);
      const handled = executorOf({}, { handleParsingErrors: true }).executor;
      const { steps } = await run(way, wrapAgentExecutor(handled));
      expect(steps).toMatchObject([
        { observation: expect.stringMatching(/^The input of tool "click" was not accepted/) },
      ]);
    });

    test("throws an input error even if it swallows the errors of tools", async () => {
      const { executor, ran } = executorOf({});
      const wrapped = wrapAgentExecutor(executor, { compat: true });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(ToolInputError);
      expect(ran).toEqual([]);
    });

    test("leaves output that its own parser rejects to LangChain, which knows only its own errors", async () => {
      const { click } = clickTool();
      const kind = agentKinds.createReactAgent;
      const llm = new ScriptedModel([new AIMessage("hm"), new AIMessage("Final Answer: done")]);
      const { AgentExecutor } = otherCopy();
      const executor = new AgentExecutor({
        agent: await kind?.make(llm, [click]),
        tools: [click] as never,
        handleParsingErrors: "Again!",
        returnIntermediateSteps: true,
      });
      await expect(run(way, wrapAgentExecutor(executor))).rejects.toThrow("Could not parse");
    });
  },
);

test("an executor without handleToolRuntimeErrors, as before 0.2, is not silent either", async () => {
  const { executor, llm } = executorOf({});
  // Those versions swallow the error: their loop does not read the option.
  const call = executor._call;
  executor._call = function (...args) {
    const swallow = Object.create(this, { handleToolRuntimeErrors: { value: () => "" } });
    return call.apply(swallow, args);
  };
  const wrapped = wrapAgentExecutor(executor, { compat: true });
  await expect(wrapped.invoke(INPUTS)).rejects.toBeInstanceOf(ToolInputError);
  expect(llm.prompts).toHaveLength(1);
});
