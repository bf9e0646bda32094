import { describe, expect, test } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { Command, GraphInterrupt, NodeInterrupt, ParentCommand } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createFixerRegistry, renameKey, ToolInputError, wrapTool } from "toolmend";
import { type ToolFailure, toolChain, withToolErrors } from "toolmend/runnables";
import { z } from "zod";
import { complexTool } from "../../../support/langchain/runnables/complex-tool.ts";
import { ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

const schema = z.object({ selector: z.string() });
const clickWith = (run: (input: { selector: string }) => unknown) =>
  tool(async (input) => run(input), { name: "click", description: "", schema });
const call = (args: object, id = "call_1") => ({
  type: "tool_call" as const,
  id,
  name: "click",
  args,
});

class PrivateTool extends StructuredTool {
  name = "click" as const;
  description = "";
  schema = schema;
  #clicks = 0;
  get clicks() {
    return this.#clicks;
  }
  protected async _call(): Promise<string> {
    this.#clicks += 1;
    throw new RangeError("no such page");
  }
}

describe("a tool", () => {
  test("runs as before where nothing is wrong", async () => {
    const safe = withToolErrors(clickWith(({ selector }) => ({ clicked: selector })));
    expect(await safe.invoke({ selector: "#a" })).toEqual({ clicked: "#a" });
    const message = await safe.invoke(call({ selector: "#a" }));
    expect(message).toMatchObject({ status: "success", content: '{"clicked":"#a"}' });
  });

  test("its input is repaired first", async () => {
    const fixers = createFixerRegistry();
    fixers.register("click", renameKey("element", "selector"));
    const click = clickWith(({ selector }) => selector);
    const input = { element: "#a" } as never;
    const strict = { level: "strict" } as const;
    expect(await withToolErrors(click, strict).invoke(input)).toMatch(/raised the following error/);
    expect(await withToolErrors(click, { ...strict, fixers }).invoke(input)).toBe("#a");
    expect(await withToolErrors(wrapTool(click, fixers, strict)).invoke(input)).toBe("#a");
  });

  test("a bad input is told by what is wrong with it, and the tool is not run", async () => {
    let runs = 0;
    const safe = withToolErrors(clickWith(() => runs++));
    const text = await safe.invoke({} as never);
    const [head, args, raised, ...rest] = String(text).split("\n\n");
    expect([head, args, raised]).toEqual([
      'Calling tool "click" with arguments:',
      "{}",
      "raised the following error:",
    ]);
    expect(rest.join("\n\n")).toMatch(
      /^The input of tool "click" was not accepted.*\n- selector: expected string, received nothing\n/,
    );
    expect(runs).toBe(0);
  });

  test("a failing tool is told by its error, its TypeErrors too", async () => {
    for (const error of [new RangeError("no such page"), new TypeError("x is undefined")]) {
      const safe = withToolErrors(
        clickWith(() => {
          throw error;
        }),
      );
      expect(await safe.invoke({ selector: "#a" })).toBe(
        `Calling tool "click" with arguments:\n\n{"selector":"#a"}\n\nraised the following error:\n\n${error.name}: ${error.message}`,
      );
    }
    const odd = withToolErrors(
      clickWith(() => {
        throw "text";
      }),
    );
    expect(await odd.invoke({ selector: "#a" })).toMatch(/Error: text$/);
  });

  test("a tool call gets a message with its id", async () => {
    const safe = withToolErrors(new PrivateTool());
    const message = await safe.invoke(call({ selector: "#a" }));
    expect(ToolMessage.isInstance(message)).toBe(true);
    expect(message).toMatchObject({
      status: "error",
      tool_call_id: "call_1",
      name: "click",
      content: expect.stringMatching(/RangeError: no such page$/),
    });
    const refused = await safe.invoke(call({ x: 1 }, "call_2"));
    expect(refused).toMatchObject({ status: "error", tool_call_id: "call_2" });
    expect(
      await safe.invoke({ selector: "#a" }, { toolCall: call({}, "call_3") } as never),
    ).toMatchObject({
      tool_call_id: "call_3",
    });
    const withoutId = { type: "tool_call", name: "click", args: { x: 1 } } as never;
    expect(await safe.invoke(withoutId)).toMatch(/^Calling tool "click"/);
  });

  test("never a stack, even where the message holds one", async () => {
    const inner = new Error("deep");
    const safe = withToolErrors(
      clickWith(() => {
        throw new Error(`failed: ${inner.stack}\n    at async Page.click (native)`);
      }),
    );
    const text = (await safe.invoke({ selector: "#a" })) as string;
    expect(text).toMatch(/Error: failed: Error: deep$/);
    expect(text).not.toMatch(/\bat\b.*:\d+/);
  });

  test("what is long is cut", async () => {
    const safe = withToolErrors(
      clickWith(() => {
        throw new Error("y".repeat(5_000));
      }),
    );
    const text = (await safe.invoke({ selector: "x".repeat(5_000) })) as string;
    expect(text.length).toBeLessThan(2_200);
  });

  test("message says it otherwise, and is told everything", async () => {
    const failures: ToolFailure[] = [];
    const message = async (failure: ToolFailure) => {
      failures.push(failure);
      return "Try the menu.";
    };
    const safe = withToolErrors(new PrivateTool(), { message });
    expect(await safe.invoke({ selector: "#a" })).toBe("Try the menu.");
    expect(await safe.invoke(call({ x: 1 }))).toMatchObject({ content: "Try the menu." });
    expect(failures).toMatchObject([
      { toolName: "click", input: { selector: "#a" }, error: { name: "RangeError" } },
      {
        toolName: "click",
        input: { x: 1 },
        error: { name: "ToolInputError" },
        toolCall: { id: "call_1" },
      },
    ]);
    expect(
      await withToolErrors(new PrivateTool(), { message: "No." }).invoke({ selector: "" }),
    ).toBe("No.");
  });

  test("batch, stream, pipe and call go the same way", async () => {
    const safe = withToolErrors(clickWith(({ selector }) => selector)) as unknown as Runnable & {
      call(input: unknown): Promise<unknown>;
    };
    const refused = expect.stringMatching(/^Calling tool/);
    expect(await safe.batch([{ selector: "#a" }, { x: 1 }])).toEqual(["#a", refused]);
    const chunks = [];
    for await (const chunk of await safe.stream({ x: 1 })) chunks.push(chunk);
    expect(chunks).toEqual([refused]);
    expect(await safe.pipe((text: string) => text.length).invoke({ x: 1 })).toBeGreaterThan(10);
    expect(
      await RunnableLambda.from(() => ({ x: 1 }))
        .pipe(safe)
        .invoke(""),
    ).toEqual(refused);
    expect(await safe.call({ x: 1 })).toEqual(refused);
  });

  test("is the same tool to everything that takes tools", async () => {
    const original = new PrivateTool();
    const safe = withToolErrors(original);
    expect(safe).toBeInstanceOf(StructuredTool);
    expect(safe.name).toBe("click");
    await safe.invoke({ selector: "#a" });
    expect(original.clicks).toBe(1);
    expect(safe.clicks).toBe(1);
    await expect(original.invoke({ selector: "#a" })).rejects.toThrow(RangeError);
    const node = new ToolNode([safe as never], { handleToolErrors: false });
    const model = new ScriptedModel([{ name: "click", args: { selector: "#a" } }]);
    const answered = await node.invoke([await model.invoke("")]);
    expect(answered).toMatchObject([{ status: "error", tool_call_id: "call_1_1" }]);
  });

  test("a string tool", async () => {
    const say = new DynamicTool({
      name: "say",
      description: "",
      func: async (text) => {
        if (text === "") throw new Error("nothing to say");
        return text;
      },
    });
    const safe = withToolErrors(say);
    expect(await safe.invoke("hi")).toBe("hi");
    expect(await safe.invoke("")).toMatch(/Calling tool "say".*nothing to say$/s);
    expect(await safe.invoke({ query: 5 } as never)).toMatch(/was not run/);
  });
});

describe("what passes through", () => {
  const throwing = (error: unknown) =>
    withToolErrors(
      clickWith(() => {
        throw error;
      }),
    );
  const steering = [
    new GraphInterrupt([]),
    new NodeInterrupt("wait"),
    new ParentCommand(new Command({})),
    new DOMException("stopped", "AbortError"),
  ];

  test.each(steering.map((error) => [error.name, error] as const))("%s", async (_, error) => {
    await expect(throwing(error).invoke({ selector: "#a" })).rejects.toBe(error);
    const chain = RunnableLambda.from(() => {
      throw error;
    });
    await expect(withToolErrors(chain).invoke({})).rejects.toBe(error);
  });

  test("whatever is thrown after an abort", async () => {
    const abort = new AbortController();
    const safe = withToolErrors(
      clickWith(() => {
        abort.abort();
        throw new Error("socket closed");
      }),
    );
    const run = safe.invoke({ selector: "#a" }, { signal: abort.signal });
    await expect(run).rejects.toThrow();
  });

  test("what onUnfixable throws; what it returns is used", async () => {
    const stop = new Error("stop");
    const click = clickWith(({ selector }) => selector);
    const throws = withToolErrors(click, {
      onUnfixable: () => {
        throw stop;
      },
    });
    await expect(throws.invoke({ x: 1 } as never)).rejects.toBe(stop);
    const answers = withToolErrors(click, { onUnfixable: () => ({ selector: "#b" }) });
    expect(await answers.invoke({ x: 1 } as never)).toBe("#b");
  });

  test("wrong use that shows only when it is invoked; a chain's other TypeErrors are told", async () => {
    const noModel = { bindTools: () => ({ invoke: async () => "" }), invoke: async () => "" };
    const chain = withToolErrors(toolChain(noModel, [complexTool]));
    await expect(chain.invoke("go")).rejects.toThrow(/toolChain needs a chat model/);
    const fails = RunnableLambda.from((_: string): string => {
      throw new TypeError("x is undefined");
    });
    expect(await withToolErrors(fails).invoke("go")).toMatch(/TypeError: x is undefined$/);
  });

  test("wrong use", () => {
    expect(() => withToolErrors({} as never)).toThrow(TypeError);
    expect(() => withToolErrors(undefined as never)).toThrow(TypeError);
    const odd = { name: "odd", schema: undefined, invoke: async () => "" };
    expect(() => withToolErrors(odd)).toThrow(TypeError);
  });
});

describe("a chain", () => {
  test("a refused input is told by the tool's error, wherever in the chain it was", async () => {
    const chain = RunnableLambda.from(() => ({ int_arg: 1 }))
      .pipe(wrapTool(complexTool) as never)
      .pipe((result: unknown) => result);
    expect(await withToolErrors(chain).invoke("go")).toMatch(
      /^Calling tool "complex_tool" with arguments:\n\n\{"int_arg":1\}/,
    );
  });

  test("a tool call gets a message", async () => {
    const chain = RunnableLambda.from((): string => {
      throw new ToolInputError({ toolName: "click", causingData: { x: 1 }, issues: [] });
    });
    expect(await withToolErrors(chain).invoke(call({ x: 1 }) as never)).toMatchObject({
      tool_call_id: "call_1",
      status: "error",
      name: "click",
    });
  });

  test("an input that is no JSON is not told", async () => {
    const chain = RunnableLambda.from((): string => {
      throw new Error("no");
    });
    const text = await withToolErrors(chain).invoke(new Map() as never);
    expect(text).toBe("Calling tool raised the following error:\n\nError: no");
  });

  test("around toolChain: the text, and in a stream too", async () => {
    const model = () => new ScriptedModel([{ name: "complex_tool", args: {} }]);
    const chain = withToolErrors(toolChain(model(), [complexTool]));
    expect(await chain.invoke("go")).toMatch(/^Calling tool "complex_tool"/);
    const chunks = [];
    const streamed = withToolErrors(toolChain(model(), [complexTool]));
    for await (const chunk of await streamed.stream("go")) chunks.push(chunk);
    expect(chunks).toEqual([expect.stringMatching(/^Calling tool "complex_tool"/)]);
  });
});

test("types: text is among what is returned; a tool call gives a message", async () => {
  const safe = withToolErrors(complexTool);
  const input = { int_arg: 2, float_arg: 1.5, dict_arg: {} };
  const output: number | string = await safe.invoke(input);
  const message: ToolMessage = await safe.invoke({ ...call(input), name: "complex_tool" });
  const name: "complex_tool" = safe.name;
  expect([output, message.content, name]).toEqual([3, "3", "complex_tool"]);
  // @ts-expect-error: it may be text
  const number: number = await safe.invoke(input);
  expect(number).toBe(3);
  // @ts-expect-error: the tool's input is typed
  const wrong = safe.invoke({ int_arg: 2 });
  expect(await wrong).toMatch(/^Calling tool/);
  const chain = withToolErrors(RunnableLambda.from((text: string) => text.length));
  const length: number | string = await chain.invoke("abc");
  expect(length).toBe(3);
  // @ts-expect-error: the chain's input is typed
  expect(await chain.invoke(5)).toBeUndefined();
  const piped: Runnable<unknown, number | string> = RunnableLambda.from(() => input).pipe(safe);
  expect(await piped.invoke("")).toBe(3);
  const inChain = toolChain(new ScriptedModel([{ name: "complex_tool", args: {} }]), [safe]);
  expect(await inChain.invoke("").catch((error: unknown) => error)).toBeInstanceOf(ToolInputError);
});
