import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import * as toolmend from "toolmend";
import { jsonlSink, pairsOf } from "toolmend/evidence";
import * as messages from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { otelSink } from "toolmend/otel";
import { register } from "toolmend/register/api";
import * as runnables from "toolmend/runnables";
import { z } from "zod";
import { expectWrongUse, type WrongUse } from "../../support/usage/wrong-use.ts";

// The wrong uses of what tells and shows what became of calls, and of the graph's node. As in misuse.test.ts.

// biome-ignore lint/suspicious/noExplicitAny: every case is one that TypeScript would refuse
type Wrong = any;

const { createFixerRegistry, dropNulls, explainRepair, renameKey, wrapTool, wrapTools } =
  toolmend as Wrong;
const { afterRepair, callRecordsOf, normalizeToolCalls, readTextCalls, repairNode } =
  messages as Wrong;
const { describeFailure, toolChain } = runnables as Wrong;
const mw: Wrong = toolInputMiddleware;
const toFile: Wrong = jsonlSink;
const toOtel: Wrong = otelSink;
const hook: Wrong = register;

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks the element that a CSS selector finds.",
  schema: z.object({ selector: z.string() }),
});
const fixers = createFixerRegistry([click]);
const sink = () => undefined;
const human = new HumanMessage("x");

const evidence: readonly WrongUse[] = [
  ["a sink without brackets", () => mw({ evidence: sink }), /"evidence".*an array.*a function/],
  ["a file for sinks", () => mw({ evidence: "log.jsonl" }), /jsonlSink\(file\).*"log\.jsonl"/],
  [
    "a file among the sinks",
    () => wrapTool(click, { evidence: [sink, "log.jsonl"] }),
    /element 1 of the option "evidence" of wrapTool must be a sink.*"log\.jsonl"/,
  ],
  [
    "jsonlSink, not called",
    () => mw({ evidence: [jsonlSink] }),
    /element 0 .*must be a sink, as jsonlSink\(file\)/,
  ],
  ["otelSink, not called", () => wrapTool(click, { evidence: [otelSink] }), /otelSink\(\) return/],
  ["null for sinks", () => wrapTool(click, { evidence: null }), /"evidence".*null/],
  ["evidence misspelt", () => wrapTool(click, { evidences: [sink] }), /Did you mean "evidence"\?/],
  ["evidence of a misspelt hook", () => hook({ evidance: [sink] }), /Did you mean "evidence"\?/],
  ["onRefused as a word", () => mw({ onRefused: "tellModel" }), /"onRefused".*a function/],
  ["onRefused misspelt", () => mw({ onRefuse: sink }), /Did you mean "onRefused"\?/],
];

