import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import * as toolmend from "toolmend";
import * as builtIn from "toolmend/fixers";
import {
  readTextCalls,
  readToolCalls,
  repairNode,
  repairToolCalls,
  settleToolCalls,
} from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { repairMessage } from "../../support/langchain/message/repair-message.ts";
import { expectWrongUse, type WrongUse } from "../../support/usage/wrong-use.ts";

// Each misuse of toolmend throws at once, where it is made, as a TypeError that says what was
// wrong, where, and what to do. It is never an internal error, and never silent.

// biome-ignore lint/suspicious/noExplicitAny: every case is one that TypeScript would reject
type Wrong = any;

const {
  coerceTo,
  createFixerRegistry,
  mapValue,
  normalizeIntermediateSteps,
  renameKey,
  repairToolCall,
  repairToolInput,
  splitList,
  unwrapKey,
  wrapAgentExecutor,
  wrapTool,
  wrapTools,
  wrapValue,
} = { ...toolmend, ...builtIn } as Wrong;

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks the element that a CSS selector finds.",
  schema: z.object({ selector: z.string() }),
});
const fixers = createFixerRegistry([click]);
const schema = z.object({ selector: z.string() });
const model = fakeModel();
const prompt = ChatPromptTemplate.fromMessages([
  ["human", "{input}"],
  ["placeholder", "{agent_scratchpad}"],
]);
const agent = createToolCallingAgent({ llm: model, tools: [click], prompt });
const executor = new AgentExecutor({ agent, tools: [click] });
const message = new AIMessage("");
const mw: Wrong = toolInputMiddleware;

type Case = WrongUse;

