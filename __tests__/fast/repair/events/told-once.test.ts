import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { type EvidenceSink, wrapTool } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { repairAIMessage } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { toolChain } from "toolmend/runnables";
import { run as runExecutor, setUp } from "../../../support/langchain/executor/set-up.ts";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";
import { clickTool, fixers } from "../../../support/seams.ts";

const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

function listening() {
  const events: InputEvent[] = [];
  const sink: EvidenceSink = (event) => events.push(event);
  return { events, sink };
}

const callOf = (args: unknown, name = "click") => ({ name, args, id: "call_1" });
const GO = { messages: [{ role: "user", content: "go" }] };

/** One call that goes through two places, and one sink that is given to both. */
type Twice = (args: unknown, evidence: readonly EvidenceSink[]) => Promise<unknown>;

const agentOf = (
  args: unknown,
  options: Parameters<typeof toolInputMiddleware>[0],
  tools: unknown[],
) =>
  createAgent({
    model: saying(calling(callOf(args))),
    tools: tools as never,
    middleware: [toolInputMiddleware({ fixers, trace: false, ...options })],
  });

const registered = async (evidence: readonly EvidenceSink[], work: () => Promise<unknown>) => {
  register({ fixers, evidence, trace: false });
  try {
    return await work();
  } finally {
    unregister();
  }
};

const twice: Readonly<Record<string, Twice>> = {
  "a wrapped tool in an agent with the middleware": (args, evidence) =>
    agentOf(args, { evidence }, [wrapTool(clickTool(), { fixers, evidence, trace: false })]).invoke(
      GO,
    ),
  "a wrapped tool in an agent with the middleware's other hook": (args, evidence) =>
    agentOf(args, { evidence, hook: "wrapToolCall" }, [
      wrapTool(clickTool(), { fixers, evidence, trace: false }),
    ]).invoke(GO),
  "a registered process, and an agent with the middleware": (args, evidence) =>
    registered(evidence, () => agentOf(args, { evidence }, [clickTool()]).invoke(GO)),
  "a registered process, and a wrapped tool": (args, evidence) =>
    registered(evidence, () =>
      wrapTool(clickTool(), { fixers, evidence, trace: false })
        .invoke({ ...callOf(args), type: "tool_call" } as never)
        .catch(() => {}),
    ),
  "an executor with a wrapped tool": async (args, evidence) => {
    const { wrapped } = await setUp({
      outputs: [calling(callOf(args)), new AIMessage("done")],
      tools: [wrapTool(clickTool(), { fixers, evidence, trace: false })],
      options: { fixers, evidence, trace: false },
    });
    return runExecutor("invoke", wrapped);
  },
  "a registered process, and a wrapped executor": (args, evidence) =>
    registered(evidence, async () => {
      const { wrapped } = await setUp({
        outputs: [calling(callOf(args)), new AIMessage("done")],
        tools: [clickTool()],
        options: { fixers, evidence, trace: false },
      });
      return runExecutor("invoke", wrapped);
    }),
  "a chain with a wrapped tool": (args, evidence) =>
    toolChain(
      new ScriptedModel([callOf(args)]),
      [wrapTool(clickTool(), { fixers, evidence, trace: false })],
      { fixers, evidence, throwOn: "none", trace: false },
    ).invoke("go"),
  "a repaired message, and a ToolNode with a wrapped tool": async (args, evidence) => {
    const options = { fixers, evidence, trace: false } as const;
    const message = await repairAIMessage(calling(callOf(args)), [clickTool()], options);
    return new ToolNode([wrapTool(clickTool(), options)]).invoke([message]);
  },
};

describe.each(Object.entries(twice))("%s", (_, run) => {
  test.each([
    ["valid", { selector: "#a" }],
    ["repaired", { element: "#a" }],
    ["refused", { nothing: 5 }],
  ])("tell one sink once of a call that is %s", async (outcome, args) => {
    const { events, sink } = listening();
    await run(args, [sink]);
    expect(events.map((event) => `${event.kind} ${event.outcome}`)).toEqual([`call ${outcome}`]);
  });
});

describe("a wrapped tool", () => {
  const own = (sink: EvidenceSink) =>
    wrapTool(clickTool(), { fixers, evidence: [sink], trace: false });

  test("tells its own sink, where the executor around it has others, or none", async () => {
    const outer = listening();
    for (const evidence of [undefined, [outer.sink]]) {
      const { events, sink } = listening();
      const { wrapped } = await setUp({
        outputs: [calling(callOf({ selector: "#a" })), new AIMessage("done")],
        tools: [own(sink)],
        options: { fixers, ...(evidence && { evidence }), trace: false },
      });
      await runExecutor("invoke", wrapped);
      expect(events).toHaveLength(1);
    }
    expect(outer.events).toHaveLength(1);
  });

  test("tells of every use of one input by hand", async () => {
    const { events, sink } = listening();
    const click = own(sink);
    const input = { selector: "#a" };
    await click.invoke(input);
    await click.invoke(input);
    expect(events).toHaveLength(2);
  });

  test("tells of a call that another tool makes with the input that it was given", async () => {
    const { events, sink } = listening();
    const inner = own(sink);
    const schema = {
      type: "object",
      properties: { selector: { type: "string" } },
      required: ["selector"],
    } as const;
    const outer = tool((input: unknown) => inner.invoke(input as never), { name: "outer", schema });
    const agent = createAgent({
      model: saying(calling(callOf({ selector: "#a" }, "outer"))),
      tools: [outer],
      middleware: [toolInputMiddleware({ evidence: [sink], trace: false })],
    });
    await agent.invoke(GO);
    expect(events.map(({ toolName }) => toolName)).toEqual(["outer", "click"]);
  });
});

test.each(["afterModel", "wrapToolCall"] as const)(
  "an approved call is told of once, also where another agent goes on from the checkpoint (%s)",
  async (hook) => {
    const { events, sink } = listening();
    const checkpointer = new MemorySaver();
    const make = (...messages: AIMessage[]) =>
      createAgent({
        model: saying(...messages),
        tools: [wrapTool(clickTool(), { evidence: [sink], trace: false })],
        middleware: [
          toolInputMiddleware({ evidence: [sink], hook, tools: [clickTool()], trace: false }),
          humanInTheLoopMiddleware({ interruptOn: { click: true } }),
        ],
        checkpointer,
      });
    const config = { configurable: { thread_id: "t" } };
    const asking = make(calling(callOf({ selector: "#a" })));
    await asking.invoke({ messages: [new HumanMessage("go")] }, config);
    const decisions = [{ type: "approve" as const }];
    await make().invoke(new Command({ resume: { decisions } }), config);
    expect(events.map((event) => event.outcome)).toEqual(["valid"]);
  },
);
