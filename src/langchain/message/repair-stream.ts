import type { CallbackManagerForChainRun } from "@langchain/core/callbacks/manager";
import {
  type AIMessage,
  AIMessageChunk,
  type InvalidToolCall,
  type ToolCall,
  type ToolCallChunk,
} from "@langchain/core/messages";
import { type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";
import { mergeGiven } from "../../repair/usage.ts";
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
      if (this.#mayPass(chunk)) {
        passed.push(chunk);
        yield chunk;
      } else {
        held.push(chunk);
      }
    }
    if (held.length === 0 && passed.length > 0) return;
    const repair: RepairMessages = (messages) =>
      super._transform(streamOf(messages), runManager, config);
    yield* areChunks(held) ? repairChunks(held, passed, repair) : repair(held);
  }

  /** Whether a chunk may go on at once: it has no part of a call. */
  #mayPass(chunk: AIMessage): chunk is AIMessageChunk {
    if (this.#holdsText || !isChunk(chunk)) return false;
    return !holdsCall(chunk);
  }
}

type RepairMessages = (
  messages: readonly AIMessage[],
) => AsyncGenerator<AIMessage>;

/** Repairs chunks as one message; if nothing changes, they stay apart. */
async function* repairChunks(
  held: readonly AIMessageChunk[],
  passed: readonly AIMessageChunk[],
  repair: RepairMessages,
): AsyncGenerator<AIMessage> {
  const calls = joinChunks(held);
  const whole = joinChunks([...held, ...passed.map(withoutContent)]);
  for await (const repaired of repair([whole])) {
    if (repaired === whole) yield* held;
    else yield toLastChunk(repaired, whole, calls);
  }
}

function areChunks(
  messages: readonly AIMessage[],
): messages is readonly AIMessageChunk[] {
  return messages.length > 0 && messages.every(isChunk);
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
    additional_kwargs,
  } = chunk;
  const parts = [tool_call_chunks, tool_calls, invalid_tool_calls];
  if (parts.some((calls) => calls.length > 0)) return true;
  if (additional_kwargs?.function_call !== undefined) return true;
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
  const { usage_metadata } = calls;
  const chunk = new AIMessageChunk({
    content,
    ...mergeGiven({ id, name, usage_metadata }),
    additional_kwargs: notPassed("additional_kwargs", repaired, whole, calls),
    response_metadata: notPassed("response_metadata", repaired, whole, calls),
    ...callFields(repaired, calls),
  });
  return Object.assign(chunk, { tool_calls, invalid_tool_calls });
}

type CallFields =
  | Pick<AIMessageChunk, "tool_calls">
  | Pick<AIMessageChunk, "tool_call_chunks">;

/**
 * Calls in a form that outlives `concat`, which makes calls of their text, with
 * no other fields. Google's client makes calls without text, which keep their
 * `thoughtSignature` (google 0.2.6; repair-stream.test).
 */
function callFields(
  repaired: AIMessage,
  { tool_call_chunks = [] }: AIMessageChunk,
): CallFields {
  const { tool_calls = [], invalid_tool_calls = [] } = repaired;
  if (tool_call_chunks.length + invalid_tool_calls.length === 0)
    return { tool_calls: [...tool_calls] };
  const calls = [
    ...tool_calls.map((call) => asText(call, JSON.stringify(call.args))),
    ...invalid_tool_calls.map((call) => asText(call, toUnreadable(call.args))),
  ];
  const ids = recordedOrder(repaired);
  calls.sort((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
  const toChunk = (call: CallText, index: number): ToolCallChunk => {
    return { ...call, index, type: "tool_call_chunk" };
  };
  return { tool_call_chunks: calls.map(toChunk) };
}

type CallText = Pick<ToolCallChunk, "id" | "name" | "args">;

function asText(
  { id, name }: ToolCall | InvalidToolCall,
  args: string,
): CallText {
  return { id, name, args };
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
 * Puts the text of an invalid call into a list: LangChain makes a valid call of
 * any text that it can read as an object (core 1.4.0; repair-stream.test).
 */
function toUnreadable(args = ""): string {
  return JSON.stringify([args]);
}
