import { describe, expect, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import type { AIMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import { GraphInterrupt } from "@langchain/langgraph";
import { ToolInputError, wrapTool } from "toolmend";
import {
  type AttemptEvent,
  selfCorrecting,
  toolChain,
  withModelFallback,
} from "toolmend/runnables";
import { complete, complexTool, forgetful } from "./complex-tool.ts";
import { type Answer, ScriptedModel } from "./scripted-model.ts";

const firstArgs = (message: AIMessage) => message.tool_calls?.[0]?.args as never;
const chainOf = (...answers: Answer[]) =>
  new ScriptedModel(...answers)
    .bindTools([complexTool])
    .pipe(firstArgs)
    .pipe(wrapTool(complexTool));
const failing = (error: unknown): Runnable<string, number> =>
  RunnableLambda.from((_: string): number => {
    throw error;
  });
const refusal = (causingData: string) =>
  new ToolInputError({ toolName: "complex_tool", causingData, issues: [] });

describe("when", () => {
  test("other errors are thrown at once", async () => {
    const down = new Error("rate limit");
    let asked = false;
    const next = RunnableLambda.from((_: string) => {
      asked = true;
      return 1;
    });
    await expect(withModelFallback(failing(down), [next]).invoke("go")).rejects.toBe(down);
    expect(asked).toBe(false);
    const when = (error: Error) => error === down;
    expect(await withModelFallback(failing(down), [next], { when }).invoke("go")).toBe(1);
    const not = withModelFallback(failing(refusal("a")), [next], { when });
    await expect(not.invoke("go")).rejects.toThrow(ToolInputError);
  });

  test("interrupts and aborts pass through, whatever the predicate says", async () => {
    const interrupt = new GraphInterrupt([]);
    const chain = withModelFallback(failing(interrupt), [failing(refusal("a"))], {
      when: () => true,
    });
    await expect(chain.invoke("go")).rejects.toBe(interrupt);
    const abort = new AbortController();
    const aborting = RunnableLambda.from((_: string): number => {
      abort.abort();
      throw refusal("a");
    });
    const stopped = withModelFallback(aborting, [RunnableLambda.from((_: string) => 1)]);
    await expect(stopped.invoke("go", { signal: abort.signal })).rejects.not.toBe(1);
  });

  test("all fail: the last refusal, with those before it as cause", async () => {
    const chain = withModelFallback(failing(refusal("a")), [
      failing(refusal("b")),
      failing(refusal("c")),
    ]);
    const error = await chain.invoke("go").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ToolInputError", causingData: "c" });
    expect((error as Error).cause).toBeInstanceOf(AggregateError);
    expect(((error as Error).cause as AggregateError).errors).toMatchObject([
      { causingData: "a" },
      { causingData: "b" },
    ]);
  });

  test("composes with withFallbacks, inside and outside", async () => {
    const one = RunnableLambda.from((_: string) => 1);
    const outside = withModelFallback(failing(refusal("a")), [failing(refusal("b"))]);
    expect(await outside.withFallbacks([one]).invoke("go")).toBe(1);
    const thrown = await outside
      .withFallbacks([failing(new Error("c"))])
      .invoke("go")
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ causingData: "b", cause: { causingData: "a" } });
    const inside = failing(new Error("down")).withFallbacks([failing(refusal("a"))]) as Runnable<
      string,
      number
    >;
    await expect(withModelFallback(inside, [one]).invoke("go")).rejects.toThrow("down");
  });

  test("attempts are told, and their runs have names", async () => {
    const events: AttemptEvent[] = [];
    const names: unknown[] = [];
    const handler = { handleChainStart: (...args: unknown[]) => names.push(args[7]) };
    const chain = withModelFallback(
      failing(refusal("a")),
      [RunnableLambda.from((_: string) => 1)],
      {
        onAttempt: (event) => events.push(event),
      },
    );
    await chain.invoke("go", { callbacks: [handler as never] });
    await awaitAllCallbacks();
    expect(events).toMatchObject([
      { attempt: 1, remedy: "first", ok: false, errors: [{ causingData: "a" }] },
      { attempt: 2, remedy: "fallback", ok: true, errors: [] },
    ]);
    expect(names).toEqual(["withModelFallback", "first:1", "fallback:2"]);
  });
});

describe("a better model takes the model's place", () => {
  const prompt = ChatPromptTemplate.fromMessages([["human", "{what}"]]);
  const better = () => {
    const model = new ScriptedModel(complete);
    return { model, bound: model.bindTools([complexTool], { tool_choice: "complex_tool" }) };
  };

  test("in a sequence, after a prompt, with a config", async () => {
    const chains: Runnable<{ what: string }, unknown>[] = [
      prompt.pipe(chainOf(forgetful)),
      prompt.pipe(chainOf(forgetful)).withConfig({ tags: ["t"] }),
    ];
    for (const chain of chains) {
      const { model, bound } = better();
      expect(await withModelFallback(chain, [bound]).invoke({ what: "go" })).toBe(10.5);
      expect(model.asked).toMatchObject([
        { messages: [{ content: "go" }], toolChoice: "complex_tool" },
      ]);
    }
  });

  test("in a tool chain: with the chain's tools and remedies", async () => {
    const model = new ScriptedModel(forgetful, complete);
    const chain = selfCorrecting(toolChain(new ScriptedModel(forgetful, forgetful), [complexTool]));
    expect(await withModelFallback(chain, [model]).invoke("go")).toMatchObject([{ output: 10.5 }]);
    expect(model.asked).toHaveLength(2);
  });

  test("in a tool chain after a prompt, or with a config", async () => {
    for (const build of [
      (chain: Runnable) => prompt.pipe(chain),
      (chain: Runnable) => prompt.pipe(chain).pipe((results: unknown) => results),
      (chain: Runnable) => prompt.pipe(chain.withConfig({ tags: ["t"] })),
    ]) {
      const chain = build(toolChain(new ScriptedModel(forgetful), [complexTool]) as never);
      const fallback = withModelFallback(chain, [new ScriptedModel(complete)]);
      expect(await fallback.invoke({ what: "go" })).toMatchObject([{ output: 10.5 }]);
    }
  });

  test("models and chains may be mixed", async () => {
    const chain = toolChain(new ScriptedModel(forgetful), [complexTool]);
    const other = toolChain(new ScriptedModel(complete), [complexTool]);
    const mixed = withModelFallback(chain, [new ScriptedModel(forgetful), other]);
    expect(await mixed.invoke("go")).toMatchObject([{ output: 10.5 }]);
  });

  test("wrong use is a TypeError, at once", () => {
    const opaque = failing(refusal("a"));
    expect(() => withModelFallback(opaque, [])).toThrow(/at least one/);
    expect(() => withModelFallback(opaque, [new ScriptedModel()])).toThrow(/no place for a model/);
    const unbound = () => withModelFallback(chainOf(forgetful), [new ScriptedModel()]);
    expect(unbound).toThrow(/tools bound/);
  });
});

test("types: input and output stay", async () => {
  const chain = withModelFallback(chainOf(forgetful), [chainOf(complete)]);
  const output: number | ToolMessage = await chain.invoke("go");
  expect(output).toBe(10.5);
  // @ts-expect-error: a fallback returns what the chain does
  expect(withModelFallback(chain, [RunnableLambda.from(() => "text")])).toBeDefined();
});
