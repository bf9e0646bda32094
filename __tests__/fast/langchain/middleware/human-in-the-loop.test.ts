import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  createAgent,
  createMiddleware,
  type HITLRequest,
  type HITLResponse,
  humanInTheLoopMiddleware,
} from "langchain";
import { readToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";
import { faultsOfPayload } from "../../../support/langchain/middleware/threads/check-payload.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

type Order = "before" | "after";

function agentFor(
  order: Order,
  messages: readonly AIMessage[],
  options: ToolInputMiddlewareOptions = {},
  version: "v1" | "v2" = "v2",
) {
  const { tools, fixers } = kit;
  const toolmend = toolInputMiddleware({ fixers, ...options });
  const human = humanInTheLoopMiddleware({ interruptOn: { click: true } });
  const model = saying(...messages);
  const agent = createAgent({
    model,
    tools: [...tools],
    checkpointer: new MemorySaver(),
    middleware: order === "before" ? [toolmend, human] : [human, toolmend],
    version,
  });
  const config = { configurable: { thread_id: "1" } };
  return {
    model,
    ask: () => agent.invoke({ messages: [{ role: "user", content: "Buy it." }] }, config),
    decide: (...decisions: HITLResponse["decisions"]) =>
      agent.invoke(new Command({ resume: { decisions } }), config),
  };
}

function shown(result: object) {
  const [interrupt] = (result as { __interrupt__?: { value: HITLRequest }[] }).__interrupt__ ?? [];
  return interrupt?.value.actionRequests.map(({ name, args }) => ({ name, args }));
}

const AGAIN = { name: "click", args: { element: "#c" }, id: "call_c" };
const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };

describe.each<[Order, "v1" | "v2"]>([
  ["before", "v2"],
  ["before", "v1"],
  ["after", "v2"],
  ["after", "v1"],
])("toolInputMiddleware %s humanInTheLoopMiddleware, %s", (order, version) => {
  test("the human sees and approves the call that is run", async () => {
    const { ask, decide } = agentFor(order, [calling(CALL)], {}, version);

    expect(shown(await ask())).toEqual([{ name: "click", args: { selector: "#buy" } }]);
    expect(kit.ran).toEqual([]);
    const { messages } = await decide({ type: "approve" });

    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("a call that the human edits is repaired again", async () => {
    const { ask, decide, model } = agentFor(order, [calling(CALL)], {}, version);
    await ask();

    const result = await decide({
      type: "edit",
      editedAction: { name: "click", args: { element: "#cancel" } },
    });

    expect(shown(result)).toBeUndefined();
    expect(kit.ran).toEqual([{ selector: "#cancel" }]);
    expect(model.callCount).toBe(2);
    const [, asked, answer, ...rest] = result.messages;
    expect((asked as AIMessage).tool_calls).toMatchObject([
      { id: "call_a", args: { selector: "#cancel" } },
    ]);
    expect(answer).toMatchObject({ tool_call_id: "call_a", content: "clicked #cancel" });
    expect(rest.map(({ content }) => content)).toEqual(["done"]);
  });

  test.each([
    ["valid", { selector: "#cancel" }, []],
    ["repaired", { element: "#cancel" }, [{ after: { selector: "#cancel" } }]],
  ])(
    "an edit of a repaired call that is %s is on record, and what the model wrote",
    async (...row) => {
      const [, args, repairs] = row;
      const { ask, decide } = agentFor(order, [calling(CALL)], {}, version);
      await ask();

      const { messages } = await decide({ type: "edit", editedAction: { name: "click", args } });

      expect(await readToolCalls(messages, kit.tools)).toMatchObject([
        { rawToolInput: CALL.args, toolInput: { selector: "#cancel" }, repairs, valid: true },
      ]);
    },
  );

  test("a call that the human edits beyond repair is not run, and the model gets the error", async () => {
    const { ask, decide } = agentFor(order, [calling(CALL)], {}, version);
    await ask();

    const { messages } = await decide({
      type: "edit",
      editedAction: { name: "click", args: { one: 1, two: 2 } },
    });

    expect(kit.ran).toEqual([]);
    const answers = messages.filter(({ type }) => type === "tool");
    expect(answers).toHaveLength(1);
    expect(answers[0]?.content).toMatch(/^The input of tool "click" was not accepted/);
    expect(answers[0]?.content).not.toContain("    at ");
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("only runnable calls go to approval; the others are answered", async () => {
    const bad = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };
    const { ask, decide } = agentFor(order, [calling(CALL, bad)], {}, version);

    expect(shown(await ask())).toEqual([{ name: "click", args: { selector: "#buy" } }]);
    const { messages } = await decide({ type: "approve" });

    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    const [, asked, ...rest] = messages;
    expect((asked as AIMessage).tool_calls?.map(({ id }) => id).sort()).toEqual([
      "call_a",
      "call_b",
    ]);
    expect((asked as AIMessage).invalid_tool_calls).toEqual([]);
    expect(rest).toHaveLength(3);
    expect(
      rest.find((one) => "tool_call_id" in one && one.tool_call_id === "call_b"),
    ).toMatchObject({ status: "error", content: expect.stringContaining("not run") });
  });

  test("no approval is requested if no call can run", async () => {
    const bad = unreadable({ name: "click", args: "{", id: "call_a" });
    const { ask } = agentFor(order, [bad], {}, version);

    const result = await ask();

    expect(shown(result)).toBeUndefined();
    expect(result.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
  });

  testSince("1.5")("a rejected call is answered as LangChain answers it", async () => {
    const { ask, decide } = agentFor(order, [calling(CALL)], {}, version);
    await ask();

    const { messages } = await decide({ type: "reject", message: "No." });

    expect(kit.ran).toEqual([]);
    expect(messages.map(({ content }) => content)).toEqual(["Buy it.", "", "No.", "done"]);
  });

  testSince("1.5")(
    "after a human rejects a call, each request answers every call of its message",
    async () => {
      const bad = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };
      const { ask, decide, model } = agentFor(
        order,
        [calling(CALL, bad), calling(AGAIN)],
        {},
        version,
      );
      await ask();

      const asked = await decide({ type: "reject", message: "No." });
      expect(shown(asked)).toEqual([{ name: "click", args: { selector: "#c" } }]);
      await decide({ type: "approve" });

      expect(kit.ran).toEqual([{ selector: "#c" }]);
      const sent = model.calls.at(-1)?.messages ?? [];
      const answers = sent.filter(({ type }) => type === "tool") as ToolMessage[];
      expect(answers.map(({ tool_call_id, name }) => [tool_call_id, name])).toEqual([
        ["call_b", "click"],
        ["call_a", "click"],
        ["call_c", "click"],
      ]);
      expect(answers[0]?.content).toMatch(/^The input of tool "click" was not accepted/);
      for (const { messages } of model.calls) expect(faultsOfPayload(messages)).toEqual([]);
    },
  );
});

/** Runs an agent whose call a human edits into an input that cannot be repaired. */
async function editedInVain(options: ToolInputMiddlewareOptions) {
  const agent = createAgent({
    model: saying(calling(CALL)),
    tools: [kit.click],
    checkpointer: new MemorySaver(),
    middleware: [
      humanInTheLoopMiddleware({ interruptOn: { click: true } }),
      toolInputMiddleware(options),
    ],
  });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] }, config);
  const editedAction = { name: "click", args: { one: 1, two: 2 } };
  const decisions = [{ type: "edit" as const, editedAction }];
  return agent.invoke(new Command({ resume: { decisions } }), config);
}

