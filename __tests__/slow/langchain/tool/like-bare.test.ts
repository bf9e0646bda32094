import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { wrapTool } from "toolmend";
import { z } from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";

// biome-ignore lint/suspicious/noExplicitAny: tools of many kinds are accepted alike
type Any = any;

// Importing it has a side effect, which is undone until a test needs it.
const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

const fields = { name: "ask", description: "asks" };
const q = z.object({ q: z.string().transform((text) => text.trim()), n: z.number().default(1) });
const echo = async (input: unknown) => JSON.stringify(input) ?? "nothing";

class Getting extends StructuredTool {
  name = "ask";
  description = "asks";
  #schema = q;
  #called = 0;
  override returnDirect = true;
  get schema() {
    return this.#schema;
  }
  protected async _call(input: unknown) {
    return `${++this.#called} ${JSON.stringify(input)}`;
  }
}

const kinds: Record<string, () => Any> = {
  "zod 4": () => tool(echo, { ...fields, schema: q }),
  "zod 3": () => tool(echo, { ...fields, schema: z3.z.object({ q: z3.z.string() }) }),
  "zod mini": () => tool(echo, { ...fields, schema: mini.object({ q: mini.string() }) as never }),
  "an async transform": () =>
    tool(echo, {
      ...fields,
      schema: z.object({ q: z.string().transform(async (text) => text.length) }),
    }),
  "a union": () => tool(echo, { ...fields, schema: z.union([q, z.object({ p: z.string() })]) }),
  anything: () => tool(echo, { ...fields, schema: z.any() as never }),
  "passes through": () => tool(echo, { ...fields, schema: z.looseObject({ q: z.string() }) }),
  "JSON Schema": () =>
    tool(echo, { ...fields, schema: { type: "object", properties: { q: { type: "string" } } } }),
  "JSON Schema made by zod": () =>
    tool(echo, { ...fields, schema: z.toJSONSchema(z.object({ q: z.string() })) as never }),
  "a string": () => new DynamicTool({ ...fields, func: echo as never }),
  "a schema that is got": () => new Getting(),
  "an artifact": () =>
    tool(async (input) => ["content", input], {
      ...fields,
      schema: q,
      responseFormat: "content_and_artifact",
    }),
  "a command": () =>
    tool(async () => new Command({ goto: "end", update: { x: 1 } }), { ...fields, schema: q }),
  "an object": () => tool(async (input) => ({ got: input }), { ...fields, schema: q }),
  nothing: () => tool(async () => undefined as never, { ...fields, schema: q }),
  "a throw": () =>
    tool(
      async () => {
        throw new RangeError("down");
      },
      { ...fields, schema: q },
    ),
  "a generator": () =>
    tool(
      async function* () {
        yield "half";
        return "whole";
      } as never,
      { ...fields, schema: q },
    ),
  "tags, metadata and a default config": () =>
    tool(
      async (_, config) => JSON.stringify([config.tags, config.metadata?.m, config.configurable]),
      {
        ...fields,
        schema: q,
        tags: ["own"],
        metadata: { m: 1 },
        defaultConfig: { configurable: { c: 1 } },
      } as never,
    ),
  "a runnable": () =>
    RunnableLambda.from(echo as never).asTool({ ...fields, schema: q as never }) as never,
};

const inputs: Record<string, unknown> = {
  input: { q: " x " },
  "tool call": { type: "tool_call", id: "c1", name: "ask", args: { q: " x " } },
};

async function use(given: Any, input: unknown, way: string): Promise<unknown> {
  const received: unknown[] = [];
  const hear =
    (event: string) =>
    (...args: unknown[]) =>
      void received.push([event, ...args.map((one) => (one instanceof Error ? String(one) : one))]);
  const callbacks = [
    {
      awaitHandlers: true,
      handleToolStart: (serialized: unknown, text: string, ...rest: unknown[]) =>
        hear("start")(serialized, text, rest.slice(2)),
      handleToolEvent: (chunk: unknown) => hear("event")(chunk),
      handleToolEnd: (output: unknown) => hear("end")(output),
      handleToolError: (error: Error) => hear("error")(error),
    },
  ];
  const config = { callbacks, tags: ["t"], metadata: { user: 1 }, configurable: { x: 1 } };
  const outcomeOf = async (work: () => Promise<unknown>) => {
    try {
      return ["returned", await work()];
    } catch (error) {
      return ["threw", String(error)];
    }
  };
  const outcome = await outcomeOf(async () => {
    if (way === "invoke") return given.invoke(input, config);
    if (way === "batch") return given.batch([input, input], config, { returnExceptions: true });
    if (way === "retry") return given.withRetry({ stopAfterAttempt: 1 }).invoke(input, config);
    if (way === "config") return given.withConfig({ tags: ["more"] }).invoke(input, config);
    const chunks = [];
    for await (const chunk of await given.stream(input, config)) chunks.push(chunk);
    return chunks;
  });
  return JSON.parse(JSON.stringify([outcome, received], withoutIds));
}

function withoutIds(key: string, value: unknown): unknown {
  return key === "versions" || key === "lc_kwargs" ? undefined : value;
}

describe.each(Object.keys(kinds))("a valid input of a tool: %s", (kind) => {
  describe.each(Object.keys(inputs))("%s", (input) => {
    // LangChain's own RunnableToolLike loses its schema in withConfig.
    const ways = [
      "invoke",
      "batch",
      "stream",
      "retry",
      ...(kind === "a runnable" ? [] : ["config"]),
    ];
    test.each(ways)("%s: like the bare tool", async (way) => {
      const given = kind === "a string" ? { input: "x" } : { q: " x " };
      const value = input === "input" ? given : { ...(inputs[input] as object), args: given };
      const bare = await use(kinds[kind]?.(), value, way);
      expect(await use(wrapTool(kinds[kind]?.()), value, way)).toEqual(bare);
      register({});
      try {
        expect(await use(kinds[kind]?.(), value, way)).toEqual(bare);
        expect(await use(wrapTool(kinds[kind]?.()), value, way)).toEqual(bare);
      } finally {
        unregister();
      }
    });
  });
});

test.each(Object.keys(kinds))("in a ToolNode: %s, like the bare tool", async (kind) => {
  const args = kind === "a string" ? { input: "x" } : { q: " x " };
  const tool_calls = [{ type: "tool_call" as const, id: "c1", name: "ask", args }];
  const answer = async (given: Any) => {
    const node = new ToolNode([given]);
    const result = await node.invoke({ messages: [new AIMessage({ content: "", tool_calls })] });
    return JSON.parse(JSON.stringify(result, withoutIds));
  };
  expect(await answer(wrapTool(kinds[kind]?.()))).toEqual(await answer(kinds[kind]?.()));
});
