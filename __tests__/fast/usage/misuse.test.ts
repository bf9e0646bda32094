import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import * as toolmend from "toolmend";
import {
  normalizeToolCalls,
  repairAIMessage,
  repairNode,
  settleToolCalls,
} from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { toolChain, withToolErrors } from "toolmend/runnables";
import { z } from "zod";
import { expectWrongUse, type WrongUse } from "../../support/usage/wrong-use.ts";

// Each wrong use of toolmend is thrown at once, where it is made, as a TypeError that says what is
// wrong, where, and what to do. Never a raw error from inside, and never nothing.

// biome-ignore lint/suspicious/noExplicitAny: every case is one that TypeScript would refuse
type Wrong = any;

const {
  applyRepairs,
  coerceTo,
  createFixerRegistry,
  dropNulls,
  mapValue,
  normalizeIntermediateSteps,
  parseJson,
  renameKey,
  repairToolCall,
  repairToolInput,
  setDefault,
  splitList,
  unwrapKey,
  wrapAgentExecutor,
  wrapTool,
  wrapTools,
  wrapValue,
} = toolmend as Wrong;

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
    "a registry for repairAIMessage's options",
    () => repairAIMessage(message, [click], fixers),
    /repairAIMessage\(message, tools, \{ fixers \}\)/,
  ],
  [
    "a registry for repairNode's options",
    () => repairNode([click], fixers),
    /repairNode\(tools, \{ fixers \}\)/,
  ],
  [
    "a registry for toolChain's options",
    () => toolChain(model, [click], fixers),
    /toolChain\(model, tools, \{ fixers \}\)/,
  ],
  [
    "a registry for withToolErrors' options",
    () => withToolErrors(click, fixers),
    /withToolErrors\(tool, \{ fixers \}\)/,
  ],
  [
    "two objects of options",
    () => wrapTool(click, { level: "safe" }, { level: "eager" }),
    /one object of options/,
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
    /"strict", "safe" or "eager", not "Safe"\. Did you mean "safe"\?/,
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
    "a level of toolChain",
    () => toolChain(model, [click], { level: "" } as Wrong),
    /"level" of toolChain/,
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
    () => mw({ limits: { timeoutMs: "fast" } }),
    /"timeoutMs".*a number of at least 0, not "fast"/,
  ],
  ["a negative limit", () => mw({ limits: { maxDepth: -1 } }), /"maxDepth".*not -1/],
  [
    "a limit that is not a number",
    () => mw({ limits: { maxSteps: Number.NaN } }),
    /"maxSteps".*not NaN/,
  ],
  [
    "limits that are a number",
    () => mw({ limits: 5 }),
    /"limits" of toolInputMiddleware must be an object/,
  ],
  [
    "keepLangChain misspelt",
    () => wrapAgentExecutor(executor, { keepLangChain: ["toolError"] }),
    /"keepLangChain".*"toolErrors"/,
  ],
  [
    "keepLangChain as a text",
    () => wrapAgentExecutor(executor, { keepLangChain: "toolErrors" }),
    /must be an array/,
  ],
  [
    "onToolError misspelt",
    () => wrapAgentExecutor(executor, { onToolError: "trow" }),
    /Did you mean "throw"\?/,
  ],
  [
    "onUnfixable as another text",
    () => wrapTool(click, { onUnfixable: "tellmodel" }),
    /Did you mean "tellModel"\?/,
  ],
  [
    "onUnfixable as an object",
    () => toolChain(model, [click], { onUnfixable: {} as Wrong }),
    /"onUnfixable".*a function/,
  ],
  [
    "selfCorrect: true",
    () => mw({ selfCorrect: true }),
    /"selfCorrect".*an object with maxAttempts.*not true/,
  ],
  [
    "selfCorrect: 3 of the executor",
    () => wrapAgentExecutor(executor, { selfCorrect: 3 }),
    /"selfCorrect" of wrapAgentExecutor/,
  ],
  [
    "maxAttempts of 0",
    () => mw({ selfCorrect: { maxAttempts: 0 } }),
    /maxAttempts must be a whole number of at least 1/,
  ],
  ["giveUp misspelt", () => mw({ selfCorrect: { giveUp: "thow" } }), /Did you mean "throw"\?/],
  [
    "giveUp of a chain",
    () => toolChain(model, [click], { selfCorrect: { giveUp: "throw" } as Wrong }),
    /no option "giveUp"/,
  ],
  [
    "throwOn misspelt",
    () => toolChain(model, [click], { throwOn: "inputs" } as Wrong),
    /Did you mean "input"\?/,
  ],
  [
    "fallbacks as one model",
    () => toolChain(model, [click], { fallbacks: model } as Wrong),
    /"fallbacks".*an array, not a chat model/,
  ],
  [
    "fixers as an object of single fixers",
    () => mw({ fixers: { click: renameKey("a", "b") } }),
    /createFixerRegistry/,
  ],
  [
    "fixers as an array",
    () => wrapTool(click, { fixers: [renameKey("a", "b")] }),
    /"fixers".*a registry.*not an array/,
  ],
  ["onRepair as a text", () => mw({ onRepair: "log" }), /"onRepair".*a function, not "log"/],
  ["objectAsText that is not a pointer", () => mw({ objectAsText: ["body"] }), /JSON Pointers/],
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
  ["tellModel as a text", () => mw({ tellModel: "yes" }), /"tellModel".*true or false/],
  [
    "rescueTextToolCalls as one name",
    () => mw({ rescueTextToolCalls: "hermes" }),
    /true or false, or an array/,
  ],
  ["record misspelt", () => mw({ record: "outlines" }), /Did you mean "outline"\?/],
  [
    "tools of the middleware as one tool",
    () => mw({ tools: click }),
    /"tools".*an array, each of it a tool, not the tool "click"/,
  ],
  [
    "an option that another function has",
    () => wrapTool(click, { selfCorrect: { maxAttempts: 2 } }),
    /no option "selfCorrect" of wrapTool/,
  ],
  [
    "onUnfixable of repairToolInput",
    () => repairToolInput({}, click, { onUnfixable: () => undefined }),
    /must be left out/,
  ],
  [
    "message of withToolErrors as a number",
    () => withToolErrors(click, { message: 5 } as Wrong),
    /"message" of withToolErrors/,
  ],
  [
    "an option of settleToolCalls",
    () => settleToolCalls([], { tellModels: true } as Wrong),
    /Did you mean "tellModel"\?/,
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
    /its name is undefined and its schema is undefined/,
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
    /Options come before/,
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
    () =>
      repairToolCall({ id: "1", type: "function", function: { name: "click", arguments: "{}" } }, [
        click,
      ]),
    /call\.function\.arguments/,
  ],
  [
    "repairToolCall of the AI SDK's call",
    () => repairToolCall({ toolName: "click", input: "{}" }, [click]),
    /call\.toolName/,
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
    "repairAIMessage without tools",
    () => (repairAIMessage as Wrong)(message),
    /an array of tools; this is undefined/,
  ],
  [
    "repairAIMessage of a human's message",
    () => repairAIMessage(new HumanMessage("x") as Wrong, [click]),
    /needs an AIMessage/,
  ],
  [
    "repairAIMessage of messages",
    () => repairAIMessage([message] as Wrong, [click]),
    /needs an AIMessage; this is an array/,
  ],
  ["repairNode of one tool", () => repairNode(click as Wrong), /Put it in brackets/],
  [
    "settleToolCalls of one message",
    () => settleToolCalls(message as Wrong),
    /an array of messages; this is a message/,
  ],
  [
    "normalizeToolCalls of one tool",
    () => normalizeToolCalls([message], click as Wrong),
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
  ["toolChain of one tool", () => toolChain(model, click as Wrong), /Put it in brackets/],
  [
    "toolChain of a model with tools bound",
    () => toolChain(RunnableLambda.from(() => 1) as Wrong, [click]),
    /bindTools/,
  ],
  [
    "toolChain of what is not a tool",
    () => toolChain(model, [{ name: "x" }] as Wrong),
    /its schema is undefined/,
  ],
  [
    "withToolErrors of a function",
    () => withToolErrors((() => 1) as Wrong),
    /a tool or a Runnable; this is a function/,
  ],
  ["applyRepairs without repairs", () => applyRepairs({}), /applyRepairs\(input, repairs\)/],
  [
    "applyRepairs of a result",
    () => applyRepairs({}, { ok: true, repairs: [] }),
    /applyRepairs\(input, repairs\)/,
  ],
];

