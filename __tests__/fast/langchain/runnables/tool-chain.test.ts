import { describe, expect, jest, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { GraphInterrupt } from "@langchain/langgraph";
import {
  createFixerRegistry,
  type RepairEvent,
  renameKey,
  ToolInputError,
  wrapTool,
} from "toolmend";
import { type AttemptEvent, type ToolChainResult, toolChain } from "toolmend/runnables";
import { z } from "zod";
import { ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

const ran: unknown[] = [];
const click = tool(
  async ({ selector }) => {
    ran.push({ click: selector });
    if (selector === "#broken") throw new RangeError("no such element");
    return { clicked: selector };
  },
  { name: "click", description: "", schema: z.object({ selector: z.string() }) },
);
const add = tool(
  ({ left, right }) => {
    ran.push({ add: [left, right] });
    return left + right;
  },
  { name: "add", description: "", schema: z.object({ left: z.number(), right: z.number() }) },
);
const tools = [click, add] as const;

const fixers = createFixerRegistry(tools, { level: "strict" });
fixers.register("click", renameKey("element", "selector"));

function reset(): void {
  ran.length = 0;
}

const clicked = (selector: string) => ({ name: "click", args: { selector } });
const adding = (left: number, right: number) => ({ name: "add", args: { left, right } });
const wrong = { name: "click", args: { x: 1 } };

describe("repair and run", () => {
  test("one call: its id, name, input, repairs and output", async () => {
    reset();
    const model = new ScriptedModel([{ name: "click", args: { element: "#a" }, id: "c1" }]);
    expect(await toolChain(model, tools, { fixers }).invoke("go")).toEqual([
      {
        ok: true,
        id: "c1",
        name: "click",
        toolInput: { selector: "#a" },
        repairs: [
          {
            fixer: "renameKey(element → selector)",
            path: "",
            before: { element: "#a" },
            after: { selector: "#a" },
            level: "strict",
          },
        ],
        output: { clicked: "#a" },
      },
    ]);
    expect(model.asked).toMatchObject([{ tools: [{ name: "click" }, { name: "add" }] }]);
  });

  test("many calls run at once, and the results are in the order of the calls", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = tool(() => gate.then(() => "slow"), {
      name: "slow",
      description: "",
      schema: z.object({}),
    });
    const quick = tool(
      () => {
        release();
        return "quick";
      },
      { name: "quick", description: "", schema: z.object({}) },
    );
    const model = new ScriptedModel([
      { name: "slow", args: {} },
      { name: "quick", args: {} },
    ]);
    const results = await toolChain(model, [slow, quick]).invoke("go");
    expect(results.map(({ output }) => output)).toEqual(["slow", "quick"]);
  });

  test("takes text, messages, a prompt value, and comes after a prompt", async () => {
    const make = () => new ScriptedModel([adding(1, 2)]);
    for (const input of ["go", [new HumanMessage("go")], [["human", "go"] as [string, string]]]) {
      expect(await toolChain(make(), tools).invoke(input)).toMatchObject([{ output: 3 }]);
    }
    const prompt = ChatPromptTemplate.fromMessages([["human", "{what}"]]);
    const model = make();
    const piped = prompt.pipe(toolChain(model, tools)).pipe((results) => results[0]?.output);
    expect(await piped.invoke({ what: "go" })).toBe(3);
    expect(model.asked[0]?.messages).toMatchObject([{ content: "go" }]);
  });

  test("bindOptions go to bindTools; what corrects the model goes before them", async () => {
    const model = new ScriptedModel([wrong], [clicked("#a")]);
    const bindOptions = { tool_choice: "auto" };
    await toolChain(model, tools, { bindOptions, selfCorrect: {} }).invoke("go");
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "click"]);
  });

  test("no call: no results", async () => {
    const model = new ScriptedModel(new AIMessage("I cannot."));
    expect(await toolChain(model, tools).invoke("go")).toEqual([]);
  });

  test("batch and stream", async () => {
    const model = new ScriptedModel([adding(1, 2)], [adding(3, 4)], [adding(5, 6)]);
    const chain = toolChain(model, tools);
    expect(await chain.batch(["a", "b"], { maxConcurrency: 1 })).toMatchObject([
      [{ output: 3 }],
      [{ output: 7 }],
    ]);
    const chunks = [];
    for await (const chunk of await chain.stream("c")) chunks.push(chunk);
    expect(chunks).toMatchObject([[{ output: 11 }]]);
  });

  test("calls that LangChain could not read are repaired too; streamed ones by their text", async () => {
    reset();
    const invalid = new ScriptedModel([{ name: "click", args: "{'selector': '#a'}" }]);
    expect(await toolChain(invalid, tools).invoke("go")).toMatchObject([
      { ok: true, toolInput: { selector: "#a" } },
    ]);
    const chunk = new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ id: "1", index: 0, name: "click", args: '{"selector": "#a' }],
    });
    expect(chunk.tool_calls).toMatchObject([{ args: { selector: "#a" } }]);
    const cutOff = toolChain(new ScriptedModel(chunk), tools);
    await expect(cutOff.invoke("go")).rejects.toMatchObject({ issues: [{ code: "truncated" }] });
    expect(ran).toEqual([{ click: "#a" }]);
  });

  test("a tool's name is repaired", async () => {
    const model = new ScriptedModel([{ name: "Click", args: { selector: "#a" } }]);
    expect(await toolChain(model, tools).invoke("go")).toMatchObject([
      { ok: true, name: "click", nameRepair: { before: "Click", after: "click" } },
    ]);
  });

  test("wrapped tools keep their registry; the chain's own comes before it", async () => {
    const wrapped = [wrapTool(click, fixers)] as const;
    const make = () => new ScriptedModel([{ name: "click", args: { element: "#a" } }]);
    expect(await toolChain(make(), wrapped).invoke("go")).toMatchObject([{ ok: true }]);
    const none = createFixerRegistry(tools, { level: "strict" });
    const chain = toolChain(make(), wrapped, { fixers: none });
    await expect(chain.invoke("go")).rejects.toThrow(ToolInputError);
  });

  test("tools of other kinds", async () => {
    class Upper extends StructuredTool {
      name = "upper" as const;
      description = "";
      schema = z.object({ text: z.string() });
      #count = 0;
      protected async _call({ text }: { text: string }) {
        this.#count += 1;
        return `${text.toUpperCase()}${this.#count}`;
      }
    }
    const kinds = [
      new Upper(),
      new DynamicTool({ name: "say", description: "", func: async (text) => `said ${text}` }),
      RunnableLambda.from(async ({ n, times }: { n: number; times: number }) => n * times).asTool({
        name: "double",
        schema: z.object({ n: z.number(), times: z.number().default(2) }) as never,
      }),
      tool(async ({ q }) => [`found ${q}`, { hits: 1 }] as [string, { hits: number }], {
        name: "search",
        description: "",
        schema: z.object({ q: z.string() }),
        responseFormat: "content_and_artifact",
      }),
      tool(async (input) => input, {
        name: "json",
        description: "",
        schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      }),
    ] as const;
    const model = new ScriptedModel([
      { name: "upper", args: { text: "a" } },
      { name: "say", args: { input: "hi" } },
      { name: "double", args: { n: "4" } },
      { name: "search", args: { q: "x" } },
      { name: "json", args: { a: "5" } },
    ]);
    const results = await toolChain(model, kinds).invoke("go");
    expect(results.map(({ output, error }) => output ?? error)).toEqual([
      "A1",
      "said hi",
      8,
      ["found x", { hits: 1 }],
      { a: 5 },
    ]);
  });
});

