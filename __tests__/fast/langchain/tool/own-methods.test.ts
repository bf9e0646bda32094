import { describe, expect, jest, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicStructuredTool, StructuredTool, tool } from "@langchain/core/tools";
import { createFixerRegistry, ToolInputError, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass inputs that the tools' types forbid
type Any = any;

const schema = z.object({ q: z.string() });
const fixers = createFixerRegistry(undefined, { level: "strict" });
fixers.register("ask", renameKey("query", "q"));

/** A tool that streams its answer in parts. */
class Service extends StructuredTool {
  name = "ask";
  description = "";
  schema = schema;
  #requests: unknown[] = [];

  get requests() {
    return this.#requests;
  }
  protected async _call({ q }: { q: string }) {
    this.#requests.push(q);
    return `all of ${q}`;
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

describe("a batch", () => {
  test("repairs each input, and keeps the order of the answers", async () => {
    const service = new Service();
    const wrapped: Any = wrapTool(service, { fixers, onUnfixable: () => "look first" });
    const inputs = [{ q: "a" }, { x: 1 }, { query: "c" }];
    expect(await wrapped.batch(inputs)).toEqual(["all of a", "look first", "all of c"]);
    expect(service.requests).toEqual(["a", "c"]);
  });

  test("returns exceptions if it is asked to", async () => {
    const wrapped: Any = wrapTool(new Service(), { fixers });
    const inputs = [{ x: 1 }, { q: "c" }];
    await expect(wrapped.batch(inputs)).rejects.toBeInstanceOf(ToolInputError);
    const results = await wrapped.batch(inputs, {}, { returnExceptions: true });
    expect(results).toEqual([expect.any(ToolInputError), "all of c"]);
  });

  test("takes tool calls", async () => {
    const wrapped: Any = wrapTool(new Service(), { fixers });
    const call = { type: "tool_call", id: "1", name: "ask", args: { query: "a" } };
    expect(await wrapped.batch([call])).toMatchObject([{ content: "all of a", tool_call_id: "1" }]);
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

  test.each(["invoke", "call", "batch", "stream"])(
    "%s: stays on the wrapper until it is deleted",
    async (way) => {
      const original: Any = make();
      const before = Reflect.ownKeys(original);
      const wrapped: Any = wrapTool(original, { fixers });
      const mocked = async () => "mocked";
      wrapped[way] = mocked;
      expect(wrapped[way]).toBe(mocked);
      expect(Reflect.ownKeys(original)).toEqual(before);
      expect(original[way]).not.toBe(mocked);
      delete wrapped[way];
      expect(wrapped[way]).not.toBe(mocked);
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

  test("defined: a getter is called", async () => {
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

test.each(["function", "method that is assigned later"])(
  "a tool's %s has the tool as `this`, for valid and repaired inputs",
  async (kind) => {
    const seen: unknown[] = [];
    async function count(this: unknown) {
      seen.push(this);
      return "counted";
    }
    const func = kind === "function" ? count : async () => "not counted";
    const counting = new DynamicStructuredTool({ name: "ask", description: "", schema, func });
    if (kind !== "function") (counting as Any)._call = count;
    const wrapped: Any = wrapTool(counting, { fixers });
    for (const input of [{ q: "a" }, { query: "b" }]) await wrapped.invoke(input);
    expect(seen.map((self) => self === counting)).toEqual([true, true]);
  },
);
