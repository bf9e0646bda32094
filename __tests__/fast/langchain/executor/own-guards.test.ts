import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, StructuredChatOutputParser } from "@langchain/classic/agents";
import {
  OpenAIFunctionsAgentOutputParser,
  OpenAIToolsAgentOutputParser,
} from "@langchain/classic/agents/openai/output_parser";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { OutputParserException } from "@langchain/core/output_parsers";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool } from "@langchain/core/tools";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { type Output, ScriptedModel } from "../../../support/langchain/executor/scripted-model.ts";
import { clickTool, run } from "../../../support/langchain/executor/set-up.ts";
import { calling, unreadable } from "../../../support/langchain/middleware/calling-model.ts";
import { sampled } from "../../../support/tier.ts";

// What an agent's own components decide about a call holds in a wrapped executor, too.

/** A model's answer, and the components that its agent has around its parser, or instead of it. */
interface Case {
  readonly kind?: keyof typeof agentKinds;
  readonly said: Output;
  readonly before?: (message: AIMessage) => unknown;
  readonly parser?: object;
  // biome-ignore lint/suspicious/noExplicitAny: the outputs of parsers differ
  readonly after?: (output: any) => unknown;
}

const WAYS = ["invoke", "stream"] as const;

/** What an executor does, bare or wrapped: the tools that ran, the steps, and the output. */
async function outcome(way: (typeof WAYS)[number], which: "bare" | "wrapped", given: Case) {
  const { kind = "createToolCallingAgent", said, before, parser, after } = given;
  const { make, finish } = agentKinds[kind] as (typeof agentKinds)[string];
  const [look, wipe, notes] = [clickTool("look"), clickTool("wipe"), [] as string[]];
  const func = async (text: string) => `noted ${notes.push(text)}`;
  const note = new DynamicTool({ name: "note", description: "notes", func });
  const tools = [look.click, wipe.click, note];
  const model = new ScriptedModel(
    Array.isArray(said) ? [said, [new AIMessageChunk("done")]] : [said, finish("done")],
  );
  const agent = await make(model, tools);
  const parts = [
    ...agent.middle,
    ...(before ? [RunnableLambda.from(before)] : []),
    parser ?? agent.last,
    ...(after ? [RunnableLambda.from(after)] : []),
  ];
  Object.assign(agent, { last: parts.pop(), middle: parts });
  const bare = new AgentExecutor({
    agent,
    tools,
    returnIntermediateSteps: true,
    handleParsingErrors: true,
  });
  const { output, steps } = await run(way, which === "bare" ? bare : wrapAgentExecutor(bare));
  const done = steps.map(({ action, observation }) => [action.tool, action.toolInput, observation]);
  return { output, done, looked: look.ran, wiped: wipe.ran, notes };
}

const LOOK = { name: "look", args: { selector: "#a" }, id: "l1" };
const WIPE = { name: "wipe", args: { selector: "#all" }, id: "w1" };
const TEXT = JSON.stringify(WIPE.args);
const BROKEN = "{selector: '#all'}";
const unread = () => unreadable({ ...WIPE, args: BROKEN });
const beside = (...calls: (typeof LOOK)[]) =>
  Object.assign(calling(...calls), { invalid_tool_calls: unread().invalid_tool_calls });

const ONE = { name: "wipe", arguments: TEXT };
const openAI = {
  kind: "createOpenAIToolsAgent",
  said: new AIMessage({
    content: "",
    tool_calls: [WIPE],
    additional_kwargs: { tool_calls: [{ id: "w1", type: "function", function: ONE }] },
  }),
};
const functions = (text: string) => ({
  kind: "createOpenAIFunctionsAgent",
  said: new AIMessage({
    content: "",
    additional_kwargs: { function_call: { ...ONE, arguments: text } },
  }),
});
const blob = (before: string) => ({
  kind: "createStructuredChatAgent",
  said: new AIMessage(`${before}\`\`\`json\n{"action": "wipe", "action_input": ${TEXT}}\n\`\`\``),
});

/** Passes on what names no `wipe`. */
function refuse<Value>(value: Value): Value {
  if (!JSON.stringify(value).includes("wipe")) return value;
  throw new OutputParserException("wipe is forbidden");
}
type Parsed = [Parameters<OpenAIToolsAgentOutputParser["parseResult"]>[0]];
class OwnTools extends OpenAIToolsAgentOutputParser {
  override async parseResult(...given: Parsed) {
    return refuse(await super.parseResult(...given));
  }
}
class OwnFunctions extends OpenAIFunctionsAgentOutputParser {
  override async parseResult(...given: Parsed) {
    return refuse(await super.parseResult(...given));
  }
}
class OwnChat extends StructuredChatOutputParser {
  override async parse(text: string) {
    return refuse(await super.parse(text));
  }
}
const NAMES = { toolNames: ["look", "wipe", "note"] };