describe("the remedies, in order", () => {
  const tried = async (
    options: Parameters<typeof toolChain>[2],
    answers: ConstructorParameters<typeof ScriptedModel>,
  ) => {
    reset();
    const attempts: AttemptEvent[] = [];
    const model = new ScriptedModel(...answers);
    const onAttempt = (event: AttemptEvent) => attempts.push(event);
    const chain = toolChain(model, tools, { ...options, onAttempt });
    const outcome = await chain.invoke("go").catch((error: unknown) => error);
    return { outcome, model, attempts };
  };

  test("onUnfixable comes first: JSON is run, a string is the answer", async () => {
    const json = await tried({ onUnfixable: () => ({ selector: "#b" }), selfCorrect: {} }, [
      [wrong],
    ]);
    expect(json.outcome).toMatchObject([
      { ok: true, toolInput: { selector: "#b" }, repairs: [{ fixer: "onUnfixable" }] },
    ]);
    const text = await tried({ onUnfixable: () => "look first", selfCorrect: {} }, [
      [wrong, { name: "clik_it_now", args: {} }],
    ]);
    expect(text.outcome).toMatchObject([
      { ok: false, name: "click", toolInput: { x: 1 }, observation: "look first" },
      { ok: false, name: "clik_it_now", observation: "look first" },
    ]);
    expect(text.attempts).toMatchObject([{ attempt: 1, ok: true, errors: [] }]);
  });

  test('onUnfixable "tellModel" is what comes after all remedies', async () => {
    reset();
    const other = { name: "click", args: { y: 1 } };
    const model = new ScriptedModel([wrong, clicked("#b")], [other]);
    const options = { onUnfixable: "tellModel", selfCorrect: {} } as const;
    expect(await toolChain(model, tools, options).invoke("go")).toMatchObject([
      { ok: false, observation: expect.stringMatching(/^The input of tool "click" was not/) },
      { ok: true, toolInput: { selector: "#b" } },
    ]);
  });

  test("then self-correction, then the fallback, then the error with all that came before", async () => {
    const other = { name: "click", args: { y: 2 } };
    const better = new ScriptedModel([{ name: "click", args: { z: 3 } }], [wrong]);
    const { outcome, attempts, model } = await tried({ selfCorrect: {}, fallbacks: [better] }, [
      [wrong],
      [other],
    ]);
    expect(outcome).toBeInstanceOf(ToolInputError);
    expect(outcome).toMatchObject({ causingData: { x: 1 } });
    expect((outcome as Error).cause).toMatchObject({ causingData: { y: 2 } });
    expect(attempts).toMatchObject([
      { attempt: 1, remedy: "first", ok: false },
      { attempt: 2, remedy: "self-correction", ok: false, stopped: "attempts" },
      { attempt: 3, remedy: "fallback", ok: false },
      { attempt: 4, remedy: "self-correction", ok: false, stopped: "attempts" },
    ]);
    expect(attempts.map(({ errors }) => (errors[0] as ToolInputError).causingData)).toEqual([
      { x: 1 },
      { y: 2 },
      { z: 3 },
      { x: 1 },
    ]);
    expect(model.asked).toHaveLength(2);
    expect(better.asked[0]?.messages).toMatchObject([{ content: "go" }]);
    expect(ran).toEqual([]);
  });

  test("fallbackWhen says no: thrown at once", async () => {
    const better = new ScriptedModel([clicked("#a")]);
    const { outcome } = await tried({ fallbacks: [better], fallbackWhen: () => false }, [[wrong]]);
    expect(outcome).toMatchObject({ causingData: { x: 1 } });
    expect(better.asked).toEqual([]);
  });

  test("what a model throws is thrown, and no reason for the next", async () => {
    const down = new Error("rate limit");
    const { outcome } = await tried({ fallbacks: [new ScriptedModel()] }, [down]);
    expect(outcome).toBe(down);
  });

  test("usage is told of each attempt and summed", async () => {
    const { attempts } = await tried({ selfCorrect: {} }, [[wrong], [clicked("#a")]]);
    expect(attempts).toMatchObject([
      { usage: { total_tokens: 15 }, totalUsage: { total_tokens: 15 } },
      { usage: { total_tokens: 15 }, totalUsage: { total_tokens: 30 } },
    ]);
  });
});

