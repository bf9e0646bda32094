import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { tool } from "@langchain/core/tools";
import { trace } from "@opentelemetry/api";
import { createFixerRegistry } from "toolmend";
import { jsonlSink, otelSink } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import { runCli } from "../../support/cli/run-cli.ts";
import { startMetrics, startSpans } from "../../support/in-memory-otel.ts";
import { type SentRun, startLangSmith } from "../../support/langsmith-loopback.ts";
import { type Called, type SeamOptions, seams } from "../../support/seams.ts";

/** Text that only the model writes: each begins with this mark, and names its place. */
const CANARY = /canary/i;
const VALUE = "canary-value";
const KEY = "canary-key";

const makeTool = () =>
  tool(async () => "done", {
    name: "order",
    description: "Orders something.",
    schema: z.strictObject({
      product: z.string().refine((said) => !said.includes("forbidden"), {
        error: ({ input }) => `${input} is forbidden`,
      }),
      size: z.enum(["small", "large"]).optional(),
      address: z.strictObject({ street: z.string() }).optional(),
      note: z
        .string()
        .optional()
        .superRefine((said, { addIssue }) => {
          if (said !== undefined) addIssue({ code: said as never, message: said });
        }),
      labels: z.record(z.string(), z.number()).optional(),
      amounts: z.array(z.number()).optional(),
    }),
  });

const fixers = createFixerRegistry([makeTool()]);
fixers.register("order", renameKey("canary-param", "product"));
fixers.renameTool("canary-renamed-tool", "order");

/** The tool calls and their arguments. */
const CALLS: readonly (readonly [what: string, args: unknown, name?: string])[] = [
  ["a value that is right", { product: VALUE }],
  ["a key that a fixer renames", { "canary-param": VALUE }],
  ["a key in another case", { Product: VALUE }],
  ["keys and values that are refused", { [KEY]: VALUE, product: { [KEY]: VALUE } }],
  ["a number, and a flag", { product: 987654321, [KEY]: true }],
  ["an enum value", { product: VALUE, size: "canary-enum" }],
  ["an enum value that is repaired", { product: VALUE, size: "Large" }],
  ["a key within an object", { product: VALUE, address: { street: VALUE, [KEY]: VALUE } }],
  ["a key of a record", { product: VALUE, labels: { [KEY]: VALUE } }],
  ["items of a list", { product: VALUE, amounts: ["1", "canary-item", { [KEY]: 1 }] }],
  ["an object as text", { product: VALUE, address: `{"street": "${VALUE}"}` }],
  ["a message of the schema's own", { product: `${VALUE} forbidden` }],
  ["a code of the schema's own", { product: "lamp", note: VALUE }],
  ["text that can be read", `{"product": "${VALUE}",}`],
  ["text that cannot be read", `{"product": "${VALUE}`],
  ["text that is no call", `${VALUE} and ${KEY}`],
  ["a tool that there is not", { product: VALUE }, "canary-tool"],
  ["a tool that there is not, in text", `{"${KEY}": "${VALUE}",}`, "canary-tool"],
  ["a tool that is renamed", { product: VALUE }, "canary-renamed-tool"],
];

/** Rejected calls of known and unknown tools, which handlers receive. */
const HANDLED = CALLS.filter(([what]) => /refused|text that is no call|is not$/.test(what));
const HANDLERS: readonly SeamOptions[] = [
  { onUnfixable: () => "answered" },
  { onUnfixable: () => ({ product: "corrected" }) as never },
];

const folder = mkdtempSync(join(tmpdir(), "toolmend-canary-"));
const files = { none: join(folder, "none.jsonl"), keys: join(folder, "keys.jsonl") };
const metering = startMetrics();
const tracing = startSpans();

/** The events that LangChain's listeners received. */
const received: unknown[] = [];
const handler = {
  handleCustomEvent: (...[name, data, , tags, metadata]: unknown[]) =>
    void received.push(name, data, tags, metadata),
  handleToolStart: (...[serialized, , , , tags, metadata, name]: unknown[]) =>
    void received.push(serialized, tags, metadata, name),
  handleToolError: ({ message, stack }: Error) => void received.push(message, stack),
  handleChainError: ({ message, stack }: Error) => void received.push(message, stack),
  handleChainStart: (...[, , , , tags, metadata]: unknown[]) => void received.push(tags, metadata),
};
let sentToLangSmith = "";

