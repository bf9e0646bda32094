import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, BaseMultiActionAgent } from "@langchain/classic/agents";
import { BufferMemory } from "@langchain/classic/memory";
import type { AgentAction } from "@langchain/core/agents";
import { AIMessage } from "@langchain/core/messages";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import type { InputEvent } from "#src/repair/events/event.ts";
import { clickTool, INPUTS, run, setUp } from "../../../support/langchain/executor/set-up.ts";

const done = new AIMessage("done");
let ids = 0;

function call(args: unknown) {
  const tool_call = {
    type: "tool_call" as const,
    id: `call_${++ids}`,
    name: "click",
    args: args as never,
  };
  return new AIMessage({ content: "", tool_calls: [tool_call] });
}

describe("LangChain's own loop works as before", () => {
  test("maxIterations ends the run with each way of stopping early", async () => {
    const outputs = [call("#1"), call("#2"), call("#3")];
    const { wrapped, ran } = await setUp({ outputs, maxIterations: 2 });
    for (const way of ["invoke", "stream"] as const) {
      const { output } = await run(way, (await setUp({ outputs, maxIterations: 2 })).wrapped);
      expect(output).toBe("Agent stopped due to max iterations.");
    }
    await run("invoke", wrapped);
    expect(ran).toHaveLength(2);
    const blob = (json: string) => new AIMessage(`\`\`\`json\n${json}\n\`\`\``);
    const generate = await setUp({
      kind: "StructuredChatAgent",
      outputs: [
        blob('{"action": "click", "action_input": "#1"}'),
        blob("{'action': 'Final Answer', 'action_input': 'enough'}"),
        blob('{"action": "Final Answer", "action_input": "enough"}'),
      ],
      maxIterations: 1,
      earlyStoppingMethod: "generate",
    });
    expect((await run("invoke", generate.wrapped)).output).toBe("enough");
    expect(generate.ran).toEqual([{ selector: "#1" }]);
  });

  test("returnDirect returns the observation of a repaired input", async () => {
    const { click } = clickTool("click", { returnDirect: true });
    const text = new AIMessage("Action: click\nAction Input: #1");
    const { wrapped } = await setUp({ kind: "createReactAgent", outputs: [text], tools: [click] });
    expect((await run("invoke", wrapped)).output).toBe("clicked #1");
  });

  test("memory is read and written once", async () => {
    const memory = new BufferMemory({ outputKey: "output", inputKey: "input" });
    const { wrapped } = await setUp({ outputs: [call("#1"), done], memory });
    await wrapped.invoke({ input: "buy it" });
    const messages = await memory.chatHistory.getMessages();
    expect(messages.map(({ content }) => content)).toEqual(["buy it", "done"]);
  });

  test("concurrent runs share nothing", async () => {
    const inputs = Array.from({ length: 8 }, (_, index) => ({ input: `${index}` }));
    const { wrapped, model } = await setUp({ outputs: inputs.flatMap(() => [call("#same")]) });
    // Every run gets the same bare value first, so only its own state can tell them apart.
    model._generate = async (messages) => {
      const isSecond = messages.some((message) => message._getType() === "tool");
      const message = isSecond ? done : call(`#${messages[1]?.content}`);
      return { generations: [{ text: "", message }] };
    };
    const results = await wrapped.batch(inputs);
    expect(
      results.map((one) => (one.intermediateSteps as never as { action: unknown }[])[0]?.action),
    ).toMatchObject(
      inputs.map(({ input }) => ({
        toolInput: { selector: `#${input}` },
        rawToolInput: `#${input}`,
      })),
    );
  });

  test("the same bare value twice at once runs twice", async () => {
    const tool_calls = ["a", "b"].map((id) => ({
      type: "tool_call" as const,
      id,
      name: "click",
      args: "#1" as never,
    }));
    const message = new AIMessage({ content: "", tool_calls });
    const { wrapped, ran } = await setUp({ outputs: [message, done] });
    await run("invoke", wrapped);
    expect(ran).toEqual([{ selector: "#1" }, { selector: "#1" }]);
  });

  test("a property set on the wrapper applies, and one set on the executor too", async () => {
    const { wrapped, executor, ran } = await setUp({
      outputs: [call("#1"), call("#2"), call("#3")],
    });
    wrapped.maxIterations = 1;
    executor.earlyStoppingMethod = "force";
    await run("invoke", wrapped);
    expect(ran).toHaveLength(1);
    expect(executor.maxIterations).toBe(15);
  });

  test("the wrapper is an AgentExecutor, and the executor stays unchanged", async () => {
    const { executor, wrapped } = await setUp({ outputs: [call({ element: "#1" })] });
    const before = Object.getOwnPropertyDescriptors(executor);
    expect(wrapped).toBeInstanceOf(AgentExecutor);
    await run("invoke", wrapped).catch(() => undefined);
    expect(Object.getOwnPropertyDescriptors(executor)).toEqual(before);
    expect(wrapped.agent).toBe(executor.agent);
    expect(wrapped.tools).toBe(executor.tools);
  });

  test("wrapping a wrapper replaces the options", async () => {
    const events: InputEvent[] = [];
    const { wrapped } = await setUp({
      outputs: [call({ selector: "#1" }), call({ element: "#1" })],
      options: { onToolCall: (event) => events.push(event) },
    });
    const again = wrapAgentExecutor(wrapped, {
      level: "strict",
      compat: true,
    });
    await expect(run("invoke", again)).rejects.toMatchObject({ name: "ToolInputError" });
    expect(events).toEqual([]);
  });
});