const wrongOptions: readonly Case[] = [
  [
    "a registry for wrapAgentExecutor's options",
    () => wrapAgentExecutor(executor, fixers),
    /a fixer registry.*|wrapAgentExecutor\(executor, \{ fixers \}\)/,
  ],
  [
    "a registry for the middleware's options",
    () => mw(fixers),
    /toolInputMiddleware\(\{ fixers \}\)/,
  ],
  [
    "a registry for repairToolInput's options",
    () => repairToolInput({}, click, fixers),
    /repairToolInput\(raw, tool, \{ fixers \}\)/,
  ],
  [
    "a registry for repairToolCall's options",
    () => repairToolCall({ name: "click" }, [click], fixers),
    /\{ fixers \}/,
  ],
  [
    "a registry for normalizeIntermediateSteps' options",
    () => normalizeIntermediateSteps([], [click], fixers),
    /\{ fixers \}/,
  ],
  [
    "a registry for repairToolCalls' options",
    () => repairToolCalls([click], fixers as Wrong),
    /repairToolCalls\(tools, \{ fixers \}\)/,
  ],
  [
    "a registry for repairNode's options",
    () => repairNode([click], fixers),
    /repairNode\(tools, \{ fixers \}\)/,
  ],
  [
    "a registry for repairToolCalls' options",
    () => repairToolCalls([click], fixers),
    /repairToolCalls\(tools, \{ fixers \}\)/,
  ],
  ["a tool for options", () => mw(click), /the tool "click"/],
  ["an array for options", () => mw([fixers]), /an array/],
  ["a function for options", () => wrapAgentExecutor(executor, () => {}), /a function/],
  ["a text for options", () => mw("eager"), /"eager"/],
  ["a schema for options", () => wrapTool(click, schema), /a schema/],
  ["null for options", () => mw(null), /null/],
  [
    "a level in another case",
    () => mw({ level: "Safe" }),
    /"strict", "safe", "eager" or "auto", not "Safe"\. Did you mean "safe"\?/,
  ],
  ["a misspelt auto", () => mw({ level: "Auto" }), /not "Auto"\. Did you mean "auto"\?/],
  [
    "the middleware without its call",
    () => createAgent({ model, tools: [click], middleware: [mw] }),
    /write middleware: \[toolInputMiddleware\(\)\]/,
  ],
  [
    "a level with two letters in the wrong order",
    () => wrapTool(click, { level: "sfae" }),
    /not "sfae"\. Did you mean "safe"\?/,
  ],
  ["a level of wrapTool", () => wrapTool(click, { level: "eagr" }), /Did you mean "eager"\?/],
  ["a level of wrapTools", () => wrapTools([click], { level: 1 }), /"level" of wrapTools.*not 1/],
  [
    "a level of the executor",
    () => wrapAgentExecutor(executor, { level: "SAFE" }),
    /"level" of wrapAgentExecutor/,
  ],
  ["a level of repairToolInput", () => repairToolInput({}, click, { level: "lax" }), /"level"/],
  [
    "a level of repairToolCalls",
    () => repairToolCalls([click], { level: "" } as Wrong),
    /"level" of repairToolCalls/,
  ],
  [
    "a level of a registry",
    () => createFixerRegistry([click], { level: "lenient" }),
    /"level" of createFixerRegistry/,
  ],
  [
    "a level of a registration",
    () => createFixerRegistry([click]).register("click", { level: "Strict" }),
    /"level" of register/,
  ],
  [
    "a misspelt onUnfixable",
    () => mw({ onUnfixible: () => undefined }),
    /no option "onUnfixible" of toolInputMiddleware\. Did you mean "onUnfixable"\?/,
  ],
  ["levels for level", () => wrapTool(click, { levels: "safe" }), /Did you mean "level"\?/],
  [
    "an abbreviated level",
    () => createFixerRegistry([click], { lvl: "safe" }),
    /no option "lvl".*level, undeclaredKeys/,
  ],
  [
    "fixer for fixers",
    () => wrapAgentExecutor(executor, { fixer: fixers }),
    /Did you mean "fixers"\?/,
  ],
  [
    "maxAttempt for maxAttempts",
    () => mw({ selfCorrect: { maxAttempt: 3 } }),
    /Did you mean "maxAttempts"\?/,
  ],
  [
    "limits.timeout for timeoutMs",
    () => repairToolInput({}, click, { limits: { timeout: 5 } }),
    /no option "timeout".*"limits"/,
  ],
  [
    "a limit that is text",
    () => wrapTool(click, { limits: { timeoutMs: "fast" } }),
    /"timeoutMs".*a number of at least 0, not "fast"/,
  ],
  ["a negative limit", () => wrapTool(click, { limits: { maxDepth: -1 } }), /"maxDepth".*not -1/],
  [
    "a limit that is not a number",
    () => wrapTool(click, { limits: { maxSteps: Number.NaN } }),
    /"maxSteps".*not NaN/,
  ],
  [
    "limits that are a number",
    () => wrapTool(click, { limits: 5 }),
    /"limits" of wrapTool must be an object/,
  ],
  [
    "compat as a text",
    () => wrapAgentExecutor(executor, { compat: "inputs" }),
    /"compat" of wrapAgentExecutor must be true or false/,
  ],
  [
    "a record of tools by other names",
    () => wrapAgentExecutor(executor, { tools: { press: click } }),
    /the tool "click" as "press"/,
  ],
  [
    "onUnfixable as another text",
    () => wrapTool(click, { onUnfixable: "tellmodel" }),
    /Did you mean "tellModel"\?/,
  ],
  [
    "onUnfixable as an object",
    () => repairToolCalls([click], { onUnfixable: {} as Wrong }),
    /"onUnfixable".*a function/,
  ],
  [
    "selfCorrect: true",
    () => mw({ selfCorrect: true }),
    /"selfCorrect".*an object with maxAttempts.*not true/,
  ],
  [
    "maxAttempts of 0",
    () => mw({ selfCorrect: { maxAttempts: 0 } }),
    /"maxAttempts" .*must be a whole number of at least 1/,
  ],
  [
    "fixers as an object of single fixers",
    () => mw({ fixers: { click: renameKey("a", "b") } }),
    /"click" of the option "fixers" of toolInputMiddleware must be an array.*not a function/,
  ],
  [
    "fixers with a text among them",
    () => wrapTool(click, { fixers: { click: [renameKey("a", "b"), "renameKey"] } }),
    /element 1 of the "click" of the option "fixers".*a function, not "renameKey"/,
  ],
  [
    "a format of text calls that does not exist",
    () => mw({ rescueTextToolCalls: ["hermess"] }),
    /element 0 of the option "rescueTextToolCalls".*not "hermess"\. Did you mean "hermes"\?/,
  ],
  [
    "an option of readTextCalls that does not exist",
    () => readTextCalls("", [], { format: ["json"] } as Wrong),
    /no option "format" of readTextCalls\. Did you mean "formats"\?/,
  ],
  [
    "fixers as an array",
    () => wrapTool(click, { fixers: [renameKey("a", "b")] }),
    /"fixers".*a registry.*not an array/,
  ],
  ["onToolCall as a text", () => mw({ onToolCall: "log" }), /"onToolCall".*a listener.*not "log"/],
  [
    "objectAsText that is not a pointer",
    () => wrapTool(click, { objectAsText: ["body"] }),
    /element 0 of .*"objectAsText".* must be a JSON Pointer, as in "\/body", not "body"/,
  ],
  [
    "undeclaredKeys misspelt",
    () => wrapTool(click, { undeclaredKeys: "refused" }),
    /Did you mean "refuse"\?/,
  ],
  [
    "undeclaredKeys.allow as a text",
    () => wrapTool(click, { undeclaredKeys: { allow: "x" } }),
    /\{ allow: \[names\] \}/,
  ],
  [
    "an unknown edit",
    () => wrapTool(click, { edits: { "correct-kye": true } }),
    /Did you mean "correct-key"\?/,
  ],
  [
    "rescueTextToolCalls as one name",
    () => mw({ rescueTextToolCalls: "hermes" }),
    /true or false, or an array/,
  ],
  [
    "tools of the middleware as one tool",
    () => mw({ tools: click }),
    /"tools".*an array in which each element is a tool, not the tool "click"/,
  ],
  [
    "an option that another function has",
    () => wrapTool(click, { selfCorrect: { maxAttempts: 2 } }),
    /no option "selfCorrect" of wrapTool/,
  ],
  [
    "onUnfixable of repairToolInput",
    () => repairToolInput({}, click, { onUnfixable: () => undefined }),
    /of repairToolInput and repairToolCall must be left out: the error is returned/,
  ],
];

