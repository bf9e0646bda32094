import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { type EvidenceSink, wrapTool } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { run as runExecutor, setUp } from "../../../support/langchain/executor/set-up.ts";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { fixers } from "../../../support/seams.ts";

const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

function listening() {
  const events: InputEvent[] = [];
  const sink: EvidenceSink = (event) => events.push(event);
  return { events, sink };
}

/** A tool that ignores keys which it does not declare. */
const clickTool = () =>
  tool(async () => "clicked", {
    name: "click",
    description: "Clicks an element.",
    schema: z.object({ selector: z.string() }),
  });

const callOf = (args: unknown, name = "click") => ({ name, args, id: "call_1" });
const GO = { messages: [{ role: "user", content: "go" }] };

/** One call that passes through two integrations, which share one sink. */
type Twice = (args: unknown, onToolCall: readonly EvidenceSink[]) => Promise<unknown>;

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

const registered = async (onToolCall: readonly EvidenceSink[], work: () => Promise<unknown>) => {
  register({ fixers, onToolCall, trace: false });
  try {
    return await work();
  } finally {
    unregister();
  }
};

const twice: Readonly<Record<string, Twice>> = {
  "a wrapped tool in an agent with the middleware": (args, onToolCall) =>
    agentOf(args, { onToolCall }, [
      wrapTool(clickTool(), { fixers, onToolCall, trace: false }),
    ]).invoke(GO),
  "a registered process, and an agent with the middleware": (args, onToolCall) =>
    registered(onToolCall, () => agentOf(args, { onToolCall }, [clickTool()]).invoke(GO)),
  "a registered process, and a wrapped tool": (args, onToolCall) =>
    registered(onToolCall, () =>
      wrapTool(clickTool(), { fixers, onToolCall, trace: false })
        .invoke({ ...callOf(args), type: "tool_call" } as never)
        .catch(() => {}),
    ),
  "an executor with a wrapped tool": async (args, onToolCall) => {
    const { wrapped } = await setUp({
      outputs: [calling(callOf(args)), new AIMessage("done")],
      tools: [wrapTool(clickTool(), { fixers, onToolCall, trace: false })],
      options: { fixers, onToolCall, trace: false },
    });
    return runExecutor("invoke", wrapped);
  },
  "a registered process, and a wrapped executor": (args, onToolCall) =>
    registered(onToolCall, async () => {
      const { wrapped } = await setUp({
        outputs: [calling(callOf(args)), new AIMessage("done")],
        tools: [clickTool()],
        options: { fixers, onToolCall, trace: false },
      });
      return runExecutor("invoke", wrapped);
    }),
  "a repaired message, and a ToolNode with a wrapped tool": async (args, onToolCall) => {
    const options = { fixers, onToolCall, trace: false } as const;
    const message = await repairMessage(calling(callOf(args)), [clickTool()], options);
    return new ToolNode([wrapTool(clickTool(), options)]).invoke([message]);
  },
};

describe.each(Object.entries(twice))("%s", (_, run) => {
  test.each([
    ["valid", "", { selector: "#a" }],
    ["valid", ", though it has an undeclared key,", { selector: "#a", dry_run: true }],
    ["repaired", "", { element: "#a" }],
    ["refused", "", { nothing: 5 }],
  ])("report a call that is %s%s once to a shared sink", async (outcome, _, args) => {
    const { events, sink } = listening();
    await run(args, [sink]);
    expect(events.map((event) => `${event.kind} ${event.outcome}`)).toEqual([`call ${outcome}`]);
  });
});

describe("a wrapped tool", () => {
  const own = (sink: EvidenceSink) =>
    wrapTool(clickTool(), { fixers, onToolCall: [sink], trace: false });

  test("reports to its own sink if the executor around it has others, or none", async () => {
    const outer = listening();
    for (const onToolCall of [undefined, [outer.sink]]) {
      const { events, sink } = listening();
      const { wrapped } = await setUp({
        outputs: [calling(callOf({ selector: "#a" })), new AIMessage("done")],
        tools: [own(sink)],
        options: { fixers, ...(onToolCall && { onToolCall }), trace: false },
      });
      await runExecutor("invoke", wrapped);
      expect(events).toHaveLength(1);
    }
    expect(outer.events).toHaveLength(1);
  });

  test("reports every invocation with the same input", async () => {
    const { events, sink } = listening();
    const click = own(sink);
    const input = { selector: "#a" };
    await click.invoke(input);
    await click.invoke(input);
    expect(events).toHaveLength(2);
  });

  test("reports a call that another tool makes with its own input", async () => {
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
      middleware: [toolInputMiddleware({ onToolCall: [sink], trace: false })],
    });
    await agent.invoke(GO);
    expect(events.map(({ toolName }) => toolName)).toEqual(["outer", "click"]);
  });
});

test.each([true, false])(
  "an approved call is reported once, also if another agent resumes from the checkpoint, with tools given: %s",
  async (isGiven) => {
    const { events, sink } = listening();
    const checkpointer = new MemorySaver();
    const make = (...messages: AIMessage[]) =>
      createAgent({
        model: saying(...messages),
        tools: [wrapTool(clickTool(), { onToolCall: [sink], trace: false })],
        middleware: [
          toolInputMiddleware({
            onToolCall: [sink],
            trace: false,
            ...(isGiven && { tools: [clickTool()] }),
          }),
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
