import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  MessageContent,
  ToolCall,
} from "@langchain/core/messages";
import type { JsonObject } from "../../repair/types.ts";
import { type CallSite, type LocatedCall, locateCalls, type Place } from "./call-sites.ts";
import { isOwnFormat, withBlocksOf, withoutFormat } from "./own-format.ts";
import { withFields } from "./with-fields.ts";

/** A call as it is to stand in the history. */
export interface HistoryCall {
  /** The call's id; none for OpenAI's old `function_call`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
  /**
   * Why the call is not to be run. It then stands in `invalid_tool_calls`, so that no tool node and
   * no approval takes it for one that is.
   */
  readonly error?: string;
  /** What the model wrote as arguments, for a call that is not to be run. Default: as it was. */
  readonly written?: string | undefined;
}

type Fields = Record<string, unknown>;

/**
 * Writes calls into a model's message, wherever providers read them when they are sent it again:
 * `tool_calls`, `invalid_tool_calls`, `additional_kwargs`, content blocks, and OpenAI's
 * `response_metadata.output`.
 *
 * @param message The message; it is not changed.
 * @param calls The calls, found by their id. Those that the message does not have are added.
 * @returns A new message, never a chunk. What is no call stays as it is.
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
 * As `rewriteMessage`, for calls that have been located: by where they stand instead of by id, so
 * that calls without an id and with the same id are told apart.
 *
 * @param message The message; it is not changed.
 * @param located Its calls.
 * @param rewritten What is to stand in their stead. A call that is not in it stays as it is.
 * @param more `added`: calls to add; `old`: what is to stand for OpenAI's old `function_call`;
 * `stray`: ids of calls that only a provider's form of them is left of, and that go;
 * `metadata`: what `response_metadata` is to hold besides.
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

/** What becomes of the calls in a provider's form. */
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
 * In LangChain's own blocks, every call has its id, and there is no block of a call that the message
 * does not have: wherever the message is read again, LangChain would make a call of it.
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
    // The text of a call as it was streamed: the call itself says it better now.
    if (STREAMED.has(block.type) && rewritten.has(block.index as number)) return [];
    if (!isOwn) return [block];
    if (block.type === "tool_call_chunk") return ids.has(block.id as string) ? [] : [block];
    if (block.type !== "tool_call") return [block];
    const { id, args } = made.get(index) ?? {};
    return made.has(index) ? [{ ...block, id, args }] : [];
  }) as MessageContent;
}

/** Blocks with parts of the text of a call. */
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
 * A call that is not run is left out here: chat completions are sent these calls where there are no
 * others, and nobody would answer it.
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