const wrongThings: readonly Case[] = [
  [
    "wrapTool of nothing",
    () => wrapTool(undefined),
    /wrapTool\(tool, options\) needs a tool.*undefined/,
  ],
  ["wrapTool of null", () => wrapTool(null), /needs a tool.*null/],
  [
    "wrapTool of an empty object",
    () => wrapTool({}),
    /whose name is undefined and whose schema is undefined/,
  ],
  ["wrapTool of a function", () => wrapTool(() => {}), /a function/],
  ["wrapTool of an array", () => wrapTool([click]), /wrapTools takes several/],
  ["wrapTool of a schema", () => wrapTool(schema), /a schema/],
  ["wrapTool with swapped arguments", () => wrapTool(fixers, click), /a fixer registry/],
  ["wrapTool of a name", () => wrapTool("click"), /"click"/],
  ["wrapTools of one tool", () => wrapTools(click), /Put it in brackets/],
  ["wrapTools of nothing", () => wrapTools(), /an array of tools; this is undefined/],
  ["createFixerRegistry of one tool", () => createFixerRegistry(click), /Put it in brackets/],
  [
    "createFixerRegistry of options",
    () => createFixerRegistry({ level: "eager" }),
    /an array of tools; this is an object/,
  ],
  [
    "register of an unknown tool",
    () => fixers.register("clik", renameKey("a", "b")),
    /Did you mean "click"\?/,
  ],
  [
    "register of a list of fixers",
    () => fixers.register("click", [renameKey("a", "b")]),
    /without brackets/,
  ],
  [
    "register of a text",
    () => fixers.register("click", "renameKey"),
    /must be a function, not "renameKey"/,
  ],
  [
    "register of options last",
    () => fixers.register("click", renameKey("a", "b"), { level: "safe" }),
    /Options come first/,
  ],
  [
    "repairToolInput without a tool",
    () => repairToolInput("{}"),
    /repairToolInput\(raw, tool, options\) needs a tool.*undefined/,
  ],
  ["repairToolInput of a schema", () => repairToolInput({}, schema), /a schema/],
  [
    "repairToolInput of an object of schemas",
    () => repairToolInput({}, { name: "n", schema: { n: z.number() } }),
    /z\.object/,
  ],
  ["repairToolInput of tools", () => repairToolInput({}, [click]), /an array/],
  [
    "repairToolCall of one tool",
    () => repairToolCall({ name: "click", args: {} }, click),
    /Put it in brackets/,
  ],
  [
    "repairToolCall of OpenAI's call",
    () => repairToolCall({ id: "1", function: { name: "click", arguments: "{}" } }, [click]),
    /\{ name, args, id\? \}; the name of this one is undefined/,
  ],
  [
    "repairToolCall of text",
    () => repairToolCall("click", [click]),
    /\{ name, args, id\? \}; this is "click"/,
  ],
  [
    "repairToolCall without a name",
    () => repairToolCall({ args: {} }, [click]),
    /the name of this one is undefined/,
  ],
  [
    "normalizeIntermediateSteps without tools",
    () => normalizeIntermediateSteps([]),
    /an array of tools; this is undefined/,
  ],
  [
    "normalizeIntermediateSteps of junk",
    () => normalizeIntermediateSteps([5], [click]),
    /Step 0 must be/,
  ],
  [
    "repairMessage without tools",
    () => (repairMessage as Wrong)(message),
    /an array of tools; this is undefined/,
  ],
  [
    "repairMessage of a human's message",
    () => repairMessage(new HumanMessage("x") as Wrong, [click]),
    /needs an AIMessage/,
  ],
  [
    "repairMessage of messages",
    () => repairMessage([message] as Wrong, [click]),
    /needs an AIMessage; this is an array/,
  ],
  ["repairNode of one tool", () => repairNode(click as Wrong), /Put it in brackets/],
  [
    "settleToolCalls of one message",
    () => settleToolCalls(message as Wrong),
    /an array of messages; this is a message/,
  ],
  [
    "readToolCalls of one tool",
    () => readToolCalls([message], click as Wrong),
    /Put it in brackets/,
  ],
  [
    "wrapAgentExecutor of an agent",
    () => wrapAgentExecutor(agent),
    /new AgentExecutor\(\{ agent, tools \}\)/,
  ],
  ["wrapAgentExecutor of a model", () => wrapAgentExecutor(model), /a chat model/],
  [
    "wrapAgentExecutor of createAgent's agent",
    () => wrapAgentExecutor(createAgent({ model: model as Wrong, tools: [click] })),
    /toolInputMiddleware/,
  ],
  [
    "wrapAgentExecutor of a chain",
    () => wrapAgentExecutor(RunnableLambda.from(() => 1)),
    /repairNode|wrapTools/,
  ],
  [
    "wrapAgentExecutor of nothing",
    () => wrapAgentExecutor(),
    /an AgentExecutor; this is undefined/,
  ],
  ["repairToolCalls of one tool", () => repairToolCalls(click as Wrong), /Put it in brackets/],
  [
    "repairToolCalls of a message",
    () => repairToolCalls([click]).invoke(new HumanMessage("") as Wrong),
    /needs an AIMessage; this is an instance of HumanMessage/,
  ],
];