describe("self-correction of one call among many", () => {
  const correct = (...answers: ConstructorParameters<typeof ScriptedModel>) => {
    reset();
    const model = new ScriptedModel(...answers);
    return { model, chain: toolChain(model, tools, { selfCorrect: { maxAttempts: 3 } }) };
  };

  test("the accepted ones wait, run once, and keep their place", async () => {
    const { model, chain } = correct([adding(1, 2), wrong, adding(3, 4)], [clicked("#a")]);
    const results = await chain.invoke("go");
    expect(results.map(({ id, output }) => [id, output])).toEqual([
      ["call_1_1", 3],
      ["call_2_1", { clicked: "#a" }],
      ["call_1_3", 7],
    ]);
    expect(ran).toHaveLength(3);
    const [, ai, ...answers] = model.asked[1]?.messages ?? [];
    expect(ai).toMatchObject({
      tool_calls: [{ id: "call_1_1" }, { id: "call_1_2", args: { x: 1 } }, { id: "call_1_3" }],
    });
    expect(answers.slice(0, 3)).toMatchObject([
      { tool_call_id: "call_1_1", status: "success", content: expect.stringMatching(/^Accepted/) },
      { tool_call_id: "call_1_2", status: "error" },
      { tool_call_id: "call_1_3", status: "success" },
    ]);
    expect(model.asked[1]?.toolChoice).toBe("click");
  });

  test("an accepted call that is made again is not run twice; a new one is added", async () => {
    const { chain } = correct([adding(1, 2), wrong], [adding(1, 2), clicked("#a"), adding(5, 5)]);
    const results = await chain.invoke("go");
    expect(results.map(({ output }) => output)).toEqual([3, { clicked: "#a" }, 10]);
    expect(ran).toHaveLength(3);
  });

  test("corrected calls take the places of those of the same tool", async () => {
    const { chain } = correct(
      [wrong, { name: "add", args: { left: 1 } }],
      [adding(1, 1), clicked("#a")],
    );
    expect((await chain.invoke("go")).map(({ name }) => name)).toEqual(["click", "add"]);
  });

  test("another tool may be called in its place", async () => {
    const { chain } = correct([wrong], [adding(1, 1)]);
    expect(await chain.invoke("go")).toMatchObject([{ name: "add", output: 2 }]);
  });

  test("a call that was not made again is asked for again", async () => {
    const typo = { name: "add", args: { left: 1 } };
    const { model, chain } = correct([wrong, typo], [clicked("#a")], [adding(1, 1)]);
    expect((await chain.invoke("go")).map(({ output }) => output)).toEqual([{ clicked: "#a" }, 2]);
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([undefined, "any", "add"]);
  });

  test("a model that does not call again is not asked again", async () => {
    const stopped: unknown[] = [];
    const model = new ScriptedModel([wrong], new AIMessage("Sorry."));
    const onAttempt = (event: AttemptEvent) => stopped.push(event.stopped);
    const chain = toolChain(model, tools, { selfCorrect: { maxAttempts: 5, onAttempt } });
    await expect(chain.invoke("go")).rejects.toMatchObject({ causingData: { x: 1 } });
    expect(stopped).toEqual([undefined, "no-call"]);
  });

  test("a model that makes the same mistake again is not asked again", async () => {
    const stopped: unknown[] = [];
    const model = new ScriptedModel([wrong], [wrong]);
    const onAttempt = (event: AttemptEvent) => stopped.push(event.stopped);
    const chain = toolChain(model, tools, { selfCorrect: { maxAttempts: 5, onAttempt } });
    await expect(chain.invoke("go")).rejects.toThrow(ToolInputError);
    expect(stopped).toEqual([undefined, "repeated"]);
  });

  test("a provider that refuses to force a call is asked without", async () => {
    const refusal = new Error("400: tool_choice is not supported with thinking");
    const { model, chain } = correct([wrong], refusal, [clicked("#a")]);
    expect(await chain.invoke("go")).toMatchObject([{ ok: true }]);
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      "click",
      undefined,
    ]);
  });

  test("forceToolCall: false asks without, and the request can be another", async () => {
    const model = new ScriptedModel([wrong], [clicked("#a")]);
    const selfCorrect = { forceToolCall: false, prompt: "Noch einmal!" };
    await toolChain(model, tools, { selfCorrect }).invoke("go");
    expect(model.asked[1]?.toolChoice).toBeUndefined();
    expect(model.asked[1]?.messages.at(-1)?.content).toBe("Noch einmal!");
  });

  test("calls without an id get one, and so does one whose id is taken", async () => {
    const twice = (args: object) => ({ name: "click", args, id: "same" });
    const { model, chain } = correct(
      [twice({ x: 1 }), twice({ selector: "#b" })],
      [{ name: "click", args: { selector: "#a" }, id: "same" }],
    );
    const results = await chain.invoke("go");
    expect(new Set(results.map(({ id }) => id)).size).toBe(2);
    const [, ai, one, other] = model.asked[1]?.messages ?? [];
    const ids = (ai as AIMessage).tool_calls?.map(({ id }) => id);
    expect(ids).toEqual(["same", expect.stringMatching(/^call_/)]);
    expect([one, other]).toMatchObject(ids?.map((id) => ({ tool_call_id: id })) ?? []);
  });
});

