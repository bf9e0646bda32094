import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, createReactAgent, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage } from "@langchain/core/messages";
import { ChatPromptTemplate, PromptTemplate } from "@langchain/core/prompts";
import { tool } from "@langchain/core/tools";
import { ToolInputError, type WrapAgentExecutorOptions, wrapAgentExecutor } from "toolmend";
import type { AttemptEvent } from "toolmend/runnables";
import { z } from "zod";
import { run } from "../../../support/langchain/executor/set-up.ts";
import { type Answer, ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";
import { sampled } from "../../../support/tier.ts";

const done = new AIMessage("Done.");
const wrong = { name: "click", args: { x: 1 } };
const other = { name: "click", args: { y: 2 } };
const click = (selector: string) => ({ name: "click", args: { selector } });

function tools() {
  const ran: unknown[] = [];
  const make = (name: string) =>
    tool(
      ({ selector }) => {
        ran.push({ [name]: selector });
        return `${name}ed ${selector}`;
      },
      { name, description: "", schema: z.object({ selector: z.string() }) },
    );
  return { ran, tools: [make("click"), make("open")] };
}

function agentOf(
  answers: readonly Answer[],
  selfCorrect: NonNullable<WrapAgentExecutorOptions["selfCorrect"]> = {},
  more: WrapAgentExecutorOptions = {},
) {
  const model = new ScriptedModel(...answers);
  const { ran, tools: offered } = tools();
  const prompt = ChatPromptTemplate.fromMessages([
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const agent = createToolCallingAgent({ llm: model, tools: offered, prompt });
  const executor = new AgentExecutor({
    agent,
    tools: offered,
    returnIntermediateSteps: true,
    maxIterations: 3,
  });
  const attempts: AttemptEvent[] = [];
  const onAttempt = (event: AttemptEvent) => attempts.push(event);
  const wrapped = wrapAgentExecutor(executor, {
    ...more,
    selfCorrect: { onAttempt, ...selfCorrect },
  });
  return { model, ran, attempts, wrapped, executor };
}

describe.each(sampled(["invoke", "stream"] as const, 2))(
  "selfCorrect of an AgentExecutor, %s",
  (way) => {
    test("the model corrects itself: the steps and its next prompt hold the corrected call alone", async () => {
      const { model, wrapped, ran, attempts } = agentOf([[wrong], [click("#a")], done]);
      const { output, steps } = await run(way, wrapped);
      expect(output).toBe("Done.");
      expect(ran).toEqual([{ click: "#a" }]);
      expect(steps).toMatchObject([
        { action: { toolInput: { selector: "#a" } }, observation: "clicked #a" },
      ]);
      const [, retry, last] = model.asked;
      expect(retry?.messages.slice(1)).toMatchObject([
        { tool_calls: [{ id: "call_1_1", args: { x: 1 } }] },
        {
          tool_call_id: "call_1_1",
          content: expect.stringMatching(
            /"click" was not accepted.*\n\n.*with corrected arguments/s,
          ),
        },
      ]);
      expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
        undefined,
        "click",
        undefined,
      ]);
      expect(last?.messages.slice(1)).toMatchObject([
        { tool_calls: [{ id: "call_2_1", args: { selector: "#a" } }] },
        { tool_call_id: "call_2_1", content: "clicked #a" },
      ]);
      expect(attempts).toMatchObject([
        { attempt: 1, ok: false, usage: { total_tokens: 15 } },
        { attempt: 2, remedy: "self-correction", ok: true, totalUsage: { total_tokens: 30 } },
        { attempt: 1, remedy: "first", ok: true },
      ]);
    });

    test("of many calls, those that were right wait, and the corrected ones take their place", async () => {
      const both = [click("#a"), { name: "open", args: { url: 5 } }, wrong];
      const { model, wrapped, ran } = agentOf([
        both,
        [click("#c"), { name: "open", args: { selector: "#b" } }],
        done,
      ]);
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([{ click: "#a" }, { open: "#b" }, { click: "#c" }]);
      expect(steps.map(({ action }) => [action.tool, action.toolInput.selector])).toEqual([
        ["click", "#a"],
        ["open", "#b"],
        ["click", "#c"],
      ]);
      expect(model.asked[1]?.toolChoice).toBe("any");
      expect(model.asked[1]?.messages[2]).toMatchObject({
        content: expect.stringMatching(/^Accepted/),
      });
      const [, ai, ...answers] = model.asked[2]?.messages ?? [];
      expect(ai).toMatchObject({
        tool_calls: [
          { id: "call_1_1", args: { selector: "#a" } },
          { id: "call_1_2", args: { selector: "#b" } },
          { id: "call_1_3", args: { selector: "#c" } },
        ],
      });
      expect(
        answers.map((one) => (one as unknown as { tool_call_id: string }).tool_call_id),
      ).toEqual(["call_1_1", "call_1_2", "call_1_3"]);
    });

    test("where nothing helps, it is as without", async () => {
      const never = agentOf([[wrong], [other]], {}, { keepLangChain: ["inputErrors"] });
      await expect(run(way, never.wrapped)).rejects.toMatchObject({ causingData: { y: 2 } });
      const told = agentOf([[wrong], [other], done]);
      Object.assign(told.executor, { handleParsingErrors: "look first" });
      const { steps } = await run(way, told.wrapped);
      expect(steps).toMatchObject([
        { action: { toolInput: { y: 2 }, valid: false }, observation: "look first" },
      ]);
      expect(told.model.asked).toHaveLength(3);
    });

    test("onUnfixable comes first", async () => {
      const { wrapped, model } = agentOf([[wrong], done], {}, { onUnfixable: () => "look first" });
      const { steps } = await run(way, wrapped);
      expect(steps).toMatchObject([{ observation: "look first" }]);
      expect(model.asked).toHaveLength(2);
    });

    test("giveUp: throw ends the run", async () => {
      const { wrapped, executor } = agentOf([[wrong], [wrong], done], { giveUp: "throw" });
      Object.assign(executor, { handleParsingErrors: true });
      await expect(run(way, wrapped)).rejects.toThrow(ToolInputError);
    });

    test("the storm breaker and the budget hold for the whole run", async () => {
      const answers: Answer[] = [[wrong], [click("#a")], [wrong], done];
      const repeated = agentOf(answers, { giveUp: "throw", maxAttempts: 5 });
      await expect(run(way, repeated.wrapped)).rejects.toMatchObject({ causingData: { x: 1 } });
      expect(repeated.attempts.at(-1)).toMatchObject({ stopped: "repeated" });
      const spent = agentOf([[wrong], [click("#a")], [other], done], {
        giveUp: "throw",
        maxCorrections: 1,
      });
      await expect(run(way, spent.wrapped)).rejects.toMatchObject({ causingData: { y: 2 } });
      expect(spent.attempts.at(-1)).toMatchObject({ stopped: "budget" });
    });

    test("a run's mistakes are none of the next one's", async () => {
      const { wrapped, ran } = agentOf([
        [wrong],
        [click("#a")],
        done,
        [wrong],
        [click("#b")],
        done,
      ]);
      await run(way, wrapped);
      await run(way, wrapped);
      expect(ran).toEqual([{ click: "#a" }, { click: "#b" }]);
    });

    test("a tool that does not exist is corrected too", async () => {
      const { wrapped, ran, model } = agentOf([[{ name: "nope", args: {} }], [click("#a")], done]);
      await run(way, wrapped);
      expect(ran).toEqual([{ click: "#a" }]);
      expect(model.asked[1]?.toolChoice).toBe("any");
    });

    test("a call that LangChain cannot read is corrected too", async () => {
      const { wrapped, ran, model } = agentOf([
        [{ name: "click", args: "[true, 5" }],
        [click("#a")],
        done,
      ]);
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([{ click: "#a" }]);
      expect(steps).toHaveLength(1);
      expect(model.asked[1]?.messages.slice(-2)).toMatchObject([
        { tool_calls: [{ id: "call_1_1", name: "click", args: { input: "[true, 5" } }] },
        { tool_call_id: "call_1_1" },
      ]);
    });

    test("a model that answers instead of calling again ends the run with its answer", async () => {
      const { wrapped } = agentOf([[wrong], done]);
      expect(await run(way, wrapped)).toEqual({ output: "Done.", steps: [] });
    });

    test("a provider that refuses to force a call is asked without", async () => {
      const { wrapped, model } = agentOf([[wrong], new Error("tool_choice!"), [click("#a")], done]);
      await run(way, wrapped);
      expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
        undefined,
        "click",
        undefined,
        undefined,
      ]);
    });
  },
);

