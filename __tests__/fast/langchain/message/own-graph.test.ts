import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent, ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type InputEvent, wrapTools } from "toolmend";
import { readToolCalls, repairCondition, repairNode, settleToolCalls } from "toolmend/messages";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { faultsOfPayload } from "../../../support/langchain/middleware/threads/check-payload.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };
const BAD = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };

describe("wrapTools", () => {
  test("in LangGraph's ToolNode", async () => {
    const node = new ToolNode(wrapTools([...kit.tools], { fixers: kit.fixers }));
    const { messages } = (await node.invoke({ messages: [calling(CALL, BAD)] })) as {
      messages: ToolMessage[];
    };
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual([
      ["call_a", "success"],
      ["call_b", "error"],
    ]);
  });

  test("in createReactAgent", async () => {
    const agent = createReactAgent({
      llm: saying(calling(CALL)),
      tools: wrapTools([...kit.tools], { fixers: kit.fixers }),
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Buy it.")] });
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.at(-1)?.content).toBe("done");
  });
});

describe("repairMessage", () => {
  test("after a model, in a pipe", async () => {
    const { tools, fixers } = kit;
    const model = saying(unreadable({ name: "click", args: "#buy", id: "call_a" }));
    const mended = model.pipe((message) => repairMessage(message as AIMessage, tools, { fixers }));
    const message = await mended.invoke("Buy it.");
    expect(message.tool_calls).toMatchObject([{ id: "call_a", args: { selector: "#buy" } }]);
  });

  test("in your own graph, with ToolNode and rejected calls answered", async () => {
    const { tools, fixers } = kit;
    const model = saying(calling(CALL, BAD), unreadable({ name: "type", args: "{", id: "call_c" }));
    const seen: BaseMessage[][] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }) => {
        const history = settleToolCalls(messages);
        seen.push(history);
        const said = (await model.invoke(history)) as AIMessage;
        return { messages: [await repairMessage(said, tools, { fixers, history })] };
      })
      .addNode("tools", new ToolNode([...tools]))
      .addEdge(START, "model")
      .addConditionalEdges("model", ({ messages }) => {
        const last = messages.at(-1) as AIMessage;
        if (last.tool_calls?.length) return "tools";
        return last.invalid_tool_calls?.length ? "model" : END;
      })
      .addEdge("tools", "model")
      .compile();

    const { messages } = await graph.invoke({ messages: [new HumanMessage("Buy it.")] });

    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const last = seen.at(-1) ?? [];
    const asked = last.flatMap((one) =>
      AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ id }) => id) : [],
    );
    const answered = last.flatMap((one) => (ToolMessage.isInstance(one) ? [one.tool_call_id] : []));
    expect([...asked].sort()).toEqual(["call_a", "call_b", "call_c"]);
    expect([...answered].sort()).toEqual(["call_a", "call_b", "call_c"]);
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("with toolsCondition, which ends where nothing should run", async () => {
    const { tools, fixers } = kit;
    const good = await repairMessage(calling(CALL), tools, { fixers });
    const bad = await repairMessage(calling(BAD), tools, { fixers });
    expect(toolsCondition([good])).toBe("tools");
    expect(toolsCondition([bad])).toBe(END);
  });
});

describe("repairNode", () => {
  const bad = (id: string) => ({ ...BAD, id });

  function graphOf(model: ReturnType<typeof saying>) {
    const { tools, fixers } = kit;
    return new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }) => ({
        messages: [await model.invoke(settleToolCalls(messages))],
      }))
      .addNode("repair", repairNode(tools, { fixers }))
      .addNode("tools", new ToolNode([...tools]))
      .addEdge(START, "model")
      .addEdge("model", "repair")
      .addConditionalEdges("repair", repairCondition, ["tools", "model", END])
      .addEdge("tools", "model")
      .compile();
  }

  test("with repairCondition: valid calls run, the model reads why others were rejected, and the run goes on", async () => {
    const model = saying(
      calling(bad("call_1")),
      calling(bad("call_2"), CALL, bad("call_3")),
      unreadable({ name: "type", args: "{", id: "call_4" }),
    );
    const { messages } = await graphOf(model).invoke({ messages: [new HumanMessage("Buy it.")] });
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.at(-1)?.content).toBe("done");
    for (const call of model.calls) expect(faultsOfPayload(call.messages)).toEqual([]);
    expect(model.callCount).toBe(4);
  });

  test("as postModelHook of createReactAgent", async () => {
    const { tools, fixers } = kit;
    const llm = saying(calling(bad("call_1")), calling(CALL, bad("call_2")));
    const agent = createReactAgent({
      llm,
      tools: [...tools],
      postModelHook: repairNode(tools, { fixers }),
      preModelHook: ({ messages }) => ({ llmInputMessages: settleToolCalls(messages) }),
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("Buy it.")] });
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.at(-1)?.content).toBe("done");
    for (const call of llm.calls) expect(faultsOfPayload(call.messages)).toEqual([]);
  });
});

