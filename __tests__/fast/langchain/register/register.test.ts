import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { AgentExecutor } from "@langchain/classic/agents";
import { OutputParserException } from "@langchain/core/output_parsers";
import {
  DynamicStructuredTool,
  DynamicTool,
  StructuredTool,
  Tool,
  ToolInputParsingException,
  tool,
} from "@langchain/core/tools";
import { createFixerRegistry, ToolInputError, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

// LangChain's state before anything is registered.
const PLACES: readonly (readonly [object, PropertyKey])[] = [
  [StructuredTool.prototype, "call"],
  [StructuredTool.prototype, "invoke"],
  [Tool.prototype, "call"],
  [AgentExecutor.prototype, "_call"],
  [AgentExecutor.prototype, "_takeNextStep"],
  [AgentExecutor.prototype, "_getToolReturn"],
  [ToolInputParsingException, Symbol.hasInstance],
  [OutputParserException, Symbol.hasInstance],
];
const describePlaces = () =>
  PLACES.map(([target, key]) => Object.getOwnPropertyDescriptor(target, key));
const before = describePlaces();

// Importing it has a side effect, so it must come after.
const { globalFixers, register, unregister } =
  require("#src/register.ts") as typeof import("#src/register.ts");

const schema = z.object({ selector: z.string() });
const echo = async (input: unknown) => `ran ${JSON.stringify(input)}`;
const fields = { name: "click", description: "", schema };
const RAN = 'ran {"selector":"#a"}';
// biome-ignore lint/suspicious/noExplicitAny: the tests pass inputs that the tools' types forbid
type Any = any;

class OwnCall extends StructuredTool {
  name = "click";
  description = "";
  schema = schema;
  given: unknown[] = [];
  override async call(...args: Any[]): Promise<Any> {
    this.given.push(args[0]);
    return super.call(...(args as Parameters<StructuredTool["call"]>));
  }
  protected async _call(input: unknown) {
    return echo(input);
  }
}

const undos: (() => void)[] = [];
const later = (undo: () => void) => void undos.push(undo);
afterEach(() => {
  for (const undo of undos.splice(0)) undo();
  unregister();
  expect(describePlaces()).toEqual(before);
});

test("importing registers; unregister leaves no trace", () => {
  register();
  const names = describePlaces().map((descriptor) => descriptor?.value?.name);
  expect(describePlaces()).not.toEqual(before);
  expect(names.slice(0, 2)).toEqual(["call", "invoke"]);
  expect(before[0]).toMatchObject({ enumerable: false, writable: true, configurable: true });
  expect(describePlaces()[0]).toMatchObject({ enumerable: false, writable: true });
  unregister();
  const after = describePlaces();
  for (const [place, descriptor] of before.entries()) {
    expect(after[place]).toEqual(descriptor);
    expect(after[place]?.value).toBe(descriptor?.value);
  }
});

describe("every tool of the name is repaired", () => {
  const kinds: Record<string, () => Any> = {
    "tool()": () => tool(echo, fields),
    DynamicStructuredTool: () => new DynamicStructuredTool({ ...fields, func: echo }),
    "a subclass with its own call": () => new OwnCall(),
    "one with JSON Schema": () =>
      tool(echo, {
        ...fields,
        schema: {
          type: "object",
          properties: { selector: { type: "string" } },
          required: ["selector"],
        },
      }),
  };
  test.each(Object.entries(kinds))("%s", async (_, make) => {
    const click = make();
    await expect(click.invoke({ element: "#a" })).rejects.toThrow(ToolInputParsingException);
    later(globalFixers.register("click", renameKey("element", "selector")));
    register({ level: "strict" });
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    expect(await click.call({ element: "#a" })).toBe(RAN);
    expect(await click.batch([{ element: "#a" }])).toEqual([RAN]);
    const call = { type: "tool_call", id: "1", name: "click", args: { element: "#a" } };
    expect(await click.invoke(call)).toMatchObject({ content: RAN, tool_call_id: "1" });
    await expect(click.invoke({ nothing: 5 })).rejects.toThrow(ToolInputError);
    unregister();
    await expect(click.invoke({ element: "#a" })).rejects.not.toThrow(ToolInputError);
  });

  test("string tools are repaired, below which their own call works", async () => {
    const search = new DynamicTool({
      name: "search",
      description: "",
      func: async (text) => `${text}!`,
    });
    register({ level: "strict" });
    expect(await search.invoke("#a")).toBe("#a!");
    expect(await search.invoke({ input: "#a" } as Any)).toBe("#a!");
    await expect(search.invoke({ wrong: 5 } as Any)).rejects.toThrow(ToolInputError);
    later(globalFixers.register("search", (input) => (input as { q?: string }).q));
    expect(await search.invoke({ q: "#a" } as Any)).toBe("#a!");
  });

  test("a valid input is passed by reference; #private state and this are the tool's own", async () => {
    const given: unknown[] = [];
    class Private extends StructuredTool {
      name = "click";
      description = "";
      schema: Any = { type: "object" };
      #runs = 0;
      protected async _call(input: unknown) {
        given.push(input);
        return `${++this.#runs}`;
      }
    }
    register();
    const input = { any: "thing" };
    const click = new Private();
    expect(await click.invoke(input)).toBe("1");
    expect(given[0]).toBe(input);
  });

  test("a tool whose schema is of an unknown kind is left alone", async () => {
    const odd: Any = new OwnCall();
    odd.schema = {
      parseAsync: async (input: unknown) => input,
      _def: {},
      parse: () => {},
      safeParse: () => {},
    };
    const plain = await odd.invoke({ a: 1 }).catch(String);
    register();
    expect(await odd.invoke({ a: 1 }).catch(String)).toEqual(plain);
  });

  test("a wrapped tool keeps its own registry", async () => {
    const own = createFixerRegistry(undefined, { level: "strict" });
    own.register("click", () => ({ selector: "#own" }));
    later(globalFixers.register("click", () => ({ selector: "#global" })));
    register();
    const wrapped: Any = wrapTool(tool(echo, fields), { fixers: own });
    expect(await wrapped.invoke({ nothing: 5 })).toBe('ran {"selector":"#own"}');
  });
});

describe("several registrations", () => {
  test("all fixers run, the latest level applies, every listener is called; each undoes only itself", async () => {
    const click: Any = tool(echo, fields);
    const seen: string[] = [];
    const one = createFixerRegistry();
    one.register("click", renameKey("element", "selector"));
    const other = createFixerRegistry();
    other.register("click", renameKey("target", "selector"));
    const undoOne = register({
      fixers: one,
      level: "safe",
      onToolCall: () => {
        seen.push("one");
        throw new Error("watcher");
      },
    });
    const undoOther = register({
      fixers: other,
      level: "strict",
      onToolCall: () => void seen.push("other"),
    });
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    expect(await click.invoke({ target: "#a" })).toBe(RAN);
    expect(seen).toEqual(["one", "other", "one", "other"]);
    await expect(click.invoke({ input: { selector: "#a" } })).rejects.toThrow(ToolInputError);
    undoOther();
    undoOther();
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    await expect(click.invoke({ target: "#a", x: 1 })).rejects.toThrow(ToolInputError);
    undoOne();
    await expect(click.invoke({ element: "#a" })).rejects.not.toThrow(ToolInputError);
  });

  test('the latest level may be "auto", of the options or of a registry, and each tool answers it', async () => {
    const metadata = { annotations: { readOnlyHint: true } };
    const reading: Any = tool(echo, { ...fields, metadata });
    const writing: Any = tool(echo, fields);
    register({ fixers: createFixerRegistry(undefined, { level: "strict" }) });
    await expect(reading.invoke({ selctor: "#a" })).rejects.toThrow(ToolInputError);
    const undo = register({ fixers: createFixerRegistry(undefined, { level: "auto" }) });
    expect(await reading.invoke({ selctor: "#a" })).toBe(RAN);
    await expect(writing.invoke({ selctor: "#a" })).rejects.toThrow(ToolInputError);
    undo();
    await expect(reading.invoke({ selctor: "#a" })).rejects.toThrow(ToolInputError);
    register({ level: "auto" });
    expect(await reading.invoke({ selctor: "#a" })).toBe(RAN);
    await expect(writing.invoke({ selctor: "#a" })).rejects.toThrow(ToolInputError);
  });

  test("a listener that rejects later is ignored like one that throws", async () => {
    const rejected: unknown[] = [];
    const listen = (reason: unknown) => void rejected.push(reason);
    process.on("unhandledRejection", listen);
    const click: Any = tool(echo, fields);
    const fixers = createFixerRegistry();
    fixers.register("click", renameKey("element", "selector"));
    register({
      fixers,
      onToolCall: async () => {
        throw new Error("metrics down");
      },
    });
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", listen);
    expect(rejected).toEqual([]);
  });

  test("the latest onUnfixable that answers wins; a string is the answer", async () => {
    const click: Any = tool(echo, fields);
    register({ level: "strict", onUnfixable: () => "first" });
    const undo = register({ onUnfixable: async () => ({ selector: "#a" }) });
    register({ onUnfixable: () => undefined });
    expect(await click.invoke({ nothing: 5 })).toBe(RAN);
    undo();
    expect(await click.invoke({ nothing: 5 })).toBe("first");
  });
});

test("the limits of a registry hold in a registration, as in wrapTool", async () => {
  const fixers = createFixerRegistry(undefined, { limits: { maxLength: 20 } });
  const click: Any = tool(echo, fields);
  const refused = { reason: "limit", limit: { name: "maxLength", value: 20 } };
  const tooLong = { selector: 5, note: "longer than twenty characters" };
  await expect(wrapTool(click, { fixers }).invoke(tooLong)).rejects.toMatchObject(refused);
  register({ fixers });
  await expect(click.invoke(tooLong)).rejects.toMatchObject(refused);
});

test("the limits of several registries hold, and the latest of one name counts", async () => {
  for (const limits of [{ maxLength: 25, maxDepth: 2 }, { maxLength: 20 }])
    register({ fixers: createFixerRegistry(undefined, { limits }) });
  const click: Any = tool(echo, fields);
  const limitOf = (input: object) => click.invoke(input).catch(({ limit }: Any) => limit);
  expect(await limitOf({ note: "over twenty" })).toEqual({ name: "maxLength", value: 20 });
  expect(await limitOf({ s: [[[1]]] })).toEqual({ name: "maxDepth", value: 2 });
});

describe("fixers for a name that no tool has", () => {
  test("a faulty input of a tool whose name is like it warns, once; one that is far from it does not", async () => {
    const emit = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    later(() => emit.mockRestore());
    const [press, other]: Any[] = [
      tool(echo, { ...fields, name: "press_button" }),
      tool(echo, { ...fields, name: "scroll" }),
    ];
    register({ fixers: { pres_button: [renameKey("element", "selector")] } });
    for (const one of [other, press, press]) {
      await expect(one.invoke({ element: "#a" })).rejects.toThrow(ToolInputError);
    }
    expect(emit.mock.calls).toEqual([
      [
        'toolmend has fixers for "pres_button", and no input of such a tool has come to be repaired, but one of "press_button". If that is the tool, register them for "press_button".',
        { code: "TOOLMEND_UNKNOWN_TOOL" },
      ],
    ]);
  });

  test("two tools with fixers of their own, whose names are alike, warn of nothing", async () => {
    const emit = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    later(() => emit.mockRestore());
    const both: Any[] = ["get_user", "get_users"].map((name) => tool(echo, { ...fields, name }));
    for (const { name } of both) globalFixers.register(name, renameKey("element", "selector"));
    register();
    for (const one of both) expect(await one.invoke({ element: "#a" })).toBe(RAN);
    expect(emit).not.toHaveBeenCalled();
  });
});

describe("beside the patches of others", () => {
  type Call = StructuredTool["call"];
  function wrapCall(log: string[], name: string): () => void {
    const { call } = StructuredTool.prototype;
    StructuredTool.prototype.call = async function (
      this: StructuredTool,
      ...args: Parameters<Call>
    ) {
      log.push(`${name} ${JSON.stringify(args[0])}`);
      return call.apply(this, args);
    } as Call;
    return () => {
      StructuredTool.prototype.call = call;
    };
  }

  test("an earlier patch stays below, and is what unregister restores", async () => {
    const log: string[] = [];
    const unwrap = wrapCall(log, "theirs");
    const theirs = StructuredTool.prototype.call;
    later(globalFixers.register("click", renameKey("element", "selector")));
    register();
    const click: Any = tool(echo, fields);
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    expect(log).toEqual(['theirs {"selector":"#a"}']);
    unregister();
    expect(StructuredTool.prototype.call).toBe(theirs);
    unwrap();
  });

  test("a later patch stays on top: unregister leaves it, ours below does nothing, and can come back", async () => {
    const log: string[] = [];
    later(globalFixers.register("click", renameKey("element", "selector")));
    register();
    const unwrap = wrapCall(log, "theirs");
    const theirs = StructuredTool.prototype.call;
    const click: Any = tool(echo, fields);
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    expect(log).toEqual(['theirs {"element":"#a"}']);
    unregister();
    expect(StructuredTool.prototype.call).toBe(theirs);
    await expect(click.invoke({ element: "#a" })).rejects.not.toThrow(ToolInputError);
    register();
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    unregister();
    expect(StructuredTool.prototype.call).toBe(theirs);
    unwrap();
    unregister();
  });
});

test("after jest resets its modules, the new LangChain is hooked by the same registry", async () => {
  later(globalFixers.register("click", renameKey("element", "selector")));
  register();
  await jest.isolateModulesAsync(async () => {
    const fresh = await import("@langchain/core/tools");
    expect(fresh.StructuredTool).not.toBe(StructuredTool);
    const untouched = fresh.StructuredTool.prototype.call;
    const again = await import("#src/register.ts");
    expect(again.globalFixers).toBe(globalFixers);
    const click: Any = fresh.tool(echo, fields);
    expect(await click.invoke({ element: "#a" })).toBe(RAN);
    expect(new ToolInputParsingException("x") instanceof fresh.ToolInputParsingException).toBe(
      true,
    );
    again.unregister();
    expect(fresh.StructuredTool.prototype.call).toBe(untouched);
  });
});

test("an AgentExecutor records the repaired input, in one piece and streamed", async () => {
  later(globalFixers.register("click", renameKey("element", "selector")));
  register({ level: "strict" });
  const executor = new AgentExecutor({
    agent: {
      inputKeys: ["input"],
      returnValues: ["output"],
      _agentActionType: () => "multi",
      prepareForOutput: async () => ({}),
      plan: async ({ length }: unknown[]) =>
        length === 0
          ? [{ tool: "click", toolInput: { element: "#a" }, log: "" }]
          : { returnValues: { output: "done" }, log: "" },
    } as Any,
    tools: [tool(echo, fields)],
    returnIntermediateSteps: true,
  });
  const step = { action: { tool: "click", toolInput: { selector: "#a" } }, observation: RAN };
  expect((await executor.invoke({ input: "" })).intermediateSteps).toMatchObject([step]);
  for await (const chunk of await executor.stream({ input: "" })) {
    if (!("output" in chunk)) expect(chunk.intermediateSteps).toMatchObject([step]);
  }
});

test("a subclass of AgentExecutor is run once, on itself", async () => {
  const ran: unknown[] = [];
  class Counting extends AgentExecutor {
    #runs = 0;
    override async _call(...args: Parameters<AgentExecutor["_call"]>) {
      this.#runs++;
      return super._call(...args);
    }
    override async _takeNextStep(...args: Parameters<AgentExecutor["_takeNextStep"]>) {
      this.#runs++;
      return super._takeNextStep(...args);
    }
    get runs() {
      return this.#runs;
    }
  }
  const click = new DynamicStructuredTool({
    ...fields,
    func: async (input) => {
      ran.push(input);
      return "ran";
    },
  });
  const make = () => {
    const turns: Any[] = [[{ tool: "click", toolInput: { element: "#a" }, log: "" }]];
    const agent = {
      inputKeys: ["input"],
      returnValues: ["output"],
      _agentActionType: () => "multi",
      prepareForOutput: async () => ({}),
      plan: async () => turns.shift() ?? { returnValues: { output: "done" }, log: "" },
    };
    return new Counting({ agent: agent as never, tools: [click], returnIntermediateSteps: true });
  };
  const fixers = createFixerRegistry(undefined, { level: "strict" });
  fixers.register("click", renameKey("element", "selector"));
  later(register({ fixers }));
  const invoked = make();
  const { intermediateSteps } = await invoked.invoke({ input: "go" });
  expect(invoked.runs).toBe(1);
  expect(intermediateSteps).toMatchObject([{ action: { toolInput: { selector: "#a" } } }]);
  const streamed = make();
  for await (const _ of await streamed.stream({ input: "go" }));
  expect(streamed.runs).toBe(2);
  expect(ran).toEqual([{ selector: "#a" }, { selector: "#a" }]);
});
