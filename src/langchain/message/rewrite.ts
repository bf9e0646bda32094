import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  MessageContent,
  ToolCall,
} from "@langchain/core/messages";
import type { JsonObject } from "../../repair/types.ts";
import { withFields } from "./messages.ts";
import { type CallSite, type LocatedCall, locateCalls, type Place } from "./read.ts";

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
export function rewriteMessage(message: AIMessage, calls: readonly HistoryCall[]): AIMessage {
  const located = locateCalls(message);
  const known = new Set(located.map(({ call }) => call.id));
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const one of located) {
    const call = calls.find(({ id }) => id !== undefined && id === one.call.id);
    if (call !== undefined) rewritten.set(one, call);
  }
  const added = calls.filter(({ id }) => id !== undefined && !known.has(id));
  const old = calls.find(({ id }) => id === undefined);
  return rewriteLocatedCalls(message, located, rewritten, { added, old });
}

/**
 * Does the same for located calls: by place instead of by id, so that calls without an id, or with
 * the same id, stay apart.
 */
export function rewriteLocatedCalls(
  message: AIMessage,
  located: readonly LocatedCall[],
  rewritten: ReadonlyMap<LocatedCall, HistoryCall>,
  more: {
    readonly added?: readonly HistoryCall[];
    readonly old?: HistoryCall | undefined;
    readonly stray?: ReadonlySet<string>;
    readonly metadata?: AIMessage["response_metadata"];
  } = {},
): AIMessage {
  const { stray: orphans = new Set<string>() } = more;
  const at = (place: Place) => bySite(place, rewritten);
  const after = [
    ...located.map((one) => toCall(one, rewritten.get(one))),
    ...(more.added ?? []).map((call) => toCall(undefined, call)),
  ];
  const tool_calls = after.filter((call): call is ToolCall => call.type !== "invalid_tool_call");
  const said = withoutFormat(message, located);
  const content = rewriteContent(said, located, { sites: at("content"), stray: orphans });
  return withFields(message, {
    content: isOwnFormat(said.response_metadata) ? withBlocksOf(tool_calls, content) : content,
    tool_calls,
    invalid_tool_calls: after.filter(
      (call): call is InvalidToolCall => call.type === "invalid_tool_call",
    ),
    additional_kwargs: rewriteKwargs(
      message.additional_kwargs,
      { sites: at("kwargs"), stray: orphans },
      more.old,
    ),
    response_metadata: {
      ...rewriteMetadata(said.response_metadata, { sites: at("output"), stray: orphans }),
      ...more.metadata,
    },
  });
}

type Sites = ReadonlyMap<number, readonly [CallSite, HistoryCall]>;

/** The new calls for a provider's form. */
interface Rewriting {
  readonly sites: Sites;
  readonly stray: ReadonlySet<string>;
}

function bySite(place: Place, rewritten: ReadonlyMap<LocatedCall, HistoryCall>): Sites {
  const entries = [...rewritten].flatMap(([{ sites }, call]) =>
    sites
      .filter((site) => site.place === place)
      .map((site) => [site.index, [site, call] as const] as const),
  );
  return new Map(entries);
}

function toCall(
  before: LocatedCall | undefined,
  call: HistoryCall | undefined,
): ToolCall | InvalidToolCall {
  if (call === undefined) {
    const { call: same, invalid } = before as LocatedCall;
    return { ...same, type: invalid ? "invalid_tool_call" : "tool_call" } as ToolCall;
  }
  const { id, name, args } = call;
  if (call.error === undefined) {
    const { error: _, ...rest } = (before?.call ?? {}) as InvalidToolCall;
    return { ...rest, ...(id !== undefined && { id }), name, args, type: "tool_call" };
  }
  const { id: __, ...rest } = { ...before?.call } as Partial<InvalidToolCall>;
  return {
    ...rest,
    ...(id !== undefined && { id }),
    name,
    args: call.written ?? (typeof rest.args === "string" ? rest.args : JSON.stringify(args)),
    error: call.error,
    type: "invalid_tool_call",
  };
}

/**
 * In LangChain's own blocks, every call has its id, and every block's call is in the message:
 * otherwise LangChain would make a call of the block when it reads the message again.
 */