describe("what is thrown", () => {
  const model = () => new ScriptedModel([clicked("#broken"), adding(1, 2)]);

  test("a failing tool's error is in its result; the others are not lost", async () => {
    const results = await toolChain(model(), tools).invoke("go");
    expect(results).toMatchObject([
      {
        ok: false,
        name: "click",
        toolInput: { selector: "#broken" },
        error: { message: "no such element" },
      },
      { ok: true, output: 3 },
    ]);
  });

  test('throwOn "any" throws it', async () => {
    const chain = toolChain(model(), tools, { throwOn: "any" });
    await expect(chain.invoke("go")).rejects.toThrow(RangeError);
  });

  test("a refused call has no observation, as nobody has answered it", async () => {
    reset();
    const model = new ScriptedModel([wrong]);
    const [result] = await toolChain(model, tools, { throwOn: "none" }).invoke("go");
    expect(result).toMatchObject({ ok: false, name: "click" });
    expect(result).not.toHaveProperty("observation");
  });

  test("a refused call is thrown, and no tool is run", async () => {
    reset();
    const chain = toolChain(
      new ScriptedModel([adding(1, 2), wrong, { name: "nope", args: {} }]),
      tools,
    );
    const error = await chain.invoke("go").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ toolName: "click", cause: { toolName: "nope" } });
    expect(ran).toEqual([]);
  });

  test('throwOn "none": it is in the results, and the others are run', async () => {
    const asked = new ScriptedModel([adding(1, 2), wrong]);
    const results = await toolChain(asked, tools, { throwOn: "none" }).invoke("go");
    expect(results).toMatchObject([
      { ok: true, output: 3 },
      {
        ok: false,
        name: "click",
        toolInput: { x: 1 },
        repairs: [],
        error: { name: "ToolInputError" },
      },
    ]);
  });

  test("interrupts pass through, when all tools have ended", async () => {
    const interrupt = new GraphInterrupt([]);
    let ended = false;
    const ask = tool(
      () => {
        throw interrupt;
      },
      { name: "ask", description: "", schema: z.object({}) },
    );
    const slow = tool(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        ended = true;
      },
      { name: "slow", description: "", schema: z.object({}) },
    );
    const both = new ScriptedModel([
      { name: "ask", args: {} },
      { name: "slow", args: {} },
    ]);
    await expect(toolChain(both, [ask, slow], { throwOn: "none" }).invoke("go")).rejects.toBe(
      interrupt,
    );
    expect(ended).toBe(true);
  });

  test("an abort ends it", async () => {
    const abort = new AbortController();
    const stuck = new ScriptedModel(() => {
      abort.abort(new Error("enough"));
      return [wrong];
    });
    const chain = toolChain(stuck, tools, { selfCorrect: { maxAttempts: 9 } });
    await expect(chain.invoke("go", { signal: abort.signal })).rejects.toThrow();
    expect(stuck.asked).toHaveLength(1);
  });

  test("wrong use is a TypeError, at once", () => {
    const model = new ScriptedModel();
    expect(() => toolChain(model.bindTools([]) as never, tools)).toThrow(TypeError);
    expect(() => toolChain(undefined as never, tools)).toThrow(TypeError);
    expect(() => toolChain(model, [click, click])).toThrow(/two tools named "click"/);
    expect(() => toolChain(model, [{ name: "x", schema: 5, invoke: async () => 1 }])).toThrow(
      TypeError,
    );
    expect(() => toolChain(model, tools, { selfCorrect: { maxAttempts: 0 } })).toThrow(TypeError);
    expect(() => toolChain(model, tools, { fallbacks: [{} as never] })).toThrow(TypeError);
  });
});

