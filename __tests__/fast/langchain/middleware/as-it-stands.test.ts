import { beforeEach, describe, expect, test } from "@jest/globals";
import { AIMessage, AIMessageChunk, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  type ToolCallRequest,
  tool,
  toolCallLimitMiddleware,
} from "langchain";
import type { InputEvent } from "toolmend";
import { repairNode, repairToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import * as calls from "../../../support/langchain/middleware/calling-model.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

// A call counts with the arguments that it has, at the model and in the state, not with a text.

const ran: unknown[] = [];
beforeEach(() => {
  ran.length = 0;
});

const running = <Schema extends z.ZodObject>(name: string, schema: Schema) =>
  tool((input) => `${ran.push({ [name]: input })}`, { name, description: "", schema });
const tools = [
  running("send", z.object({ to: z.string() })),
  running("list", z.object({ folder: z.string().optional() })),
  running("publish", z.object({ to: z.string(), size: z.number() })),
  running("look", z.looseObject({})),
];
const TO_BOB = { name: "send", args: { to: "bob" }, id: "c1" };
const TO_ANN = { name: "send", args: { to: "ann" } };
const NO_ARGS = { name: "list", args: {}, id: "c1" };
const FOLDER = { name: "list", args: { folder: "x" } };
const PLACES = ["one process", "two processes"] as const;

type Edit = Pick<calls.ModelCall, "name" | "args">;

interface Run extends ToolInputMiddlewareOptions {
  readonly around: (repair: AgentMiddleware) => readonly AgentMiddleware[];
  readonly where?: (typeof PLACES)[number];
  /** What the agent goes on with. */
  readonly input?: Command | null;
}

/** Runs an agent that stops before its tools, and goes on. */
async function run(message: AIMessage, { around, where, input = null, ...options }: Run) {
  const events: string[] = [];
  const onToolCall = ({ kind, outcome, toolName }: InputEvent) => {
    if (kind === "call" || outcome === "corrected") events.push(`${outcome} ${toolName}`);
  };
  const model = calls.saying(message);
  const checkpointer = new MemorySaver();
  const make = () => {
    const repair = toolInputMiddleware({ ...options, onToolCall, trace: false });
    const middleware = [...around(repair as AgentMiddleware)];
    return createAgent({ model, tools, checkpointer, middleware });
  };
  const config = { configurable: { thread_id: "1" } };
  const stop = { ...config, interruptBefore: ["tools" as const] } as typeof config;
  const agent = make();
  await agent.invoke({ messages: [{ role: "user", content: "Go." }] }, stop);
  const { messages } = await (where === "two processes" ? make() : agent).invoke(input, config);
  return { events, answers: messages.filter(ToolMessage.isInstance) };
}

/** A message of calls, with what its provider writes. */
const said = (fields: object, ...made: readonly calls.ModelCall[]) =>
  new AIMessage({ content: "", tool_calls: calls.calling(...made).tool_calls ?? [], ...fields });
const CUT_OFF = { response_metadata: { finish_reason: "length" } };

const human = (...names: readonly string[]) =>
  humanInTheLoopMiddleware({
    interruptOn: Object.fromEntries(names.map((name) => [name, true])),
  }) as AgentMiddleware;
const decide = (decision: object) => new Command({ resume: { decisions: [decision] } });
const editTo = ({ name, args }: Edit) => decide({ type: "edit", editedAction: { name, args } });
const redacting = ({ args }: Edit) =>
  createMiddleware({
    name: "redacting",
    afterModel: ({ messages }) => {
      const last = messages.at(-1) as AIMessage;
      if (!last.tool_calls?.length) return undefined;
      const tool_calls = last.tool_calls.map((call) => ({ ...call, args: args as object }));
      return { messages: [new AIMessage({ ...last, content: last.content, tool_calls })] };
    },
  }) as AgentMiddleware;

const CHANGES = [
  ["a human's edit", () => human("send", "list"), editTo],
  ["a redaction by inner middleware", redacting, () => null],
] as const;

const completion = (name: string, text: string, fields: object = CUT_OFF) => {
  const form = { id: "c1", type: "function", function: { name, arguments: text } };
  return { additional_kwargs: { tool_calls: [form] }, ...fields };
};
const OUTPUT = { type: "function_call", call_id: "c1", name: "send", arguments: '{"to":"bob"}' };
const WRITTEN: readonly (readonly [string, Edit, calls.ModelCall, object])[] = [
  ["complete text of a cut-off message", TO_ANN, TO_BOB, completion("send", '{"to":"bob"}')],
  [
    "text whose key was repaired",
    TO_ANN,
    { ...TO_BOB, args: { To: "bob" } },
    completion("send", '{"To":"bob"}'),
  ],
  [
    "text in an incomplete Responses output",
    TO_ANN,
    TO_BOB,
    { response_metadata: { model_provider: "openai", status: "incomplete", output: [OUTPUT] } },
  ],
  [
    "an Anthropic block without input",
    FOLDER,
    NO_ARGS,
    { content: [{ type: "tool_use", id: "c1", name: "list", input: "" }] },
  ],
  ["OpenAI's empty text", FOLDER, NO_ARGS, completion("list", "", {})],
];
const CASES = CHANGES.flatMap(([by, change, inputOf]) =>
  WRITTEN.flatMap(([text, edit, call, fields]) =>
    PLACES.map((where) => {
      const how = { around: (one: AgentMiddleware) => [one, change(edit)], input: inputOf(edit) };
      return [by, text, where, edit, () => run(said(fields, call), { ...how, where })] as const;
    }),
  ),
);

describeSince("1.5")("a call that was changed after the model's answer", () => {
  test.each(CASES)("%s is not replaced by %s, in %s", async (_, __, ___, edit, go) => {
    await go();
    expect(ran).toEqual([{ [edit.name]: edit.args }]);
  });

  test.each(PLACES)("a human may complete a call that was cut off, in %s", async (where) => {
    const around = (repair: AgentMiddleware) => [repair, human("send")];
    const how = { around, where, input: editTo(TO_ANN), humanInTheLoop: false };
    const { events } = await run(said(CUT_OFF, TO_BOB), how);
    expect(ran).toEqual([{ send: TO_ANN.args }]);
    expect(events).toEqual(["refused send", "corrected send"]);
  });

  test.each([
    ["beside a limit", [toolCallLimitMiddleware({ runLimit: 9 }) as AgentMiddleware], {}],
    ["with humanInTheLoop: false", [], { humanInTheLoop: false }],
  ])(
    "a rejected call is judged for the tool that a human names, %s",
    async (_, others, options) => {
      const around = (repair: AgentMiddleware) => [repair, human("send", "publish"), ...others];
      const rejected = { name: "publish", args: { To: "bob" }, id: "c1" };
      const how = { around, input: editTo({ ...rejected, name: "send" }), ...options };
      const { events } = await run(said({}, rejected), how);
      expect(ran).toEqual([{ send: TO_BOB.args }]);
      expect(events).toEqual(["refused publish", "repaired send", "corrected send"]);
    },
  );

  test.each([
    ["is hidden", ["send", "list"]],
    ["needs no approval", ["send"]],
  ])("an approved call runs in another process, where a cut-off one %s", async (_, names) => {
    const around = (repair: AgentMiddleware) => [repair, human(...names)];
    const how = { around, where: PLACES[1], input: decide({ type: "approve" }) };
    const { events, answers } = await run(said(CUT_OFF, TO_BOB, { ...NO_ARGS, id: "c2" }), how);
    expect(ran).toEqual([{ send: TO_BOB.args }]);
    expect(events).toEqual(["valid send", "refused list"]);
    expect(answers.find((one) => one.tool_call_id === "c2")).toMatchObject({ status: "error" });
  });

  const keeping = (count: number) => (request: ToolCallRequest) => {
    const messages = request.state.messages.slice(0, count);
    return { ...request, state: { ...request.state, messages } };
  };
  test.each<readonly [string, (request: ToolCallRequest) => ToolCallRequest]>([
    ["another id", (one) => ({ ...one, toolCall: { ...one.toolCall, id: "other" } })],
    ["a state without its message", keeping(-1)],
    ["a state without messages", keeping(0)],
  ])("a malformed call does not run where outer middleware gives it %s", async (_, change) => {
    const outer = createMiddleware({
      name: "outer",
      wrapToolCall: (request, handler) => handler(change(request)),
    }) as AgentMiddleware;
    const malformed = calls.unreadable({ name: "look", args: '{"n": 1, "b', id: "c1" });
    const { answers } = await run(malformed, { around: (repair) => [outer, repair] });
    expect(ran).toEqual([]);
    const content = expect.stringMatching(/was not accepted/i);
    expect(answers).toMatchObject([{ status: "error", content }]);
  });
});

/** Gives a call other arguments, and leaves the provider's text unchanged. */
const editInPlace = (message: AIMessage) => {
  const tool_calls = [{ ...TO_BOB, type: "tool_call" as const }];
  return Object.assign(message, { tool_calls, invalid_tool_calls: [] });
};
const argsOf = ({ tool_calls = [], invalid_tool_calls = [] }: AIMessage) =>
  [...tool_calls, ...invalid_tool_calls].map(({ args }) => args);

/** The arguments that a call is sent with after its edit. */
const WAYS: Record<string, (message: AIMessage) => Promise<readonly unknown[]>> = {
  async toolInputMiddleware(message) {
    const inner = createMiddleware({
      name: "inner",
      wrapModelCall: async (request, handler) => {
        const answer = (await handler(request)) as AIMessage;
        return answer.content === "done" ? answer : editInPlace(answer);
      },
    });
    const middleware = [toolInputMiddleware(), inner];
    const agent = createAgent({ model: calls.saying(message), tools, middleware });
    await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    return ran.map((one) => (one as { send: unknown }).send);
  },
  async repairNode(message) {
    const edited = editInPlace(message);
    const { messages } = await repairNode(tools)({ messages: [edited] });
    return argsOf((messages[0] ?? edited) as AIMessage);
  },
  repairToolCalls: async (message) =>
    argsOf(await repairToolCalls(tools).invoke(editInPlace(message))),
};
const written = (fields: object) => said(fields, { ...TO_ANN, id: "c1" });
const FORMS: Record<string, (text: string) => AIMessage> = {
  "a completion": (text) => written(completion("send", text, {})),
  "a Responses output": (text) => {
    const output = [{ ...OUTPUT, arguments: text, status: "completed" }];
    return written({ response_metadata: { model_provider: "openai", output } });
  },
  "an Anthropic block": (text) =>
    written({ content: [{ type: "tool_use", id: "c1", name: "send", input: text }] }),
  "streamed chunks": (args) =>
    new AIMessageChunk({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", id: "c1", name: "send", args, index: 0 }],
    }),
};
const TEXTS = ['{"to":"ann"', "{'to':'ann'}", '{"to":"ann"} ok'];

describe.each(Object.entries(WAYS))("the call that %s gets", (_, send) => {
  test.each(
    Object.entries(FORMS).flatMap(([form, make]) =>
      TEXTS.map((text) => [form, text, make(text)] as const),
    ),
  )("is sent with its edit, not with the text of %s: %s", async (__, ___, message) => {
    expect(await send(message)).toEqual([TO_BOB.args]);
  });
});