const sinks: readonly WrongUse[] = [
  ["jsonlSink without a file", () => toFile(), /The file of jsonlSink.*a path.*undefined/],
  ["jsonlSink of options", () => toFile({ file: "x" }), /a path, as in "logs\/.*an object/],
  ["jsonlSink of an empty path", () => toFile(""), /a path/],
  ["jsonlSink of a URL", () => toFile(new URL("file:///x.jsonl")), /an instance of URL/],
  ["content of jsonlSink", () => toFile("x", { content: "all" }), /"none", "keys" or "full"/],
  ["content: true", () => toFile("x", { content: true }), /"content" of jsonlSink.*not true/],
  ["content misspelt", () => toFile("x", { contents: "full" }), /Did you mean "content"\?/],
  [
    "redact misspelt",
    () => toFile("x", { content: "full", redcat: sink }),
    /Did you mean "redact"\?/,
  ],
  ["redact as a pattern", () => toFile("x", { redact: /secret/ }), /"redact".*RegExp/],
  ["valid: true", () => toFile("x", { valid: true }), /"count" or "each", not true/],
  ["valid misspelt", () => toFile("x", { valid: "counts" }), /Did you mean "count"\?/],
  ["a word for options", () => toFile("x", "full"), /jsonlSink\(file, \{ content: "keys" \}\)/],
  ["null for options", () => toFile("x", null), /must be an object.*null/],
  ["content keys of otelSink", () => toOtel({ content: "keys" }), /"none" or "full", not "keys"/],
  ["spans as a word", () => toOtel({ spans: "none" }), /"spans".*true or false/],
  ["spans misspelt", () => toOtel({ span: false }), /Did you mean "spans"\?/],
  ["redact of otelSink as a list", () => toOtel({ redact: ["key"] }), /"redact" of otelSink/],
];

const trace: readonly WrongUse[] = [
  ["trace: true", () => mw({ trace: true }), /"full" or "quiet", false.*not true/],
  ["trace in another case", () => mw({ trace: "Full" }), /Did you mean "full"\?/],
  ["trace.content", () => mw({ trace: { content: "all" } }), /"content".*in "trace".*"all"/],
  ["trace.mode", () => wrapTool(click, { trace: { mode: "silent" } }), /"mode".*"silent"/],
  [
    "trace.redact misspelt",
    () => mw({ trace: { content: "full", redcat: sink } }),
    /no option "redcat" of toolInputMiddleware, in "trace"\. Did you mean "redact"\?/,
  ],
  [
    "trace.redact as a list",
    () => toolChain(fakeModel(), [click], { trace: { redact: ["key"] } }),
    /"redact" of toolChain, in "trace".*a function, not an array/,
  ],
];

const graph: readonly WrongUse[] = [
  ["a history for repairNode", () => repairNode([click], { history: [] }), /no option "history"/],
  ["names for repairNode's tools", () => repairNode(["click"]), /element 0 of it is "click"/],
  ["tools by name", () => repairNode({ click }), /an array of tools; this is an object/],
  ["messages for the node's state", () => repairNode([click])([human]), /state.*an array/],
  ["no state for the node", () => repairNode([click])(), /\{ messages: \[messages\] \}/],
  ["a state without messages", () => repairNode([click])({}), /messages is undefined/],
  ["messages for afterRepair", () => afterRepair([human]), /afterRepair\(state\).*an array/],
  ["a message for afterRepair", () => afterRepair(new AIMessage("")), /this is a message/],
  ["nothing for callRecordsOf", () => callRecordsOf(), /needs a message.*undefined/],
  ["messages for callRecordsOf", () => callRecordsOf([human]), /needs a message.*an array/],
  [
    "a message for pairsOf",
    () => pairsOf(new AIMessage("") as Wrong),
    /pairsOf\(messages\).*a message/,
  ],
  [
    "a message for normalizeToolCalls",
    () => normalizeToolCalls(human, [click]),
    /an array of messages/,
  ],
  ["a message for readTextCalls", () => readTextCalls(human, [click]), /needs a text.*not object/],
  [
    "one tool for readTextCalls",
    () => readTextCalls("x", click),
    /needs a text and an array of tools/,
  ],
  ["a hook in another case", () => mw({ hook: "aftermodel" }), /Did you mean "afterModel"\?/],
  ["another hook", () => mw({ hook: "beforeModel" }), /"afterModel" or "wrapToolCall"/],
  ["no tool among the tools", () => mw({ tools: [click, undefined] }), /element 1 .*"tools"/],
  ["names for wrapTools", () => wrapTools(["click"]), /element 0 of it is "click"/],
];

const rest: readonly WrongUse[] = [
  ["explainRepair without a tool", () => explainRepair("{}"), /explainRepair\(raw, tool/],
  ["explainRepair, swapped", () => explainRepair(click, "{}"), /needs a tool.*this is "\{\}"/],
  ["a level", () => explainRepair({}, click, { level: "lax" }), /"level" of explainRepair/],
  ["a registry for options", () => explainRepair({}, click, fixers), /tool, \{ fixers \}\)/],
  ["fixers as a list", () => explainRepair({}, click, { fixers: [] }), /a registry.*not an array/],
  ["onUnfixable", () => explainRepair({}, click, { onUnfixable: sink }), /must be left out/],
  ["a fixer for a name", () => fixers.register(renameKey("a", "b")), /must be a text/],
  ["a tool for a name", () => fixers.register(click, dropNulls()), /not the tool "click"/],
  ["renameTool with one name", () => fixers.renameTool("a"), /name must be a text, not undefined/],
  [
    "renameTool of a list",
    () => fixers.renameTool(["a"], "click"),
    /name must be a text, not an array/,
  ],
  ["describeFailure of an error", () => describeFailure(new Error("x")), /describeFailure\(\{/],
  ["a model's name for a model", () => toolChain("gpt-4o", [click]), /bindTools, not "gpt-4o"/],
  ["unwrapTool of a name", () => toolmend.unwrapTool("click" as Wrong), /needs a tool.*"click"/],
];

describe.each([
  ["option for who is told", evidence],
  ["sink", sinks],
  ["trace", trace],
  ["use in a graph", graph],
  ["use of others", rest],
] as const)("Wrong %s", (_, cases) => {
  test.each(cases)("%s is an error at once", expectWrongUse);
});

test("sinks, a provider's own tools and every trace that there is pass", () => {
  const providersTool = { type: "web_search_20250305", name: "web_search" };
  expect(() => repairNode([click, providersTool])).not.toThrow();
  for (const trace of ["full", "quiet", false, { mode: "quiet", redact: sink }, {}]) {
    expect(() => mw({ trace, evidence: [sink, toOtel()], tools: [click] })).not.toThrow();
  }
});