test("repairNode reports a call with the thread it was made in", async () => {
  const events: InputEvent[] = [];
  const repair = repairNode(kit.tools, {
    fixers: kit.fixers,
    onToolCall: [(event) => void events.push(event)],
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("repair", repair)
    .addEdge(START, "repair")
    .compile();
  await graph.invoke({ messages: [calling(CALL)] }, { configurable: { thread_id: "a thread" } });
  expect(events).toMatchObject([{ outcome: "repaired", seam: "messages", threadId: "a thread" }]);
});

test("repairNode stops waiting for a handler if its run is aborted", async () => {
  const controller = new AbortController();
  const onUnfixable = () => {
    setTimeout(() => controller.abort(new RangeError("stopped")));
    return new Promise<never>(() => {});
  };
  const node = repairNode(kit.tools, { onUnfixable });
  const running = node({ messages: [calling(BAD)] }, { signal: controller.signal });
  await expect(running).rejects.toThrow("stopped");
});

describe("settleToolCalls", () => {
  test("leaves a complete history unchanged, by reference", () => {
    const history = [
      new HumanMessage("Hi."),
      calling({ ...CALL, args: { selector: "#a" } }),
      new ToolMessage({ content: "x", tool_call_id: "call_a" }),
      new AIMessage("Done."),
    ];
    const settled = settleToolCalls(history);
    expect(settled).toHaveLength(history.length);
    for (const [index, message] of settled.entries()) expect(message).toBe(history[index]);
  });

  test("settles once: settling a settled history changes nothing", async () => {
    const { tools, fixers } = kit;
    const refused = await repairMessage(calling(CALL, BAD), tools, { fixers });
    const once = settleToolCalls([refused]);
    expect(once.map(({ type }) => type)).toEqual(["ai", "tool"]);
    const twice = settleToolCalls(once);
    for (const [index, message] of twice.entries()) expect(message).toBe(once[index]);
  });

  test("gives arguments that are no object as one, and answers no call twice", () => {
    const odd = calling({ name: "click", args: "#buy", id: "call_a" });
    odd.invalid_tool_calls = [{ name: "click", args: '{"x": 1}', id: "call_b" }];
    const answer = new ToolMessage({ content: "No.", tool_call_id: "call_b" });
    const settled = settleToolCalls([odd, answer]);
    expect((settled[0] as AIMessage).tool_calls).toMatchObject([
      { id: "call_a", args: {} },
      { id: "call_b", args: { x: 1 } },
    ]);
    expect(settled.slice(1)).toEqual([answer]);
  });

  test.each([
    ["repeats", ["d", "d", "k"], [], ["k"]],
    ["is empty", ["", "k"], [], ["k"]],
    ["repeats, with answers to both calls", ["d", "d", "k"], ["d", "d"], ["k", "d", "d"]],
    ["repeats, with an answer to the other call", ["k", "d", "d"], ["k"], ["k"]],
    ["repeats, with all answers", ["d", "k", "d"], ["d", "d", "k"], ["d", "d", "k"]],
  ])("answers the other calls of a message where an id %s", (_, ids, answered, expected) => {
    const message = calling(...ids.map((id) => ({ ...CALL, id })));
    const answers = answered.map((id) => new ToolMessage({ content: "clicked", tool_call_id: id }));
    const history = [message, ...answers, new HumanMessage("Go on.")];
    const settled = settleToolCalls(history);
    const isSettled = expected.length === answered.length;

    expect(settled.filter(ToolMessage.isInstance).map((one) => one.tool_call_id)).toEqual(expected);
    expect(settled === history).toBe(isSettled);
    expect(settleToolCalls(settled)).toBe(settled);
  });

  test("keeps a rejected call where the model made it, in the provider's form too", async () => {
    const { tools, fixers } = kit;
    const form = ({ id, name, args }: { id: string; name: string; args: object }) => {
      return { id, type: "function" as const, function: { name, arguments: JSON.stringify(args) } };
    };
    for (const additional_kwargs of [{}, { tool_calls: [form(BAD), form(CALL)] }]) {
      const said = new AIMessage({
        ...calling(BAD, CALL),
        additional_kwargs,
        content: "",
      } as never);
      const [message, ...answers] = settleToolCalls([await repairMessage(said, tools, { fixers })]);
      const { tool_calls, additional_kwargs: sent } = message as AIMessage;
      expect(tool_calls?.map(({ id }) => id)).toEqual(["call_b", "call_a"]);
      expect(answers).toMatchObject([{ tool_call_id: "call_b", status: "error" }]);
      if (!("tool_calls" in additional_kwargs)) continue;
      expect(sent.tool_calls).toEqual([form(BAD), form({ ...CALL, args: { selector: "#buy" } })]);
    }
  });

  test("looks again at a message that was changed since", () => {
    const called = { name: "click", arguments: '{"selector":"#a"}' };
    const said = calling({ ...CALL, args: { selector: "#a" } });
    said.additional_kwargs = {
      tool_calls: [{ id: "call_a", type: "function", function: called }],
    };
    const history = [said, new ToolMessage({ content: "x", tool_call_id: "call_a" })];
    expect(settleToolCalls(history)).toBe(history);
    called.arguments = "{}";
    const [settled] = settleToolCalls(history);
    const [form] = settled?.additional_kwargs.tool_calls ?? [];
    expect(form?.function.arguments).toBe('{"selector":"#a"}');
  });

  test("does not make a call again of a block that a human's decision left behind", () => {
    const click = { type: "tool_call" as const, name: "click", args: { selector: "#a" } };
    const hidden = { ...click, id: "call_a", name: "input_refused__click" };
    const decided = new AIMessage({ content: "", tool_calls: [hidden] });
    decided.content = [hidden, { ...click, id: "call_b" }];
    decided.response_metadata = { output_version: "v1" };
    const settled = settleToolCalls([decided, new HumanMessage("Go on.")]);
    const calls = settled.flatMap((message) => (message as AIMessage).tool_calls ?? []);
    expect(calls.map(({ id }) => id)).toEqual(["call_a"]);
  });

  test("gives the provider what a human's edit left behind", () => {
    const edited = new AIMessage({
      content: [{ type: "tool_use", id: "call_a", name: "click", input: { selector: "#a" } }],
      tool_calls: [{ id: "call_a", name: "click", args: { selector: "#edited" } }],
    });
    expect(settleToolCalls([edited])[0]?.content).toMatchObject([
      { input: { selector: "#edited" } },
    ]);
  });
});

describe("readToolCalls", () => {
  test("of a run without toolmend: checked, without repairs", async () => {
    const messages = [
      new HumanMessage("Buy it."),
      calling({ ...CALL, args: { selector: "#a" } }, BAD, { name: "fly", args: {}, id: "call_c" }),
      new ToolMessage({ content: "clicked", tool_call_id: "call_a" }),
      new ToolMessage({ content: "no", tool_call_id: "call_b", status: "error" }),
      unreadable({ name: "click", args: "#lost", id: "call_d" }),
    ];
    expect(await readToolCalls(messages, kit.tools)).toEqual([
      {
        id: "call_a",
        name: "click",
        toolInput: { selector: "#a" },
        rawToolInput: { selector: "#a" },
        repairs: [],
        valid: true,
        observation: "clicked",
        status: "success",
      },
      {
        id: "call_b",
        name: "click",
        toolInput: { one: 1, two: 2 },
        rawToolInput: { one: 1, two: 2 },
        repairs: [],
        valid: false,
        observation: "no",
        status: "error",
      },
      {
        id: "call_d",
        name: "click",
        toolInput: "#lost",
        rawToolInput: "#lost",
        repairs: [],
        valid: false,
      },
    ]);
  });
});

test("repairNode leaves a call alone that has an answer, even if it was edited since", async () => {
  const outcomes: string[] = [];
  const { tools, fixers } = kit;
  const onToolCall = ({ outcome }: InputEvent) => void outcomes.push(outcome);
  const node = repairNode(tools, { fixers, onToolCall });
  const edited = calling({ ...BAD, args: { element: "#buy" } }, CALL);
  const answer = new ToolMessage({ content: "No.", tool_call_id: BAD.id, status: "error" });
  const { messages } = await node({ messages: [edited, answer] });

  expect(outcomes).toEqual(["repaired"]);
  const [repaired] = messages as AIMessage[];
  expect(repaired?.tool_calls?.map(({ args }) => args)).toEqual([
    { element: "#buy" },
    { selector: "#buy" },
  ]);
});

test.each([
  ["cut-off", "length", '{"selector":"#buy"}', { malformed_arguments: '{"selector":"#edited"}' }],
  ["empty", "tool_calls", "", { selector: "#edited" }],
])("repairNode does not replace an edit of another node by %s text", async (...row) => {
  const [, finish_reason, text, args] = row;
  const form = { id: "call_a", type: "function", function: { name: "click", arguments: text } };
  const edited = Object.assign(calling({ ...CALL, args: { selector: "#edited" } }), {
    additional_kwargs: { tool_calls: [form] },
    response_metadata: { finish_reason },
  });
  const { messages } = await repairNode(kit.tools)({ messages: [edited] });
  const [said = edited, ...answers] = messages as AIMessage[];
  expect(said.tool_calls?.map((call) => call.args)).toEqual([args]);
  expect(answers).toHaveLength(finish_reason === "length" ? 1 : 0);
});
