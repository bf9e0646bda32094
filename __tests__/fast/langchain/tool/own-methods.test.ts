import { describe, expect, jest, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import { StructuredTool, Tool, tool } from "@langchain/core/tools";
import { createFixerRegistry, ToolInputError, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass inputs that the tools' types forbid
type Any = any;

const schema = z.object({ q: z.string() });
const fixers = createFixerRegistry(undefined, { level: "strict" });
fixers.register("ask", renameKey("query", "q"));

/** A tool that sends many inputs to its service in one request, and returns an answer in parts. */
class Service extends StructuredTool {
  name = "ask";
  description = "";
  schema = schema;
  #requests: unknown[] = [];
  configs: unknown[] = [];

  get requests() {
    return this.#requests;
  }
  protected async _call({ q }: { q: string }) {
    this.#requests.push(q);
    return `all of ${q}`;
  }
  override async batch(inputs: Any[], options?: Any, more?: Any): Promise<Any> {
    this.#requests.push(inputs);
    this.configs.push(options);
    const answer = (input: Any) => (input.q === "bad" ? new Error("bad") : `some of ${input.q}`);
    const answers = inputs.map((input) => answer(input.args ?? input));
    const failed = answers.find((one) => one instanceof Error);
    if (failed !== undefined && !more?.returnExceptions) throw failed;
    return answers;
  }
  override async *_streamIterator(input: Any): AsyncGenerator<Any> {
    this.#requests.push(input);
    yield `first of ${input.q}`;
    yield `rest of ${input.q}`;
  }
  override getName() {
    return `${this.#requests.length} asked`;
  }
}

async function collect(stream: Promise<AsyncIterable<unknown>>): Promise<unknown[]> {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

describe("a tool's own batch method", () => {
  test("receives the repaired inputs at once, and its answers keep their order", async () => {
    const service = new Service();
    const wrapped: Any = wrapTool(service, { fixers });
    expect(await wrapped.batch([{ query: "a" }, { q: "b" }])).toEqual(["some of a", "some of b"]);
    expect(service.requests).toEqual([[{ q: "a" }, { q: "b" }]]);
  });

  test("does not receive an input that a handler answers", async () => {
    const service = new Service();
    const wrapped: Any = wrapTool(service, { fixers, onUnfixable: () => "look first" });
    const inputs = [{ q: "a" }, { x: 1 }, { query: "c" }];
    const configs = inputs.map((_, index) => ({ tags: [`t${index}`] }));
    expect(await wrapped.batch(inputs, configs)).toEqual(["some of a", "look first", "some of c"]);
    expect(service.requests).toEqual([[{ q: "a" }, { q: "c" }]]);
    expect(service.configs).toMatchObject([
      [
        { tags: ["t0"] },
        { tags: ["t2", "toolmend:repaired"], metadata: { toolmend_fixers: "renameKey" } },
      ],
    ]);
    expect(await wrapped.batch([{ x: 1 }])).toEqual(["look first"]);
    expect(service.requests).toHaveLength(1);
  });

  test("is not run if an input is rejected, unless exceptions are returned", async () => {
    const service = new Service();
    const wrapped: Any = wrapTool(service, { fixers });
    const inputs = [{ x: 1 }, { q: "bad" }, { q: "c" }];
    await expect(wrapped.batch(inputs)).rejects.toBeInstanceOf(ToolInputError);
    expect(service.requests).toEqual([]);
    const results = await wrapped.batch(inputs, {}, { returnExceptions: true });
    expect(results).toEqual([expect.any(ToolInputError), new Error("bad"), "some of c"]);
    expect(service.requests).toEqual([[{ q: "bad" }, { q: "c" }]]);
  });

  test("takes tool calls", async () => {
    const wrapped: Any = wrapTool(new Service(), { fixers });
    const call = { type: "tool_call", id: "1", name: "ask", args: { query: "a" } };
    expect(await wrapped.batch([call])).toEqual(["some of a"]);
    expect(call.args).toEqual({ query: "a" });
  });
});

describe("a tool's own stream method", () => {
  test("yields its chunks, for the repaired input", async () => {
    const service = new Service();
    const wrapped: Any = wrapTool(service, { fixers });
    expect(await collect(wrapped.stream({ query: "a" }))).toEqual(["first of a", "rest of a"]);
    expect(service.requests).toEqual([{ q: "a" }]);
    const piped = wrapped.pipe((text: string) => text.toUpperCase());
    expect(await piped.invoke({ query: "b" })).toBe("ALL OF B");
    expect(await collect(piped.stream({ query: "b" }))).toEqual(["FIRST OF BREST OF B"]);
  });

  test("yields the handler's answer, or throws", async () => {
    const telling: Any = wrapTool(new Service(), { fixers, onUnfixable: () => "look first" });
    expect(await collect(telling.stream({ x: 1 }))).toEqual(["look first"]);
    const refusing: Any = wrapTool(new Service(), { fixers });
    await expect(collect(refusing.stream({ x: 1 }))).rejects.toBeInstanceOf(ToolInputError);
  });

  test("streams a runnable as a tool in its own chunks", async () => {
    const spelling = RunnableLambda.from(async function* ({ q }: { q: string }) {
      yield* q;
    } as never).asTool({ name: "ask", schema: schema as never });
    const wrapped: Any = wrapTool(spelling as Any, { fixers });
    expect(await collect(wrapped.stream({ q: "pq" }))).toEqual(["p", "q"]);
    expect(await collect(wrapped.stream({ query: "pq" }))).toEqual(["p", "q"]);
    expect(await wrapped.batch([{ query: "pq" }, { q: "r" }])).toEqual(["pq", "r"]);
  });
});

test("methods that do not run a tool are the tool's own", () => {
  expect(wrapTool(new Service(), { fixers }).getName()).toBe("0 asked");
});

describe("a property set on a wrapper", () => {
  const make = () => tool(async ({ q }) => `ran ${q}`, { name: "ask", schema });

  test("call: the result of invoke, with the repaired input", async () => {
    const original = make();
    const wrapped: Any = wrapTool(original, { fixers });
    const call = jest.fn(async () => "mocked");
    wrapped.call = call;
    expect(await wrapped.invoke({ query: "a" }, { tags: ["t"] })).toBe("mocked");
    expect(call.mock.calls).toMatchObject([[{ q: "a" }, { tags: ["t", "toolmend:repaired"] }]]);
    await expect(wrapped.invoke({ x: 1 })).rejects.toBeInstanceOf(ToolInputError);
    expect(await original.invoke({ q: "a" })).toBe("ran a");
  });

  test.each(["invoke", "call", "batch", "stream"])(
    "%s: appears as the wrapper's own",
    async (way) => {
      const original: Any = make();
      const before = Reflect.ownKeys(original);
      const wrapped: Any = wrapTool(original, { fixers });
      const keys = Object.keys(wrapped);
      const mocked = async () => "mocked";
      wrapped[way] = mocked;
      expect(wrapped[way]).toBe(mocked);
      expect(Object.keys(wrapped)).toEqual([...keys, way]);
      expect(Object.hasOwn(wrapped, way)).toBe(true);
      expect({ ...wrapped }[way]).toBe(mocked);
      expect(Reflect.ownKeys(original)).toEqual(before);
      expect(original[way]).not.toBe(mocked);
      delete wrapped[way];
      expect(Object.keys(wrapped)).toEqual(keys);
      expect(await wrapped.invoke({ query: "a" })).toBe("ran a");
    },
  );

  test("a spy can be installed and removed", async () => {
    const wrapped: Any = wrapTool(make(), { fixers });
    for (const way of ["invoke", "call"]) {
      const spy = jest.spyOn(wrapped, way);
      expect(await wrapped[way]({ query: "a" })).toBe("ran a");
      expect(spy.mock.calls).toEqual([[{ query: "a" }]]);
      spy.mockRestore();
      expect(await wrapped[way]({ query: "b" })).toBe("ran b");
      expect(spy.mock.calls).toEqual([]);
    }
  });

  test("defined: keeps its attributes; a getter is called", async () => {
    const wrapped: Any = wrapTool(make(), { fixers });
    let got = 0;
    const mocked = async () => "mocked";
    const get = () => {
      got++;
      return mocked;
    };
    Object.defineProperty(wrapped, "invoke", { get, configurable: true });
    expect(await wrapped.invoke({ q: "a" })).toBe("mocked");
    expect(got).toBe(1);
    expect(Object.keys(wrapped)).not.toContain("invoke");
    expect(Object.getOwnPropertyDescriptor(wrapped, "invoke")?.get).toBe(get);
  });

  test("a frozen tool's wrapper shows the keys of the tool", async () => {
    const frozen = Object.freeze(make());
    const wrapped: Any = wrapTool(frozen, { fixers });
    expect(Object.keys(wrapped)).toEqual(Object.keys(frozen));
    expect({ ...wrapped }.name).toBe("ask");
    wrapped.invoke = async () => "mocked";
    expect(await wrapped.invoke({ q: "a" })).toBe("mocked");
    expect(await frozen.invoke({ q: "a" })).toBe("ran a");
  });
});

test("the entry methods have the names and lengths of the tool's", () => {
  class Text extends Tool {
    name = "ask";
    description = "";
    protected async _call(input: string) {
      return input;
    }
  }
  for (const original of [new Text(), new Service()] as Any[]) {
    const wrapped: Any = wrapTool(original, { fixers });
    for (const way of ["invoke", "call", "batch"]) {
      const { name, length } = wrapped[way];
      expect({ name, length }).toEqual({
        name: original[way].name,
        length: original[way].length,
      });
    }
  }
});
