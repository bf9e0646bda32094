import { describe, expect, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import {
  type Runnable,
  type RunnableBinding,
  RunnableLambda,
  RunnableSequence,
} from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { GraphInterrupt } from "@langchain/langgraph";
import { ToolInputError, wrapTool } from "toolmend";
import { type AttemptEvent, selfCorrecting, toolChain } from "toolmend/runnables";
import { z } from "zod";
import { complete, complexTool, forgetful } from "./complex-tool.ts";
import { type Answer, ScriptedModel } from "./scripted-model.ts";

const prompt = ChatPromptTemplate.fromMessages([["human", "{what}"]]);
const runFirst = (message: AIMessage) =>
  wrapTool(complexTool).invoke(message.tool_calls?.[0] as never);
const firstArgs = (message: AIMessage) => message.tool_calls?.[0]?.args as never;

function make(...answers: Answer[]) {
  const model = new ScriptedModel(...answers);
  return { model, bound: model.bindTools([complexTool]), safe: wrapTool(complexTool) };
}

describe("where the messages go", () => {
  const builds: [string, (bound: Runnable) => Runnable, unknown][] = [
    ["after the prompt", (bound) => prompt.pipe(bound).pipe(runFirst), { what: "go" }],
    ["a text", (bound) => bound.pipe(runFirst), "go"],
    ["messages", (bound) => bound.pipe(runFirst), [new HumanMessage("go")]],
    [
      "a sequence with a config",
      (bound) =>
        prompt
          .pipe(bound)
          .pipe(runFirst)
          .withConfig({ tags: ["t"] }),
      { what: "go" },
    ],
    [
      "a function before the model",
      (bound) => RunnableSequence.from([(input: { q: string }) => input.q, bound, runFirst]),
      { q: "go" },
    ],
    [
      "a model with retries and fallbacks of its own",
      (bound) => bound.withRetry({ stopAfterAttempt: 1 }).withFallbacks([bound]).pipe(runFirst),
      "go",
    ],
  ];

  test.each(builds)("%s", async (_, build, input) => {
    const { model, bound } = make(forgetful, complete);
    const message = await selfCorrecting(build(bound as never)).invoke(input);
    expect(message).toMatchObject({ content: "10.5" });
    expect(model.asked[1]?.messages.map((one) => one.getType())).toEqual([
      "human",
      "ai",
      "tool",
      "human",
    ]);
    expect(model.asked[1]?.messages[0]?.content).toBe("go");
    expect(model.asked[1]?.toolChoice).toBe("complex_tool");
  });

  const opaque = (bound: Runnable, read: (input: never) => unknown) =>
    RunnableLambda.from(async (input: unknown) => {
      const message = (await bound.invoke(read(input as never))) as AIMessage;
      return runFirst(message);
    });

  test.each([
    ["text", "go", undefined],
    ["messages", [new HumanMessage("go")], undefined],
    ["an object with messages", { messages: [new HumanMessage("go")] }, undefined],
    ["an object with a key that is named", { history: [] }, "history"],
    ["an object without that key", {}, "history"],
  ])("a chain that cannot be looked into: %s", async (_, input, messagesKey) => {
    const { model, bound } = make(forgetful, complete);
    const read = (given: { messages?: BaseMessage[]; history?: BaseMessage[] }) =>
      given.messages ?? given.history ?? (Array.isArray(given) ? given : [new HumanMessage("go")]);
    const chain = selfCorrecting(opaque(bound as never, read), { messagesKey });
    expect(await chain.invoke(input)).toMatchObject({ content: "10.5" });
    const types = model.asked[1]?.messages.map((one) => one.getType());
    expect(types?.slice(-3)).toEqual(["ai", "tool", "human"]);
  });

  test("a chain that cannot be looked into: the conversation grows there too", async () => {
    const { model, bound } = make(
      [{ name: "complex_tool", args: { int_arg: 1 } }],
      forgetful,
      complete,
    );
    const chain = selfCorrecting(
      opaque(bound as never, (messages) => messages),
      { maxAttempts: 3 },
    );
    expect(await chain.invoke([new HumanMessage("go")])).toMatchObject({ content: "10.5" });
    expect(model.asked.map(({ messages }) => messages.length)).toEqual([1, 4, 7]);
  });

  test("the guide's own prompt, with a placeholder for the messages", async () => {
    const { model, bound } = make(forgetful, complete);
    const guide = ChatPromptTemplate.fromMessages([
      ["human", "{input}"],
      new MessagesPlaceholder({ variableName: "last_output", optional: true }),
    ]);
    const chain = guide.pipe(bound).pipe(runFirst);
    const corrected = selfCorrecting(chain as Runnable, { messagesKey: "last_output" });
    expect(await corrected.invoke({ input: "go" })).toMatchObject({ content: "10.5" });
    expect(model.asked[1]?.messages).toHaveLength(4);
  });

  test("no place for them: a TypeError, before anything is run", async () => {
    const { model, bound } = make(forgetful);
    const chain = selfCorrecting(opaque(bound as never, () => "go"));
    await expect(chain.invoke({ what: "go" })).rejects.toThrow(/messagesKey/);
    await expect(chain.invoke({ what: "go" })).rejects.toThrow(TypeError);
    expect(model.asked).toEqual([]);
  });
});

describe("how often", () => {
  const attempt = (n: number): Answer => [{ name: "complex_tool", args: { int_arg: n } }];

  test("maxAttempts counts the first; the conversation grows", async () => {
    const { model, bound, safe } = make(attempt(1), attempt(2), complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    expect(await selfCorrecting(chain, { maxAttempts: 3 }).invoke({ what: "go" })).toBe(10.5);
    expect(model.asked[2]?.messages).toHaveLength(7);
    expect(model.asked[2]?.messages[4]).toMatchObject({ tool_calls: [{ args: { int_arg: 2 } }] });
  });

  test("then the last error is thrown, with those before it as its cause", async () => {
    const { model, bound, safe } = make(attempt(1), attempt(2), complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    const error = await selfCorrecting(chain)
      .invoke({ what: "go" })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      causingData: { int_arg: 2 },
      cause: { causingData: { int_arg: 1 } },
    });
    expect(model.asked).toHaveLength(2);
  });

  test("the same mistake again ends it", async () => {
    const events: AttemptEvent[] = [];
    const { model, bound, safe } = make(forgetful, forgetful, complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    const onAttempt = (event: AttemptEvent) => events.push(event);
    const corrected = selfCorrecting(chain, { maxAttempts: 9, onAttempt });
    await expect(corrected.invoke({ what: "go" })).rejects.toThrow(ToolInputError);
    expect(model.asked).toHaveLength(2);
    expect(events).toMatchObject([
      { attempt: 1, remedy: "first", ok: false, usage: { total_tokens: 15 } },
      {
        attempt: 2,
        remedy: "self-correction",
        ok: false,
        stopped: "repeated",
        totalUsage: { total_tokens: 30 },
        message: { tool_calls: [{ id: "call_2_1" }] },
      },
    ]);
  });

  test("one chain serves many runs at once, each with its own budget", async () => {
    const { model, bound, safe } = make(forgetful, forgetful, complete, complete);
    const chain = selfCorrecting(prompt.pipe(bound).pipe(firstArgs).pipe(safe));
    expect(await chain.batch([{ what: "a" }, { what: "b" }])).toEqual([10.5, 10.5]);
    expect(model.asked).toHaveLength(4);
  });
});

describe("what the model is shown", () => {
  test("of several calls the refused one alone, as what became of the others is not known", async () => {
    const both = [...complete, { name: "complex_tool", args: { int_arg: 1 } }];
    const { model, bound } = make(both, complete);
    const runAll = (message: AIMessage) =>
      Promise.all(
        (message.tool_calls ?? []).map((call) => wrapTool(complexTool).invoke(call as never)),
      );
    const chain = prompt.pipe(bound).pipe(runAll);
    expect(await selfCorrecting(chain).invoke({ what: "go" })).toMatchObject([{ content: "10.5" }]);
    const [, ai, answer, request] = model.asked[1]?.messages ?? [];
    expect(ai).toMatchObject({ tool_calls: [{ id: "call_1_2", args: { int_arg: 1 } }] });
    expect(answer).toMatchObject({ tool_call_id: "call_1_2" });
    expect(request?.getType()).toBe("human");
  });

  test("of several calls that are alike, the one with the id of the error", async () => {
    const twice = [...forgetful, ...forgetful];
    const { model, bound } = make(twice, complete);
    const runLast = (message: AIMessage) =>
      wrapTool(complexTool).invoke(message.tool_calls?.at(-1) as never);
    await selfCorrecting(prompt.pipe(bound).pipe(runLast)).invoke({ what: "go" });
    expect(model.asked[1]?.messages[1]).toMatchObject({ tool_calls: [{ id: "call_1_2" }] });
  });

  test("nothing of the other calls is left, in whatever form a provider has them", async () => {
    const args = forgetful[0]?.args ?? {};
    const blocks = ["a", "b"].map((id) => ({
      type: "tool_use",
      id,
      name: "complex_tool",
      input: args,
    }));
    const said = new AIMessage({
      content: [{ type: "text", text: "I call it twice." }, ...blocks],
      tool_calls: ["a", "b"].map((id) => ({ type: "tool_call", id, name: "complex_tool", args })),
    });
    const { model, bound } = make(said, complete);
    await selfCorrecting(prompt.pipe(bound).pipe(runFirst)).invoke({ what: "go" });
    expect(model.asked[1]?.messages[1]).toMatchObject({
      content: "I call it twice.",
      tool_calls: [{ id: "a" }],
    });
  });

  test("the call is known by its id, whatever the chain made of its arguments", async () => {
    const { model, bound } = make([...forgetful, ...forgetful], complete);
    const runChanged = (message: AIMessage) => {
      const call = message.tool_calls?.at(-1);
      const more = message.tool_calls?.length === 2 ? { more: true } : {};
      return wrapTool(complexTool).invoke({ ...call, args: { ...call?.args, ...more } } as never);
    };
    await selfCorrecting(prompt.pipe(bound).pipe(runChanged)).invoke({ what: "go" });
    expect(model.asked[1]?.messages).toMatchObject([
      { content: "go" },
      { tool_calls: [{ id: "call_1_2", args: forgetful[0]?.args }] },
      { tool_call_id: "call_1_2" },
      {},
    ]);
  });

  test("a message with one call is kept whole: providers want their thinking back", async () => {
    const [call] = forgetful;
    const said = new AIMessage({
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "tool_use", id: "c", name: "complex_tool", input: call?.args },
      ],
      id: "m",
      response_metadata: { model: "x" },
      tool_calls: [{ type: "tool_call", id: "c", name: "complex_tool", args: call?.args ?? {} }],
    });
    const { model, bound, safe } = make(said, complete);
    await selfCorrecting(prompt.pipe(bound).pipe(firstArgs).pipe(safe)).invoke({ what: "go" });
    expect(model.asked[1]?.messages[1]).toMatchObject({
      id: "m",
      content: said.content,
      response_metadata: { model: "x" },
    });
  });

  test("callbacks that are slow do not keep it from hearing the model", async () => {
    const handler = { handleLLMEnd: () => new Promise((resolve) => setTimeout(resolve, 50)) };
    const { model, bound, safe } = make(forgetful, complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    await selfCorrecting(chain).invoke({ what: "go" }, { callbacks: [handler as never] });
    await awaitAllCallbacks();
    expect(model.asked[1]?.messages[1]).toMatchObject({ id: "message_1" });
  });

  test("a call that was never heard of is made from the error", async () => {
    const asked: BaseMessage[][] = [];
    const chain = RunnableLambda.from((messages: BaseMessage[]) => {
      asked.push(messages);
      const args = messages.length > 1 ? complete[0]?.args : forgetful[0]?.args;
      return wrapTool(complexTool).invoke(args as never);
    });
    const corrected = selfCorrecting(chain);
    expect(await corrected.invoke([new HumanMessage("go")])).toBe(10.5);
    expect(asked[1]?.[1]).toMatchObject({
      tool_calls: [{ id: "call_1", name: "complex_tool", args: forgetful[0]?.args }],
    });
    expect(asked[1]?.[2]).toMatchObject({ tool_call_id: "call_1" });
  });

  test("never a stack, nor a path of this machine", async () => {
    const { model, bound } = make(forgetful, complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(complexTool);
    await selfCorrecting(chain).invoke({ what: "go" });
    const text = JSON.stringify(model.asked[1]?.messages);
    expect(text).not.toMatch(/\s+at .*:\d+:\d+|node_modules|__tests__/);
  });
});

describe("what is no reason to ask again", () => {
  const boom = tool(
    () => {
      throw new RangeError("boom");
    },
    { name: "boom", description: "", schema: z.object({}) },
  );

  test("a tool's own failure, a model's, an interrupt", async () => {
    const model = new ScriptedModel([{ name: "boom", args: {} }]);
    const chain = prompt
      .pipe(model.bindTools([boom]))
      .pipe(firstArgs)
      .pipe(wrapTool(boom));
    await expect(selfCorrecting(chain).invoke({ what: "go" })).rejects.toThrow(RangeError);
    const down = prompt
      .pipe(make(new Error("down")).bound)
      .pipe(firstArgs)
      .pipe(complexTool);
    await expect(selfCorrecting(down).invoke({ what: "go" })).rejects.toThrow("down");
    const interrupt = new GraphInterrupt([]);
    const stops = prompt.pipe(make(complete).bound).pipe((): number => {
      throw interrupt;
    });
    await expect(selfCorrecting(stops).invoke({ what: "go" })).rejects.toBe(interrupt);
  });

  test("an abort", async () => {
    const abort = new AbortController();
    const { model, bound, safe } = make(() => {
      abort.abort();
      return forgetful;
    }, complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    await expect(
      selfCorrecting(chain).invoke({ what: "go" }, { signal: abort.signal }),
    ).rejects.toThrow();
    expect(model.asked).toHaveLength(1);
  });

  test("a provider that refuses to force a call is asked without", async () => {
    const refusal = new Error("tool_choice: not supported");
    const { model, bound, safe } = make(forgetful, refusal, complete);
    const chain = prompt.pipe(bound).pipe(firstArgs).pipe(safe);
    expect(await selfCorrecting(chain).invoke({ what: "go" })).toBe(10.5);
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      undefined,
      "complex_tool",
      undefined,
    ]);
  });
});

describe("what is seen", () => {
  test("runs have names; a tool's callbacks run for the attempt that succeeded only", async () => {
    const names: unknown[] = [];
    const tools: unknown[] = [];
    const handler = {
      handleChainStart: (...args: unknown[]) => names.push(args[7]),
      handleToolStart: (_: unknown, input: string) => tools.push(input),
      handleToolError: () => tools.push("error"),
    };
    const { bound, safe } = make(forgetful, complete);
    const chain = selfCorrecting(prompt.pipe(bound).pipe(firstArgs).pipe(safe));
    await chain.invoke({ what: "go" }, { callbacks: [handler as never] });
    await awaitAllCallbacks();
    expect(names).toEqual(
      expect.arrayContaining(["selfCorrecting", "first:1", "self-correction:2"]),
    );
    expect(tools).toEqual([JSON.stringify(complete[0]?.args)]);
  });

  test("listeners and the config of a chain hold for the retry too", async () => {
    const tags: unknown[] = [];
    let ended = 0;
    const handler = { handleToolStart: (...args: unknown[]) => tags.push(args[4]) };
    const { bound, safe } = make(forgetful, complete);
    const chain = prompt
      .pipe(bound)
      .pipe(firstArgs)
      .pipe(safe)
      .withConfig({ tags: ["mine"] });
    const heard = (chain as unknown as RunnableBinding<object, unknown>).withListeners({
      onEnd: () => {
        ended += 1;
      },
    });
    await selfCorrecting(heard).invoke({ what: "go" }, { callbacks: [handler as never] });
    await awaitAllCallbacks();
    expect(tags).toEqual([expect.arrayContaining(["mine"])]);
    expect(ended).toBe(1);
  });

  test("a chain in a stream is given the config that it is given otherwise", async () => {
    const given: string[][] = [];
    const chain = RunnableLambda.from((input: string, options: object) => {
      given.push(Object.keys(options).sort());
      return input;
    });
    await selfCorrecting(chain).invoke("go");
    for await (const _ of await selfCorrecting(chain).stream("go"));
    expect(given[1]).toEqual(given[0]);
  });

  test("a stream gives the corrected output, in one piece", async () => {
    const { bound, safe } = make(forgetful, complete);
    const chain = selfCorrecting(prompt.pipe(bound).pipe(firstArgs).pipe(safe));
    const chunks = [];
    for await (const chunk of await chain.stream({ what: "go" })) chunks.push(chunk);
    expect(chunks).toEqual([10.5]);
  });
});

test("of a tool chain, it is the chain's own remedy; after a prompt too", async () => {
  const model = new ScriptedModel(forgetful, complete);
  const chain = prompt.pipe(toolChain(model, [complexTool])).pipe((results) => results[0]?.output);
  expect(await selfCorrecting(chain).invoke({ what: "go" })).toBe(10.5);
  expect(model.asked[1]?.toolChoice).toBe("complex_tool");
});

test("wrong use is a TypeError, at once", () => {
  expect(() => selfCorrecting(make().bound, { maxAttempts: -1 })).toThrow(TypeError);
});

test("types: input and output stay", async () => {
  const { bound, safe } = make(complete);
  const chain = selfCorrecting(prompt.pipe(bound).pipe(firstArgs).pipe(safe));
  const output: number | ToolMessage = await chain.invoke({ what: "go" });
  expect(output).toBe(10.5);
  // @ts-expect-error: no such option
  expect(selfCorrecting(chain, { attempts: 3 })).toBeDefined();
});