describe("what is seen", () => {
  test("runs have names; each attempt that was refused is a run of the tool that failed, without its input", async () => {
    const names: string[] = [];
    const seen: unknown[] = [];
    const handler = {
      handleChainStart: (...args: unknown[]) => names.push(args[7] as string),
      handleToolStart: (_: unknown, input: string, ...rest: unknown[]) =>
        seen.push([input, (rest[3] as Record<string, unknown>).toolmend_fixers]),
      handleToolError: () => seen.push("error"),
      handleToolEnd: () => seen.push("end"),
    };
    const better = new ScriptedModel([{ name: "click", args: { element: "#a" } }]);
    const model = new ScriptedModel([wrong], [wrong]);
    const chain = toolChain(model, tools, { fixers, selfCorrect: {}, fallbacks: [better] });
    await chain.invoke("go", { callbacks: [handler as never] });
    await awaitAllCallbacks();
    expect(names).toEqual(["toolChain", "first:1", "self-correction:2", "fallback:3"]);
    expect(seen).toEqual([
      ["{}", undefined],
      "error",
      ["{}", undefined],
      "error",
      ['{"selector":"#a"}', "renameKey"],
      "end",
    ]);
  });

  test("onRepair is told once of each repaired call", async () => {
    const events: RepairEvent[] = [];
    const model = new ScriptedModel([{ name: "Click", args: { selector: 5 } }, adding(1, 2)]);
    await toolChain(model, tools, { onRepair: (event) => void events.push(event) }).invoke("go");
    expect(events).toMatchObject([
      {
        toolName: "click",
        rawToolInput: { selector: 5 },
        toolInput: { selector: "5" },
        nameRepair: { before: "Click" },
        toolCall: { id: "call_1_1" },
      },
    ]);
  });

  test("what a watcher throws does not matter", async () => {
    const throws = () => {
      throw new Error("watcher");
    };
    for (const onAttempt of [throws, async () => throws()]) {
      const chain = toolChain(new ScriptedModel([adding(1, 2)]), tools, { onAttempt });
      expect(await chain.invoke("go")).toMatchObject([{ output: 3 }]);
    }
  });
});