const wrongFixers: readonly Case[] = [
  [
    "renameKey with one name",
    () => renameKey("a"),
    /The to of renameKey\(from, to, at\?\) must be a string without "\/" before it, not undefined/,
  ],
  ["renameKey of an object", () => renameKey({ element: "selector" }), /The from of renameKey/],
  ["renameKey at what is not a pointer", () => renameKey("a", "b", "items"), /JSON Pointer/],
  ["wrapValue of nothing", () => wrapValue(), /The key of wrapValue/],
  ["unwrapKey of a list", () => unwrapKey(["params"]), /not an array/],
  ["splitList without a place", () => splitList(), /The at of splitList/],
  ["splitList with a pattern", () => splitList("/tags", /,/), /The separator of splitList/],
  ["mapValue without a mapping", () => mapValue("/unit"), /The mapping of mapValue/],
  [
    "mapValue with a list",
    () => mapValue("/unit", [["C", "celsius"]]),
    /The mapping of mapValue.*not an array/,
  ],
  [
    "coerceTo with a misspelt type",
    () => coerceTo("/n", "int"),
    /"string", "number", "integer" or "boolean", not "int"/,
  ],
  [
    "coerceTo with a constructor",
    () => coerceTo("/n", Number),
    /The type of coerceTo.*not a function/,
  ],
];

describe.each([
  ["options", wrongOptions],
  ["things", wrongThings],
  ["arguments of fixers", wrongFixers],
] as const)("Wrong %s", (_, cases) => {
  test.each(cases)("%s throws at once", expectWrongUse);
});

describe("Right options", () => {
  test("pass if they are undefined", () => {
    const options = {
      fixers: undefined,
      level: undefined,
      onUnfixable: undefined,
      limits: undefined,
    };
    expect(() => wrapTool(click, options)).not.toThrow();
    expect(() => wrapAgentExecutor(executor, { ...options, compat: undefined })).not.toThrow();
    expect(() => repairToolCalls([click], options)).not.toThrow();
    const { limits: _, ...rest } = options;
    expect(() => mw({ ...rest, tools: undefined })).not.toThrow();
  });
});
