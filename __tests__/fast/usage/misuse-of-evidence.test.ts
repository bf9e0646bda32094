import { describe, expect, test } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import * as toolmend from "toolmend";
import { jsonlSink, otelSink } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import * as messages from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { register } from "#src/langchain/register/register.ts";
import { expectWrongUse, type WrongUse } from "../../support/usage/wrong-use.ts";

// Misuse of sinks, traces and the graph's node. As in misuse.test.ts.

// biome-ignore lint/suspicious/noExplicitAny: every case is one that TypeScript would reject
type Wrong = any;

const { createFixerRegistry, wrapTool, wrapTools } = toolmend as Wrong;
const { repairCondition, readToolCalls, readTextCalls, repairNode, repairToolCalls } =
  messages as Wrong;
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

const onToolCall: readonly WrongUse[] = [
  ["a file for sinks", () => mw({ onToolCall: "log.jsonl" }), /jsonlSink\(file\).*"log\.jsonl"/],
  [
    "a file among the sinks",
    () => wrapTool(click, { onToolCall: [sink, "log.jsonl"] }),
    /element 1 of the option "onToolCall" of wrapTool must be a listener.*"log\.jsonl"/,
  ],
  [
    "jsonlSink, not called",
    () => mw({ onToolCall: [jsonlSink] }),
    /element 0 .*must be a listener.* jsonlSink\(file\)/,
  ],
  [
    "otelSink, not called",
    () => wrapTool(click, { onToolCall: [otelSink] }),
    /otelSink\(\) return/,
  ],
  ["null for sinks", () => wrapTool(click, { onToolCall: null }), /"onToolCall".*null/],
  [
    "onToolCall misspelt",
    () => wrapTool(click, { onToolCalls: sink }),
    /Did you mean "onToolCall"\?/,
  ],
  [
    "onToolCall of a misspelt hook",
    () => hook({ onToolcall: sink }),
    /Did you mean "onToolCall"\?/,
  ],
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
    () => repairToolCalls([click], { trace: { redact: ["key"] } }),
    /"redact" of repairToolCalls, in "trace".*a function, not an array/,
  ],
];

const graph: readonly WrongUse[] = [
  ["a history for repairNode", () => repairNode([click], { history: [] }), /no option "history"/],
  ["names for repairNode's tools", () => repairNode(["click"]), /element 0 of it is "click"/],
  ["tools by name", () => repairNode({ click }), /an array of tools; this is an object/],
  ["messages for the node's state", () => repairNode([click])([human]), /state.*an array/],
  ["no state for the node", () => repairNode([click])(), /\{ messages: \[messages\] \}/],
  ["a state without messages", () => repairNode([click])({}), /whose messages are undefined/],
  [
    "messages for repairCondition",
    () => repairCondition([human]),
    /repairCondition\(state\).*an array/,
  ],
  ["a message for repairCondition", () => repairCondition(new AIMessage("")), /this is a message/],
  ["a message for readToolCalls", () => readToolCalls(human, [click]), /an array of messages/],
  [
    "a message for readTextCalls",
    () => readTextCalls(human, [click]),
    /text of readTextCalls.*must be a string, not an instance of HumanMessage/,
  ],
  [
    "one tool for readTextCalls",
    () => readTextCalls("x", click),
    /tools of readTextCalls.*must be an array, not the tool "click"/,
  ],
  ["tool errors in another case", () => mw({ toolErrors: "Throw" }), /Did you mean "throw"\?/],
  ["other tool errors", () => mw({ toolErrors: "hide" }), /"answer" or "throw"/],
  ["no tool among the tools", () => mw({ tools: [click, undefined] }), /element 1 .*"tools"/],
  ["names for wrapTools", () => wrapTools(["click"]), /element 0 of it is "click"/],
];

const rest: readonly WrongUse[] = [
  ["a fixer for a name", () => fixers.register(renameKey("a", "b")), /must be a string/],
  ["a tool for a name", () => fixers.register(click, renameKey("a", "b")), /not the tool "click"/],
  [
    "renameTool with one name",
    () => fixers.renameTool("a"),
    /name must be a string, not undefined/,
  ],
  [
    "renameTool of a list",
    () => fixers.renameTool(["a"], "click"),
    /name must be a string, not an array/,
  ],
];

describe.each([
  ["option for who is told", onToolCall],
  ["sink", sinks],
  ["trace", trace],
  ["use in a graph", graph],
  ["use of others", rest],
] as const)("Wrong %s", (_, cases) => {
  test.each(cases)("%s throws at once", expectWrongUse);
});

test("sinks, a provider's own tools and every value of trace pass", () => {
  const providersTool = { type: "web_search_20250305", name: "web_search" };
  expect(() => repairNode([click, providersTool])).not.toThrow();
  for (const trace of ["full", "quiet", false, { mode: "quiet", redact: sink }, {}]) {
    expect(() => mw({ trace, onToolCall: [sink, toOtel()], tools: [click] })).not.toThrow();
  }
});
