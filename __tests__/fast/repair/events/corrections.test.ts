import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { repairToolCall, wrapTool } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { run as runExecutor, setUp } from "../../../support/langchain/executor/set-up.ts";
import {
  calling,
  type ModelCall,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTool } from "../../../support/seams.ts";

const bad = { name: "click", args: { nothing: 5 }, id: "call_bad" };
const good = { name: "click", args: { selector: "#a" }, id: "call_good" };

function listening() {
  const events: InputEvent[] = [];
  const onToolCall = [(event: InputEvent) => events.push(event)];
  return { events, options: { onToolCall, trace: false } as const };
}

/** The model corrects its call when it is asked to. */
const ways = {
  middleware: (options: ReturnType<typeof listening>["options"]) =>
    createAgent({
      model: saying(calling(bad), calling(good)),
      tools: [clickTool()],
      middleware: [toolInputMiddleware({ ...options, selfCorrect: {} })],
    }).invoke({ messages: [{ role: "user", content: "go" }] }),
};

describe.each(Object.entries(ways))("a model that corrects its call, with %s", (name, way) => {
  test("each call is reported once, with the input that replaces the rejected one", async () => {
    const { events, options } = listening();
    await way(options);
    expect(events).toMatchObject([
      { kind: "call", outcome: "refused", callId: "call_bad", seam: name },
      { kind: "call", outcome: "valid", callId: "call_good", seam: name },
      {
        kind: "correction",
        outcome: "corrected",
        source: "self-correct",
        seam: name,
        toolName: "click",
        of: "call_bad",
        by: "call_good",
        rawToolInput: { nothing: 5 },
        toolInput: { selector: "#a" },
        schemaHash: expect.stringMatching(/^[\da-f]{8}$/),
      },
    ]);
    expect(events[2]?.issues.map(({ path }) => path)).toContain("/selector");
    expect(events[2]?.schemaHash).toBe(events[0]?.schemaHash);
  });
});

test("a model that calls an unknown tool a second time has corrected nothing", async () => {
  const { events, options } = listening();
  await createAgent({
    model: saying(
      unreadable({ name: "fly", args: "not json", id: "call_bad" }),
      calling({ name: "fly", args: { to: "Rome" }, id: "call_again" }),
    ),
    tools: [clickTool()],
    middleware: [toolInputMiddleware({ ...options, selfCorrect: {} })],
  }).invoke({ messages: [{ role: "user", content: "go" }] });
  expect(events).toMatchObject([
    { kind: "call", outcome: "refused", toolName: "fly", callId: "call_bad" },
    { kind: "call", outcome: "refused", toolName: "fly", callId: "call_again" },
  ]);
});

test("a second call that a handler answers has corrected nothing, even with an empty text", async () => {
  const { events, options } = listening();
  const answers = [undefined, ""];
  const onUnfixable = () => answers.shift();
  await createAgent({
    model: saying(
      calling({ name: "click", args: { one: 1, two: 2 }, id: "call_bad" }),
      calling({ name: "click", args: { one: 1, three: 3 }, id: "call_again" }),
    ),
    tools: [clickTool()],
    middleware: [toolInputMiddleware({ ...options, onUnfixable, selfCorrect: {} })],
  }).invoke({ messages: [{ role: "user", content: "go" }] });
  expect(events).toMatchObject([
    { kind: "call", outcome: "refused", callId: "call_bad" },
    { kind: "call", outcome: "answered", callId: "call_again" },
  ]);
});

test("the input that a handler supplies is reported as corrected, and as a correction", async () => {
  const { events, options } = listening();
  const wrapped = wrapTool(clickTool(), { ...options, onUnfixable: () => ({ selector: "#a" }) });
  await wrapped.invoke({ type: "tool_call", ...bad } as never);
  expect(events).toMatchObject([
    { kind: "call", outcome: "corrected", callId: "call_bad", toolInput: { selector: "#a" } },
    {
      kind: "correction",
      source: "handler",
      of: "call_bad",
      by: "call_bad",
      rawToolInput: { nothing: 5 },
      toolInput: { selector: "#a" },
    },
  ]);
  expect(events[0]?.issues).toEqual(events[1]?.issues);
});

test("a call of an unknown tool is reported as rejected, and as no offered tool", async () => {
  const { events, options } = listening();
  await repairToolCall({ name: "nothing_like_it", args: {}, id: "call_1" }, [clickTool()], {
    onToolCall: options.onToolCall,
  });
  expect(events).toMatchObject([
    {
      outcome: "refused",
      toolName: "nothing_like_it",
      isOffered: false,
      schemaHash: undefined,
      callId: "call_1",
    },
  ]);
});

/** A call, or several at once. */
type Called = ModelCall | readonly ModelCall[];

