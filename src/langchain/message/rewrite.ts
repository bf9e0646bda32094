import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  MessageContent,
  ToolCall,
} from "@langchain/core/messages";
import type { JsonObject } from "../../repair/types.ts";
import { withFields } from "./messages.ts";
import { type LocatedCall, locateCalls, type Place } from "./read.ts";

/** A call for the history. */
export interface HistoryCall {
  /** The call's id; none for OpenAI's old `function_call`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
  /**
   * Why the call must not run. It then stands in `invalid_tool_calls`, so that no tool node runs it
   * and no approval lists it.
   */
  readonly error?: string;
  /** For a call that must not run, the arguments as the model wrote them. Default: unchanged. */
  readonly written?: string | undefined;
}

type Fields = Record<string, unknown>;

/**
 * Writes calls into a model's message, everywhere that providers read them when the message is sent
 * again: `tool_calls`, `invalid_tool_calls`, `additional_kwargs`, content blocks, and OpenAI's
 * `response_metadata.output`.
 */
export function rewriteMessage(
  message: AIMessage,
  calls: readonly HistoryCall[],
  metadata?: AIMessage["response_metadata"],
): AIMessage {
  const located = locateCalls(message);
  const known = new Set(located.map(({ call }) => call.id));
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const one of located) {
    const call = calls.find(({ id }) => id !== undefined && id === one.call.id);
    if (call !== undefined) rewritten.set(one, call);
  }
  const added = calls.filter(({ id }) => id !== undefined && !known.has(id));
  const old = calls.find(({ id }) => id === undefined);
  return rewriteLocatedCalls(message, located, rewritten, { added, old, metadata });
}

/** Does the same by place: calls without an id, or with the same id, stay apart. */
export function rewriteLocatedCalls(
  message: AIMessage,
  located: readonly LocatedCall[],
  rewritten: ReadonlyMap<LocatedCall, HistoryCall>,
  more: {
    readonly added?: readonly HistoryCall[];
    readonly old?: HistoryCall | undefined;
    /** The ids of provider's forms to leave out. */
    readonly orphans?: ReadonlySet<string>;
    readonly metadata?: AIMessage["response_metadata"] | undefined;
  } = {},
): AIMessage {
  const { added = [], old, orphans = new Set<string>(), metadata } = more;
  const rewriting = (place: Place): Rewriting => {
    const entries = [...rewritten].flatMap(([{ sites }, call]) =>
      sites.flatMap((site) => (site.place === place ? [[site.index, call] as const] : [])),
    );
    return { calls: new Map(entries), orphans };
  };
  const calls = [
    ...located.map((one) => toCall(one, rewritten.get(one))),
    ...added.map((call) => toCall(undefined, call)),
  ];
  const isInvalid = (call: ToolCall | InvalidToolCall): call is InvalidToolCall =>
    call.type === "invalid_tool_call";
  const tool_calls = calls.filter((call): call is ToolCall => !isInvalid(call));
  const said = withoutFormat(message, located);
  const content = rewriteContent(said, located, rewriting("content"));
  const { additional_kwargs } = message;
  return withFields(message, {
    content: isOwnFormat(said.response_metadata) ? withBlocksOf(tool_calls, content) : content,
    tool_calls,
    invalid_tool_calls: calls.filter(isInvalid),
    additional_kwargs: rewriteKwargs(additional_kwargs, rewriting("kwargs"), old),
    response_metadata: {
      ...rewriteMetadata(said.response_metadata, rewriting("output")),
      ...metadata,
    },
  });
}

/** The new calls of one place, by index, and the ids of forms to leave out. */
interface Rewriting {
  readonly calls: ReadonlyMap<number, HistoryCall>;
  readonly orphans: ReadonlySet<unknown>;
}

function toCall(
  before: LocatedCall | undefined,
  call: HistoryCall | undefined,
): ToolCall | InvalidToolCall {
  const { error: _, ...rest } = (before?.call ?? {}) as InvalidToolCall;
  if (call === undefined) {
    const type = before?.invalid ? "invalid_tool_call" : "tool_call";
    return { ...before?.call, type } as ToolCall | InvalidToolCall;
  }
  const { id, name, args, error, written } = call;
  const named = { ...rest, ...(id !== undefined && { id }), name };
  if (error === undefined) return { ...named, args, type: "tool_call" };
  const text = typeof rest.args === "string" ? rest.args : JSON.stringify(args);
  return { ...named, args: written ?? text, error, type: "invalid_tool_call" };
}

/**
 * In LangChain's own blocks, every call has its id, and every block's call is in the message:
 * otherwise LangChain would make a call of the block when it reads the message again.
 */
