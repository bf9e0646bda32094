import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, StructuredTool, tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { type EvidenceSink, type FixerRegistry, repairToolInput, wrapTool } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { run as runExecutor, setUp } from "../../../support/langchain/executor/set-up.ts";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { fixers } from "../../../support/seams.ts";
import { sampled } from "../../../support/tier.ts";

const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

function listening() {
  const events: InputEvent[] = [];
  const sink: EvidenceSink = (event) => events.push(event);
  return { events, sink };
}

const schema = z.object({ selector: z.string() });
const fields = { name: "click", description: "Clicks an element.", schema };

/** A tool that ignores keys which it does not declare. */
const clickTool = () => tool(async () => "clicked", fields);

/** A tool whose own `call` changes what LangChain's is given. */
class OwnCall extends StructuredTool {
  name = fields.name;
  description = fields.description;
  schema = schema;
  override call(...[input, config, tags]: Parameters<StructuredTool["call"]>) {
    return super.call({ ...(input as object) }, { ...(config as object) }, tags);
  }
  protected async _call() {
    return "clicked";
  }
}

/** A schema that is validated by its own library: LangChain knows its JSON Schema only. */
const standardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) =>
      typeof (value as { selector?: unknown }).selector === "string"
        ? { value }
        : { issues: [{ message: "no selector", path: ["selector"] }] },
    jsonSchema: {
      input: () => ({
        type: "object",
        properties: { selector: { type: "string" } },
        required: ["selector"],
      }),
    },
  },
};

/** Tools that a wrapper runs with a validated input, and those whose own methods validate it again. */
const toolKinds: Readonly<Record<string, () => StructuredTool>> = {
  "tool()": clickTool as () => never,
  "its own call": () => new OwnCall(),
  "Standard Schema": () =>
    new DynamicStructuredTool({
      ...fields,
      schema: standardSchema as never,
      func: async () => "clicked",
    }) as never,
};

const callOf = (args: unknown, name = "click") => ({ name, args, id: "call_1" });
const GO = { messages: [{ role: "user", content: "go" }] };

interface Wrapping {
  readonly fixers: FixerRegistry;
  readonly trace: false;
  readonly onToolCall?: readonly EvidenceSink[];
}

/** One call of a tool, which passes through one wrapper or several, with these options. */
type Way = (args: unknown, click: StructuredTool, options: Wrapping) => Promise<unknown>;

const executorOf = (args: unknown, click: StructuredTool, options: Wrapping) =>
  setUp({ outputs: [calling(callOf(args)), new AIMessage("done")], tools: [click], options });

const invokeCall = (click: StructuredTool, args: unknown) =>
  click.invoke({ ...callOf(args), type: "tool_call" } as never).catch(() => {});

const agentOf = (args: unknown, click: StructuredTool, options: Wrapping | undefined) =>
  createAgent({
    model: saying(calling(callOf(args))),
    tools: [click],
    middleware: options === undefined ? [] : [toolInputMiddleware(options)],
  });

const ways: Readonly<Record<string, Way>> = {
  "a wrapped tool": (args, click, options) => invokeCall(wrapTool(click, options), args),
  "an agent with the middleware": (args, click, options) =>
    agentOf(args, click, options).invoke(GO),
  "a wrapped tool in an agent with the middleware": (args, click, options) =>
    agentOf(args, wrapTool(click, options), options).invoke(GO),
  "a wrapped executor": async (args, click, options) =>
    runExecutor("invoke", (await executorOf(args, click, options)).wrapped),
  "a wrapped executor that streams": async (args, click, options) =>
    runExecutor("stream", (await executorOf(args, click, options)).wrapped),
  "a wrapped executor with a wrapped tool": async (args, click, options) =>
    runExecutor("invoke", (await executorOf(args, wrapTool(click, options), options)).wrapped),
  "a wrapped executor with a wrapped tool that streams": async (args, click, options) =>
    runExecutor("stream", (await executorOf(args, wrapTool(click, options), options)).wrapped),
  "a repaired message, and a ToolNode with a wrapped tool": async (args, click, options) => {
    const repair = repairToolCalls([click], { ...options, onUnfixable: "tellModel" });
    const message = await repair.invoke(calling(callOf(args)));
    return new ToolNode([wrapTool(click, options)]).invoke([message]);
  },
};

