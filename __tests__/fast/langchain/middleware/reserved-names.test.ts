import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  type ToolRuntime,
  tool,
  toolCallLimitMiddleware,
  toolStrategy,
} from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_bad" };
const config = { configurable: { thread_id: "1" } };

function agentWith(messages: readonly AIMessage[], ...others: readonly AgentMiddleware[]) {
  const model = saying(...messages);
  const agent = createAgent({
    model,
    tools: [...kit.tools],
    checkpointer: new MemorySaver(),
    middleware: [
      toolInputMiddleware({ fixers: kit.fixers }),
      humanInTheLoopMiddleware({ interruptOn: { click: true } }),
      ...others,
    ],
  });
  const ask = (content: string) => agent.invoke({ messages: [{ role: "user", content }] }, config);
  return { model, ask };
}

/** The names of all calls, and of all answers. */
function namesIn(messages: readonly BaseMessage[]): readonly (string | undefined)[] {
  return messages.flatMap((one) =>
    AIMessage.isInstance(one)
      ? (one.tool_calls ?? []).map(({ name }) => name)
      : ToolMessage.isInstance(one)
        ? [one.name]
        : [],
  );
}

describe("a rejected call has its own name again", () => {
  test("where other middleware ends the run before it is answered, and speaks", async () => {
    const ending = createMiddleware({
      name: "ending",
      afterModel: {
        canJumpTo: ["end"],
        hook: (state) =>
          state.messages.length === 2
            ? { jumpTo: "end" as const, messages: [new AIMessage("Stopped.")] }
            : undefined,
      },
    });
    const { ask, model } = agentWith([calling(BAD)], ending);
    await ask("Buy it.");
    const { messages } = await ask("Go on.");

    expect(namesIn(messages)).toEqual(["click"]);
    expect(namesIn(model.calls[1]?.messages ?? [])).toEqual(["click", "click"]);
  });

  test("where other middleware answers it", async () => {
    const answering = createMiddleware({
      name: "answering",
      afterModel: ({ messages }) => {
        const [call] = AIMessage.isInstance(messages.at(-1))
          ? ((messages.at(-1) as AIMessage).tool_calls ?? [])
          : [];
        if (call === undefined) return undefined;
        const { id = "", name } = call;
        return { messages: [new ToolMessage({ content: "No.", tool_call_id: id, name })] };
      },
    });
    const { ask } = agentWith(
      [calling(BAD, { name: "type", args: { selector: "a", text: "b" }, id: "call_b" })],
      answering,
    );
    const { messages } = await ask("Buy it.");

    expect(namesIn(messages)).toEqual(["click", "type", "click", "type"]);
    expect(messages.filter(ToolMessage.isInstance).map(({ content }) => content)).toContain("No.");
  });
});

testSince("1.5")(
  "a rejected call has its own name again where the run ends with a structured response",
  async () => {
    const other = { name: "type", args: { selector: "a", text: "b" }, id: "call_b" };
    const order = z.object({ product: z.string() }).meta({ title: "order" });
    const said = calling({ name: "order", args: { product: "shoe" }, id: "call_c" });
    const agent = createAgent({
      model: saying(calling(BAD, other), said),
      tools: [...kit.tools],
      checkpointer: new MemorySaver(),
      responseFormat: toolStrategy(order),
      middleware: [
        toolInputMiddleware({ fixers: kit.fixers }),
        humanInTheLoopMiddleware({ interruptOn: { type: true } }),
      ],
    });
    await agent.invoke({ messages: ["Buy it."] }, config);
    const decisions = [{ type: "reject" as const }];
    const { messages } = await agent.invoke(new Command({ resume: { decisions } }), config);

    expect(namesIn(messages).slice(0, 2)).toEqual(["click", "type"]);
  },
);

describe("while an approval is pending", () => {
  const RIGHT = { name: "click", args: { selector: "#a" }, id: "call_a" };
  const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });
  const thread = () => {
    const model = saying(calling(RIGHT, BAD), new AIMessage("done"));
    const checkpointer = new MemorySaver();
    const human = humanInTheLoopMiddleware({ interruptOn: { click: true } }) as AgentMiddleware;
    const agent = (...first: readonly AgentMiddleware[]) => {
      const middleware = [...first, human];
      return createAgent({ model, tools: [...kit.tools], checkpointer, middleware });
    };
    const repair = () => toolInputMiddleware({ fixers: kit.fixers }) as AgentMiddleware;
    return { model, bare: () => agent(), repairing: () => agent(repair()) };
  };

  test("toolmend may be removed: providers accept the names of the next request", async () => {
    const { model, bare, repairing } = thread();
    await repairing().invoke({ messages: ["Buy it."] }, config);
    await bare().invoke(approve, config);

    const sent = namesIn(model.calls.at(-1)?.messages ?? []);
    expect(sent).toHaveLength(4);
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(kit.ran).toEqual([RIGHT.args]);
  });
});

test("a tool cannot have a reserved name", async () => {
  const name = "input_refused__click";
  const reserved = tool(() => "ran", { name, description: "" });
  const middleware = [toolInputMiddleware()];
  const agent = createAgent({ model: saying(), tools: [reserved], middleware });
  await expect(agent.invoke({ messages: ["Go."] })).rejects.toThrow(/must not begin with/);
});

testSince("1.5")(
  "a limit of one tool counts its rejected calls where a human is asked about others",
  async () => {
    const agent = createAgent({
      model: saying(...Array.from({ length: 5 }, (_, at) => calling({ ...BAD, id: `call_${at}` }))),
      tools: [...kit.tools],
      middleware: [
        toolInputMiddleware({ humanInTheLoop: ["type"] }),
        humanInTheLoopMiddleware({ interruptOn: { type: true } }),
        toolCallLimitMiddleware({ toolName: "click", runLimit: 2, exitBehavior: "end" }),
      ],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
    expect(namesIn(messages)).toEqual(["click", "click", "click", "click", "click", "click"]);
  },
);

test("what a tool hands to the graph around it is the call that a human edited", async () => {
  const handed: BaseMessage[] = [];
  const handOff = tool(
    ({ to }, runtime: ToolRuntime) => {
      const { messages } = runtime.state as { messages: BaseMessage[] };
      const answer = new ToolMessage({ content: to, tool_call_id: runtime.toolCallId });
      const update = { messages: [...messages, answer] };
      return new Command({ graph: Command.PARENT, goto: "after", update });
    },
    { name: "handOff", description: "", schema: z.object({ to: z.string() }) },
  );
  const agent = createAgent({
    model: saying(calling({ name: "handOff", args: { to: "ann" }, id: "call_a" })),
    tools: [handOff],
    middleware: [
      toolInputMiddleware({ fixers: { handOff: [] } }),
      humanInTheLoopMiddleware({ interruptOn: { handOff: true } }),
    ],
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", agent.graph, { ends: ["after"] })
    .addNode("after", ({ messages }) => {
      handed.push(...messages);
      return {};
    })
    .addEdge(START, "agent")
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [{ role: "user", content: "Go." }] }, config);
  const editedAction = { name: "handOff", args: { to: 5 } };
  const decisions = [{ type: "edit" as const, editedAction }];
  await graph.invoke(new Command({ resume: { decisions } }), config);

  const calls = handed.filter(AIMessage.isInstance).flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls.map(({ args }) => args)).toEqual([{ to: "5" }]);
  expect(handed.at(-1)?.content).toBe("5");
});
