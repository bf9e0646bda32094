import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import { type AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";
import { isAIMessage, recordedOrder } from "./messages.ts";
import { type FormFields, sentSites } from "./provider-forms.ts";

/**
 * A step that repairs a model's message. In a stream, it passes the chunks
 * without calls as they come, and repairs those with calls once the model has
 * finished.
 */
export class RepairStep extends RunnableLambda<AIMessage, AIMessage> {
  readonly #holdsText: boolean;

  /**
   * @param repair Repairs a whole message.
   * @param holdsText Whether to hold text back as well: it may be a call.
   */
  constructor(repair: unknown, holdsText: boolean) {
    super({ func: repair as never });
    this.name = "repairToolCalls";
    this.#holdsText = holdsText;
  }

  override async *_transform(
    generator: AsyncGenerator<AIMessage>,
    runManager?: CallbackManagerForChainRun,
    config?: Partial<RunnableConfig>,
  ): AsyncGenerator<AIMessage> {
    const held: AIMessage[] = [];
    const passed: AIMessageChunk[] = [];
    for await (const chunk of generator) {
      if (!this.#holdsText && isChunk(chunk) && !holdsCall(chunk)) {
        passed.push(chunk);
        yield chunk;
      } else {
        held.push(chunk);
      }
    }
    const [first] = held;
    if (first === undefined && passed.length > 0) return;
    if (!isChunk(first) || !held.every(isChunk)) {
      yield* super._transform(streamOf(held), runManager, config);
      return;
    }
    const calls = joinChunks(held);
    const whole = joinChunks([...held, ...passed.map(withoutContent)]);
    for await (const repaired of super._transform(
      streamOf([whole]),
      runManager,
      config,
    )) {
      if (repaired === whole) yield* held;
      else yield toLastChunk(repaired, whole, calls);
    }
  }
}

function isChunk(message: unknown): message is AIMessageChunk {
  return isAIMessage(message) && "concat" in message;
}

/** Whether a chunk holds a part of a call, in any provider's form. */
function holdsCall(chunk: AIMessageChunk): boolean {
  const {
    tool_call_chunks = [],
    tool_calls = [],
    invalid_tool_calls = [],
  } = chunk;
  if (
    tool_call_chunks.length + tool_calls.length + invalid_tool_calls.length >
    0
  )
    return true;
  if (chunk.additional_kwargs?.function_call !== undefined) return true;
  return sentSites(chunk).some((sites) => sites.length > 0);
}

async function* streamOf(
  messages: readonly AIMessage[],
): AsyncGenerator<AIMessage> {
  yield* messages;
}

function joinChunks(chunks: readonly AIMessageChunk[]): AIMessageChunk {
  return chunks.reduce((joined, chunk) => joined.concat(chunk));
}

/** What a chunk says about its message: the model, and why it stopped. */
function withoutContent({
  additional_kwargs,
  response_metadata,
}: AIMessageChunk): AIMessageChunk {
  return new AIMessageChunk({
    content: "",
    additional_kwargs,
    response_metadata,
  });
}

/**
 * Makes the last chunk of a stream, so that all chunks together are the
 * repaired message.
 *
 * @param whole What was repaired: the chunks with calls, and what the others
 *   say about the message.
 * @param calls The chunks with calls alone.
 */
function toLastChunk(
  repaired: AIMessage,
  whole: AIMessageChunk,
  calls: AIMessageChunk,
): AIMessageChunk {
  const {
    id,
    name,
    content,
    tool_calls = [],
    invalid_tool_calls = [],
  } = repaired;
  const chunk = new AIMessageChunk({
    content,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(calls.usage_metadata && { usage_metadata: calls.usage_metadata }),
    additional_kwargs: notPassed("additional_kwargs", repaired, whole, calls),
    response_metadata: notPassed("response_metadata", repaired, whole, calls),
    ...callFields(repaired, calls),
  });
  return Object.assign(chunk, { tool_calls, invalid_tool_calls });
}

/**
 * The fields of the repaired message that the passed chunks do not hold, or
 * that were changed.
 */
function notPassed(
  place: "additional_kwargs" | "response_metadata",
  repaired: AIMessage,
  whole: AIMessageChunk,
  calls: AIMessageChunk,
): FormFields {
  const before: FormFields = whole[place];
  const held: FormFields = calls[place];
  const fields: FormFields = {};
  for (const [key, value] of Object.entries<unknown>(repaired[place])) {
    if (value !== before[key]) fields[key] = value;
    else if (key in held) fields[key] = held[key];
  }
  return fields;
}

/**
 * Calls in a form that outlives `concat`: LangChain forgets invalid calls that
 * are no text (core 1.4.0; repair-stream.test).
 */
function callFields(
  repaired: AIMessage,
  { tool_call_chunks = [] }: AIMessageChunk,
): Pick<AIMessage, "tool_calls"> | Pick<AIMessageChunk, "tool_call_chunks"> {
  const { tool_calls: valid = [], invalid_tool_calls: invalid = [] } = repaired;
  // Google's client makes calls of a chunk, without text of them (google
  // 0.2.6).
  if (invalid.length === 0 && tool_call_chunks.length === 0)
    return { tool_calls: [...valid] };
  const texts = [
    ...valid.map(({ id, name, args }) => ({
      id,
      name,
      args: JSON.stringify(args),
    })),
    ...invalid.map(({ id, name, args }) => ({
      id,
      name,
      args: toUnreadable(args),
    })),
  ];
  const ids = recordedOrder(repaired);
  texts.sort((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
  return {
    tool_call_chunks: texts.map((call, index) => ({
      ...call,
      index,
      type: "tool_call_chunk",
    })),
  };
}

/**
 * LangChain makes a valid call of any text that it can read as an object: a
 * list is none (core 1.4.0; repair-stream.test).
 */
function toUnreadable(args = ""): string {
  return JSON.stringify([args]);
}
