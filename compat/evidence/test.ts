// What other instrumentations of LangChain show of repaired and rejected calls, and what they omit.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { LangChainInstrumentation as OpenInference } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManagerModule from "@langchain/core/callbacks/manager";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { LangChainInstrumentation as OpenLLMetry } from "@traceloop/instrumentation-langchain";
import { createFixerRegistry, wrapTool } from "toolmend";
import { otelSink } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

const VALUE = "canary-value";
const KEY = "canary-key";

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
tracerProvider.register();

/** Each adds itself to LangChain's callbacks permanently, and the second replaces the first. */
const INSTRUMENTATIONS = {
  OpenInference: {
    start: () =>
      new OpenInference({
        traceConfig: { hideInputs: true, hideOutputs: true },
      }).manuallyInstrument(callbackManagerModule),
    isTool: ({ attributes }: Span) => attributes["openinference.span.kind"] === "TOOL",
  },
  OpenLLMetry: {
    start: () =>
      new OpenLLMetry({ traceContent: false }).manuallyInstrument({ callbackManagerModule }),
    isTool: ({ attributes }: Span) => attributes["gen_ai.operation.name"] === "execute_tool",
  },
};
const [, , name = ""] = process.argv;
const { start, isTool } = INSTRUMENTATIONS[name as keyof typeof INSTRUMENTATIONS];
start();

const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));
const click = tool(async () => "clicked", {
  name: "click",
  description: "Clicks an element.",
  schema: z.strictObject({ selector: z.string() }),
});

/** Runs the tool within a run, as an agent does. */
async function spansOf(input: object, options: Parameters<typeof wrapTool>[1] = {}) {
  const wrapped = wrapTool(click, { fixers, ...options });
  const chain = RunnableLambda.from(async (_: string, config) => {
    await wrapped.invoke(input as never, config).catch(() => {});
    return "done";
  });
  await chain.invoke("go");
  await awaitAllCallbacks();
  return exporter.getFinishedSpans();
}

type Span = ReturnType<InMemorySpanExporter["getFinishedSpans"]>[number];

const shown = (spans: readonly Span[]) =>
  JSON.stringify(spans.map((span) => [span.name, span.attributes, span.status, span.events]));

beforeEach(() => exporter.reset());

describe(name, () => {
  test("shows a rejected call as one failed span of the tool, without a stack", async () => {
    const spans = (await spansOf({ [KEY]: VALUE })).filter(isTool);
    assert.equal(spans.length, 1);
    assert.match(String(spans[0]?.name), /click/);
    assert.equal(spans[0]?.status.code, 2);
    assert.match(shown(spans), /did not match expected schema/);
    assert.doesNotMatch(shown(spans), /\.[jt]s:\d/);
  });

  test("shows a repaired call as one successful span of the tool", async () => {
    const spans = (await spansOf({ element: VALUE })).filter(isTool);
    assert.equal(spans.length, 1);
    assert.notEqual(spans[0]?.status.code, 2);
  });

  // OpenLLMetry shows no metadata.
  const testMetadata = name === "OpenInference" ? test : undefined;
  testMetadata?.("says of both what became of them, in the metadata", async () => {
    assert.match(shown(await spansOf({ element: VALUE })), /toolmend_outcome\W+repaired/);
    exporter.reset();
    assert.match(shown(await spansOf({ [KEY]: VALUE })), /toolmend_outcome\W+refused/);
  });

  for (const [what, input] of [
    ["repaired", { element: VALUE }],
    ["refused", { [KEY]: VALUE, selector: [VALUE] }],
  ] as const) {
    test(`shows no model output of a ${what} call, if it hides inputs and outputs`, async () => {
      const spans = await spansOf(input);
      assert.ok(spans.length >= 2, `${spans.length} spans`);
      assert.doesNotMatch(shown(spans), /canary/);
    });
  }

  test("and toolmend's own sink show a rejection as one span each, or the sink none", async () => {
    for (const [spans, count] of [
      [true, 2],
      [false, 1],
    ] as const) {
      exporter.reset();
      const found = await spansOf({ [KEY]: VALUE }, { onToolCall: [otelSink({ spans })] });
      assert.equal(found.filter(({ status }) => status.code === 2).length, count);
      assert.doesNotMatch(shown(found), /canary/);
    }
  });
});
