import { afterEach, describe, expect, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { RunnableLambda } from "@langchain/core/runnables";
import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { createAgent } from "langchain";
import { wrapTool } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { type LangSmithLoopback, startLangSmith } from "../../../support/langsmith-loopback.ts";
import { clickTool, fixers, langchainSeams } from "../../../support/seams.ts";

/** What is observable of a run from outside: custom events, and the runs of tools. */
function watching() {
  const custom: [name: string, data: Record<string, unknown>, runId: string][] = [];
  const tools: Record<string, unknown>[] = [];
  const others = new Set<unknown>();
  const handler = {
    handleCustomEvent: (...args: unknown[]) => void custom.push(args.slice(0, 3) as never),
    handleToolStart: ({ id = [] }: { id?: string[] }, ...args: unknown[]) => {
      const [input, runId, , tags, metadata, name] = args;
      // An executor reports the error to the model through a tool of its own.
      if (name === "ExceptionTool" || id.at(-1) === "ExceptionTool") others.add(runId);
      else tools.push({ input, tags, metadata, name });
    },
    handleToolError: (error: Error) => void tools.push({ error }),
    handleToolEnd: (_: unknown, runId: string) => {
      if (!others.has(runId)) tools.push({ end: true });
    },
  };
  return { custom, tools, callbacks: [handler as never] };
}

const REPAIRED = { element: "#a" };
const REFUSED = { "key-of-the-model": "value-of-the-model" };

describe.each(langchainSeams)("with %s, within a run", (name, run) => {
  test("a repair is one custom event, without model output", async () => {
    const { custom, callbacks } = watching();
    await run(REPAIRED, {}, { callbacks });
    await awaitAllCallbacks();
    expect(custom).toHaveLength(1);
    expect(custom[0]).toMatchObject([
      "toolmend.repair",
      {
        v: 1,
        kind: "call",
        tool: "click",
        seam: name,
        outcome: "repaired",
        repairs: [{ fixer: "renameKey", path: "", level: "strict" }],
      },
      expect.any(String),
    ]);
    expect(JSON.stringify(custom)).not.toMatch(/#a|"\/?element"/);
  });

  test("a rejection is one custom event, and a failed run of the tool, without a stack", async () => {
    const { custom, tools, callbacks } = watching();
    await run(REFUSED, {}, { callbacks });
    await awaitAllCallbacks();
    expect(custom.map(([event, { outcome }]) => [event, outcome])).toEqual([
      ["toolmend.refusal", "refused"],
    ]);
    expect(tools).toHaveLength(2);
    const [start, end] = tools as [Record<string, unknown>, { error: Error }];
    expect(start).toMatchObject({ name: "click", metadata: { toolmend_outcome: "refused" } });
    expect(start.tags).toContain("toolmend:refused");
    expect(end.error.message).toMatch(/did not match expected schema of tool "click"/);
    expect(end.error.stack).toBe("");
    expect(JSON.stringify([custom, tools, end.error.message])).not.toContain("of-the-model");
  });

  test("valid inputs emit nothing, and nothing is emitted with trace: false", async () => {
    const { custom, tools, callbacks } = watching();
    await run({ selector: "#a" }, {}, { callbacks });
    await run(REPAIRED, { trace: false }, { callbacks });
    await run(REFUSED, { trace: false }, { callbacks });
    await awaitAllCallbacks();
    expect(custom).toEqual([]);
    expect(tools.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(JSON.stringify(tools)).not.toContain("toolmend");
  });

  test("trace: quiet emits events, but no run of a tool that did not run", async () => {
    const { custom, tools, callbacks } = watching();
    await run(REFUSED, { trace: "quiet" }, { callbacks });
    await awaitAllCallbacks();
    expect(custom.map(([event]) => event)).toEqual(["toolmend.refusal"]);
    expect(tools).toEqual([]);
  });

  test("content full shows the model's input, after redact", async () => {
    const { custom, callbacks } = watching();
    const redact = (value: unknown, path: string) => (path === "/element" ? "***" : value);
    await run({ element: "secret" }, { trace: { content: "full", redact } }, { callbacks });
    await awaitAllCallbacks();
    expect(custom[0]?.[1]).toMatchObject({ raw: { element: "***" } });
  });
});

test("the input of a rejection's run is JSON, of text too: a handler may parse it", async () => {
  const { tools, callbacks } = watching();
  const tool = wrapTool(clickTool(), { trace: { content: "full" } });
  const calling = RunnableLambda.from((text: string) => tool.invoke(text as never));
  await expect(calling.invoke("click it", { callbacks })).rejects.toThrow("click");
  await awaitAllCallbacks();
  expect(tools[0]).toMatchObject({ input: '"click it"' });
});

describe("a bare invoke, without a run around it", () => {
  test("emits nothing, and throws nothing but its own error", async () => {
    const { custom, tools, callbacks } = watching();
    const wrapped = wrapTool(clickTool(), { fixers });
    expect(await wrapped.invoke(REPAIRED as never, { callbacks })).toBe("clicked");
    await expect(wrapped.invoke(REFUSED as never, { callbacks })).rejects.toMatchObject({
      name: "ToolInputError",
    });
    await expect(wrapped.invoke(REFUSED as never)).rejects.toMatchObject({
      name: "ToolInputError",
    });
    await awaitAllCallbacks();
    expect(custom).toEqual([]);
    expect(tools).toHaveLength(2);
  });
});

describe("in streams", () => {
  test("streamEvents has on_custom_event, and on_tool_start and on_tool_error of a rejection", async () => {
    const wrapped = wrapTool(clickTool(), { fixers });
    const chain = RunnableLambda.from(async (input: unknown) => {
      await wrapped.invoke(input as never).catch(() => {});
      return "done";
    });
    const seen: string[] = [];
    for await (const { event, name } of chain.streamEvents(REFUSED, { version: "v2" })) {
      if (/custom|tool/.test(event)) seen.push(`${event} ${name}`);
    }
    expect(seen).toEqual([
      "on_custom_event toolmend.refusal",
      "on_tool_start click",
      "on_tool_error click",
    ]);
  });

  test("an agent's stream of the mode custom has the repairs", async () => {
    const stream = async (trace: "full" | false) => {
      const agent = createAgent({
        model: saying(calling({ name: "click", args: REPAIRED, id: "call_a" })),
        tools: [clickTool()],
        middleware: [toolInputMiddleware({ fixers, trace })],
      });
      const input = { messages: [{ role: "user", content: "go" }] };
      const chunks: unknown[] = [];
      for await (const chunk of await agent.stream(input, { streamMode: "custom" })) {
        chunks.push(chunk);
      }
      return chunks;
    };
    expect(await stream("full")).toMatchObject([
      { type: "toolmend.repair", v: 1, tool: "click", seam: "middleware", call: "call_a" },
    ]);
    expect(await stream(false)).toEqual([]);
  });
});

test("a repair in an agent is on the run of the model's request, at another tracer too", async () => {
  const marked: string[] = [];
  class OwnTracer extends BaseTracer {
    readonly name = "own";
    protected async persistRun() {}
    override onChainEnd({ name, tags }: Run) {
      if (tags?.includes("toolmend:repaired")) marked.push(name);
    }
  }
  const [, run] = langchainSeams.find(([name]) => name === "middleware") ?? [];
  await run?.(REPAIRED, {}, { callbacks: [new OwnTracer()] });
  await awaitAllCallbacks();
  expect(marked).toEqual(["model_request"]);
});

describe("at LangSmith", () => {
  let langsmith: LangSmithLoopback;
  afterEach(() => langsmith.close());

  test.each(langchainSeams)(
    "a rejection with %s is a tool's run with an error, tag and metadata, of the same trace",
    async (_, run) => {
      langsmith = await startLangSmith();
      await run(REFUSED, {}, { callbacks: [langsmith.tracer] });
      await awaitAllCallbacks();
      const runs = await langsmith.runs();
      const refused = runs.filter((one) => one.run_type === "tool" && one.name === "click");
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({
        name: "click",
        tags: expect.arrayContaining(["toolmend:refused"]),
        extra: { metadata: { toolmend_outcome: "refused", toolmend_level: "safe" } },
        trace_id: runs.find(({ parent_run_id }) => parent_run_id === undefined)?.id,
      });
      expect(refused[0]?.error).not.toMatch(/\bat \/|\.ts:\d/);
    },
  );

  test("a repair in an agent is on the run of the model's request", async () => {
    langsmith = await startLangSmith();
    const [, run] = langchainSeams.find(([name]) => name === "middleware") ?? [];
    await run?.(REPAIRED, {}, { callbacks: [langsmith.tracer] });
    await awaitAllCallbacks();
    const marked = (await langsmith.runs()).filter(({ tags }) =>
      tags?.includes("toolmend:repaired"),
    );
    expect(marked.map(({ name, extra }) => [name, extra.metadata.toolmend_fixers])).toEqual([
      ["model_request", "renameKey"],
    ]);
  });
});