function rewriteContent(
  { content, response_metadata }: Pick<AIMessage, "content" | "response_metadata">,
  located: readonly LocatedCall[],
  { calls, orphans }: Rewriting,
): MessageContent {
  if (typeof content === "string") return content;
  const isOwn = isOwnFormat(response_metadata);
  const made = new Map<number, LocatedCall["call"]>();
  for (const { call, sites } of located) {
    for (const { place, index } of sites) if (place === "content") made.set(index, call);
  }
  const ids = new Set<unknown>([...made.values()].map(({ id }) => id));
  const blocks = content as Fields[];
  const streams = new Set([...calls.keys()].map((index) => blocks[index]?.index));
  return blocks.flatMap((block, index) => {
    const call = calls.get(index);
    if (call !== undefined) return [rewriteBlock(block, call)];
    if (orphans.has(block.id)) return [];
    // Streamed text of a call, which the call itself replaces.
    const isPart = block.type === "input_json_delta" || block.type === "tool_call_chunk";
    if (isPart && block.index !== undefined && streams.has(block.index)) return [];
    if (!isOwn) return [block];
    if (block.type === "tool_call_chunk") return ids.has(block.id) ? [] : [block];
    if (block.type !== "tool_call") return [block];
    const { id, args } = made.get(index) ?? {};
    return made.has(index) ? [{ ...block, id, args }] : [];
  }) as MessageContent;
}

function rewriteBlock(block: Fields, { id, name, args, error }: HistoryCall): Fields {
  if (block.type === "tool_use") return { ...block, id, name, input: args };
  if (block.type === "functionCall") {
    const called = block.functionCall as Fields;
    return { ...block, functionCall: { ...called, ...("id" in called && { id }), name, args } };
  }
  const { error: _, ...rest } = block;
  return error === undefined
    ? { ...rest, type: "tool_call", id, name, args }
    : { ...rest, type: "invalid_tool_call", id, name, args: JSON.stringify(args), error };
}

/**
 * Leaves out calls that do not run where no other call does: chat completions are sent these calls
 * if the message has no others, and they would have no answer.
 */
function rewriteKwargs(
  kwargs: BaseMessage["additional_kwargs"],
  { calls, orphans }: Rewriting,
  old: HistoryCall | undefined,
): BaseMessage["additional_kwargs"] {
  const { tool_calls, function_call, ...rest } = kwargs;
  const isRun = tool_calls?.some((_, index) => calls.get(index)?.error === undefined);
  const made = tool_calls?.flatMap((one, index) => {
    const call = calls.get(index);
    if (call === undefined) return orphans.has(one.id) ? [] : [one];
    if (!isRun) return [];
    const text = {
      ...asText(call),
      ...(call.written !== undefined && { arguments: call.written }),
    };
    return [{ ...one, id: call.id ?? one.id, function: { ...one.function, ...text } }];
  });
  return {
    ...rest,
    ...(function_call && { function_call: { ...function_call, ...(old && asText(old)) } }),
    ...(made !== undefined && (made.length > 0 || calls.size === 0) && { tool_calls: made }),
  };
}

function rewriteMetadata(metadata: Fields, { calls, orphans }: Rewriting): Fields {
  if (!Array.isArray(metadata?.output) || calls.size + orphans.size === 0) return metadata;
  const output = metadata.output.flatMap((item: Fields, index) => {
    const call = calls.get(index);
    if (call !== undefined) return [{ ...item, call_id: call.id, ...asText(call) }];
    return orphans.has(item.call_id) ? [] : [item];
  });
  return { ...metadata, output };
}

function asText({ name, args }: HistoryCall): { name: string; arguments: string } {
  return { name, arguments: JSON.stringify(args) };
}

/** Whether a message's content is made of LangChain's own blocks (`outputVersion: "v1"`). */
function isOwnFormat(metadata: Fields | undefined): boolean {
  return metadata?.output_version === "v1";
}

/**
 * Takes content out of LangChain's own format if it has no block of any call, as in some streamed
 * messages: a copy would get such blocks, which some providers refuse, as others do empty text.
 */
function withoutFormat(
  message: AIMessage,
  located: readonly LocatedCall[],
): Pick<AIMessage, "content" | "response_metadata"> {
  const { content, response_metadata } = message;
  const hasBlocks = located.some(({ sites }) => sites.some(({ place }) => place === "content"));
  if (located.length === 0 || hasBlocks || !isOwnFormat(response_metadata)) return message;
  const { output_version: _, ...metadata } = response_metadata;
  const blocks = Array.isArray(content) ? content.filter(({ text }) => text !== "") : content;
  return { content: blocks.length > 0 ? blocks : "", response_metadata: metadata };
}

/** Adds blocks of calls that LangChain could not read, in the order of the calls. */
function withBlocksOf(calls: readonly ToolCall[], content: MessageContent): MessageContent {
  if (typeof content === "string") return content;
  const blocks: Fields[] = [...content];
  const find = (ids: readonly unknown[]) =>
    blocks.findIndex(({ type, id }) => type === "tool_call" && ids.includes(id));
  const ids = calls.map(({ id }) => id);
  for (const [index, { id, name, args }] of calls.entries()) {
    if (find([id]) >= 0) continue;
    const next = find(ids.slice(index + 1));
    blocks.splice(next < 0 ? blocks.length : next, 0, { type: "tool_call", id, name, args });
  }
  return blocks as MessageContent;
}
