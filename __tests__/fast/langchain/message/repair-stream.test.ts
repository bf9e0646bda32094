import { beforeEach, describe, expect, test } from "@jest/globals";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { isToolInputParsingException } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { repairToolCalls, settleToolCalls } from "toolmend/messages";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

/** What a model sends, piece by piece; an error ends the stream. */
type Piece = AIMessageChunk | Error;

class StreamingModel extends BaseChatModel {
  readonly #pieces: readonly Piece[];
  /** How many pieces it has sent. */
  sent = 0;

  constructor(pieces: readonly Piece[]) {
    super({});
    this.#pieces = pieces;
  }
  _llmType(): string {
    return "streaming";
  }
  async _generate(): Promise<never> {
    throw new Error("This model only streams.");
  }
  override async *_streamResponseChunks() {
    for (const piece of this.#pieces) {
      if (piece instanceof Error) throw piece;
      this.sent++;
      const text = typeof piece.content === "string" ? piece.content : "";
      yield new ChatGenerationChunk({ message: piece, text });
    }
  }
}

const says = (content: MessageContent, fields: object = {}) =>
  new AIMessageChunk({ content, ...fields });

/** The parts of a call, as OpenAI and others stream it. */
function calling(args: string, { name = "click", id = "call_a", index = 0 } = {}) {
  const half = Math.ceil(args.length / 2);
  const part = (fields: object) =>
    says("", { tool_call_chunks: [{ ...fields, index, type: "tool_call_chunk" }] });
  return [
    part({ id, name, args: "" }),
    part({ args: args.slice(0, half) }),
    part({ args: args.slice(half) }),
  ];
}

const stopped = says("", { response_metadata: { finish_reason: "tool_calls", model_name: "m" } });
const cutOff = says("", { response_metadata: { finish_reason: "length", model_name: "m" } });

function streaming(pieces: readonly Piece[], options: Parameters<typeof repairToolCalls>[1] = {}) {
  const model = new StreamingModel(pieces);
  const step = repairToolCalls(kit.tools, { fixers: kit.fixers, ...options });
  return { model, chain: model.pipe(step) };
}

async function readAll(stream: AsyncIterable<AIMessage>): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk as AIMessageChunk);
  return chunks;
}

const join = (chunks: readonly AIMessageChunk[]) =>
  chunks.reduce((joined, chunk) => joined.concat(chunk));

const RAW = '{"element": "#a"}';
const FIXED = { name: "click", args: { selector: "#a" }, id: "call_a", type: "tool_call" };

