import { expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { wrapTools } from "toolmend";
import { repairNode } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  type ModelCall,
  saying,
} from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

// A tool whose schema passes its input on by reference can change it while it runs.

const CONFIG = { configurable: { thread_id: "1" } };
const ASK = { messages: [new HumanMessage("Click it.")] };
const INPUT = { selector: "#a", opts: { a: 1 } };

/** Schemas that hand a tool its input, or a part of it, by reference. */
const SCHEMAS: Readonly<Record<string, object>> = {
  "JSON Schema": {
    type: "object",
    properties: {
      selector: { type: "string" },
      opts: { type: "object", properties: { a: { type: "number" } } },
    },
    required: ["selector"],
  },
  "an open zod object": z.looseObject({ selector: z.string() }),
  "a part of any kind": z.object({ selector: z.string(), opts: z.any() }),
};

/** What is repaired into it. */
const FAULTY = { Selector: "#a", opts: { a: 1 } };

/** A tool that records its inputs, and then changes them. */
function changingTool(schema: object) {
  const ran: unknown[] = [];
  const click = tool(
    async (input: typeof INPUT) => {
      ran.push(structuredClone(input));
      input.selector = "CHANGED";
      input.opts.a = 99;
      return "clicked";
    },
    { name: "click", description: "Clicks.", schema: schema as never },
  );
  return { click, ran };
}

function callsOf(args: object, name = "click"): readonly ModelCall[] {
  // The objects of jest's `structuredClone` are not plain for LangGraph, which copies only plain ones.
  const copy = () => JSON.parse(JSON.stringify(args));
  return [
    { name, args: copy(), id: "call_a" },
    { name, args: copy(), id: "call_b" },
  ];
}

function argsIn(messages: readonly BaseMessage[] = []): readonly unknown[] {
  return messages
    .filter(AIMessage.isInstance)
    .flatMap(({ tool_calls = [] }) => tool_calls.map(({ args }) => structuredClone(args)));
}

/** What the records of repairs hold of the model's own arguments. */
function rawInputsIn(messages: readonly BaseMessage[]): readonly unknown[] {
  return messages.flatMap(({ response_metadata }) => {
    const { toolmend } = response_metadata as { toolmend?: { calls: { rawToolInput: unknown }[] } };
    return (toolmend?.calls ?? []).map(({ rawToolInput }) => rawToolInput);
  });
}

/** The arguments that the state, the checkpoint, and the next request hold after a tool's run. */
interface Held {
  readonly state: readonly unknown[];
  readonly checkpoint: readonly unknown[];
  readonly request: readonly unknown[];
}

interface Run {
  readonly schema: object;
  readonly args: object;
  readonly version: "v1" | "v2";
  readonly middleware: () => readonly AgentMiddleware[];
  readonly wrap?: typeof wrapTools;
  readonly isApproved?: boolean;
}

async function run({ schema, args, version, middleware, wrap, isApproved }: Run) {
  const { click, ran } = changingTool(schema);
  const model = saying(calling(...callsOf(args)));
  const checkpointer = new MemorySaver();
  const tools = wrap === undefined ? [click] : wrap([click]);
  const human = humanInTheLoopMiddleware({ interruptOn: { click: true } }) as AgentMiddleware;
  const makeAgent = () => {
    const all = isApproved ? [...middleware(), human] : middleware();
    return createAgent({ model, tools: [...tools], checkpointer, version, middleware: [...all] });
  };
  let { messages } = await makeAgent().invoke(ASK, CONFIG);
  if (isApproved) {
    const decisions = [{ type: "approve" }, { type: "approve" }];
    const resume = new Command({ resume: { decisions } });
    ({ messages } = await makeAgent().invoke(resume as never, CONFIG));
  }
  const saved = await makeAgent().graph.getState(CONFIG);
  const { messages: stored } = saved.values as { messages: BaseMessage[] };
  const held: Held = {
    state: argsIn(messages),
    checkpoint: argsIn(stored),
    request: argsIn(model.calls.at(-1)?.messages),
  };
  return { held, ran, rawInputs: rawInputsIn(stored) };
}