describe("a model that calls again later, without being asked to correct its call", () => {
  const again = { name: "click", args: { selector: "#buy" }, id: "call_again" };
  const refused = { name: "click", args: { selector: ["#buy", "#now"] }, id: "call_refused" };
  const executor = async (
    entryPoint: "invoke" | "stream",
    options: object,
    calls: readonly Called[],
  ) => {
    const outputs = [...calls.map((call) => calling(...[call].flat())), new AIMessage("done")];
    const { wrapped } = await setUp({ outputs, tools: [clickTool()], options });
    await runExecutor(entryPoint, wrapped);
  };
  const later = [
    [
      "middleware",
      (options: object, calls: readonly Called[]) =>
        createAgent({
          model: saying(...calls.map((call) => calling(...[call].flat()))),
          tools: [clickTool()],
          middleware: [toolInputMiddleware(options)],
        }).invoke({ messages: [{ role: "user", content: "go" }] }),
    ],
    ["executor", executor.bind(undefined, "invoke")],
    ["executor", executor.bind(undefined, "stream")],
  ] as const;

  test.each(later)("is reported as a correction, once (%s)", async (seam, way) => {
    const { events, options } = listening();
    await way(options, [refused, again, { ...again, id: "call_more" }]);
    expect(events).toMatchObject([
      { kind: "call", outcome: "refused" },
      { kind: "call", outcome: "valid", callId: "call_again" },
      {
        kind: "correction",
        source: "later-call",
        seam,
        toolName: "click",
        isOffered: true,
        of: "call_refused",
        by: "call_again",
        rawToolInput: refused.args,
        toolInput: again.args,
        schemaHash: events[0]?.schemaHash,
      },
      { kind: "call", outcome: "valid", callId: "call_more" },
    ]);
    expect(events[2]?.issues).toMatchObject([{ path: "/selector", code: "invalid_type" }]);
  });

  test.each(later)("corrects nothing if the calls share no value (%s)", async (_, way) => {
    const { events, options } = listening();
    await way(options, [refused, { ...again, args: { selector: "#other" } }]);
    expect(events.map(({ kind }) => kind)).toEqual(["call", "call"]);
  });

  test.each(later)("corrects nothing if it made that call before (%s)", async (_, way) => {
    const { events, options } = listening();
    await way(options, [again, refused, { ...again, id: "call_more" }]);
    expect(events.map(({ kind }) => kind)).toEqual(["call", "call", "call"]);
  });

  test.each(later)("corrects none of two parallel calls that it matches (%s)", async (_, way) => {
    const { events, options } = listening();
    const both = [refused, { ...refused, id: "call_beside" }];
    await way(options, [both, again]);
    expect(events.filter(({ kind }) => kind === "correction")).toEqual([]);
  });

  test.each(later)("corrects every earlier try of the same call (%s)", async (_, way) => {
    const { events, options } = listening();
    await way(options, [refused, { ...refused, id: "call_retried" }, again]);
    const corrections = events.filter((event) => event.kind === "correction");
    expect(corrections.map(({ of, by }) => [of, by])).toEqual([
      ["call_refused", "call_again"],
      ["call_retried", "call_again"],
    ]);
  });
});

test("a human's edit of a rejected call is reported as its correction", async () => {
  const { events, options } = listening();
  const agent = createAgent({
    model: saying(calling(bad)),
    tools: [clickTool()],
    middleware: [
      toolInputMiddleware({ ...options, humanInTheLoop: false }),
      humanInTheLoopMiddleware({ interruptOn: { click: true } }),
    ],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "t" } };
  await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  const editedAction = { name: "click", args: { selector: "#a" } };
  const decisions = [{ type: "edit" as const, editedAction }];
  await agent.invoke(new Command({ resume: { decisions } }), config);
  expect(events).toMatchObject([
    { kind: "call", outcome: "refused", callId: "call_bad" },
    {
      kind: "correction",
      source: "human",
      of: "call_bad",
      by: "call_bad",
      rawToolInput: { nothing: 5 },
      toolInput: { selector: "#a" },
      threadId: "t",
    },
  ]);
  expect(events[1]?.issues.map(({ path }) => path)).toContain("/selector");
});

describe('with level: "auto", a correction holds the level of the tool', () => {
  const user = { role: "user", content: "go" };
  const ways: Readonly<
    Record<string, (tools: [ReturnType<typeof annotatedTool>], options: object) => Promise<unknown>>
  > = {
    handler: async ([search], options) =>
      wrapTool(search, { ...options, onUnfixable: () => good.args }).invoke(bad.args as never),
    "self-correct": (tools, options) =>
      createAgent({
        model: saying(calling(bad), calling(good)),
        tools,
        middleware: [toolInputMiddleware({ ...options, selfCorrect: {} })],
      }).invoke({ messages: [user] }),
    "later-call": (tools, options) =>
      createAgent({
        model: saying(calling({ ...bad, args: { selector: ["#a", "#b"] } }), calling(good)),
        tools,
        middleware: [toolInputMiddleware(options)],
      }).invoke({ messages: [user] }),
    human: async (tools, options) => {
      const agent = createAgent({
        model: saying(calling(bad)),
        tools,
        middleware: [
          toolInputMiddleware({ ...options, humanInTheLoop: false }),
          humanInTheLoopMiddleware({ interruptOn: { click: true } }),
        ],
        checkpointer: new MemorySaver(),
      });
      const config = { configurable: { thread_id: "t" } };
      await agent.invoke({ messages: [user] }, config);
      const editedAction = { name: "click", args: good.args };
      const decisions = [{ type: "edit" as const, editedAction }];
      return agent.invoke(new Command({ resume: { decisions } }), config);
    },
  };

  function annotatedTool(readOnlyHint: boolean) {
    return tool(async () => "clicked", {
      name: "click",
      schema: z.strictObject({ selector: z.string() }),
      metadata: { annotations: { readOnlyHint } },
    });
  }

  test.each(Object.entries(ways))("whose source is %s", async (source, way) => {
    for (const [isReadOnly, level] of [
      [true, "eager"],
      [false, "safe"],
    ] as const) {
      const { events, options } = listening();
      await way([annotatedTool(isReadOnly)], { ...options, level: "auto" });
      expect(new Set(events.map((event) => event.level))).toEqual(new Set([level]));
      const corrections = events.filter(({ kind }) => kind === "correction");
      expect(corrections).toMatchObject([{ source, level }]);
    }
  });
});