describe("callbacks and traces show the repaired input", () => {
  test("in handleAgentAction, handleToolStart and the metadata of the tool's run", async () => {
    for (const way of ["invoke", "stream"] as const) {
      const { wrapped } = await setUp({
        outputs: [call({ element: "#1" }), call({ selector: "#2" }), done],
      });
      const seen: unknown[] = [];
      const handler = {
        handleAgentAction: (action: { toolInput: unknown }) => void seen.push(action.toolInput),
        handleToolStart: (...args: unknown[]) =>
          void seen.push([args[1], (args[5] as { toolmend_fixers?: unknown }).toolmend_fixers]),
      };
      await run(way, wrapped, { callbacks: [handler], metadata: { mine: 1 } });
      expect(seen).toEqual([
        { selector: "#1" },
        ['{"selector":"#1"}', "renameKey"],
        { selector: "#2" },
        ['{"selector":"#2"}', undefined],
      ]);
    }
  });

  test("streamEvents", async () => {
    const { wrapped } = await setUp({ outputs: [call({ element: "#1" }), done] });
    const starts = [];
    const chunks = [];
    for await (const { event, name, data } of wrapped.streamEvents(INPUTS, { version: "v2" })) {
      if (event === "on_tool_start") starts.push(data.input);
      if (event === "on_chain_stream" && name === "AgentExecutor") chunks.push(data.chunk);
    }
    expect(JSON.stringify(starts)).toContain("selector");
    expect(JSON.stringify(starts)).not.toContain("element");
    expect(chunks[0]).toMatchObject({
      intermediateSteps: [{ action: { toolInput: { selector: "#1" } } }],
    });
  });

  test("onToolCall receives one event for each call", async () => {
    const events: InputEvent[] = [];
    const { wrapped } = await setUp({
      outputs: [call({ element: "#1" }), call({ selector: "#2" }), done],
      options: { onToolCall: (event) => events.push(event) },
    });
    await run("invoke", wrapped);
    expect(events).toMatchObject([
      {
        toolName: "click",
        rawToolInput: { element: "#1" },
        toolInput: { selector: "#1" },
        repairs: [{}],
      },
      { toolName: "click", outcome: "valid", toolInput: { selector: "#2" } },
    ]);
  });

  test("steps can be requested even if the executor does not return them", async () => {
    const { wrapped } = await setUp({
      outputs: [call({ element: "#1" }), done],
      returnIntermediateSteps: false,
    });
    const result = await wrapped.invoke(INPUTS);
    expect(Object.keys(result)).toEqual(["input", "chat_history", "output"]);
    expect(result.intermediateSteps).toMatchObject([{ action: { toolInput: { selector: "#1" } } }]);
  });
});

/** A custom agent, whose actions keep what they like. */
class OwnAgent extends BaseMultiActionAgent {
  readonly lc_namespace = ["test"];
  readonly inputKeys = ["input"];
  readonly kept: unknown;
  plans = 0;

  constructor(kept: unknown) {
    super({});
    this.kept = kept;
  }

  async plan() {
    this.plans += 1;
    if (this.plans > 1) return { returnValues: { output: "done" }, log: "" };
    const action = { tool: "click", toolInput: { Selector: "#a" }, log: "", messageLog: this.kept };
    return [action as AgentAction];
  }
}

test.each([["odd"], [[null, 5]], [[{ content: "x" }]], [{}], [5], [null]])(
  "an agent's own messageLog that holds no messages is left alone: %j",
  async (kept) => {
    const { click, ran } = clickTool();
    const executor = AgentExecutor.fromAgentAndTools({ agent: new OwnAgent(kept), tools: [click] });
    const { output } = await wrapAgentExecutor(executor).invoke(INPUTS);
    expect([output, ran]).toEqual(["done", [{ selector: "#a" }]]);
  },
);
