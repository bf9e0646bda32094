import { describe, expect, test } from "@jest/globals";
import type { BaseCallbackHandlerInput } from "@langchain/core/callbacks/base";
import { ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import {
  DynamicStructuredTool,
  DynamicTool,
  isLangChainTool,
  StructuredTool,
  Tool,
  tool,
} from "@langchain/core/tools";
import {
  createFixerRegistry,
  type InputEvent,
  ToolInputError,
  wrapTool,
  wrapTools,
} from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import "@langchain/langgraph"; // makes configs reach nested runs
import { z } from "zod";
import * as z3 from "zod/v3";

const schema = z.object({ selector: z.string() });
const echo = async (input: unknown) => `ran with ${JSON.stringify(input)}`;
const fixers = createFixerRegistry(undefined, { level: "strict" });
fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));

class PrivateTool extends StructuredTool {
  name = "click";
  description = "keeps its state private";
  schema = schema;
  #clicks = 0;
  get clicks() {
    return this.#clicks;
  }
  reset() {
    this.#clicks = 0;
  }
  protected async _call(input: z.output<typeof schema>) {
    this.#clicks++;
    return echo(input);
  }
}

class OwnCallTool extends PrivateTool {
  calls: unknown[] = [];
  override async call(...args: unknown[]) {
    this.calls.push(args[0]);
    return super.call(...(args as Parameters<StructuredTool["call"]>)) as never;
  }
}

class StringTool extends Tool {
  name = "click";
  description = "takes a string";
  protected async _call(input: string) {
    return `ran with ${JSON.stringify(input)}`;
  }
}

const structured = {
  "tool() with zod 4": () => tool(echo, { name: "click", description: "", schema }),
  "tool() with zod 3": () =>
    tool(echo, {
      name: "click",
      description: "",
      schema: z3.z.object({ selector: z3.z.string() }),
    }),
  "tool() with JSON Schema": () =>
    tool(echo, {
      name: "click",
      description: "",
      schema: {
        type: "object",
        properties: { selector: { type: "string" } },
        required: ["selector"],
      },
    }),
  DynamicStructuredTool: () =>
    new DynamicStructuredTool({ name: "click", description: "", schema, func: echo }),
  "a subclass with #private state": () => new PrivateTool(),
  "a subclass with its own call": () => new OwnCallTool(),
  "RunnableToolLike, which validates nothing itself": () =>
    RunnableLambda.from(echo as never).asTool({ name: "click", schema: schema as never }),
};

// biome-ignore lint/suspicious/noExplicitAny: models do not care about a tool's types
type AnyTool = any;