test("an agent that reads actions off text is shown its own text; nothing is forced", async () => {
  const act = (input: string) => new AIMessage(`Action: click\nAction Input: ${input}`);
  const model = new ScriptedModel(
    act('{"x": 1}'),
    act('{"selector": "#a"}'),
    new AIMessage("Final Answer: Done."),
  );
  const { ran, tools: offered } = tools();
  const prompt = PromptTemplate.fromTemplate("{tools} {tool_names} {input} {agent_scratchpad}");
  const agent = await createReactAgent({ llm: model, tools: offered as never[], prompt });
  const executor = new AgentExecutor({ agent, tools: offered, returnIntermediateSteps: true });
  const { output, steps } = await run("invoke", wrapAgentExecutor(executor, { selfCorrect: {} }));
  expect([output, ran]).toEqual(["Done.", [{ click: "#a" }]]);
  expect(steps).toHaveLength(1);
  expect(model.asked[1]?.messages[0]?.content).toMatch(
    /Action Input: \{"x": 1\}\s+Observation: .*was not accepted.*corrected arguments/s,
  );
  expect(model.asked[2]?.messages[0]?.content).not.toContain('{"x": 1}');
  expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("wrong options are a TypeError, at once", () => {
  expect(() => agentOf([], { maxAttempts: 0 })).toThrow(TypeError);
});
