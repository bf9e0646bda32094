// What the evidence promises, each shown by a program in a project that has toolmend's tarball.
// Copied there and run by run.mjs. Prints a line for each check, and exits 1 where one fails.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import { AgentExecutor } from "@langchain/classic/agents";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { LangChainTracer } from "@langchain/core/tracers/tracer_langchain";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createAgent } from "langchain";
import { Client } from "langsmith";
import { wrapAgentExecutor, wrapTool } from "toolmend";
import { jsonlSink, otelSink } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { repairNode } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const here = process.cwd();
const work = join(here, "work");
rmSync(work, { recursive: true, force: true });
mkdirSync(work);
const cliFile = join(here, "node_modules", "toolmend", "dist", "cli.js");
const cli = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, ...args], {
    cwd: work,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout, err: stderr };
};

const click = () =>
  tool(async () => "clicked", {
    name: "click",
    description: "Clicks.",
    schema: z.strictObject({ selector: z.string() }),
  });
const fixers = { click: [renameKey("element", "selector")] };

/** A scripted model: one output after the other. */
class Scripted extends FakeListChatModel {
  constructor(outputs) {
    super({ responses: [""] });
    this.outputs = [...outputs];
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const message = this.outputs.shift() ?? new AIMessage("done");
    return { generations: [{ text: "", message }] };
  }
}
Scripted.prototype._streamResponseChunks = BaseChatModel.prototype._streamResponseChunks;

const calling = (args, name = "click", id = "call_1") =>
  new AIMessage({ content: "", tool_calls: [{ name, args, id, type: "tool_call" }] });

/** Every way to toolmend within a run of LangChain's: each makes one call. */
const SEAMS = {
  wrapTool: (args, options, config) => {
    const wrapped = wrapTool(click(), { fixers, ...options });
    const call = { type: "tool_call", name: "click", args, id: "call_1" };
    const run = (_, inner) => wrapped.invoke(call, inner).catch(() => "refused");
    return RunnableLambda.from(run).withConfig(config);
  },
  middleware: (args, options, config) =>
    createAgent({
      model: new Scripted([calling(args)]),
      tools: [click()],
      middleware: [toolInputMiddleware({ fixers, ...options })],
    }).withConfig(config),
  repairNode: (args, options, config) => {
    const node = repairNode([click()], { fixers, ...options });
    const graph = new StateGraph(MessagesAnnotation).addNode("repair", node);
    const compiled = graph.addEdge(START, "repair").addEdge("repair", END).compile();
    const run = (_, inner) => compiled.invoke({ messages: [calling(args)] }, inner);
    return RunnableLambda.from(run).withConfig(config);
  },
  executor: (args, options, config) => {
    const steps = [
      { tool: "click", toolInput: args, log: "" },
      { returnValues: { output: "done" }, log: "" },
    ];
    const agent = {
      _agentActionType: () => "single",
      lc_namespace: [],
      inputKeys: ["input"],
      returnValues: ["output"],
      prepareForOutput: async () => ({}),
      async plan() {
        return steps.shift();
      },
    };
    const executor = new AgentExecutor({ agent, tools: [click()] });
    return wrapAgentExecutor(executor, { fixers, ...options }).withConfig(config);
  },
};
const INPUT = { input: "go", messages: [{ role: "user", content: "go" }] };
const REPAIRED = { element: "canary-value" };
const REFUSED = { "canary-key": "canary-value", selector: ["canary-value"] };
const each = async (work) => {
  for (const [name, seam] of Object.entries(SEAMS)) {
    for (const [outcome, args] of Object.entries({ repaired: REPAIRED, refused: REFUSED })) {
      await work({ name, seam, outcome, args });
    }
  }
};
const quietly = async (promise) => promise.catch(() => undefined);

/** What LangSmith's client sends, to a server of our own. */
async function langSmith(options) {
  const bodies = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      if (request.method !== "GET") bodies.push(body);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiUrl = `http://127.0.0.1:${server.address().port}`;
  const client = new Client({ apiUrl, apiKey: "none", autoBatchTracing: false, ...options });
  return { tracer: new LangChainTracer({ client }), bodies, client, close: () => server.close() };
}

function telemetry() {
  const spans = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: exported });
  const meters = new MeterProvider({ readers: [reader] });
  trace.disable();
  metrics.disable();
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
  return { spans, provider, exported, flush: () => meters.forceFlush() };
}

let planted = "";