const wrongFixers: readonly Case[] = [
  [
    "renameKey with one name",
    () => renameKey("a"),
    /The to of renameKey\(from, to, at\?\) must be a text, not undefined/,
  ],
  ["renameKey of an object", () => renameKey({ element: "selector" }), /The from of renameKey/],
  ["renameKey at what is not a pointer", () => renameKey("a", "b", "items"), /JSON Pointer/],
  ["wrapValue of nothing", () => wrapValue(), /The key of wrapValue/],
  ["unwrapKey of a list", () => unwrapKey(["params"]), /not an array/],
  ["parseJson of a name", () => parseJson("tags"), /"\/tags"/],
  ["parseJson of a number", () => parseJson(5), /The at of parseJson/],
  ["splitList without a place", () => splitList(), /The at of splitList/],
  ["splitList with a pattern", () => splitList("/tags", /,/), /The separator of splitList/],
  ["mapValue without a mapping", () => mapValue("/unit"), /The mapping of mapValue/],
  [
    "mapValue with a list",
    () => mapValue("/unit", [["C", "celsius"]]),
    /The mapping of mapValue.*not an array/,
  ],
  ["setDefault without a value", () => setDefault("/limit"), /The value of setDefault/],
  ["setDefault at the input itself", () => setDefault("", 5), /the place of a field/],
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
  ["dropNulls with an argument", () => dropNulls({ element: null }), /dropNulls\(\)/],
];

describe.each([
  ["options", wrongOptions],
  ["things", wrongThings],
  ["arguments of fixers", wrongFixers],
] as const)("Wrong %s", (_, cases) => {
  test.each(cases)("%s is an error at once", expectWrongUse);
});

describe("Right options", () => {
  test("pass where they are undefined", () => {
    const options = {
      fixers: undefined,
      level: undefined,
      onUnfixable: undefined,
      limits: undefined,
    };
    expect(() => wrapTool(click, options)).not.toThrow();
    expect(() => wrapAgentExecutor(executor, { ...options, selfCorrect: undefined })).not.toThrow();
    expect(() => mw({ ...options, tools: undefined })).not.toThrow();
  });

  test("of wrapTool may follow a registry, as at first", async () => {
    const own = createFixerRegistry([click]);
    own.register("click", renameKey("element", "selector"));
    const wrapped = [
      wrapTool(click, { fixers: own }),
      wrapTool(click, own),
      wrapTool(click, own, { level: "strict" }),
      ...wrapTools([click], { fixers: own }),
      ...wrapTools([click], own, { level: "strict" }),
    ];
    for (const one of wrapped) expect(await one.invoke({ element: "#a" })).toBe("clicked #a");
    const bare = wrapTool(click, undefined, { level: "strict" });
    await expect(bare.invoke({ element: "#a" })).rejects.toThrow("click");
  });
});
