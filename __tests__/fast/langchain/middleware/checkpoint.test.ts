import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { readToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import {
  describeSince,
  testSince,
} from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const ASK = { messages: [{ role: "user" as const, content: "Buy it." }] };
const CONFIG = { configurable: { thread_id: "1" } };

/** A new agent with a new middleware, as in a new process that has only the checkpoints. */
function agentWith(
  checkpointer: MemorySaver,
  messages: readonly AIMessage[],
  options: ToolInputMiddlewareOptions = {},
) {
  return createAgent({
    model: saying(...messages),
    tools: [...kit.tools],
    checkpointer,
    middleware: [
      toolInputMiddleware({ fixers: kit.fixers, ...options }),
      humanInTheLoopMiddleware({ interruptOn: { click: true } }),
    ],
  });
}

const CALL = { name: "click", args: { element: "#buy" }, id: "call_a" };
const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });
const EDIT = new Command({
  resume: {
    decisions: [{ type: "edit", editedAction: { name: "click", args: { element: "#other" } } }],
  },
});

test("no checkpoint holds a raw call, except as the original of its repair", async () => {
  const saver = new MemorySaver();
  await agentWith(saver, [calling(CALL)]).invoke(ASK, CONFIG);
  let count = 0;
  for await (const { checkpoint } of saver.list(CONFIG)) {
    const { messages = [] } = checkpoint.channel_values as { messages?: unknown[] };
    const calls = messages.flatMap((one) =>
      AIMessage.isInstance(one) ? (one.tool_calls ?? []) : [],
    );
    for (const { args } of calls) {
      expect(args).toEqual({ selector: "#buy" });
      count++;
    }
  }
  expect(count).toBeGreaterThan(0);
});

testSince("1.5")(
  "a checkpoint holds a rejected call in LangChain's own blocks once, while a human is asked",
  async () => {
    const wrong = { name: "click", args: { one: 1, two: 2 }, id: "call_b" };
    const calls = [CALL, wrong].map((call) => ({ ...call, type: "tool_call" as const }));
    const message = new AIMessage({
      content: calls,
      tool_calls: calls,
      response_metadata: { output_version: "v1" },
    });
    const saver = new MemorySaver();
    await agentWith(saver, [message]).invoke(ASK, CONFIG);
    const stored = await saver.getTuple(CONFIG);
    const { messages = [] } = (stored?.checkpoint.channel_values ?? {}) as {
      messages?: AIMessage[];
    };
    expect(messages.at(-1)?.tool_calls?.map(({ id }) => id)).toEqual(["call_a", "call_b"]);
  },
);

describe("stopped, and resumed elsewhere", () => {
  test("runs the repaired call", async () => {
    const saver = new MemorySaver();
    await agentWith(saver, [calling(CALL)]).invoke(ASK, CONFIG);
    const { messages } = await agentWith(saver, []).invoke(APPROVE, CONFIG);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(await readToolCalls(messages, kit.tools)).toMatchObject([
      {
        name: "click",
        toolInput: { selector: "#buy" },
        rawToolInput: { element: "#buy" },
        repairs: [{ fixer: "renameKey(element → selector)" }],
        valid: true,
        observation: "clicked #buy",
      },
    ]);
  });

  test("answers the rejected call next to it", async () => {
    const saver = new MemorySaver();
    const said = unreadable({ name: "type", args: "{", id: "call_b" });
    said.tool_calls = calling(CALL).tool_calls;
    await agentWith(saver, [said]).invoke(ASK, CONFIG);
    const { messages } = await agentWith(saver, []).invoke(APPROVE, CONFIG);
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(messages.map(({ content }) => content)).toEqual([
      "Buy it.",
      "",
      expect.stringContaining('"type" was not accepted'),
      "clicked #buy",
      "done",
    ]);
    expect((messages[1] as AIMessage).tool_calls).toHaveLength(2);
  });

  test.each([false, true])(
    "repairs an edited call, once, with tools given: %s",
    async (isGiven) => {
      const saver = new MemorySaver();
      const { tools } = kit;
      await agentWith(saver, [calling(CALL)]).invoke(ASK, CONFIG);
      const agent = agentWith(saver, [], isGiven ? { tools } : {});
      const { messages } = await agent.invoke(EDIT, CONFIG);
      expect(kit.ran).toEqual([{ selector: "#other" }]);
      expect(messages.map(({ content }) => content)).toEqual([
        "Buy it.",
        "",
        "clicked #other",
        "done",
      ]);
      expect((messages[1] as AIMessage).tool_calls).toMatchObject([
        { args: { selector: "#other" } },
      ]);
    },
  );
});

describeSince("1.5")("calls that are edited in the state", () => {
  test.each([
    ["v1", "the same", false],
    ["v1", "another", false],
    ["v2", "the same", false],
    ["v2", "another", false],
    ["v2", "another", true],
  ] as const)(
    "are judged once, and run as recorded: %s, in %s process, with tools %p",
    async (version, process, isGiven) => {
      const { tools, ran } = kit;
      const saver = new MemorySaver();
      const events: string[] = [];
      let asked = 0;
      const type = { name: "type", args: { selector: "#q", text: "x" } };
      const model = saying(calling({ ...type, id: "a" }, { ...type, id: "b" }));
      const make = () => {
        const repair = toolInputMiddleware({
          ...(isGiven && { tools }),
          onToolCall: (event) => void events.push(`${event.outcome} ${event.toolName}`),
          onUnfixable: () => ({ selector: "#q", text: `${++asked}` }),
        });
        return createAgent({
          model,
          tools: [...tools],
          checkpointer: saver,
          middleware: [repair],
          version,
        });
      };
      const agent = make();
      const stopping = { ...CONFIG, interruptBefore: ["tools" as const] };
      await agent.invoke(ASK, stopping);
      const { messages } = (await agent.graph.getState(CONFIG)).values;
      const { id, tool_calls = [] } = messages[1] as AIMessage;
      const edited = tool_calls.map((call) => ({ ...call, args: { wrong: 1 } }));
      const update = { messages: [new AIMessage({ id, content: "", tool_calls: edited })] };
      const fork = await agent.graph.updateState(CONFIG, update, "model_request");
      events.length = 0;
      const after = await (process === "another" ? make() : agent).invoke(null, fork);

      expect(asked).toBe(2);
      expect(events).toEqual(["corrected type", "corrected type"].flatMap((one) => [one, one]));
      const recorded = (after.messages[1] as AIMessage).tool_calls?.map(({ args }) => args);
      expect(ran).toEqual(recorded);
      expect(ran).toHaveLength(2);
    },
  );
});
