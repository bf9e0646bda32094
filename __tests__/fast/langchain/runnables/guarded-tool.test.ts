import { describe, expect, jest, test } from "@jest/globals";
import { StructuredTool, tool } from "@langchain/core/tools";
import { createFixerRegistry, renameKey, wrapTool } from "toolmend";
import { withToolErrors } from "toolmend/runnables";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: tools are given what their types forbid
type Any = any;

const schema = z.object({ q: z.string() });
const fixers = createFixerRegistry(undefined, { level: "strict" });
fixers.register("ask", renameKey("query", "q"));

class Service extends StructuredTool {
  name = "ask";
  description = "";
  schema = schema;
  protected async _call({ q }: { q: string }) {
    if (q === "down") throw new Error("DB down");
    return `ran ${q}`;
  }
  override async batch(inputs: Any[]): Promise<Any> {
    return inputs.map(() => "batched");
  }
  override async *_streamIterator(): AsyncGenerator<Any> {
    yield "streamed";
  }
}

describe("a tool with withToolErrors", () => {
  test("tells failures as text in a batch and a stream, too, whatever the tool's own are", async () => {
    const guarded: Any = withToolErrors(new Service(), { fixers });
    const [refused, down, ran] = await guarded.batch([{ x: 1 }, { q: "down" }, { query: "a" }]);
    expect(refused).toMatch(/not accepted/);
    expect(down).toMatch(/DB down/);
    expect(ran).toBe("ran a");
    const chunks = [];
    for await (const chunk of await guarded.stream({ q: "down" })) chunks.push(chunk);
    expect(chunks).toEqual([down]);
  });

  test("keeps telling them when it is wrapped", async () => {
    const guarded: Any = wrapTool(withToolErrors(new Service()) as Any, fixers);
    expect(await guarded.invoke({ query: "down" })).toMatch(/DB down/);
    expect(await guarded.invoke({ query: "a" })).toBe("ran a");
  });

  test("takes mocks and spies, and gives them back", async () => {
    const original: Any = tool(async ({ q }) => `ran ${q}`, { name: "ask", schema });
    const guarded: Any = withToolErrors(original, { fixers });
    const spy = jest.spyOn(guarded, "invoke").mockImplementation(async () => "mocked");
    expect(await guarded.invoke({ q: "a" })).toBe("mocked");
    spy.mockRestore();
    expect(await guarded.invoke({ query: "a" })).toBe("ran a");
    expect(Object.hasOwn(original, "invoke")).toBe(false);
  });
});