/** Ways without a wrapper: `register` alone repairs the call. */
const bareWays: Readonly<Record<string, Way>> = {
  "a tool": (args, click) => invokeCall(click, args),
  "an agent": (args, click) => agentOf(args, click, undefined).invoke(GO),
  "an executor": async (args, click, options) =>
    runExecutor("invoke", (await executorOf(args, click, options)).executor).catch(() => {}),
  "an executor that streams": async (args, click, options) =>
    runExecutor("stream", (await executorOf(args, click, options)).executor).catch(() => {}),
  "an executor with a wrapped tool that streams": async (args, click, options) =>
    runExecutor(
      "stream",
      (await executorOf(args, wrapTool(click, options), options)).executor,
    ).catch(() => {}),
};

const wrapping: Wrapping = { fixers, trace: false };

async function registered(onToolCall: EvidenceSink, work: () => Promise<unknown>): Promise<void> {
  const undo = register({ ...wrapping, onToolCall });
  try {
    await work();
  } finally {
    undo();
  }
}

/** Who gives the listener to toolmend: each runs a way with it. */
const listeners: Readonly<
  Record<
    string,
    (way: Way, args: unknown, click: StructuredTool, sink: EvidenceSink) => Promise<unknown>
  >
> = {
  "wrappers that share it": (way, args, click, sink) =>
    way(args, click, { ...wrapping, onToolCall: [sink] }),
  "a registered process and its wrappers, which share it": (way, args, click, sink) =>
    registered(sink, () => way(args, click, { ...wrapping, onToolCall: [sink] })),
  "a registered process whose wrappers have none": (way, args, click, sink) =>
    registered(sink, () => way(args, click, wrapping)),
  "a registered process whose wrappers have others": async (way, args, click, sink) => {
    const other = listening();
    await registered(sink, () => way(args, click, { ...wrapping, onToolCall: [other.sink] }));
  },
};

describe.each(sampled(Object.entries(listeners), 2))("a listener of %s", (title, runWith) => {
  const isRegistered = title.startsWith("a registered process");
  const cases = Object.entries({ ...ways, ...(isRegistered && bareWays) });
  describe.each(cases)("%s", (_, way) => {
    test.each([
      ["valid", "", { selector: "#a" }],
      ["valid", ", though it has an undeclared key,", { selector: "#a", dry_run: true }],
      ["repaired", "", { element: "#a" }],
      ["refused", "", { nothing: 5 }],
    ])("gets the event of a call that is %s%s once", async (outcome, _, args) => {
      for (const [kind, makeTool] of sampled(Object.entries(toolKinds), 3)) {
        const { events, sink } = listening();
        await runWith(way, args, makeTool(), sink);
        const got = events.map((event) => `${event.kind} ${event.outcome}`);
        expect([kind, got]).toEqual([kind, [`call ${outcome}`]]);
      }
    });
  });
});

describe("a listener of a registered process", () => {
  test("gets the calls of wrappers that were made before, until the registration is undone", async () => {
    const { events, sink } = listening();
    const click = wrapTool(clickTool(), wrapping);
    await invokeCall(click as never, { selector: "#before" });
    await registered(sink, () => invokeCall(click as never, { selector: "#a" }));
    await invokeCall(click as never, { selector: "#after" });
    expect(events).toMatchObject([{ seam: "tool", toolInput: { selector: "#a" } }]);
  });

  test("gets no event of an input that is repaired without LangChain", async () => {
    const { events, sink } = listening();
    await registered(sink, () => repairToolInput({ element: "#a" }, clickTool(), { fixers }));
    expect(events).toEqual([]);
  });

  test("gets each of several calls at the same time of a tool with its own call, wrapped or not", async () => {
    const { events, sink } = listening();
    const click = new OwnCall();
    const wrapped = wrapTool(click, wrapping);
    const selectors = ["#1", "#2", "#3", "#4"];
    await registered(sink, () =>
      Promise.all(
        selectors.flatMap((selector) => [wrapped.invoke({ selector }), click.invoke({ selector })]),
      ),
    );
    expect(events).toHaveLength(8);
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
