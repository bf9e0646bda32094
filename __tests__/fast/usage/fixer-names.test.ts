import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import type { StructuredTool } from "@langchain/core/tools";
import { createAgent, fakeModel, tool } from "langchain";
import {
  createFixerRegistry,
  type Fixer,
  type FixerRegistry,
  repairToolCall,
  wrapTool,
  wrapTools,
} from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import { repairNode, repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { setUp } from "../../support/langchain/executor/set-up.ts";

const click = tool(({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "",
  schema: z.strictObject({ selector: z.string() }),
});
const CALL = { name: "click", args: { element: "#buy" } };
const own = [renameKey("element", "selector")];
const WARNING = [
  'toolmend has fixers for "clik", but no such tool. Did you mean "click"?',
  { code: "TOOLMEND_UNKNOWN_TOOL" },
];

const emit = jest.spyOn(process, "emitWarning");
beforeEach(() => void emit.mockReset().mockImplementation(() => undefined));
afterEach(() => void emit.mockReset());

/** Gives fixers to tools in each way that knows all tools when it is called. */
const WAYS: Record<string, (fixers: object) => Promise<unknown>> = {
  wrapTools: async (fixers) => wrapTools([click], { fixers } as never),
  wrapTool: async (fixers) => wrapTool(click, { fixers } as never),
  wrapAgentExecutor: (fixers) =>
    setUp({ outputs: [new AIMessage("done")], tools: [click], options: { fixers } as never }),
  repairToolCalls: async (fixers) => repairToolCalls([click], { fixers } as never),
  repairNode: async (fixers) => repairNode([click], { fixers } as never),
  "toolInputMiddleware with tools": async (fixers) =>
    toolInputMiddleware({ tools: [click], fixers } as never),
};

/** Runs an agent whose middleware knows the tools of each turn only. */
function runAgent(fixers: object): Promise<unknown> {
  const model = fakeModel().respond(new AIMessage("done"));
  const middleware = [toolInputMiddleware({ fixers } as never)];
  return createAgent({ model, tools: [click], middleware }).invoke({ messages: "go" });
}

function registryWith(name: string): FixerRegistry {
  const registry = createFixerRegistry();
  registry.register(name, ...own);
  return registry;
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test("throws for a list of fixers for a misspelt tool", async () => {
    const run = async () => way({ clik: own });
    await expect(run()).rejects.toThrow(TypeError);
    await expect(run()).rejects.toThrow(
      /has fixers for "clik", but there is no such tool\. Did you mean "click"\?/,
    );
  });

  test("throws for a fixer that writes a misspelt key", async () => {
    const run = async () => way({ click: [renameKey("element", "slector")] });
    await expect(run()).rejects.toThrow(TypeError);
    await expect(run()).rejects.toThrow(
      /renameKey\(element → slector\) for "click" writes "slector".* Did you mean "selector"\?/,
    );
  });

  test("warns, once, of a registry, which may serve other agents", async () => {
    const registry = registryWith("clik");
    await way(registry);
    await way(registry);
    expect(emit.mock.calls).toEqual([WARNING]);
  });
});

test("an agent whose tools are known turn by turn runs on, and warns once", async () => {
  const fixers = { clik: own };
  await runAgent(fixers);
  await runAgent(fixers);
  expect(emit.mock.calls).toEqual([WARNING]);
});

test.each(Object.entries({ ...WAYS, "an agent": runAgent }))(
  "%s says nothing where the names fit, are far, or are of two tools",
  async (_, way) => {
    for (const fixers of [{ click: own }, { scroll: own }, { click: own, clik: own }, { "*": own }])
      await way(fixers);
    expect(emit).not.toHaveBeenCalled();
  },
);

describe("names in humanInTheLoop", () => {
  const misspelt = [
    'toolInputMiddleware has humanInTheLoop for "clik", but no such tool. Did you mean "click"?',
    { code: "TOOLMEND_UNKNOWN_TOOL" },
  ];

  /** Runs an agent twice, whose middleware knows the tools of each turn only. */
  async function runTwice(humanInTheLoop: boolean | readonly string[]) {
    const middleware = [toolInputMiddleware({ humanInTheLoop })];
    for (const _ of [1, 2]) {
      const model = fakeModel().respond(new AIMessage("done"));
      await createAgent({ model, tools: [click], middleware }).invoke({ messages: "go" });
    }
  }

  test("an agent whose tools are known turn by turn warns once of a misspelt one", async () => {
    await runTwice(["clik"]);
    expect(emit.mock.calls).toEqual([misspelt]);
  });

  test("a middleware with tools warns once of a misspelt one", () => {
    const humanInTheLoop = ["clik", "clik"];
    toolInputMiddleware({ tools: [click], humanInTheLoop });
    toolInputMiddleware({ tools: [click], humanInTheLoop });
    expect(emit.mock.calls).toEqual([misspelt]);
  });

  test.each([[true], [["click"]], [["scroll"]], [["click", "clik"]], [[]]])(
    "%j: nothing is said where the names fit, are far, or are of two tools",
    async (humanInTheLoop) => {
      toolInputMiddleware({ tools: [click], humanInTheLoop });
      await runTwice(humanInTheLoop);
      expect(emit).not.toHaveBeenCalled();
    },
  );
});

test("a registry of known tools checks the keys that fixers write", () => {
  const registry = createFixerRegistry([click]);
  for (const fixer of [renameKey("element", "slector"), wrapValue("slector")]) {
    expect(() => registry.register("click", fixer)).toThrow(/Did you mean "selector"\?/);
  }
  expect(registry.registeredTools()).toEqual([]);
});

test("keys of elements are checked, and those of an open schema or of a later fixer are not", () => {
  const order = tool(() => "ordered", {
    name: "order",
    schema: z.strictObject({ items: z.array(z.strictObject({ amount: z.number() })) }),
  });
  const open = tool(() => "noted", {
    name: "note",
    schema: z.looseObject({ selector: z.string() }),
  });
  const stripping = tool(() => "sent", {
    name: "send",
    schema: z.object({ address: z.string() }),
  });
  const registry = createFixerRegistry([order, open, stripping]);
  expect(() => registry.register("send", renameKey("to", "adress"))).toThrow(
    /writes "adress", .* Did you mean "address"\?/,
  );
  expect(() => registry.register("order", renameKey("n", "amuont", "/items/*"))).toThrow(
    /writes "amuont", which the schema does not declare in \/items\/\*\. Did you mean "amount"\?/,
  );
  registry.register("order", renameKey("n", "amount", "/items/*"), renameKey("list", "wrapped"));
  registry.register("note", renameKey("element", "slector"));
  expect(registry.registeredTools()).toEqual(["order", "note"]);
});

test("lists of fixers for other names than the tools' do not compile", async () => {
  const scroll = own;
  // @ts-expect-error: no tool is named scroll
  wrapTool(click, { fixers: { scroll } });
  // @ts-expect-error: no tool is named scroll
  wrapTools([click], { fixers: { scroll } });
  // @ts-expect-error: no tool is named scroll
  repairToolCalls([click], { fixers: { scroll } });
  // @ts-expect-error: no tool is named scroll
  repairNode([click], { fixers: { scroll } });
  // @ts-expect-error: no tool is named scroll
  toolInputMiddleware({ tools: [click], fixers: { scroll } });
  // @ts-expect-error: no tool is named scroll
  const misnamed = await repairToolCall(CALL, [click], { fixers: { scroll } });
  const named = await repairToolCall(CALL, [click], { fixers: { click: own, "*": own } });
  expect([misnamed.ok, named.ok]).toEqual([false, true]);
});

test("repairToolCall warns of a misspelt name: the offered tools may change with each call", async () => {
  await repairToolCall(CALL, [click], { fixers: { clik: own } } as never);
  expect(emit.mock.calls).toEqual([WARNING]);
});

test.each([
  ["arguments", { arguments: "{}" }, "call.arguments"],
  ["input", { input: {} }, "call.input"],
  ["function", { function: { arguments: "{}" } }, "call.function.arguments"],
])("a call with %s and no args throws: it would run without arguments", async (key, call, from) => {
  const run = async () => repairToolCall({ name: "click", ...call }, [click]);
  await expect(run()).rejects.toThrow(TypeError);
  await expect(run()).rejects.toThrow(
    `has "${key}" and no "args": pass { name, args: ${from}, id }`,
  );
});

test("lists of fixers compile where the tools' names are not known to the types", () => {
  const unnamed: readonly StructuredTool[] = [click];
  const wide: Record<string, readonly Fixer[]> = { scroll: own };
  expect(wrapTools(unnamed, { fixers: { scroll: own } })).toHaveLength(1);
  expect(wrapTools([click], { fixers: wide })).toHaveLength(1);
  expect(toolInputMiddleware({ fixers: { scroll: own } }).name).toBe("toolInputMiddleware");
});
