import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { metrics, trace } from "@opentelemetry/api";
import { repairToolCall, repairToolInput } from "toolmend";
import { otelSink } from "toolmend/evidence";
import { z } from "zod";
import {
  type StartedMetrics,
  type StartedSpans,
  startMetrics,
  startSpans,
} from "../../support/in-memory-otel.ts";
import { clickTool, seams } from "../../support/seams.ts";

// The sink is made before any provider is set, as in an application's imports.
const sink = otelSink();
const core = seams.core as (typeof seams)[string];

let metering: StartedMetrics;
let tracing: StartedSpans;

beforeEach(() => {
  metering = startMetrics();
  tracing = startSpans();
});

afterEach(async () => {
  await metering.stop();
  await tracing.stop();
});

/** The values of a metric, by some of its attributes. */
async function valuesOf(name: string, ...keys: string[]): Promise<Record<string, unknown>> {
  const all = await metering.collect();
  const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
  return Object.fromEntries(
    points.map(({ attributes, value }) => [keys.map((key) => attributes[key]).join(" "), value]),
  );
}

describe("metrics", () => {
  test("count every call by its outcome, and its repairs and issues, with providers set after the import", async () => {
    const onToolCall = [sink];
    for (const args of [
      { selector: "#a" },
      { selector: "#b" },
      { element: "#a" },
      { nothing: 5 },
    ]) {
      await core(args, { onToolCall });
    }
    const names = ["gen_ai.tool.name", "toolmend.outcome"];
    expect(await valuesOf("toolmend.tool_calls", ...names)).toEqual({
      "click valid": 2,
      "click repaired": 1,
      "click refused": 1,
    });
    expect(await valuesOf("toolmend.repairs", "toolmend.fixer", "toolmend.level")).toEqual({
      "renameKey strict": 1,
    });
    expect(await valuesOf("toolmend.issues", "toolmend.issue.code")).toEqual({
      invalid_type: 2,
      unrecognized_keys: 2,
    });
    expect(await valuesOf("toolmend.repair.duration", "toolmend.outcome")).toMatchObject({
      repaired: { count: 1 },
      refused: { count: 1 },
    });
  });

  test("count the calls of several sinks together", async () => {
    const [one, other] = [otelSink(), otelSink()];
    for (const onToolCall of [[one], [other], [one]]) await core({ element: "#a" }, { onToolCall });
    expect(await valuesOf("toolmend.tool_calls", "toolmend.outcome")).toEqual({ repaired: 3 });
    expect(await valuesOf("toolmend.repairs", "toolmend.fixer")).toEqual({ renameKey: 3 });
    expect(await valuesOf("toolmend.issues", "toolmend.issue.code")).toEqual({
      invalid_type: 3,
      unrecognized_keys: 3,
    });
  });

  test("hold no code that a refinement made of a value", async () => {
    const schema = z.object({
      selector: z.string().superRefine((said, { addIssue }) => {
        addIssue({ code: said as never, message: said });
      }),
    });
    const tool = { name: "click", schema };
    await repairToolInput({ selector: "secret" }, tool, { onToolCall: [sink] });
    expect(await valuesOf("toolmend.issues", "toolmend.issue.code")).toEqual({ custom: 1 });
  });

  test("count the repair of a tool's name", async () => {
    await repairToolCall({ name: "Click", args: { selector: "#a" } }, [clickTool()], {
      onToolCall: [sink],
    });
    expect(await valuesOf("toolmend.repairs", "gen_ai.tool.name", "toolmend.fixer")).toEqual({
      "click respell-tool-name": 1,
    });
  });

  test("count calls from before the provider was set, once it is", async () => {
    const first = metering;
    metrics.disable();
    const early = otelSink();
    await core({ selector: "#a" }, { onToolCall: [early] });
    await first.stop();
    metering = startMetrics();
    await core({ selector: "#a" }, { onToolCall: [early] });
    expect(await valuesOf("toolmend.tool_calls", "toolmend.outcome")).toEqual({ valid: 2 });
  });
});

describe("spans", () => {
  test("a rejection is a span of the failed tool, without model output", async () => {
    await core({ "key-of-the-model": "value-of-the-model" }, { onToolCall: [otelSink()] });
    const [span, ...others] = tracing.spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: "execute_tool click",
      status: { code: 2 },
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "click",
        "gen_ai.tool.call.id": "call_of_the_test",
        "error.type": "tool_input_invalid",
        "toolmend.outcome": "refused",
        "toolmend.seam": "core",
        "toolmend.refusal.reason": "invalid",
      },
    });
    expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain(
      "of-the-model",
    );
  });

  test("a repair is an event on the current span; with spans: false, both are absent", async () => {
    for (const spans of [true, false]) {
      const onToolCall = [otelSink({ spans })];
      await trace.getTracer("test").startActiveSpan("around", async (span) => {
        await core({ element: "secret" }, { onToolCall });
        span.end();
      });
      await core({ nothing: 5 }, { onToolCall });
    }
    const spans = tracing.spans();
    expect(spans.map(({ name, events }) => [name, events.map((event) => event.name)])).toEqual([
      ["around", ["toolmend.tool_input.repaired"]],
      ["execute_tool click", []],
      ["around", []],
    ]);
    expect(JSON.stringify(spans[0]?.events)).not.toContain("secret");
  });

  test("has the arguments if they are requested, after redact", async () => {
    const redact = (value: unknown, path: string) => (path === "/nothing" ? "***" : value);
    await core({ nothing: "secret" }, { onToolCall: [otelSink({ content: "full", redact })] });
    const [span] = tracing.spans();
    expect(span?.attributes["gen_ai.tool.call.arguments"]).toBe('{"nothing":"***"}');
  });
});