beforeAll(async () => {
  const langsmith = await startLangSmith({ hideInputs: true, hideOutputs: true });
  const [none, keys] = [jsonlSink(files.none), jsonlSink(files.keys, { content: "keys" })];
  const onToolCall = [none, keys, otelSink()];
  const made = [
    ...CALLS.map((call) => ({ call, options: {} })),
    ...HANDLERS.flatMap((options) => HANDLED.map((call) => ({ call, options }))),
  ];
  for (const { call, options } of made) {
    const [, args, name = "order"] = call;
    for (const run of Object.values(seams)) {
      const config = { callbacks: [handler as never, langsmith.tracer], recursionLimit: 9 };
      const called: Called = { name, makeTool: makeTool as () => never, fixers };
      await trace.getTracer("test").startActiveSpan("around", async (span) => {
        await run(args, { ...options, onToolCall }, config, called).catch(() => {});
        span.end();
      });
    }
  }
  await awaitAllCallbacks();
  sentToLangSmith = JSON.stringify((await langsmith.runs()).map(withoutAgentActions));
  await langsmith.close();
  await Promise.all([none.flush(), keys.flush()]);
}, 120_000);

afterAll(async () => {
  await metering.stop();
  await tracing.stop();
  rmSync(folder, { recursive: true });
});

/** LangChain itself reports an AgentExecutor's plan, even if inputs are hidden, with or without toolmend. */
function withoutAgentActions({ events = [], ...run }: SentRun): object {
  return { ...run, events: events.filter(({ name }) => name !== "agent_action") };
}

/** The places where a text contains something that only the model wrote. */
function canariesIn(text: string): readonly string[] {
  return [...text.matchAll(/.{0,60}(?:canary|987654321).{0,40}/gi)].map(([found]) => found);
}

describe("by default no model output", () => {
  test("is in a log", () => {
    const text = readFileSync(files.none, "utf8");
    expect(text.match(/"outcome":"refused"/g)?.length).toBeGreaterThan(20);
    expect(canariesIn(text)).toEqual([]);
  });

  test("is in spans", () => {
    const spans = tracing.spans();
    expect(spans.length).toBeGreaterThan(50);
    const shown = spans.map((span) => [span.name, span.attributes, span.status, span.events]);
    expect(canariesIn(JSON.stringify(shown))).toEqual([]);
  });

  test("is in metrics", async () => {
    const all = await metering.collect();
    expect(all.map(({ descriptor }) => descriptor.name)).toContain("toolmend.tool_calls");
    expect(canariesIn(JSON.stringify(all))).toEqual([]);
  });

  test("is in events, tags, metadata and errors for LangChain's listeners", () => {
    expect(received.length).toBeGreaterThan(200);
    expect(canariesIn(JSON.stringify(received))).toEqual([]);
  });

  test("is sent to LangSmith, if it hides inputs and outputs", () => {
    expect(sentToLangSmith).toContain('"toolmend_outcome":"refused"');
    expect(canariesIn(sentToLangSmith)).toEqual([]);
  });

  test("is in a report, as a page or as JSON", async () => {
    const page = join(folder, "report.html");
    const { out } = await runCli(folder, ["report", files.none, "--json", "--out", page]);
    expect(JSON.parse(out).total.calls).toBeGreaterThan(100);
    expect(canariesIn(out)).toEqual([]);
    expect(canariesIn(readFileSync(page, "utf8"))).toEqual([]);
  });
});

test("at content keys, a log has the names of keys and tools, and no value", () => {
  const found = canariesIn(readFileSync(files.keys, "utf8"));
  expect(found.join("\n")).toMatch(CANARY);
  expect(found.filter((one) => /canary-(?:value|enum|item)|987654321/.test(one))).toEqual([]);
});
