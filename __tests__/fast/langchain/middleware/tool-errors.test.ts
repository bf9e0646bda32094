import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ToolInputParsingException } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  GraphRecursionError,
  interrupt,
  MemorySaver,
  StateGraph,
} from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, createMiddleware, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

class Own extends Error {
  readonly #code = 7;
  override toString() {
    return `Own ${this.#code}`;
  }
}

/** What a tool may do, and the expected outcome of the run. */
interface Case {
  readonly act: (config: { readonly signal?: AbortSignal }) => unknown;
  /** Aborts while the tools run, through the agent's signal or the run's. */
  readonly abort?: "agent" | "run";
  readonly returnDirect?: boolean;
  /** A human's answer to an interrupt. */
  readonly resume?: string;
}

const throwing = (error: unknown): Case => ({
  act: () => {
    throw error;
  },
});

const subgraph = new StateGraph(Annotation.Root({ n: Annotation<number>() }))
  .addNode("one", () => new Command({ graph: Command.PARENT, goto: "elsewhere" }))
  .addEdge("__start__", "one")
  .compile();
const inner = tool(() => "inner", { name: "inner", schema: z.object({ q: z.string() }) });

const CASES: Readonly<Record<string, Case>> = {
  "an error": throwing(new Error("down")),
  "a TypeError": throwing(new TypeError("down")),
  "an error with a cause": throwing(new Error("down", { cause: new Error("why") })),
  "an error of its own class": throwing(new Own("down")),
  "a frozen error": throwing(Object.freeze(new Error("down"))),
  "a text": throwing("down"),
  "a number": throwing(5),
  "an object": throwing({ code: 5 }),
  undefined: throwing(undefined),
  null: throwing(null),
  "a ToolException, as of MCP": throwing(Object.assign(new Error("no"), { name: "ToolException" })),
  "an AggregateError": throwing(new AggregateError([new Error("a")], "many")),
  "a GraphRecursionError": throwing(new GraphRecursionError("too deep")),
  "an AbortError": throwing(new DOMException("Stopped.", "AbortError")),
  "a rejected promise": { act: () => Promise.reject(new Error("late")) },
  "a parse error": throwing(new ToolInputParsingException("bad", "{}")),
  "an inner tool's refusal": { act: () => inner.invoke({ q: 5 } as never) },
  "a command to the parent graph": { act: () => subgraph.invoke({ n: 1 }) },
  "a tool's message": {
    act: () => new ToolMessage({ content: "own", tool_call_id: "call_1", status: "error" }),
  },
  "an object that is returned": { act: () => ({ total: 3 }) },
  "a command that is returned": {
    act: () =>
      new Command({
        update: { messages: [new ToolMessage({ content: "by command", tool_call_id: "call_1" })] },
      }),
  },
  "an interrupt": { act: () => interrupt("May I?"), resume: "yes" },
  "a direct answer": { act: () => "direct", returnDirect: true },
  "a direct answer that fails": { ...throwing(new Error("down")), returnDirect: true },
  "the agent's signal": { act: abortedError, abort: "agent" },
  "the run's signal": { act: abortedError, abort: "run" },
};

function abortedError({ signal }: { readonly signal?: AbortSignal }): unknown {
  throw new Error(signal?.aborted ? "aborted" : "not aborted");
}

type Version = "v1" | "v2";

/** The outcome of a run where one of two tools does that. */
async function outcome(
  { act, abort, returnDirect = false, resume }: Case,
  version: Version,
  middleware: readonly AgentMiddleware[],
): Promise<unknown> {
  const [agentAborts, runAborts] = [new AbortController(), new AbortController()];
  const schema = z.object({ n: z.number() });
  const first = tool(
    async (_, config) => {
      if (abort === "agent") agentAborts.abort();
      if (abort === "run") runAborts.abort();
      return act(config as { signal?: AbortSignal }) as string;
    },
    { name: "first", description: "", schema, returnDirect },
  );
  const second = tool(({ n }) => `second ${n}`, { name: "second", description: "", schema });
  const agent = createAgent({
    model: saying(
      calling(
        { id: "call_1", name: "first", args: { n: 1 } },
        { id: "call_2", name: "second", args: { n: 2 } },
      ),
    ),
    tools: [first, second],
    middleware: [...middleware],
    checkpointer: new MemorySaver(),
    signal: agentAborts.signal,
    version,
  });
  const config = { configurable: { thread_id: "1" }, signal: runAborts.signal };
  try {
    let result = await agent.invoke({ messages: [new HumanMessage("Go.")] }, config);
    if (resume) result = await agent.invoke(new Command({ resume }), config);
    return result.messages.map((message) => {
      const { name, content, type } = message;
      const status = ToolMessage.isInstance(message) ? message.status : undefined;
      const calls = AIMessage.isInstance(message) ? message.tool_calls : undefined;
      // The stack that LangChain puts there names other frames.
      return { type, name, content: `${content}`.replace(/\n\s+at [^\n]*/g, ""), status, calls };
    });
  } catch (error) {
    return { threw: `${(error as Error | null)?.name}: ${(error as Error | null)?.message}` };
  }
}

describeSince("1.5").each<Version>(["v1", "v2"])(
  "the behaviour of a tool, in a graph of %s",
  (version) => {
    test.each(Object.entries(CASES))("is the same as without toolmend: %s", async (_, one) => {
      const bare = await outcome(one, version, []);
      expect(await outcome(one, version, [toolInputMiddleware() as AgentMiddleware])).toEqual(bare);
    });
  },
);

describe("an error of other middleware", () => {
  test.each([true, false])(
    "ends the run, as without toolmend; toolmend first: %s",
    async (isFirst) => {
      const broken = createMiddleware({
        name: "broken",
        wrapToolCall: (request, handler) => {
          if (request.toolCall.name === "first") throw new RangeError("a bug");
          return handler(request);
        },
      });
      const own = [toolInputMiddleware() as AgentMiddleware, broken as AgentMiddleware];
      const middleware = isFirst ? own : own.reverse();
      const one = { act: () => "fine" };
      expect(await outcome(one, "v2", middleware)).toEqual({ threw: "RangeError: a bug" });
    },
  );
});