function rewriteContent(
  { content, response_metadata }: Pick<AIMessage, "content" | "response_metadata">,
  located: readonly LocatedCall[],
  { sites, stray: orphans }: Rewriting,
): MessageContent {
  if (typeof content === "string") return content;
  const isOwn = isOwnFormat(response_metadata);
  const made = new Map<number, LocatedCall["call"]>();
  for (const { call, sites: own } of located) {
    for (const { place, index } of own) if (place === "content") made.set(index, call);
  }
  const ids = new Set([...made.values()].map(({ id }) => id));
  const streams = [...sites.keys()].map((index) => (content as Fields[])[index]?.index);
  const rewritten = new Set(streams.filter((stream) => stream !== undefined));
  return (content as Fields[]).flatMap((block, index) => {
    const [, call] = sites.get(index) ?? [];
    if (call !== undefined) return [rewriteBlock(block, call)];
    if (isOrphan(block, orphans)) return [];
    // Streamed text of a call, which the call itself replaces.
    if (STREAMED.has(block.type) && rewritten.has(block.index as number)) return [];
    if (!isOwn) return [block];
    if (block.type === "tool_call_chunk") return ids.has(block.id as string) ? [] : [block];
    if (block.type !== "tool_call") return [block];
    const { id, args } = made.get(index) ?? {};
    return made.has(index) ? [{ ...block, id, args }] : [];
  }) as MessageContent;
}

/** The types of blocks that hold parts of the text of a call. */
const STREAMED: ReadonlySet<unknown> = new Set(["input_json_delta", "tool_call_chunk"]);

function isOrphan(block: Fields, orphans: ReadonlySet<string>): boolean {
  return typeof block.id === "string" && orphans.has(block.id);
}

function rewriteBlock(block: Fields, { id, name, args, error }: HistoryCall): Fields {
  switch (block.type) {
    case "tool_use":
      return { ...block, id, name, input: args };
    case "functionCall": {
      const called = block.functionCall as Fields;
      const own = { ...called, ...("id" in called && { id }), name, args };
      return { ...block, functionCall: own };
    }
    default: {
      const { error: _, ...rest } = block;
      return error === undefined
        ? { ...rest, type: "tool_call", id, name, args }
        : { ...rest, type: "invalid_tool_call", id, name, args: JSON.stringify(args), error };
    }
  }
}

/**
 * Leaves out a call that does not run: chat completions are sent these calls if the message
 * has no others, and it would have no answer.
 */
function rewriteKwargs(
  kwargs: BaseMessage["additional_kwargs"],
  { sites, stray: orphans }: Rewriting,
  old: HistoryCall | undefined,
): BaseMessage["additional_kwargs"] {
  const { tool_calls, ...rest } = kwargs;
  const { function_call } = rest;
  const calls = tool_calls?.flatMap((made, index) => {
    const [, call] = sites.get(index) ?? [];
    if (call === undefined) return orphans.has(made.id ?? "") ? [] : [made];
    if (call.error !== undefined) return [];
    return [{ ...made, id: call.id ?? made.id, function: { ...made.function, ...asText(call) } }];
  });
  return {
    ...rest,
    ...(function_call && old && { function_call: { ...function_call, ...asText(old) } }),
    ...(calls !== undefined && (calls.length > 0 || sites.size === 0) && { tool_calls: calls }),
  };
}

function rewriteMetadata(metadata: Fields, { sites, stray: orphans }: Rewriting): Fields {
  if (!Array.isArray(metadata?.output) || sites.size + orphans.size === 0) return metadata;
  const output = metadata.output.flatMap((item: Fields, index) => {
    const [, call] = sites.get(index) ?? [];
    if (call !== undefined) return [{ ...item, call_id: call.id, ...asText(call) }];
    return orphans.has(item.call_id as string) ? [] : [item];
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
 * Returns a message's content, out of LangChain's own format if that has no block of any of its
 * calls, as in some streamed messages: a copy in that format would get blocks of the calls, which
 * some providers' converters refuse, as others do empty text.
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

/**
 * Adds blocks of calls that have none, in the order of the calls: LangChain leaves out those that
 * it could not read, and would put them last.
 */
function withBlocksOf(calls: readonly ToolCall[], content: MessageContent): MessageContent {
  if (typeof content === "string") return content;
  const blocks: Fields[] = [...content];
  const isBlock = ({ type, id }: Fields, ids: readonly unknown[]) =>
    type === "tool_call" && ids.includes(id);
  const ids = calls.map(({ id }) => id);
  for (const [index, { id, name, args }] of calls.entries()) {
    if (blocks.some((block) => isBlock(block, [id]))) continue;
    const next = blocks.findIndex((block) => isBlock(block, ids.slice(index + 1)));
    blocks.splice(next < 0 ? blocks.length : next, 0, { type: "tool_call", id, name, args });
  }
  return blocks as MessageContent;
}