const asText = (message: AIMessage) =>
  message.invalid_tool_calls?.length ? new AIMessage("I may not do that.") : message;
const withoutUnread = ({ content, tool_calls = [] }: AIMessage) =>
  new AIMessage({ content, tool_calls });
const first = (output: unknown) => (Array.isArray(output) ? output.slice(0, 1) : output);
const stop = (output: object) =>
  "returnValues" in output ? { returnValues: { output: "stopped" }, log: "" } : output;

const GUARDS: readonly (readonly [string, Case])[] = [
  ["a step before the parser refuses it", { said: calling(WIPE), before: refuse }],
  ["a step behind the parser refuses it", { said: calling(WIPE), after: refuse }],
  ["the agent's own parser refuses it", { ...openAI, parser: new OwnTools() }],
  [
    "the agent's own parser refuses its function call",
    { ...functions(TEXT), parser: new OwnFunctions() },
  ],
  ["the agent's own parser cannot read it", { ...functions(BROKEN), parser: new OwnFunctions() }],
  ["the agent's own parser refuses its blob", { ...blob(""), parser: new OwnChat(NAMES) }],
  [
    "the agent's own parser refuses its blob behind a thought",
    { ...blob("Thought: hm\nAction:\n"), parser: new OwnChat(NAMES) },
  ],
  ["a step makes text of it", { said: unread(), before: asText }],
  ["a step takes it away before the parser", { said: beside(LOOK), before: withoutUnread }],
  [
    "a step keeps the first call alone",
    { said: beside(LOOK, { ...LOOK, id: "l2" }), after: first },
  ],
  ["a step behind the parser ends the run", { said: unread(), after: stop }],
];

const chunk = (args: string, fields: object = {}) => [
  new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ type: "tool_call_chunk", id: "w1", name: "wipe", args, index: 0 }],
    ...fields,
  }),
];
const SAFE = { selector: "#safe" };
const CUT_OFF = { response_metadata: { finish_reason: "length" } };
const EDITED: readonly (readonly [string, Case])[] = [
  ["whole text", { said: chunk(TEXT) }],
  ["text that LangChain closed", { said: chunk(TEXT.slice(0, -1)) }],
  ["text of a cut-off message", { said: chunk(TEXT, CUT_OFF) }],
  ["a function call", functions(TEXT)],
];
const replace = (toolInput: unknown) => (output: object) => {
  if ("returnValues" in output) return output;
  return Array.isArray(output)
    ? output.map((one) => ({ ...one, toolInput }))
    : { ...output, toolInput };
};
const xml = (input: string) => ({
  kind: "createXmlAgent",
  said: new AIMessage(`<tool>note</tool><tool_input>${input}</tool_input>`),
});

describe.each(sampled(WAYS, 2))("by %s", (way) => {
  test.each(GUARDS)("a call does not run, as in LangChain, if %s", async (_, given) => {
    const wrapped = await outcome(way, "wrapped", given);
    expect(wrapped.wiped).toEqual([]);
    expect(wrapped).toEqual(await outcome(way, "bare", given));
  });

  test.each([
    ["without other components", {}],
    ["behind a step that passes messages on", { before: (message: AIMessage) => message }],
  ])("a call that could not be read is repaired and runs %s", async (_, guard) => {
    const { wiped, output } = await outcome(way, "wrapped", { said: unread(), ...guard });
    expect({ wiped, output }).toEqual({ wiped: [WIPE.args], output: "done" });
  });

  test.each(EDITED)("a tool runs with a component's change, not with %s", async (_, given) => {
    const edited = { ...given, after: replace(SAFE) };
    const wrapped = await outcome(way, "wrapped", edited);
    expect(wrapped.wiped).toEqual([SAFE]);
    expect(wrapped).toEqual(await outcome(way, "bare", edited));
  });

  test.each([
    ["that a component blanked stays blank", "rm -rf /", { after: replace("") }, ""],
    ["that holds < is read from the text", "a < b", {}, "a < b"],
  ])("an XML input %s", async (_, text, guard, expected) => {
    const { notes } = await outcome(way, "wrapped", { ...xml(text), ...guard });
    expect(notes).toEqual([expected]);
  });
});