interface GraphRun {
  readonly calls: readonly ModelCall[];
  readonly isRepaired?: boolean;
  readonly wrap?: typeof wrapTools;
}

/** Runs calls in a graph without `createAgent`, with LangGraph's `ToolNode`. */
async function runInGraph({ calls, isRepaired = false, wrap }: GraphRun) {
  const { click, ran } = changingTool(SCHEMAS["a part of any kind"] as object);
  const tools = wrap === undefined ? [click] : [...wrap([click])];
  const repair = isRepaired ? repairNode(tools) : () => ({ messages: [] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({ messages: [calling(...calls)] }))
    .addNode("repair", repair)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addEdge("model", "repair")
    .addEdge("repair", "tools")
    .compile();
  const { messages } = await graph.invoke(ASK);
  return { held: argsIn(messages), ran, rawInputs: rawInputsIn(messages) };
}

const unchanged = { state: [INPUT, INPUT], checkpoint: [INPUT, INPUT], request: [INPUT, INPUT] };
const VERSIONS = ["v1", "v2"] as const;
const APPROVALS = [false, true] as const;
const cases = Object.keys(SCHEMAS).flatMap((schema) =>
  VERSIONS.flatMap((version) => APPROVALS.map((isApproved) => ({ schema, version, isApproved }))),
);

describeSince("1.5")("a tool that changes its input", () => {
  test.each(cases)(
    "leaves a valid call as without toolmend: $schema, $version, approved $isApproved",
    async ({ schema, ...how }) => {
      const setUp = { ...how, schema: SCHEMAS[schema] as object, args: INPUT };
      const bare = await run({ ...setUp, middleware: () => [] });
      const repairing = () => [toolInputMiddleware() as AgentMiddleware];
      expect(await run({ ...setUp, middleware: repairing })).toEqual(bare);
      expect(await run({ ...setUp, middleware: () => [], wrap: wrapTools })).toEqual(bare);
      expect(bare.ran).toEqual([INPUT, INPUT]);
      if (how.version === "v2") expect(bare.held).toEqual(unchanged);
    },
  );

  test.each(cases)(
    "leaves a repaired call: $schema, $version, approved $isApproved",
    async ({ schema, ...how }) => {
      const setUp = { ...how, schema: SCHEMAS[schema] as object, args: FAULTY };
      const repairing = () => [toolInputMiddleware() as AgentMiddleware];
      const repaired = await run({ ...setUp, middleware: repairing });
      expect(repaired.ran).toEqual([INPUT, INPUT]);
      expect(repaired.held).toEqual(unchanged);
      expect(repaired.rawInputs).toEqual([FAULTY, FAULTY]);
    },
  );

  test("leaves a valid call of a ToolNode as without toolmend", async () => {
    const bare = await runInGraph({ calls: callsOf(INPUT) });
    expect(bare.ran).toEqual([INPUT, INPUT]);
    expect(await runInGraph({ calls: callsOf(INPUT), isRepaired: true })).toEqual(bare);
    expect(await runInGraph({ calls: callsOf(INPUT), wrap: wrapTools })).toEqual(bare);
  });

  test.each([
    ["arguments", callsOf(FAULTY), FAULTY],
    ["name", callsOf(INPUT, "Click"), INPUT],
  ])(
    "leaves what the model wrote, where a ToolNode runs a call with a repaired %s",
    async (_, calls, written) => {
      const { ran, rawInputs } = await runInGraph({ calls, isRepaired: true });
      expect(ran).toEqual([INPUT, INPUT]);
      expect(rawInputs).toEqual([written, written]);
    },
  );

  test("leaves the history, where a wrapped tool of a ToolNode repairs its call", async () => {
    const { ran, held } = await runInGraph({ calls: callsOf(FAULTY), wrap: wrapTools });
    expect(ran).toEqual([INPUT, INPUT]);
    expect(held).toEqual([FAULTY, FAULTY]);
  });
});