describe("repairToolCalls in a stream", () => {
  test("passes text while the model writes", async () => {
    const { chain, model } = streaming([says("I "), says("click."), ...calling(RAW), stopped]);
    const sent: number[] = [];
    const texts: string[] = [];
    for await (const chunk of await chain.stream("Buy it.")) {
      if (chunk.text === "") continue;
      texts.push(chunk.text);
      sent.push(model.sent);
    }
    expect(texts).toEqual(["I ", "click."]);
    // LangChain reads one piece ahead.
    expect(sent[0]).toBeLessThanOrEqual(2);
  });

  test("repairs the calls at the end, and all chunks together are the repaired message", async () => {
    const second = calling('{"element": "#b"}', { id: "call_b", index: 1 });
    const pieces = [says("I click."), ...calling(RAW), ...second, stopped];
    const chunks = await readAll(await streaming(pieces).chain.stream("Buy it."));
    const calls = [FIXED, { ...FIXED, args: { selector: "#b" }, id: "call_b" }];
    expect(chunks.at(-1)?.tool_calls).toEqual(calls);
    expect(chunks.slice(0, -1).flatMap(({ tool_calls = [] }) => tool_calls)).toEqual([]);

    const message = join(chunks);
    const whole = await repairToolCalls(kit.tools, { fixers: kit.fixers }).invoke(join(pieces));
    expect(message.tool_calls).toEqual(calls);
    expect(message.content).toBe(whole.content);
    expect(message.invalid_tool_calls).toEqual([]);
    expect(message.response_metadata).toEqual(whole.response_metadata);
    expect(message.additional_kwargs).toEqual(whole.additional_kwargs);
  });

  test("keeps what a client adds to calls that it makes without text", async () => {
    const call = { name: "click", args: { element: "#a" }, id: "call_a", type: "tool_call" };
    const signed = Object.assign(says(""), { tool_calls: [{ ...call, thoughtSignature: "s" }] });
    const chunks = await readAll(await streaming([says("I click."), signed]).chain.stream("Buy."));
    expect(join(chunks).tool_calls).toEqual([{ ...FIXED, thoughtSignature: "s" }]);
  });

  test("leaves the chunks of valid calls unchanged", async () => {
    const pieces = [says("I click."), ...calling('{"selector": "#a"}'), stopped];
    const bare = await readAll(await new StreamingModel(pieces).stream("Buy it."));
    const chunks = await readAll(await streaming(pieces).chain.stream("Buy it."));
    const texts = (of: readonly AIMessageChunk[]) =>
      of.flatMap(({ tool_call_chunks = [] }) => tool_call_chunks);
    expect(texts(chunks)).toEqual(texts(bare));
    expect(chunks).toHaveLength(bare.length);
    expect(join(chunks).tool_calls).toEqual(join(bare).tool_calls);
  });

  test("repairs the blocks of the content", async () => {
    const block = { type: "tool_use", id: "call_a", name: "click", index: 1 };
    const pieces = [
      says([{ type: "text", text: "I ", index: 0 }] as never),
      says([{ type: "text", text: "click.", index: 0 }] as never),
      says([{ ...block, input: "" }] as never, {
        tool_call_chunks: [{ id: "call_a", name: "click", args: "", index: 1 }],
      }),
      says([{ type: "input_json_delta", input: RAW, index: 1 }] as never, {
        tool_call_chunks: [{ args: RAW, index: 1 }],
      }),
    ];
    const message = join(await readAll(await streaming(pieces).chain.stream("Buy it.")));
    expect(message.content).toEqual([
      { type: "text", text: "I click.", index: 0 },
      { ...block, input: { selector: "#a" } },
    ]);
    expect(message.tool_calls).toEqual([FIXED]);
  });

  test("reports each call once, with the model of the message", async () => {
    const events: InputEvent[] = [];
    const onToolCall = [(event: InputEvent) => void events.push(event)];
    const { chain } = streaming([says("I click."), ...calling(RAW), stopped], { onToolCall });
    await readAll(await chain.stream("Buy it."));
    expect(events).toMatchObject([{ kind: "call", outcome: "repaired", model: "m" }]);
  });

  test("throws for a call that it cannot repair, after the text", async () => {
    const { chain } = streaming([says("I click."), ...calling('{"one": 1}'), stopped]);
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { text } of await chain.stream("Buy it.")) texts.push(text);
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(isToolInputParsingException(error)).toBe(true);
    expect(texts.join("")).toBe("I click.");
  });

  test.each(['{"one": 1}', '{"one": 1, "two'])(
    "a rejected call is not run, and answered: %s",
    async (args) => {
      const pieces = [
        says("I click."),
        ...calling(args),
        ...calling(RAW, { id: "call_b", index: 1 }),
        stopped,
      ];
      const { chain } = streaming(pieces, { onUnfixable: "tellModel" });
      const chunks = await readAll(await chain.stream("Buy it."));
      const told = /^The input of tool "click" was not accepted/;
      expect(chunks.at(-1)?.invalid_tool_calls).toMatchObject([
        { id: "call_a", error: expect.stringMatching(told) },
      ]);

      const message = join(chunks);
      expect(message.tool_calls).toEqual([{ ...FIXED, id: "call_b" }]);
      const ran = new ToolMessage({ content: "clicked", tool_call_id: "call_b" });
      const [, settled, answer] = settleToolCalls([new HumanMessage("Buy it."), message, ran]);
      expect((settled as AIMessage).tool_calls?.map(({ id }) => id)).toEqual(["call_a", "call_b"]);
      expect(answer).toMatchObject({
        tool_call_id: "call_a",
        content: expect.stringMatching(told),
      });
    },
  );

  test("a call that was cut off is rejected", async () => {
    const { chain } = streaming([...calling('{"element": "#a'), cutOff]);
    await expect(readAll(await chain.stream("Buy it."))).rejects.toThrow(/cut off/);
  });

  test("with rescueTextToolCalls, text that is a call does not pass", async () => {
    const text = '<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>';
    const pieces = [says("I click.\n"), says(text.slice(0, 20)), says(text.slice(20))];
    const { chain } = streaming(pieces, { rescueTextToolCalls: true });
    const message = join(await readAll(await chain.stream("Buy it.")));
    expect(message.content).toBe("I click.");
    expect(message.tool_calls).toMatchObject([{ name: "click", args: { selector: "#a" } }]);
  });

  test("a message without calls passes, and nothing follows", async () => {
    const chunks = await readAll(await streaming([says("He"), says("llo")]).chain.stream("Hi."));
    expect(chunks.map(({ text }) => text).filter((text) => text !== "")).toEqual(["He", "llo"]);
  });

  test("a whole message is repaired as one", async () => {
    const step = repairToolCalls(kit.tools, { fixers: kit.fixers });
    const whole = new AIMessage({
      content: "I click.",
      tool_calls: [{ name: "click", args: { element: "#a" }, id: "call_a" }],
    });
    const [message, ...more] = await readAll(await step.stream(whole));
    expect(message).toMatchObject({ content: "I click.", tool_calls: [FIXED] });
    expect(more).toEqual([]);
  });

  test("the next step of a chain receives the repaired message", async () => {
    const { chain } = streaming([says("I click."), ...calling(RAW), stopped]);
    const seen: unknown[] = [];
    const next = chain.pipe((message: AIMessage) => {
      seen.push(message.tool_calls);
      return message.text;
    });
    for await (const _ of await next.stream("Buy it."));
    expect(seen).toEqual([[FIXED]]);
  });
});