test("an edited call goes to onUnfixable too", async () => {
  const asked: unknown[] = [];
  const { messages } = await editedInVain({
    fixers: kit.fixers,
    onUnfixable: (_, causingData) => {
      asked.push(causingData);
      return "Ask somebody else.";
    },
  });
  expect(asked).toEqual([{ one: 1, two: 2 }]);
  expect(messages.map(({ content }) => content)).toEqual([
    "Buy it.",
    "",
    "Ask somebody else.",
    "done",
  ]);
});

test.each([
  ["an object", { selector: "#nobody-approved" }],
  ["nothing", undefined],
])("of an edited call, no other input runs: onUnfixable returns %s", async (_, answer) => {
  const { messages } = await editedInVain({ onUnfixable: () => answer });
  expect(kit.ran).toEqual([]);
  expect(messages.at(-2)?.content).toContain('The input of tool "click" was not accepted');
});

describe("after approval by other middleware", () => {
  /** Runs an agent whose own approval middleware edits a call into an input that cannot be repaired. */
  async function editedByOthers(options: ToolInputMiddlewareOptions) {
    const approval = createMiddleware({
      name: "Approval",
      afterModel: ({ messages }) => {
        const message = messages.at(-1) as AIMessage;
        const toolCalls = message.tool_calls?.map((call) => ({
          ...call,
          args: { one: 1, two: 2 },
        }));
        if (!toolCalls?.length) return undefined;
        return { messages: [new AIMessage({ ...message, tool_calls: toolCalls })] };
      },
    });
    const agent = createAgent({
      model: saying(calling(CALL)),
      tools: [kit.click],
      middleware: [approval, toolInputMiddleware(options)],
    });
    await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
    return kit.ran;
  }
  const onUnfixable = () => ({ selector: "#nobody-approved" });

  test.each([true, ["click"]])("no other input runs: humanInTheLoop is %j", async (approved) => {
    expect(await editedByOthers({ onUnfixable, humanInTheLoop: approved })).toEqual([]);
  });

  test.each([undefined, false, ["pay"]])(
    "of a tool that needs none, a corrected input runs: humanInTheLoop is %j",
    async (approved) => {
      const ran = await editedByOthers({ onUnfixable, humanInTheLoop: approved });
      expect(ran).toEqual([{ selector: "#nobody-approved" }]);
    },
  );
});