const CHECKS = {
  "1 one custom event for each repaired and refused call, by every way in": async () => {
    await each(async ({ name, seam, outcome, args }) => {
      const seen = [];
      const stream = seam(args, {}, {}).streamEvents(INPUT, { version: "v2" });
      try {
        for await (const { event, name: of } of stream) {
          if (event === "on_custom_event" && of.startsWith("toolmend.")) seen.push(of);
        }
      } catch {}
      const wanted = outcome === "repaired" ? "toolmend.repair" : "toolmend.refusal";
      assert.deepEqual(seen, [wanted], `${name}, ${outcome}`);
    });
    const bare = wrapTool(click(), { fixers });
    assert.equal(await bare.invoke({ element: "#a" }), "clicked");
  },
  "2 LangSmith has a failed run of the tool for each refused call, without a stack": async () => {
    await each(async ({ name, seam, outcome, args }) => {
      if (outcome !== "refused") return;
      const { tracer, bodies, client, close } = await langSmith({});
      await quietly(seam(args, {}, {}).invoke(INPUT, { callbacks: [tracer] }));
      await awaitAllCallbacks();
      await client.awaitPendingTraceBatches();
      close();
      const sent = bodies.map((body) => JSON.parse(body));
      const id = sent.find(({ name: of, run_type }) => of === "click" && run_type === "tool")?.id;
      const run = Object.assign({}, ...sent.filter((one) => one.id === id || one.name === "click"));
      assert.match(run.error ?? "", /did not match expected schema/, name);
      assert.doesNotMatch(run.error, /\n\s+at |node_modules/, name);
      const text = JSON.stringify(sent);
      assert.ok(text.includes("toolmend:refused"), name);
      assert.ok(text.includes('"toolmend_outcome":"refused"'), name);
    });
  },
  "3 where inputs are hidden, neither LangSmith nor OpenInference gets one": async () => {
    const { spans, provider } = telemetry();
    const instrumentation = new LangChainInstrumentation({
      tracerProvider: provider,
      traceConfig: { hideInputs: true, hideOutputs: true },
    });
    instrumentation.manuallyInstrument(callbackManager);
    let sent = "";
    await each(async ({ seam, args }) => {
      const { tracer, bodies, client, close } = await langSmith({
        hideInputs: true,
        hideOutputs: true,
      });
      await quietly(
        seam(args, { onToolCall: otelSink() }, {}).invoke(INPUT, { callbacks: [tracer] }),
      );
      await awaitAllCallbacks();
      await client.awaitPendingTraceBatches();
      close();
      for (const body of bodies) {
        const run = JSON.parse(body);
        // LangChain's own: a bare executor's agent sends its action even where inputs are hidden.
        const events = (run.events ?? []).filter(({ name }) => name !== "agent_action");
        sent += JSON.stringify({ ...run, events });
      }
    });
    const exported = spans
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) =>
        JSON.stringify({ name, attributes, events, status }),
      );
    assert.ok(exported.length > 20 && sent.includes("toolmend_outcome"));
    assert.ok(!sent.includes("canary"), "LangSmith");
    assert.ok(!exported.join("").includes("canary"), "OpenInference");
  },
  "4 the stream mode custom has the event, and trace: false nothing": async () => {
    for (const [option, count] of [
      ["full", 1],
      ["quiet", 1],
      [false, 0],
    ]) {
      const parts = [];
      const agent = SEAMS.middleware(REPAIRED, { trace: option }, {});
      for await (const part of await agent.stream(INPUT, { streamMode: ["custom"] }))
        parts.push(part);
      const types = parts.map(([, { type }]) => type);
      assert.deepEqual(types, Array(count).fill("toolmend.repair"), String(option));
    }
  },
  "5 the counter of OpenTelemetry counts what was made, also where it is set up later":
    async () => {
      const sink = otelSink({ spans: false });
      const { exported, flush } = telemetry();
      const made = { valid: 5, repaired: 3, refused: 2 };
      const wrapped = wrapTool(click(), { fixers, onToolCall: sink });
      const inputs = { valid: { selector: "#a" }, repaired: REPAIRED, refused: REFUSED };
      for (const [outcome, count] of Object.entries(made)) {
        for (let n = 0; n < count; n++) await quietly(wrapped.invoke(inputs[outcome]));
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      await flush();
      const all = exported
        .getMetrics()
        .at(-1)
        .scopeMetrics.flatMap(({ metrics: some }) => some);
      const calls = all.find(({ descriptor }) => descriptor.name === "toolmend.tool_calls");
      const told = {};
      for (const { attributes, value } of calls.dataPoints) {
        const { "gen_ai.request.model": model, "toolmend.outcome": outcome } = attributes;
        if (model === undefined && attributes["gen_ai.tool.name"] === "click")
          told[outcome] = value;
      }
      for (const [outcome, count] of Object.entries(made))
        assert.ok(told[outcome] >= count, outcome);
      const bare = join(work, "bare", "node_modules");
      mkdirSync(bare, { recursive: true });
      cpSync(join(here, "node_modules", "toolmend"), join(bare, "toolmend"), { recursive: true });
      for (const name of ["@cfworker", "zod"]) {
        symlinkSync(join(here, "node_modules", name), join(bare, name));
      }
      const script = `import { otelSink } from "toolmend/evidence"; import { repairToolInput } from "toolmend/core";
      const tool = { name: "t", schema: { type: "object" } };
      console.log((await repairToolInput({}, tool, { onToolCall: otelSink() })).ok);`;
      writeFileSync(join(work, "bare", "run.mjs"), script);
      const said = spawnSync(process.execPath, ["run.mjs"], {
        cwd: join(work, "bare"),
        encoding: "utf8",
      });
      assert.equal(said.stdout.trim(), "true", said.stderr);
    },
  "6 by default nothing that a model wrote is in a log, a span, a metric, metadata or a page":
    async () => {
      const { spans, exported, flush } = telemetry();
      const log = jsonlSink(join(work, "canary.jsonl"), { valid: "each" });
      const events = [];
      const callbacks = [
        {
          handleCustomEvent: (_, data, __, tags, metadata) => events.push({ data, tags, metadata }),
        },
      ];
      await each(({ seam, args }) =>
        quietly(seam(args, { onToolCall: [log, otelSink()] }, {}).invoke(INPUT, { callbacks })),
      );
      const unknown = SEAMS.middleware({ "canary-key": 1 }, { onToolCall: [log, otelSink()] }, {});
      await quietly(unknown.invoke(INPUT, { callbacks }));
      await awaitAllCallbacks();
      await log.flush();
      await flush();
      assert.equal(cli("report", "canary.jsonl", "--out", "canary.html").status, 0);
      const [written, page] = ["canary.jsonl", "canary.html"].map((name) =>
        readFileSync(join(work, name), "utf8"),
      );
      assert.ok(written.split("\n").length > 8 && events.length > 4);
      const telling = spans
        .getFinishedSpans()
        .map(({ name, attributes, events: its, status }) => ({ name, attributes, its, status }));
      for (const part of [
        written,
        page,
        JSON.stringify(events),
        JSON.stringify(telling),
        JSON.stringify(exported.getMetrics()),
      ]) {
        assert.ok(!/canary/.test(part), part.match(/.{60}canary.{20}/s)?.[0]);
      }
    },
  "7 no line is lost or torn: 100,000 events and an exit; two processes on one file": async () => {
    const script = (
      count,
    ) => `import { jsonlSink } from "toolmend/evidence"; import { repairToolInput } from "toolmend/core";
      const log = jsonlSink(process.argv[2], { valid: "each" }); let event;
      const schema = { type: "object", properties: { a: { type: "number" } } };
      await repairToolInput({ a: 1 }, { name: "t", schema }, { onToolCall: (one) => { event = one; } });
      for (let n = 0; n < ${count}; n++) log(event);
      if (process.argv[3]) { await log.flush(); process.exit(0); }`;
    writeFileSync(join(here, "many.mjs"), script(100_000));
    writeFileSync(join(here, "some.mjs"), script(20_000));
    execFileSync(process.execPath, ["many.mjs", join(work, "many.jsonl"), "exit"], { cwd: here });
    const runs = [1, 2].map(() => ["some.mjs", join(work, "two.jsonl")]);
    const { spawn } = await import("node:child_process");
    await Promise.all(
      runs.map(
        (args) =>
          new Promise((resolve) =>
            spawn(process.execPath, args, { cwd: here }).on("exit", resolve),
          ),
      ),
    );
    for (const [name, count] of [
      ["many.jsonl", 100_000],
      ["two.jsonl", 40_000],
    ]) {
      const lines = readFileSync(join(work, name), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(lines.filter(({ kind }) => kind === "call").length, count, name);
    }
  },
  "8 a page asks nothing of the network, is small, obeys no name, and says what --json says":
    async () => {
      const hostile = "</script><img src=x onerror=alert(1)>\u202e\u001b[2J";
      const lines = Array.from({ length: 100_000 }, (_, n) => ({
        v: 1,
        kind: "call",
        t: new Date(Date.UTC(2026, 9, 1) + n * 1000).toISOString(),
        tool: n % 7 ? `tool_${n % 95}` : hostile,
        seam: "tool",
        outcome: n % 3 ? "repaired" : "refused",
        level: "safe",
        issues: [{ path: `/${hostile}`, code: "required" }],
        repairs: [],
      }));
      writeFileSync(
        join(work, "large.jsonl"),
        lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      );
      assert.equal(cli("report", "large.jsonl", "--out", "page.html").status, 0);
      const page = readFileSync(join(work, "page.html"), "utf8");
      const json = JSON.parse(cli("report", "large.jsonl", "--json").out);
      assert.ok(page.length < 300_000, `${page.length} bytes`);
      assert.doesNotMatch(page, /https?:|src=(?!x)|<img|<script/);
      for (const sign of ["\u001b", "\u202e"]) assert.ok(!page.includes(sign));
      assert.match(page, /default-src 'none'/);
      assert.deepEqual([json.total.calls, json.total.refused], [100_000, 33_334]);
      assert.ok(page.includes("100,000") && page.includes("33,334"));
      assert.equal(
        json.rows.reduce((sum, { calls }) => sum + calls, 0),
        100_000,
      );
    },
  "9 suggest finds what was planted, none of the traps, the same twice, with counts that hold":
    async () => {
      const [jsonSchema, trap] = [
        ["customer_id", {}],
        ["street", {}],
      ].map(([key, more]) => ({
        type: "object",
        properties: { [key]: { type: "string" }, n: { type: "number" } },
        required: [key, "n"],
        additionalProperties: false,
        ...more,
      }));
      const base = { v: 1, schema: "00000001" };
      const t = (n) => new Date(Date.UTC(2026, 9, 1) + n * 60_000).toISOString();
      const pair = (tool, n, raw, toolInput) => {
        const about = { ...base, t: t(n), tool, run: `${tool}-${n}`, level: "safe", issues: [] };
        const call = {
          ...about,
          kind: "call",
          call: `c${n}`,
          seam: "tool",
          outcome: "refused",
          repairs: [],
          raw,
        };
        return [
          call,
          {
            ...about,
            kind: "correction",
            of: `c${n}`,
            by: `d${n}`,
            source: "later-call",
            raw,
            toolInput,
          },
        ];
      };
      const all = [
        { ...base, kind: "schema", t: t(0), tool: "bill", jsonSchema },
        { ...base, kind: "schema", t: t(0), tool: "move", jsonSchema: trap },
      ];
      for (let n = 0; n < 60; n++) {
        all.push(
          ...pair(
            "bill",
            n,
            { customer: `C-${n}`, n },
            { customer_id: n % 15 ? `C-${n}` : `X-${n}`, n },
          ),
        );
        all.push(...pair("move", n, { avenue: `a${n}`, n }, { street: `a${n}`, n }));
      }
      planted = all.map((line) => `${JSON.stringify(line)}\n`).join("");
      writeFileSync(join(work, "planted.jsonl"), planted);
      const [once, again] = [1, 2].map(() => cli("suggest", "planted.jsonl", "--json").out);
      assert.equal(once, again);
      const { suggestions } = JSON.parse(once);
      const written = suggestions.filter(({ verdict }) => verdict === "write");
      assert.deepEqual(
        written.map(({ code }) => code),
        ['renameKey("customer", "customer_id")'],
      );
      const recount = { agree: 0, contradict: 0 };
      for (let n = 0; n < 60; n++) {
        const isHeldOut = createHash("sha256").update(`bill-${n}`).digest()[0] >= 128;
        if (isHeldOut) recount[n % 15 ? "agree" : "contradict"] += 1;
      }
      const { agree, contradict, unlabelled } = written[0].heldOut;
      assert.equal(agree, recount.agree);
      // A correction that shares no other value is none: its call counts as without one.
      assert.equal(contradict + unlabelled, recount.contradict);
    },
  "10 the file that suggest writes compiles, and replay has the numbers that suggest said":
    async () => {
      const said = cli("suggest", "planted.jsonl", "--write", "fixers.suggested.ts");
      assert.match(said.out, /Written to fixers\.suggested\.ts/);
      const options = [
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--strict",
        "--noEmit",
        "--skipLibCheck",
      ];
      const tsc = join(here, "node_modules", "typescript", "bin", "tsc");
      execFileSync(process.execPath, [tsc, ...options, "fixers.suggested.ts"], { cwd: work });
      cli("suggest", "planted.jsonl", "--write", "fixers.suggested.mjs");
      const { written } = JSON.parse(cli("suggest", "planted.jsonl", "--json").out);
      const max = ["--max-contradicted", String(written.contradict)];
      const { status, out } = cli(
        "replay",
        "planted.jsonl",
        "--fixers",
        "fixers.suggested.mjs",
        "--json",
        ...max,
      );
      const { differing, gate } = JSON.parse(out);
      const gained = differing.filter(({ kind }) => kind === "gained");
      assert.equal(status, 0);
      assert.equal(gained.filter(({ agrees }) => agrees).length, written.agree);
      assert.equal(gained.filter(({ agrees }) => agrees === false).length, written.contradict);
      assert.equal(gate.changed, 0);
      assert.equal(
        cli("replay", "planted.jsonl", "--fixers", "fixers.suggested.mjs").status,
        written.contradict > 0 ? 1 : 0,
      );
    },
  "11 replay names what a new schema would lose, by cause, and takes a baseline": async () => {
    const valid = Array.from({ length: 30 }, (_, n) => ({
      v: 1,
      kind: "call",
      t: new Date(Date.UTC(2026, 9, 1) + n).toISOString(),
      tool: "bill",
      schema: "00000001",
      run: `r${n}`,
      call: `c${n}`,
      seam: "tool",
      outcome: "valid",
      level: "safe",
      issues: [],
      repairs: [],
      raw: { customer_id: `C-${n}`, n },
      toolInput: { customer_id: `C-${n}`, n },
    }));
    writeFileSync(
      join(work, "valid.jsonl"),
      `${planted.split("\n", 1)[0]}\n${valid.map((line) => `${JSON.stringify(line)}\n`).join("")}`,
    );
    mkdirSync(join(work, "schemas"));
    const renamed = {
      type: "object",
      properties: { account: { type: "string" }, n: { type: "number" } },
      required: ["account"],
      additionalProperties: false,
    };
    writeFileSync(join(work, "schemas", "bill.json"), JSON.stringify(renamed));
    const args = ["replay", "valid.jsonl", "--schemas", "schemas"];
    const { status, out } = cli(...args);
    assert.equal(status, 1);
    assert.match(out, /lost +30 +bill +\/account +required/);
    assert.equal(cli(...args, "--update").status, 0);
    assert.equal(cli(...args, "--baseline", "toolmend.baseline.json").status, 0);
    const { status: none, err } = cli("replay", "canary.jsonl");
    assert.equal(none, 2);
    assert.match(err, /holds no inputs/);
  },
  "12 a correction is told of with its call: by the model later, by a handler; not for another tool":
    async () => {
      const told = async (outputs, options) => {
        const events = [];
        const other = tool(async () => "typed", {
          name: "type",
          description: "",
          schema: z.strictObject({ text: z.string() }),
        });
        await createAgent({
          model: new Scripted(outputs),
          tools: [click(), other],
          middleware: [
            toolInputMiddleware({ onToolCall: (event) => events.push(event), ...options }),
          ],
        }).invoke(INPUT);
        return events
          .filter(({ kind }) => kind === "correction")
          .map(({ source, of, by }) => [source, of, by]);
      };
      const bad = calling({ selector: ["#buy", "#now"] }, "click", "bad");
      const good = calling({ selector: "#buy" }, "click", "good");
      assert.deepEqual(await told([bad, good]), [["later-call", "bad", "good"]]);
      assert.deepEqual(await told([bad, good], { selfCorrect: {} }), [
        ["self-correct", "bad", "good"],
      ]);
      assert.deepEqual(await told([bad], { onUnfixable: () => ({ selector: "#a" }) }), [
        ["handler", "bad", "bad"],
      ]);
      assert.deepEqual(await told([bad, calling({ text: "#buy" }, "type", "other")]), []);
    },
};

let failed = 0;
const [only] = process.argv.slice(2);
for (const [what, check] of Object.entries(CHECKS)) {
  if (only !== undefined && !only.split(",").includes(what.split(" ")[0])) continue;
  try {
    await check();
    console.log(`ok    ${what}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${what}\n      ${error.message.slice(0, 600)}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
