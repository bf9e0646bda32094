import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGoogle } from "@langchain/google";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, type HITLResponse, humanInTheLoopMiddleware } from "langchain";
import { repairToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import {
  type Answer,
  type Loopback,
  startLoopback,
} from "../../../support/langchain/middleware/loopback.ts";

let provider: Loopback;
let kit: ReturnType<typeof clickTools>;
beforeAll(async () => {
  provider = await startLoopback();
});
afterAll(() => provider.close());
beforeEach(() => {
  kit = clickTools();
});

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: object };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name: string;
    readonly response: { readonly result: string };
  };
  readonly thoughtSignature?: string;
}

type Form = "whole" | "streamed";

function answerOf(form: Form, parts: readonly Part[]): Answer {
  const json = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
  };
  return form === "whole" ? { json } : { events: [`data: ${JSON.stringify(json)}\n\n`] };
}

const signed = (name: string, args: object): Part => ({
  functionCall: { name, args },
  thoughtSignature: "signature",
});
const unsigned = (name: string, args: object): Part => ({ functionCall: { name, args } });

function modelOf(form: Form, outputVersion: "v0" | "v1") {
  return new ChatGoogle({
    model: "gemini-test",
    apiKey: "none",
    maxRetries: 0,
    endpoint: provider.url,
    streaming: form === "streamed",
    outputVersion,
  });
}

/** The parts of the last request that are calls, answers, or text of the model. */
function lastSent() {
  const { contents } = provider.requests.at(-1) as {
    contents: { role: string; parts: Part[] }[];
  };
  const all = contents.flatMap(({ role, parts }) => parts.map((part) => ({ role, ...part })));
  const answers = all.filter(({ functionResponse }) => functionResponse !== undefined);
  return {
    calls: all.filter(({ functionCall }) => functionCall !== undefined).map(withoutRole),
    answers: answers.map(({ functionResponse }) => functionResponse?.name),
    ids: answers.map(({ functionResponse }) => functionResponse?.id),
    results: answers.map(({ functionResponse }) => functionResponse?.response.result),
    said: all.filter(({ role, text }) => role === "model" && text !== undefined).map(withoutRole),
  };
}

function withoutRole(part: Part & { readonly role: string }): Part {
  const { role: _, ...rest } = part;
  return rest;
}

async function runOnce(
  parts: readonly Part[],
  options: ToolInputMiddlewareOptions = {},
  form: Form = "whole",
  outputVersion: "v0" | "v1" = "v0",
) {
  provider.answer(answerOf(form, parts), answerOf(form, [{ text: "Done." }]));
  const agent = createAgent({
    model: modelOf(form, outputVersion),
    tools: [...kit.tools],
    middleware: [toolInputMiddleware({ fixers: kit.fixers, ...options })],
  });
  return await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] });
}

type Decision = HITLResponse["decisions"][number];

const edit = (name: string, args: Record<string, unknown>): Decision => ({
  type: "edit",
  editedAction: { name, args },
});
const approve: Decision = { type: "approve" };
const reject: Decision = { type: "reject", message: "No." };

/** Runs calls after a human's decisions. */
async function runDecided(
  form: Form,
  parts: readonly Part[],
  decisions: Decision[],
  interruptOn: Record<string, boolean> = { click: true },
) {
  provider.answer(answerOf(form, parts), answerOf(form, [{ text: "Done." }]));
  const agent = createAgent({
    model: modelOf(form, "v0"),
    tools: [...kit.tools],
    checkpointer: new MemorySaver(),
    middleware: [
      toolInputMiddleware({ fixers: kit.fixers }),
      humanInTheLoopMiddleware({ interruptOn }),
    ],
  });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [{ role: "user", content: "Buy it." }] }, config);
  await agent.invoke(new Command({ resume: { decisions } }), config);
}

/** What the tools of the tests answer to a call. */
function resultOf({ functionCall }: Part): string {
  const { selector, text } = (functionCall?.args ?? {}) as { selector?: string; text?: string };
  return text === undefined ? `clicked ${selector}` : `typed ${text}`;
}

const A = { selector: "#a" };
const B = { selector: "#b" };
const EDITED = { selector: "#edited" };
const TYPED = { selector: "#b", text: "hi" };