describe.each(Object.entries(structured))("a wrapped tool: %s", (kind, make) => {
  test("runs with the repaired input, however wrong it is", async () => {
    const wrapped: AnyTool = wrapTool(make() as AnyTool, { fixers });
    for (const input of [{ selector: "#a" }, { element: "#a" }, "#a"]) {
      expect(await wrapped.invoke(input)).toBe('ran with {"selector":"#a"}');
    }
    expect(await wrapped.batch([{ element: "#a" }, "#b"])).toEqual([
      'ran with {"selector":"#a"}',
      'ran with {"selector":"#b"}',
    ]);
    const chunks = [];
    for await (const chunk of await wrapped.stream({ element: "#a" })) chunks.push(chunk);
    expect(chunks).toEqual(['ran with {"selector":"#a"}']);
    const piped = wrapped.pipe((text: string) => text.toUpperCase());
    expect(await piped.invoke("#a")).toBe('RAN WITH {"SELECTOR":"#A"}');
    if (kind.startsWith("Runnable")) return;
    expect(await wrapped.call({ element: "#a" })).toBe('ran with {"selector":"#a"}');
  });

  test("takes a tool call and repairs its args", async () => {
    const wrapped: AnyTool = wrapTool(make() as AnyTool, { fixers });
    const call = { type: "tool_call", id: "call_1", name: "click", args: { element: "#a" } };
    const result = await wrapped.invoke(call);
    if (kind.startsWith("Runnable")) {
      expect(result).toBe('ran with {"selector":"#a"}');
    } else {
      expect(ToolMessage.isInstance(result)).toBe(true);
      expect(result).toMatchObject({
        content: 'ran with {"selector":"#a"}',
        tool_call_id: "call_1",
        status: "success",
      });
    }
    expect(call.args).toEqual({ element: "#a" });
  });

  test.each([undefined, null, 5, {}, { selektor: "#a" }, []])("rejects %j", async (input) => {
    const wrapped: AnyTool = wrapTool(make() as AnyTool, {
      fixers: createFixerRegistry(undefined, { level: "strict" }),
    });
    const thrown = await wrapped.invoke(input).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ToolInputError);
    expect(thrown).toMatchObject({
      toolName: "click",
      causingData: input ?? (input === null ? null : ""),
    });
  });

  test("leaves the tool unchanged", async () => {
    const original: AnyTool = make();
    const keys = Reflect.ownKeys(original);
    const { invoke } = original;
    wrapTool(original, { fixers });
    expect(Reflect.ownKeys(original)).toEqual(keys);
    expect(original.invoke).toBe(invoke);
    if (kind.startsWith("Runnable")) return;
    await expect(original.invoke({ element: "#a" })).rejects.toThrow(/did not match/);
  });

  test("passes for the tool itself", () => {
    const original = make() as AnyTool;
    const wrapped = wrapTool(original, { fixers });
    expect(wrapped).toBeInstanceOf(original.constructor);
    expect(wrapped.constructor).toBe(original.constructor);
    expect(isLangChainTool(wrapped)).toBe(true);
    expect(wrapped.name).toBe("click");
    expect(wrapped.schema).toBe(original.schema);
    expect(wrapped.lc_namespace).toEqual(original.lc_namespace);
  });
});

describe("a wrapper is a view of its tool", () => {
  test("its methods and getters reach #private state", async () => {
    const original = new PrivateTool();
    const wrapped = wrapTool(original, { fixers });
    await wrapped.invoke({ element: "#a" } as never);
    expect(wrapped.clicks).toBe(1);
    wrapped.reset();
    expect(original.clicks).toBe(0);
    expect(wrapped.reset).toBe(wrapped.reset);
  });

  test("a tool's own call is used, with the repaired input", async () => {
    const original = new OwnCallTool();
    await wrapTool(original, { fixers }).invoke("#a" as never);
    expect(original.calls).toEqual([{ selector: "#a" }]);
  });

  test("two registries wrap one tool, and wrapping a wrapper replaces its registry", async () => {
    const original = structured["tool() with zod 4"]() as AnyTool;
    const others = createFixerRegistry(undefined, { level: "strict" });
    others.register("click", renameKey("target", "selector"));
    const [one, other] = [wrapTool(original, { fixers }), wrapTool(original, { fixers: others })];
    expect(await one.invoke({ element: "#a" })).toContain("#a");
    expect(await other.invoke({ target: "#a" })).toContain("#a");
    await expect(other.invoke({ element: "#a" })).rejects.toThrow(ToolInputError);
    const rewrapped = wrapTool(one, { fixers: others });
    await expect(rewrapped.invoke({ element: "#a" })).rejects.toThrow(ToolInputError);
    expect(await rewrapped.invoke({ target: "#a" })).toContain("#a");
  });

  test("a property set on its invoke stays on it; the rest goes to the tool", async () => {
    const original = structured["tool() with zod 4"]() as AnyTool;
    const wrapped = wrapTool(original, { fixers });
    wrapped.invoke = async () => "mocked";
    wrapped.returnDirect = true;
    expect(await wrapped.invoke("#a")).toBe("mocked");
    expect(original.returnDirect).toBe(true);
    expect(await original.invoke({ selector: "#a" })).toContain("#a");
  });

  test("a frozen tool can be wrapped", async () => {
    const frozen = Object.freeze({ name: "click", schema, invoke: echo });
    expect(await wrapTool(frozen, { fixers }).invoke("#a")).toBe('ran with {"selector":"#a"}');
  });

  test("an invalid registry throws at once, with the remedy", () => {
    const original = structured["tool() with zod 4"]() as AnyTool;
    const fixersByName = { click: [renameKey("element", "selector")] };
    expect(() => wrapTool(original, fixersByName as never)).toThrow(/wrapTool.*fixers/);
    expect(() => wrapTool(original, { fixers, level: "loose" as never })).toThrow(
      /must be "strict", "safe", "eager" or "auto", not "loose"/,
    );
  });

  test("wrapTools keeps order, and passes a provider's server tool through", async () => {
    const server = { type: "web_search_20250305", name: "web_search" };
    const [click, search] = wrapTools([new PrivateTool(), server], { fixers });
    expect(await click.invoke("#a" as never)).toContain("#a");
    expect(search).toBe(server);
  });
});

