import { describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  tool,
  toolErrorMiddleware,
} from "langchain";
import { callRecordsOf } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";
import { testSince } from "../../../support/langchain/middleware/langchain-version.ts";

const AT_TOOLS = { hook: "wrapToolCall" } as const;

function kit() {
  const ran: unknown[] = [];
  const click = tool(
    (input) => {
      ran.push(input);
      if (input.selector === "#down") throw DOWN;
      return `clicked ${input.selector}`;
    },
    { name: "click", description: "Clicks.", schema: z.strictObject({ selector: z.string() }) },
  );
  return { ran, tools: [click] };
}

const DOWN = new RangeError("The page is down.");
const call = (id: string, args: unknown, name = "click") => ({ id, name, args });

function rounds(count: number): AIMessage[] {
  return Array.from({ length: count }, (_, index) =>
    calling(call(`call_${index}`, { selector: `#${index}` })),
  );
}

async function run(said: readonly AIMessage[], options: ToolInputMiddlewareOptions | "bare") {
  const { ran, tools } = kit();
  const model = saying(...said);
  const middleware = options === "bare" ? [] : [toolInputMiddleware(options)];
  const agent = createAgent({ model, tools, middleware });
  const { messages } = await agent.invoke({ messages: ["Buy it."] });
  return { ran, messages, sent: model.calls.map((one) => one.messages) };
}

function shown(messages: readonly BaseMessage[]): readonly unknown[] {
  return messages.map((message) => {
    if (ToolMessage.isInstance(message)) return [message.tool_call_id, message.status];
    if (!AIMessage.isInstance(message)) return message.getType();
    const { tool_calls = [], invalid_tool_calls = [] } = message;
    return { calls: tool_calls.map(({ id }) => id), invalid: invalid_tool_calls.length };
  });
}

describe("the steps of a graph", () => {
  test.each([
    ["bare", 11],
    [AT_TOOLS, 11],
    [{}, 7],
  ] as const)("by default, there is room: %j, %i rounds", async (options, most) => {
    const { ran } = await run(rounds(most), options);

    expect(ran).toHaveLength(most);
    await expect(run(rounds(most + 1), options)).rejects.toThrow("Recursion limit of 25");
  });

  test.each([
    [1, 3 * 1 + 3],
    [11, 3 * 11 + 3],
  ])(
    "with the limit that the documentation gives, there is room for %i rounds",
    async (count, recursionLimit) => {
      const start = (limit: number) => {
        const { tools } = kit();
        const model = saying(...rounds(count));
        const agent = createAgent({ model, tools, middleware: [toolInputMiddleware()] });
        return agent.invoke({ messages: ["Go."] }, { recursionLimit: limit });
      };

      expect((await start(recursionLimit)).messages).toHaveLength(1 + 2 * count + 1);
      await expect(start(recursionLimit - 1)).rejects.toThrow("Recursion limit");
    },
  );
});