describe.each<Form>(["whole", "streamed"])("ChatGoogle, %s, is sent what ran", (form) => {
  test.each<[string, Part[], Decision[], object[], Part[]]>([
    [
      "an edited call",
      [signed("click", A)],
      [edit("click", EDITED)],
      [EDITED],
      [signed("click", EDITED)],
    ],
    [
      "a faulty call that is edited to another faulty one",
      [signed("click", { element: "#a" })],
      [edit("click", { element: "#edited" })],
      [EDITED],
      [signed("click", EDITED)],
    ],
    [
      "the second of two calls, edited",
      [signed("click", A), unsigned("click", B)],
      [approve, edit("click", EDITED)],
      [A, EDITED],
      [signed("click", A), unsigned("click", EDITED)],
    ],
    [
      "the first of two equal calls, edited",
      [signed("click", A), unsigned("click", A)],
      [edit("click", EDITED), approve],
      [A, EDITED],
      [signed("click", A), unsigned("click", EDITED)],
    ],
    [
      "a call that is edited to one of another tool",
      [signed("click", A)],
      [edit("type", TYPED)],
      [TYPED],
      [signed("type", TYPED)],
    ],
    [
      "an edited call beside one that no human is asked about",
      [signed("click", A), unsigned("type", TYPED)],
      [edit("click", EDITED)],
      [EDITED, TYPED],
      [signed("click", EDITED), unsigned("type", TYPED)],
    ],
  ])("%s", async (_, parts, decisions, ran, sent) => {
    await runDecided(form, parts, decisions);
    expect(kit.ran).toHaveLength(ran.length);
    expect(kit.ran).toEqual(expect.arrayContaining(ran));
    const { calls, answers, results } = lastSent();
    expect(calls).toEqual(sent);
    expect(answers).toEqual(sent.map(({ functionCall }) => functionCall?.name));
    expect(results).toEqual(sent.map(resultOf));
  });

  test("a rejected call is sent without those that did not run, and with the signature of them all", async () => {
    await runDecided(form, [signed("click", A), unsigned("click", B)], [approve, reject]);
    expect(kit.ran).toEqual([]);
    const { calls, answers } = lastSent();
    expect(calls).toEqual([signed("click", B)]);
    expect(answers).toEqual(["click"]);
    expect(lastSent().results).toEqual(["No."]);
  });

  const text = '<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>';
  test.each<[string, Part[], Part[]]>([
    ["a call in text", [{ text }], []],
    ["a call behind a sentence", [{ text: `I click.\n${text}` }], [{ text: "I click." }]],
    [
      "a call behind a thought",
      [{ text: "Hm.", thought: true }, { text }],
      [{ text: "Hm.", thought: true }],
    ],
  ])("%s, with its answer", async (_, parts, said) => {
    await runOnce(parts, { rescueTextToolCalls: true }, form);
    expect(kit.ran).toEqual([A]);
    const sent = lastSent();
    expect(sent.calls).toMatchObject([unsigned("click", A)]);
    expect(sent.ids).toEqual(sent.calls.map(({ functionCall }) => functionCall?.id));
    expect(sent.answers).toEqual(["click"]);
    expect(sent.said).toEqual(said);
  });

  test("a call in a thought is not run", async () => {
    const { messages } = await runOnce(
      [{ text, thought: true }, { text: "" }],
      { rescueTextToolCalls: true },
      form,
    );
    expect(kit.ran).toEqual([]);
    expect(messages).toHaveLength(2);
  });
});

describe("ChatGoogle with LangChain's own blocks", () => {
  test.each([
    ["with arguments", { wrong: 1 }],
    ["without arguments", undefined],
  ])("is sent a rejected call %s, streamed, with its answer", async (_, args) => {
    const call = { functionCall: { name: "click", ...(args && { args }) }, thoughtSignature: "s" };
    await runOnce([call], {}, "streamed", "v1");
    expect(kit.ran).toEqual([]);
    const { calls, answers } = lastSent();
    expect(calls).toEqual([
      { functionCall: { name: "click", args: args ?? {} }, thoughtSignature: "s" },
    ]);
    expect(answers).toEqual(["click"]);
  });

  test("is sent a call in text once, and not as text", async () => {
    const text = '<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>';
    await runOnce([{ text }], { rescueTextToolCalls: true }, "whole", "v1");
    expect(kit.ran).toEqual([A]);
    const { calls, answers, said } = lastSent();
    expect(calls).toEqual([unsigned("click", A)]);
    expect(answers).toEqual(["click"]);
    expect(said).toEqual([]);
  });
});

test("ChatGoogle is sent the calls of a stream that repairToolCalls repaired", async () => {
  const parts = [{ text: "I click." }, signed("click", { element: "#a" })];
  provider.answer(answerOf("streamed", parts), answerOf("streamed", [{ text: "Done." }]));
  const model = modelOf("streamed", "v0");
  const chain = model.pipe(repairToolCalls(kit.tools, { fixers: kit.fixers }));
  let message: AIMessageChunk | undefined;
  for await (const chunk of await chain.stream("Buy it.")) {
    message = message?.concat(chunk as AIMessageChunk) ?? (chunk as AIMessageChunk);
  }
  const [call] = message?.tool_calls ?? [];
  const answer = new ToolMessage({ content: "clicked #a", tool_call_id: call?.id ?? "" });
  await model.invoke([new HumanMessage("Buy it."), ...(message ? [message] : []), answer]);
  const { calls, results, said } = lastSent();
  expect(calls).toEqual([signed("click", A)]);
  expect(results).toEqual(["clicked #a"]);
  expect(said).toEqual([{ text: "I click." }]);
});