describe("string tools", () => {
  const kinds: [string, () => AnyTool][] = [
    ["Tool", () => new StringTool()],
    [
      "DynamicTool",
      () =>
        new DynamicTool({
          name: "click",
          description: "",
          func: async (text) => `ran with ${JSON.stringify(text)}`,
        }),
    ],
  ];
  test.each(kinds)(
    "%s runs with strings, and with undefined only if it is given nothing",
    async (_, make) => {
      const strict = createFixerRegistry(undefined, { level: "strict" });
      expect(await make().invoke({ query: "x" })).toBe("ran with undefined");
      const wrapped = wrapTool(make(), { fixers: strict });
      expect(await wrapped.invoke("#a")).toBe('ran with "#a"');
      expect(await wrapped.invoke('{"a":1}')).toBe(String.raw`ran with "{\"a\":1}"`);
      expect(await wrapped.invoke({ input: "#a" })).toBe('ran with "#a"');
      for (const input of [{ query: "x" }, { input: 5 }]) {
        await expect(wrapped.invoke(input)).rejects.toThrow(ToolInputError);
      }
    },
  );
});

describe("config and callbacks", () => {
  test("content_and_artifact", async () => {
    const inner = tool(async ({ selector }) => [`clicked ${selector}`, { selector }], {
      name: "click",
      description: "",
      schema,
      responseFormat: "content_and_artifact",
    });
    const call = { type: "tool_call" as const, id: "1", name: "click", args: { element: "#a" } };
    const message = await wrapTool(inner, { fixers }).invoke(call);
    expect(message).toMatchObject({ content: "clicked #a", artifact: { selector: "#a" } });
  });

  test("callbacks see the repaired input; tags and metadata are kept; the metadata names the fixers and nothing from the model", async () => {
    const started: unknown[] = [];
    const handler: BaseCallbackHandlerInput & Record<string, unknown> = {
      handleToolStart: (
        _t: unknown,
        input: string,
        _r: string,
        _p: unknown,
        tags: unknown,
        metadata: unknown,
      ) => {
        const { versions: _, ...own } = metadata as Record<string, unknown>;
        started.push({ input, tags, metadata: own });
      },
    };
    const wrapped: AnyTool = wrapTool(structured["tool() with zod 4"]() as AnyTool, { fixers });
    const config = { callbacks: [handler], tags: ["t"], metadata: { user: 1 } };
    await wrapped.invoke({ element: "#a" }, config);
    await wrapped.call({ element: "#a" }, config);
    await wrapped.call({ element: "#a" }, [handler]);
    await wrapped.invoke({ selector: "#a" }, config);
    const own = {
      toolmend_outcome: "repaired",
      toolmend_level: "strict",
      toolmend_fixers: "renameKey",
      toolmend_faults: "invalid_type",
    };
    const input = '{"selector":"#a"}';
    const repaired = { input, tags: ["t", "toolmend:repaired"], metadata: { user: 1, ...own } };
    expect(started).toEqual([
      repaired,
      repaired,
      { ...repaired, tags: ["toolmend:repaired"], metadata: own },
      { ...repaired, tags: ["t"], metadata: { user: 1 } },
    ]);
    expect(config.metadata).toEqual({ user: 1 });
  });

  test("the metadata of the run around it is kept", async () => {
    const seen: unknown[] = [];
    const inner = tool(async (_input, config) => void seen.push(config.metadata), {
      name: "click",
      schema,
    });
    const wrapped: AnyTool = wrapTool(inner, { fixers });
    const metadata = { user: "u1" };
    await RunnableLambda.from(() => wrapped.invoke("#a")).invoke({}, { metadata });
    expect(seen).toMatchObject([{ user: "u1", toolmend_outcome: "repaired" }]);
  });

  test("onToolCall gets an event for every call, and its throw is ignored", async () => {
    const events: InputEvent[] = [];
    const onToolCall = (event: InputEvent) => {
      events.push(event);
      throw new Error("watcher");
    };
    const wrapped: AnyTool = wrapTool(structured["tool() with zod 4"]() as AnyTool, {
      fixers,
      onToolCall,
    });
    await wrapped.invoke({ selector: "#a" });
    await wrapped.invoke("#a");
    expect(events).toMatchObject([
      { outcome: "valid" },
      {
        toolName: "click",
        rawToolInput: "#a",
        toolInput: { selector: "#a" },
        repairs: [{ path: "" }],
      },
    ]);
  });
});