test("a result has its input under the old name too, but is not printed with it", async () => {
  const chain = toolChain(
    new ScriptedModel([clicked("#a"), { name: "click", args: { x: 1 } }]),
    tools,
    {
      throwOn: "none",
    },
  );
  const results = await chain.invoke("go");
  expect(results.map((result) => result.input)).toEqual([{ selector: "#a" }, { x: 1 }]);
  expect(results.map((result) => result.toolInput)).toEqual([{ selector: "#a" }, { x: 1 }]);
  expect(results.flatMap(Object.keys)).not.toContain("input");
});

test("types: inputs and outputs by the tool's name", async () => {
  const chain = toolChain(new ScriptedModel([adding(1, 2), clicked("#a")]), tools);
  const results = await chain.invoke("go");
  const sum: (number | { clicked: string } | undefined)[] = results.map(({ output }) => output);
  expect(sum).toHaveLength(2);
  for (const result of results) {
    if (!result.ok) {
      const error: Error = result.error;
      expect(error).toBeUndefined();
    } else if (result.name === "add") {
      const [left, total]: [number, number] = [result.toolInput.left, result.output];
      expect([left, total]).toEqual([1, 3]);
      // @ts-expect-error: add has no selector
      expect(result.toolInput.selector).toBeUndefined();
    } else {
      const selector: string = result.output.clicked;
      expect(selector).toBe("#a");
      // @ts-expect-error: it returns no number
      const wrongly: number = result.output;
      expect(wrongly).toEqual({ clicked: "#a" });
    }
  }
  const wide: ToolChainResult[] = results as never;
  expect(wide).toBe(results);
  // @ts-expect-error: no such option
  expect(() => toolChain(new ScriptedModel(), tools, { selfCorect: {} })).toThrow(/selfCorrect/);
  // @ts-expect-error: a chain takes what a chat model takes
  const odd = chain.invoke({ input: "go" });
  await expect(odd).rejects.toThrow();
});

test("one onAttempt that is given in both places is told once of an attempt", async () => {
  const onAttempt = jest.fn();
  const chain = toolChain(new ScriptedModel([clicked("#a")]), tools, {
    onAttempt,
    selfCorrect: { onAttempt },
  });
  await chain.invoke("go");
  expect(onAttempt).toHaveBeenCalledTimes(1);
});