describe('hook: "wrapToolCall"', () => {
  test("answers a refused call in its place, and the run goes on", async () => {
    const said = calling(
      call("call_a", { Selector: "#a" }),
      call("call_b", { one: 1, two: 2 }),
      call("call_c", { selector: "#c" }),
    );
    const { ran, messages, sent } = await run([said], AT_TOOLS);

    expect(ran).toEqual([{ selector: "#a" }, { selector: "#c" }]);
    const asked = { calls: ["call_a", "call_b", "call_c"], invalid: 0 };
    const answers = [
      ["call_a", "success"],
      ["call_b", "error"],
      ["call_c", "success"],
    ];
    expect(shown(sent[1] ?? [])).toEqual(["human", asked, ...answers]);
    expect(shown(messages).slice(0, 5)).toEqual(["human", asked, ...answers]);
    const answer = messages[3];
    expect(answer?.content).toMatch(
      /^The input of tool "click" was not accepted, and the tool was not run/,
    );
  });

  test.each([
    ["an input that cannot be repaired", calling(call("call_a", { one: 1, two: 2 }))],
    [
      "text that was cut off",
      unreadable({ id: "call_a", name: "click", args: '{"selector": "#b' }),
    ],
    ["a tool that does not exist", unreadable({ id: "call_a", name: "fly", args: "{}" })],
  ])("goes on after a turn in which all was refused: %s", async (_, said) => {
    for (const record of ["bounded", "outline", "full"] as const) {
      const { ran, messages } = await run([said], { ...AT_TOOLS, record });

      expect(ran).toEqual([]);
      expect(shown(messages)).toEqual([
        "human",
        { calls: ["call_a"], invalid: 0 },
        ["call_a", "error"],
        { calls: [], invalid: 0 },
      ]);
    }
  });

  test("runs a call that another middleware makes right after it was refused", async () => {
    const { ran, tools } = kit();
    const mend = createMiddleware({
      name: "mend",
      afterModel: ({ messages }) => {
        const last = messages.at(-1) as AIMessage;
        if (last.tool_calls?.[0]?.id !== "call_a") return;
        last.tool_calls[0].args = { selector: "#right" };
        return { messages: [last] };
      },
    });
    const agent = createAgent({
      model: saying(calling(call("call_a", { one: 1, two: 2 }))),
      tools,
      middleware: [toolInputMiddleware(AT_TOOLS), mend],
    });

    await agent.invoke({ messages: ["Buy it."] });

    expect(ran).toEqual([{ selector: "#right" }]);
  });

  test("makes a call again that a tool refused since another middleware had changed it", async () => {
    const { ran, tools } = kit();
    const spoil = createMiddleware({
      name: "spoil",
      afterModel: ({ messages }) => {
        const last = messages.at(-1) as AIMessage;
        if (last.tool_calls?.[0]?.id !== "call_a") return;
        last.tool_calls[0].args = { Selector: "#spoilt" };
        return { messages: [last] };
      },
    });
    const agent = createAgent({
      model: saying(calling(call("call_a", { selector: "#a" }))),
      tools,
      middleware: [toolInputMiddleware(AT_TOOLS), spoil],
    });

    const { messages } = await agent.invoke({ messages: ["Buy it."] });

    expect(ran).toEqual([{ selector: "#spoilt" }]);
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("says in the metadata of a tool's run that its input was repaired, and nothing of it", async () => {
    const { tools } = kit();
    const agent = createAgent({
      model: saying(
        calling(call("call_a", { Selector: "#a" }), call("call_b", { selector: "#b" })),
      ),
      tools,
      middleware: [toolInputMiddleware(AT_TOOLS)],
    });
    const started: unknown[] = [];
    const handleToolStart = (...[, input, , , , metadata]: readonly unknown[]) => {
      const { toolmend_outcome, toolmend_fixers } = metadata as Record<string, unknown>;
      started.push([input, toolmend_outcome, toolmend_fixers]);
    };

    await agent.invoke({ messages: ["Buy it."] }, { callbacks: [{ handleToolStart }] });

    expect(started).toEqual([
      ['{"selector":"#a"}', "repaired", "respell-key"],
      ['{"selector":"#b"}', undefined, undefined],
    ]);
  });

  test("what a tool throws is as with any middleware that has this hook", async () => {
    const inert = createMiddleware({
      name: "inert",
      wrapToolCall: (request, handler) => handler(request),
    });
    const start = (...middleware: readonly AgentMiddleware[]) => {
      const model = saying(calling(call("call_a", { selector: "#down" })));
      const agent = createAgent({ model, tools: kit().tools, middleware });
      return agent.invoke({ messages: ["Buy it."] });
    };
    const mend = toolInputMiddleware(AT_TOOLS) as AgentMiddleware;

    await expect(start(inert)).rejects.toBe(DOWN);
    await expect(start(mend)).rejects.toBe(DOWN);
    const { messages } = await start(
      mend,
      toolErrorMiddleware({ onError: String }) as AgentMiddleware,
    );
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("a tool that interrupts the run, or is aborted, is no tool that fails", async () => {
    const ask = tool(() => `approved: ${interrupt("May I?")}`, {
      name: "ask",
      description: "Asks.",
      schema: z.strictObject({}),
    });
    const stop = tool(() => Promise.reject(new DOMException("Stopped.", "AbortError")), {
      name: "stop",
      description: "Stops.",
      schema: z.strictObject({}),
    });
    const said = [calling(call("call_a", {}, "ask")), calling(call("call_b", {}, "stop"))];
    const agent = createAgent({
      model: saying(...said),
      tools: [ask, stop],
      middleware: [toolInputMiddleware(AT_TOOLS)],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };

    const first = await agent.invoke({ messages: ["Buy it."] }, config);
    expect(first).toMatchObject({ __interrupt__: [{ value: "May I?" }] });

    const second = agent.invoke(new Command({ resume: "yes" }), config);
    await expect(second).rejects.toThrow("Stopped.");
  });

  test("other middleware is handed the very tool and call where nothing was repaired", async () => {
    const { tools } = kit();
    const seen: unknown[] = [];
    const watch = createMiddleware({
      name: "watch",
      wrapToolCall: (request, handler) => {
        seen.push(request.tool);
        return handler(request);
      },
    });
    const agent = createAgent({
      model: saying(calling(call("call_a", { selector: "#a" }))),
      tools,
      middleware: [toolInputMiddleware(AT_TOOLS), watch],
    });

    await agent.invoke({ messages: ["Buy it."] });

    expect(seen).toEqual([tools[0]]);
    expect(seen[0]).toBe(tools[0]);
  });

  test.each(["full", "bounded", "outline"] as const)(
    "a refused call that its tool would take is not run, whatever is kept: %s",
    async (record) => {
      const ran: unknown[] = [];
      const lax = tool((input) => ran.push(input), {
        name: "click",
        description: "Clicks.",
        schema: z.object({ selector: z.string() }),
      });
      const args = '{"selector": "#b", "dry_run": true}';
      const agent = createAgent({
        model: saying(unreadable({ id: "call_a", name: "click", args })),
        tools: [lax],
        middleware: [toolInputMiddleware({ ...AT_TOOLS, record, undeclaredKeys: "refuse" })],
      });

      const { messages } = await agent.invoke({ messages: ["Buy it."] });

      expect(ran).toEqual([]);
      expect(messages[2]?.content).toMatch(/^The input of tool "click" was not accepted/);
    },
  );

  test.each(["full", "bounded", "outline"] as const)(
    "a refused call that a human edits is run, whatever is kept: %s",
    async (record) => {
      const { ran, tools } = kit();
      const agent = createAgent({
        model: saying(calling(call("call_a", { one: 1, two: 2 }))),
        tools,
        middleware: [
          toolInputMiddleware({ ...AT_TOOLS, record }),
          humanInTheLoopMiddleware({ interruptOn: { click: true } }),
        ],
        checkpointer: new MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      await agent.invoke({ messages: ["Buy it."] }, config);
      const editedAction = { name: "click", args: { selector: "#c" } };
      const decisions = [{ type: "edit", editedAction }];

      await agent.invoke(new Command({ resume: { decisions } }), config);

      expect(ran).toEqual([{ selector: "#c" }]);
    },
  );

  test("keeps what the model wrote with the message", async () => {
    const said = unreadable({ id: "call_a", name: "click", args: '{"selector": "#b' });
    const { messages } = await run([said], AT_TOOLS);

    const asked = messages.find((one) => AIMessage.isInstance(one)) as AIMessage;
    expect(callRecordsOf(asked)).toMatchObject([
      { id: "call_a", rawToolInput: '{"selector": "#b' },
    ]);
  });
});

describe("why a hook's step cannot be left out turn by turn", () => {
  test("a hook is a node of the graph, from the model to which an edge always leads", () => {
    const edgesWith = (options: ToolInputMiddlewareOptions) => {
      const middleware = [toolInputMiddleware(options)];
      const { graph } = createAgent({ model: saying(), tools: kit().tools, middleware });
      const { edges } = graph.getGraph();
      return edges.filter(({ source }) => source === "model_request");
    };
    const target = "toolInputMiddleware.after_model";
    expect(edgesWith({})).toMatchObject([{ target }]);
    expect(edgesWith({})[0]?.conditional).not.toBe(true);
    expect(edgesWith(AT_TOOLS).map(({ target }) => target)).not.toContain(target);
  });

  testSince("1.5")(
    "a command that goes on to the model by itself: other hooks are left out, or run in the middle",
    async () => {
      const hooks: string[] = [];
      const go = createMiddleware({
        name: "go",
        wrapModelCall: async (request, handler) => {
          const said = (await handler(request)) as AIMessage;
          hooks.push("model");
          const [made] = said.tool_calls ?? [];
          if (made === undefined) return said;
          const told = new ToolMessage({ content: "No.", tool_call_id: made.id ?? "" });
          return new Command({ update: { messages: [told] }, goto: "model_request" }) as never;
        },
      });
      const others = createMiddleware({
        name: "others",
        beforeModel: () => void hooks.push("before the model"),
        afterAgent: () => void hooks.push("after the agent"),
      });
      const model = saying(...rounds(1));
      const agent = createAgent({ model, tools: kit().tools, middleware: [go, others] });

      await agent.invoke({ messages: ["Go."] });

      expect(hooks).toEqual([
        "before the model",
        "model",
        "after the agent",
        "model",
        "after the agent",
      ]);
    },
  );
});

test("a hook that is none is refused at once", () => {
  const hook = "afterTools" as "afterModel";

  expect(() => toolInputMiddleware({ hook })).toThrow('must be "afterModel" or "wrapToolCall"');
});

test("with that hook too, calls that LangChain could not read are left to it where they are to be", async () => {
  const said = unreadable({ id: "call_a", name: "click", args: '{"selector": "#b"' });
  const { ran, messages } = await run([said], { ...AT_TOOLS, rescueInvalidToolCalls: false });

  expect(ran).toEqual([]);
  expect(shown(messages)).toEqual(["human", { calls: [], invalid: 1 }]);
});
