import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { createFixerRegistry, ToolInputError, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import * as z3 from "zod/v3";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";

// biome-ignore lint/suspicious/noExplicitAny: tools of many kinds are accepted alike
type AnyTool = any;

// Importing it has a side effect, which is undone until a test needs it.
const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

async function registered<Result>(work: () => Promise<Result>): Promise<Result> {
  register({ fixers });
  try {
    return await work();
  } finally {
    unregister();
  }
}

/** Schemas whose transform and refinement count their calls. */
function counting() {
  const asked = { transform: 0, refine: 0 };
  const count = (text: string) => `${text}-${++asked.transform}`;
  const once = () => ++asked.refine === 1;
  return { asked, count, once };
}

const kinds: Record<string, (counts: ReturnType<typeof counting>) => unknown> = {
  "zod 4": ({ count, once }) =>
    z.object({ q: z.string().refine(once).transform(count), n: z.number().default(7) }),
  "zod 3": ({ count, once }) =>
    z3.z.object({
      q: z3.z.string().refine(once).transform(count),
      n: z3.z.number().default(7),
    }),
};

const fixers = createFixerRegistry(undefined, { level: "strict" });
fixers.register("ask", renameKey("query", "q"));

const toolCalling = agentKinds.createToolCallingAgent as (typeof agentKinds)[string];

const ways: Record<string, (tool: AnyTool, input: unknown) => Promise<unknown>> = {
  "wrapTool, invoke": (tool, input) => wrapTool(tool as AnyTool, { fixers }).invoke(input),
  "wrapTool, call": (tool, input) => wrapTool(tool as AnyTool, { fixers }).call(input),
  "wrapTool, a tool call": async (tool, args) => {
    const call = { type: "tool_call", id: "1", name: "ask", args };
    return (await wrapTool(tool as AnyTool, { fixers }).invoke(call)).content;
  },
  "wrapTool, batch": async (tool, input) =>
    (await wrapTool(tool as AnyTool, { fixers }).batch([input]))[0],
  "toolmend/register": (tool, input) => registered(() => tool.invoke(input)),
  "toolmend/register, wrapped": (tool, input) =>
    registered(() => wrapTool(tool as AnyTool, { fixers }).invoke(input)),
  wrapAgentExecutor: async (tool, args) => {
    const outputs = [toolCalling.act("ask", JSON.stringify(args)), new AIMessage("done")];
    const { wrapped } = await setUp({ outputs, tools: [tool], options: { fixers } });
    return (await run("invoke", wrapped)).steps[0]?.observation;
  },
};

describe.each(Object.keys(kinds))("the schema of a tool, %s", (kind) => {
  describe.each(Object.keys(ways))("%s", (way) => {
    test.each([
      ["valid", { q: "x" }],
      ["repaired", { query: "x" }],
    ])("is validated once for a %s input", async (_, input) => {
      const counts = counting();
      const schema = kinds[kind]?.(counts) as never;
      const func = async (given: unknown) => JSON.stringify(given);
      const ask = new DynamicStructuredTool({ name: "ask", description: "", schema, func });
      expect(await ways[way]?.(ask, input)).toBe('{"q":"x-1","n":7}');
      expect(counts.asked).toEqual({ transform: 1, refine: 1 });
    });
  });
});

describe("the tool receives the output of its schema", () => {
  const defaults = z.object({ q: z.string(), n: z.number().default(7) });
  const func = async (given: unknown) => JSON.stringify(given);

  test("a tool with its own call method is run by it, and validates its schema itself", async () => {
    class OwnCall extends StructuredTool {
      name = "ask";
      description = "";
      schema = defaults;
      #calls: unknown[] = [];
      get calls() {
        return this.#calls;
      }
      override async call(...args: unknown[]) {
        this.#calls.push(args[0]);
        return super.call(...(args as Parameters<StructuredTool["call"]>)) as never;
      }
      protected async _call(given: unknown) {
        return func(given);
      }
    }
    for (const wrapping of [false, true]) {
      const own = new OwnCall();
      const ask = wrapping ? wrapTool(own) : own;
      const invoke = () => ask.invoke({ q: "x" });
      expect(await (wrapping ? invoke() : registered(invoke))).toBe('{"q":"x","n":7}');
      expect(own.calls).toEqual([{ q: "x" }]);
    }
  });

  test("a tool with its own parsing method, as patched, is parsed by it", async () => {
    class Parsing extends DynamicStructuredTool {
      parsed = 0;
      parseInput() {
        this.parsed++;
      }
    }
    const ask = new Parsing({ name: "ask", description: "", schema: defaults, func });
    expect(await wrapTool(ask).invoke({ q: "x" } as never)).toBe('{"q":"x","n":7}');
    expect(await registered(() => ask.invoke({ q: "x" } as never))).toBe('{"q":"x","n":7}');
  });

  test("a validator that LangChain takes for JSON Schema is left to LangChain", async () => {
    const { "~standard": standard } = defaults;
    const schema = { "~standard": { ...standard, vendor: "own" }, toJSONSchema: () => ({}) };
    const make = () =>
      new DynamicStructuredTool({ name: "ask", description: "", schema: schema as never, func });
    const bare = await make().invoke({ q: "x" } as never);
    expect(await wrapTool(make()).invoke({ q: "x" } as never)).toBe(bare);
    expect(await registered(() => make().invoke({ q: "x" } as never))).toBe(bare);
  });

  test("a nested tool that rejects its input is not mistaken for the tool itself", async () => {
    let outer = 0;
    const inner = tool(async () => "inner", { name: "inner", schema: defaults });
    const nesting = tool(
      async () => {
        outer++;
        return inner.invoke({ q: 5 } as never);
      },
      { name: "ask", schema: defaults },
    );
    const thrown = wrapTool(nesting).invoke({ q: "x" });
    await expect(thrown).rejects.not.toBeInstanceOf(ToolInputError);
    expect(outer).toBe(1);
    await registered(() => nesting.invoke({ q: "x" })).then(
      () => expect(outer).toBe(2),
      () => expect(outer).toBe(2),
    );
  });

  test("an abort and a generator work unchanged", async () => {
    const events: unknown[] = [];
    const generating = tool(
      async function* ({ q }: { q: string }) {
        yield "half";
        return `all of ${q}`;
      } as never,
      { name: "ask", schema: defaults },
    ) as AnyTool;
    const callbacks = [{ handleToolEvent: (chunk: unknown) => void events.push(chunk) }];
    expect(await wrapTool(generating).invoke({ q: "x" }, { callbacks })).toBe("all of x");
    expect(events).toEqual(["half"]);
    const controller = new AbortController();
    const hanging = tool(
      () => {
        setTimeout(() => controller.abort(new Error("enough")), 1);
        return new Promise(() => {});
      },
      { name: "ask", schema: defaults },
    );
    const run = wrapTool(hanging).invoke({ q: "x" }, { signal: controller.signal });
    await expect(run).rejects.toThrow(/enough|Abort/);
  });

  test("callbacks are shown the given input, not a placeholder", async () => {
    const seen: unknown[][] = [];
    const callbacks = [
      {
        handleToolStart: (serialized: unknown, input: string) =>
          void seen.push([serialized, input]),
      },
    ];
    const make = () =>
      new DynamicStructuredTool({ name: "ask", description: "", schema: defaults, func });
    await make().invoke({ q: "x" }, { callbacks });
    await wrapTool(make()).invoke({ q: "x" }, { callbacks });
    await registered(() => make().invoke({ q: "x" }, { callbacks }));
    expect(JSON.stringify(seen[1])).toBe(JSON.stringify(seen[0]));
    expect(JSON.stringify(seen[2])).toBe(JSON.stringify(seen[0]));
  });

  test("string tools and frozen tools work", async () => {
    const echo = new DynamicTool({
      name: "echo",
      description: "",
      func: async (text) => `${typeof text} ${text}`,
    });
    for (const input of ["x", { input: "x" }]) {
      expect(await wrapTool(echo).invoke(input as never)).toBe("string x");
      expect(await registered(() => echo.invoke(input as never))).toBe("string x");
    }
    const frozen = Object.freeze(
      new DynamicStructuredTool({ name: "ask", description: "", schema: defaults, func }),
    );
    expect(await wrapTool(frozen).invoke({ q: "x" })).toBe('{"q":"x","n":7}');
    expect(await registered(() => frozen.invoke({ q: "x" }))).toBe('{"q":"x","n":7}');
  });
});
