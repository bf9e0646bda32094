import { AIMessage, type BaseMessage, type MessageContent } from "@langchain/core/messages";
import type { JsonObject } from "../../types.ts";

/** A call as it is to stand in the history. */
export interface HistoryCall {
  /** The call's id, as the message has it; none for OpenAI's old `function_call`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
}

type Fields = Record<string, unknown>;

/**
 * Writes calls into a model's message, wherever providers read them when they are sent it again:
 * `tool_calls`, `additional_kwargs`, content blocks, and OpenAI's `response_metadata.output`.
 *
 * @param message The message; it is not changed.
 * @param calls The calls, repaired. Those that the message has not among its `tool_calls` (because
 * they could not be read) are put there.
 * @returns A new message. What is no call stays as it is.
 */
export function rewriteMessage(message: AIMessage, calls: readonly HistoryCall[]): AIMessage {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const find: FindCall = (id, index) => (id ? byId.get(id) : withoutId(calls[index]));
  const { id, name, usage_metadata, response_metadata } = message;
  const { tool_calls = [], invalid_tool_calls = [], additional_kwargs } = message;
  const known = new Set(tool_calls.map((call) => call.id));
  const added = calls.filter((call) => call.id && !known.has(call.id));
  return new AIMessage({
    content: rewriteContent(message.content, byId),
    tool_calls: [
      ...tool_calls.map((call, index) => ({ ...call, ...find(call.id, index) })),
      ...added,
    ].map((call) => ({ ...call, type: "tool_call" as const })),
    invalid_tool_calls: invalid_tool_calls.filter(
      (call) => call.id !== undefined && !byId.has(call.id),
    ),
    additional_kwargs: rewriteKwargs(additional_kwargs, find, byId.get(undefined)),
    response_metadata: rewriteMetadata(response_metadata, byId),
    ...(usage_metadata && { usage_metadata }),
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
}

/** Finds a call by its id or, where the provider gave none, by its place. */
type FindCall = (id: string | undefined, index: number) => HistoryCall | undefined;

function withoutId(call: HistoryCall | undefined): HistoryCall | undefined {
  return call?.id ? undefined : call;
}

type CallsById = ReadonlyMap<string | undefined, HistoryCall>;

function rewriteContent(content: MessageContent, byId: CallsById): MessageContent {
  if (typeof content === "string") return content;
  return content.map((block) => {
    const call = byId.get(block.id as string | undefined);
    if (call === undefined || block.id === undefined) return block;
    if (block.type === "tool_call") return { ...block, name: call.name, args: call.args };
    const isParsed = block.type === "tool_use" && typeof block.input === "object";
    return isParsed ? { ...block, name: call.name, input: call.args } : block;
  });
}

function rewriteKwargs(
  kwargs: BaseMessage["additional_kwargs"],
  find: FindCall,
  old: HistoryCall | undefined,
): Fields {
  const { function_call, tool_calls } = kwargs;
  return {
    ...kwargs,
    ...(function_call && old && { function_call: { ...function_call, ...asText(old) } }),
    ...(tool_calls && {
      tool_calls: tool_calls.map((made, index) => {
        const call = find(made.id, index);
        return call ? { ...made, function: { ...made.function, ...asText(call) } } : made;
      }),
    }),
  };
}

function rewriteMetadata(metadata: Fields, byId: CallsById): Fields {
  if (!Array.isArray(metadata?.output)) return metadata;
  const output = metadata.output.map((item: Fields) => {
    const call = item?.type === "function_call" ? byId.get(item.call_id as string) : undefined;
    return call ? { ...item, ...asText(call) } : item;
  });
  return { ...metadata, output };
}

function asText({ name, args }: HistoryCall): { name: string; arguments: string } {
  return { name, arguments: JSON.stringify(args) };
}
