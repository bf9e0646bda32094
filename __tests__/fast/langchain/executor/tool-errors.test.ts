import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, ToolInputParsingException } from "@langchain/core/tools";
import { GraphInterrupt } from "@langchain/langgraph";
import { z } from "zod";
import { type Ran, run, type SetUp, setUp } from "../../../support/langchain/executor/set-up.ts";
import { sampled } from "../../../support/tier.ts";

// Importing it has a side effect, which is undone until a test needs it.
const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

const done = new AIMessage("done");
const schema = z.object({ selector: z.string() });

function outputs(...selectors: string[]) {
  const tool_calls = selectors.map((selector, index) => ({
    type: "tool_call" as const,
    id: `call_${index}`,
    name: "click",
    args: { selector },
  }));
  return [new AIMessage({ content: "", tool_calls }), done];
}

const clickThat = (func: (input: { selector: string }) => unknown) =>
  new DynamicStructuredTool({ name: "click", description: "", schema, func: func as never });

const failing = (error: unknown) =>
  clickThat(async () => {
    throw error;
  });

/** The result of a run: its output, its steps and the model's prompts, or the error. */
async function outcomeOf(
  which: "bare" | "wrapped" | "compat" | "registered",
  way: "invoke" | "stream",
  given: SetUp,
): Promise<unknown> {
  const options = { compat: which === "compat" };
  const { executor, wrapped, model } = await setUp({ ...given, options });
  // LangChain gives a message an id if a handler listens.
  const prompts = () => model.prompts.map((one) => one.replaceAll(/,"id":"run-[^"]*"/g, ""));
  const undo = which === "registered" ? register() : () => {};
  try {
    const { steps, output }: Ran = await run(
      way,
      which === "bare" || which === "registered" ? executor : wrapped,
    );
    const observations = steps.map(({ observation }) => observation);
    return { output, observations, prompts: prompts() };
  } catch (error) {
    return { error, prompts: prompts() };
  } finally {
    undo();
  }
}

const secret = new Error("connect ECONNREFUSED postgres://admin:hunter2@10.0.0.7/db");
const inner = () =>
  new ToolInputParsingException("Received tool input did not match expected schema", '{"q":{}}');
const own = () => Object.assign(inner(), { message: "no such element" });
const aborted = new DOMException("stopped", "AbortError");

const cases: Readonly<Record<string, () => Omit<SetUp, "outputs">>> = {
  "a tool that throws": () => ({ tools: [failing(secret)] }),
  "a tool that throws a text": () => ({ tools: [failing("just text")] }),
  "a tool that throws, with handleToolRuntimeErrors": () => ({
    tools: [failing(secret)],
    handleToolRuntimeErrors: (error: Error) => `own: ${error.message}`,
  }),
  "a tool that throws, with handleParsingErrors": () => ({
    tools: [failing(secret)],
    handleParsingErrors: true,
  }),
  "a tool that is aborted": () => ({ tools: [failing(aborted)] }),
  "a tool that interrupts": () => ({ tools: [failing(new GraphInterrupt([]))] }),
  "a tool that throws the refusal of another one": () => ({
    tools: [failing(inner())],
  }),
  "a tool that rejects the input in its own words": () => ({ tools: [failing(own())] }),
  "a tool that does, with handleParsingErrors": () => ({
    tools: [failing(own())],
    handleParsingErrors: "Again!",
  }),
  "the same, with handleParsingErrors": () => ({
    tools: [failing(inner())],
    handleParsingErrors: () => "look first",
  }),
  "a tool that throws what holds a refusal": () => ({
    tools: [failing(new Error("x", { cause: new ToolInputParsingException("Received", "{}") }))],
  }),
  ...Object.fromEntries(
    [{ ok: 1, total: 3 }, [1, 2], 0, false, undefined, "text"].map((result) => [
      `a result: ${JSON.stringify(result)}`,
      () => ({ tools: [clickThat(async () => result)] }),
    ]),
  ),
};

describe.each(sampled(["invoke", "stream"] as const, 2))("for valid inputs, by %s", (way) => {
  test.each(Object.keys(cases))("LangChain behaves as without toolmend: %s", async (name) => {
    const given = () => ({ outputs: outputs("#1", "#2"), ...cases[name]?.() });
    const bare = await outcomeOf("bare", way, given());
    for (const which of ["wrapped", "compat", "registered"] as const) {
      expect([which, await outcomeOf(which, way, given())]).toEqual([which, bare]);
    }
  });
});

test("a tool's error message is not shown to the model", async () => {
  const given = { outputs: outputs("#1"), tools: [failing(secret)] };
  for (const which of ["wrapped", "registered"] as const) {
    expect(JSON.stringify(await outcomeOf(which, "invoke", given))).not.toContain("hunter2");
  }
});

test("an action that the patched parser marked and toolmend repaired is run", async () => {
  const { wrapped, executor, ran } = await setUp({
    outputs: outputs("#a"),
  });
  const { agent } = executor as unknown as {
    agent: { plan: (...args: unknown[]) => Promise<unknown> };
  };
  const { plan } = agent;
  const seen: unknown[] = [];
  agent.plan = async (...args) => {
    const planned = await plan.apply(agent, args);
    if (Array.isArray(planned))
      for (const one of planned) one.parsingError = new Error("Malformed args.");
    return planned;
  };
  await run("invoke", wrapped, {
    callbacks: [{ handleAgentAction: (action: object) => void seen.push(action) }],
  });
  expect(ran).toEqual([{ selector: "#a" }]);
  expect(seen[0]).not.toHaveProperty("parsingError");
});