describe("repairToolCalls in a stream that breaks off", () => {
  const reporting = () => {
    const events: InputEvent[] = [];
    return { events, onToolCall: [(event: InputEvent) => void events.push(event)] };
  };

  test("throws the model's error, and repairs nothing", async () => {
    const { events, onToolCall } = reporting();
    const pieces = [says("I click."), ...calling(RAW), new Error("503")];
    const { chain } = streaming(pieces, { onToolCall });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { text } of await chain.stream("Buy it.")) texts.push(text);
    })();
    await expect(reading).rejects.toThrow("503");
    expect(texts.join("")).toBe("I click.");
    expect(events).toEqual([]);
  });

  test("throws if it is aborted, even where the model ends as if it had finished", async () => {
    const { events, onToolCall } = reporting();
    const step = repairToolCalls(kit.tools, { fixers: kit.fixers, onToolCall });
    const stop = new AbortController();
    async function* quiet() {
      yield says("I click.");
      yield* calling(RAW);
      stop.abort(new Error("stopped"));
    }
    const reading = readAll(step.transform(quiet() as never, { signal: stop.signal }));
    await expect(reading).rejects.toThrow();
    expect(events).toEqual([]);
  });

  test("repairs nothing if the reader leaves", async () => {
    const { events, onToolCall } = reporting();
    const { chain, model } = streaming([says("I "), says("click."), ...calling(RAW), stopped], {
      onToolCall,
    });
    for await (const _ of await chain.stream("Buy it.")) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(events).toEqual([]);
    expect(model.sent).toBeLessThan(6);
  });
});