describe("onUnfixable", () => {
  const make = (onUnfixable: AnyTool): AnyTool =>
    wrapTool(structured["tool() with zod 4"]() as AnyTool, { fixers, onUnfixable });

  test("receives the error and the causing data; its JSON is repaired, validated and run", async () => {
    const asked: unknown[] = [];
    const wrapped = make(async (...args: unknown[]) => {
      asked.push(args);
      return { element: "#from-handler" };
    });
    expect(await wrapped.invoke({ x: 1 })).toBe('ran with {"selector":"#from-handler"}');
    expect(asked).toEqual([[expect.any(ToolInputError), { x: 1 }, undefined]]);
  });

  test("a string is the answer instead of the tool's", async () => {
    const wrapped = make(() => "look at the page first");
    expect(await wrapped.invoke({ x: 1 })).toBe("look at the page first");
    const call = { type: "tool_call", id: "7", name: "click", args: { x: 1 } };
    expect(await wrapped.invoke(call)).toMatchObject({
      content: "look at the page first",
      tool_call_id: "7",
      status: "error",
    });
  });

  test("undefined throws the error; JSON that is rejected, too, throws it with the second as cause", async () => {
    await expect(make(() => undefined).invoke({ x: 1 })).rejects.toMatchObject({
      causingData: { x: 1 },
    });
    await expect(make(() => ({ y: 2 })).invoke({ x: 1 })).rejects.toMatchObject({
      causingData: { x: 1 },
      reason: "bad_correction",
      message: expect.stringMatching(
        /selector.*\n.*onUnfixable returned an input that was rejected/,
      ),
      cause: expect.objectContaining({ causingData: { y: 2 } }),
    });
    const error = await make(() => ({ y: "from the handler" }))
      .invoke({ x: 1 })
      .catch((thrown: ToolInputError) => thrown);
    expect(error.toModelMessage()).toMatch(/the input has: "x"/);
    expect(`${error.message}${error.toModelMessage()}`).not.toContain("from the handler");
  });

  test("null is not an answer", async () => {
    const thrown = make(() => null).invoke({ x: 1 });
    await expect(thrown).rejects.toMatchObject({ causingData: { x: 1 } });
  });

  test("a handler that hangs ends with the run: by its signal, and by its timeout", async () => {
    const wrapped = make(() => new Promise(() => {}));
    const signal = AbortSignal.timeout(20);
    await expect(wrapped.invoke({ x: 1 }, { signal })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    await expect(wrapped.invoke({ x: 1 }, { timeout: 20 })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  test("what the handler throws is thrown", async () => {
    const stop = new Error("stop");
    const wrapped = make(() => {
      throw stop;
    });
    await expect(wrapped.invoke({ x: 1 })).rejects.toBe(stop);
  });
});

test("a tool without a readable schema throws when it is wrapped", () => {
  const odd = { name: "odd", schema: undefined, invoke: async () => "" };
  expect(() => wrapTool(odd)).toThrow(/whose schema is undefined/);
});

test('onUnfixable "tellModel" answers with what is wrong', async () => {
  const click = tool(async () => "ran", {
    name: "click",
    description: "",
    schema: z.object({ selector: z.string() }),
  });
  const wrapped = wrapTool(click, { onUnfixable: "tellModel" });
  const args = { one: 1, two: 2 } as never;
  expect(await wrapped.invoke(args)).toMatch(/^The input of tool "click" was not accepted/);
  const answer = await wrapped.invoke({ type: "tool_call", id: "a", name: "click", args });
  expect(answer).toMatchObject({ tool_call_id: "a", status: "error" });
});

describe("a tool without parameters, as LangChain's own tests write one", () => {
  const ping = tool(() => "pong", { name: "ping", description: "" });

  test.each([[{}], [undefined], [""], [{ input: "" }]])("is run with %j", async (input) => {
    expect(await wrapTool(ping).invoke(input as never)).toBe("pong");
    const args = (input === "" ? {} : (input ?? {})) as never;
    const call = { type: "tool_call" as const, id: "a", name: "ping", args };
    expect(await wrapTool(ping).invoke(call as never)).toMatchObject({ content: "pong" });
  });

  test.each(["safe", "eager"] as const)("is not run with unknown keys, at %s", async (level) => {
    const run = wrapTool(ping, { level }).invoke({ one: "1", two: "2" } as never);
    await expect(run).rejects.toThrow(ToolInputError);
  });
});

test("a valid plain input of a RunnableToolLike is passed by reference", async () => {
  const given: unknown[] = [];
  const like = RunnableLambda.from((input: { a: number }) => {
    given.push(input);
    return "ok";
  }).asTool({
    name: "like",
    schema: z.object({ a: z.number(), b: z.string().default("q") }) as never,
  });
  const input = { a: 1 };
  await wrapTool(like).invoke(input as never);
  expect(given).toEqual([{ a: 1 }]);
});

test("a runnable as a tool takes plain text where its schema is a string", async () => {
  const like = RunnableLambda.from((text: string) => `${text}!`).asTool({
    name: "like",
    schema: z.string() as never,
  });
  const events: string[] = [];
  const wrapped = wrapTool(like, { onToolCall: ({ kind }) => void events.push(kind) });
  expect(await wrapped.invoke("a b" as never)).toBe("a b!");
  expect(events).toEqual(["call"]);
});

test("an input is validated once unchanged, and once repaired", async () => {
  const loose = { ...schema["~standard"] };
  const seen: unknown[] = [];
  const standard = {
    "~standard": {
      ...loose,
      validate: (value: unknown) => {
        seen.push(value);
        return schema["~standard"].validate(value);
      },
    },
    toJSONSchema: () => z.toJSONSchema(schema),
  };
  const click = {
    name: "click",
    description: "",
    schema: standard,
    invoke: async (_: unknown) => "ran",
  };
  await wrapTool(click).invoke({ selector: "#a" });
  expect(seen).toEqual([{ selector: "#a" }]);
  seen.length = 0;
  const fixing = createFixerRegistry(undefined, { level: "strict" });
  fixing.register("click", renameKey("element", "selector"));
  await wrapTool(click, { fixers: fixing }).invoke({ element: "#a" });
  expect(seen).toEqual([{ element: "#a" }, { selector: "#a" }]);
});

test("a property defined on a wrapper is its own", async () => {
  const click = tool(async () => "ran", { name: "click", description: "", schema });
  const wrapped = wrapTool(click);
  Object.defineProperty(wrapped, "invoke", { value: async () => "mocked" });
  expect(await wrapped.invoke({ selector: "#a" })).toBe("mocked");
  expect(await click.invoke({ selector: "#a" })).toBe("ran");
});
