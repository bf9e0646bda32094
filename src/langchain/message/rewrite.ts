import type {
  AIMessage,
  InvalidToolCall,
  MessageContent,
  ToolCall,
} from "@langchain/core/messages";
import { type LocatedCall, locateCalls } from "./locate.ts";
import { withFields } from "./messages.ts";
import {
  asText,
  type CallSite,
  FORMS,
  type FormFields,
  type HistoryCall,
  isChatGoogle,
  isFunctionCall,
  isOwnFormat,
  type SentPlace,
  sendsContentCalls,
  sentSites,
} from "./provider-forms.ts";

/**
 * Writes calls into a model's message, in every form that is sent to a provider
 * again: `tool_calls`, `invalid_tool_calls`, `additional_kwargs`, content
 * blocks, OpenAI's `response_metadata.output`. A call without an id is OpenAI's
 * old `function_call`.
 */
export function rewriteMessage(
  message: AIMessage,
  calls: readonly HistoryCall[],
  metadata?: AIMessage["response_metadata"],
): AIMessage {
  const functionCall = calls.find(({ id }) => id === undefined);
  const toolCalls = calls.filter(({ id }) => id !== undefined);
  const located = locateCalls(message);
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const before of located) {
    const call = toolCalls.find(({ id }) => id === before.call.id);
    if (call !== undefined) rewritten.set(before, call);
  }
  const known = new Set(located.map(({ call }) => call.id));
  const added = toolCalls.filter(({ id }) => !known.has(id));
  return rewriteLocatedCalls(message, located, rewritten, {
    added,
    functionCall,
    metadata,
  });
}

/** The calls of a message that change: where each stands, and its new form. */
type RewrittenCalls = ReadonlyMap<LocatedCall, HistoryCall>;

/**
 * Does the same by place: calls without an id, or with the same id, stay apart.
 */
export function rewriteLocatedCalls(
  message: AIMessage,
  located: readonly LocatedCall[],
  rewritten: RewrittenCalls,
  more: {
    readonly added?: readonly HistoryCall[];
    /** What replaces OpenAI's old `function_call`. */
    readonly functionCall?: HistoryCall | undefined;
    /** Providers' forms to leave out. */
    readonly orphans?: readonly CallSite[];
    readonly metadata?: AIMessage["response_metadata"] | undefined;
  } = {},
): AIMessage {
  const { added = [], functionCall, orphans = [], metadata } = more;
  const formatted = withoutFormat(message, located);
  const calls = [
    ...located.map((before) => currentCall(before, rewritten.get(before))),
    ...added.map((call) => rewrittenCall(undefined, call)),
  ];
  const all = calls.map(({ call }) => call);
  const valid = all.filter((call): call is ToolCall => !isInvalid(call));
  const rewrite: RewriteItems = (place, items) =>
    rewriteItems(place, items, rewritten, orphans);
  const { tool_calls: sent, ...kwargs } = message.additional_kwargs;
  return withFields(message, {
    content: contentWith(formatted, calls, rewrite),
    tool_calls: valid,
    invalid_tool_calls: all.filter(isInvalid),
    additional_kwargs: {
      ...functionCallWith(kwargs, functionCall),
      // Chat completions are sent these calls if the message has no others, and
      // they have no answer (openai 1.6.0; repair-ai-message.test).
      ...(valid.length > 0 && sentCallsWith(sent, rewrite)),
    },
    response_metadata: {
      ...outputWith(formatted.response_metadata, rewrite),
      ...metadata,
    },
  });
}

type Kwargs = AIMessage["additional_kwargs"];

/** Writes the calls that change into the items at one place. */
type RewriteItems = (place: SentPlace, items: unknown) => unknown;

function contentWith(
  { content, response_metadata }: FormattedContent,
  calls: readonly MessageCall[],
  rewrite: RewriteItems,
): MessageContent {
  if (isOwnFormat(response_metadata)) return rewriteOwnBlocks(content, calls);
  if (sendsContentCalls(response_metadata))
    return rewriteFunctionCalls(content, calls);
  return rewrite("content", content) as MessageContent;
}

function functionCallWith(
  { function_call: before, ...kwargs }: Kwargs,
  call: HistoryCall | undefined,
): Kwargs {
  if (!before) return kwargs;
  const functionCall =
    call === undefined ? before : { ...before, ...asText(call) };
  return { ...kwargs, function_call: functionCall };
}

function sentCallsWith(
  sent: Kwargs["tool_calls"],
  rewrite: RewriteItems,
): Kwargs {
  const tool_calls = rewrite("kwargs", sent) as typeof sent;
  return tool_calls?.length ? { tool_calls } : {};
}

function outputWith(
  metadata: AIMessage["response_metadata"],
  rewrite: RewriteItems,
): AIMessage["response_metadata"] {
  const { output } = metadata ?? {};
  if (!Array.isArray(output)) return metadata;
  return { ...metadata, output: rewrite("output", output) };
}

/**
 * Writes calls into the items at one place, and leaves out orphans; anything
 * but a list stays.
 */
function rewriteItems(
  place: SentPlace,
  items: unknown,
  rewritten: RewrittenCalls,
  orphans: readonly CallSite[],
): unknown {
  if (!Array.isArray(items)) return items;
  const calls = callsAt(place, rewritten);
  const dropped = new Set(
    orphans.filter((site) => site.place === place).map(({ index }) => index),
  );
  // Only streamed items have an index.
  const streams = new Set(
    [...calls.keys()]
      .map((index) => items[index].index)
      .filter((stream) => stream !== undefined),
  );
  return items.flatMap((item: FormFields, index) => {
    const call = calls.get(index);
    if (call !== undefined) return [FORMS[place].write(item, call)];
    return dropped.has(index) || isPartOf(streams, item) ? [] : [item];
  });
}

function callsAt(
  place: SentPlace,
  rewritten: RewrittenCalls,
): ReadonlyMap<number, HistoryCall> {
  const calls = new Map<number, HistoryCall>();
  for (const [{ sites }, call] of rewritten) {
    for (const site of sites)
      if (site.place === place) calls.set(site.index, call);
  }
  return calls;
}

/**
 * Whether an item is streamed text of one of these calls, which the call itself
 * replaces.
 */
function isPartOf(
  streams: ReadonlySet<unknown>,
  { type, index }: FormFields,
): boolean {
  return STREAMED_PARTS.has(type) && streams.has(index);
}

const STREAMED_PARTS = new Set<unknown>([
  "input_json_delta",
  "tool_call_chunk",
]);

function isInvalid(call: ToolCall | InvalidToolCall): call is InvalidToolCall {
  return call.type === "invalid_tool_call";
}

/** A call of a rewritten message. */
interface MessageCall {
  /** Where the message held it before. */
  readonly before: LocatedCall | undefined;
  /** Its new form; `undefined` if it stays unchanged. */
  readonly rewritten: HistoryCall | undefined;
  readonly call: ToolCall | InvalidToolCall;
}

/** A call of the message, as it is now. */
function currentCall(
  before: LocatedCall,
  rewritten: HistoryCall | undefined,
): MessageCall {
  if (rewritten !== undefined) return rewrittenCall(before, rewritten);
  const type = before.invalid ? "invalid_tool_call" : "tool_call";
  const call = { ...before.call, type } as ToolCall | InvalidToolCall;
  return { before, rewritten, call };
}

/** A call in its new form; other fields that the message gave it stay. */
function rewrittenCall(
  before: LocatedCall | undefined,
  rewritten: HistoryCall,
): MessageCall {
  const { error: _, ...kept } = (before?.call ?? {}) as InvalidToolCall;
  const { id, name, args, error } = rewritten;
  const named = { ...kept, ...(id !== undefined && { id }), name };
  if (error === undefined) {
    return { before, rewritten, call: { ...named, args, type: "tool_call" } };
  }
  const text = typeof kept.args === "string" ? kept.args : JSON.stringify(args);
  const call: InvalidToolCall = {
    ...named,
    args: rewritten.written ?? text,
    error,
    type: "invalid_tool_call",
  };
  return { before, rewritten, call };
}

const OWN_CALLS = new Set<unknown>([
  "tool_call",
  "tool_call_chunk",
  "invalid_tool_call",
]);

const isOwnCall = ({ type }: FormFields): boolean => OWN_CALLS.has(type);

/**
 * Gives every call its block of LangChain's own: LangChain would make calls of
 * others (core 1.4.0; repair-ai-message.test).
 */
function rewriteOwnBlocks(
  content: MessageContent,
  calls: readonly MessageCall[],
): MessageContent {
  if (typeof content === "string") return content;
  const write: WriteBlock = ({ call }, { error: _, ...block } = {}) => ({
    ...block,
    ...call,
  });
  return replaceBlocks(
    content as FormFields[],
    calls,
    isOwnCall,
    write,
  ) as MessageContent;
}

/**
 * Gives every call its block in Google's form, and drops those of calls that
 * are no more.
 */
function rewriteFunctionCalls(
  content: MessageContent,
  calls: readonly MessageCall[],
): MessageContent {
  if (!calls.some(needsBlock)) return content;
  const text = content === "" ? [] : [{ type: "text", text: content }];
  const blocks = (Array.isArray(content) ? content : text) as FormFields[];
  const replaced = replaceBlocks(
    blocks,
    calls,
    isFunctionCall,
    writeFunctionCall,
  );
  return keepSignature(blocks, replaced) as MessageContent;
}

const writeFunctionCall: WriteBlock = ({ call, rewritten }, block) => {
  if (block !== undefined)
    return rewritten ? FORMS.content.write(block, rewritten) : block;
  const { id, name, args } = call;
  return { type: "functionCall", functionCall: { id, name, args } };
};

/**
 * Google signs the first call for all calls of a message: a call that becomes
 * the first needs that (google 0.2.6; google.test).
 */
function keepSignature(
  before: readonly FormFields[],
  after: readonly FormFields[],
): readonly FormFields[] {
  const thoughtSignature = before.find(isFunctionCall)?.thoughtSignature;
  const first = after.find(isFunctionCall);
  const isSigned = first === undefined || first.thoughtSignature !== undefined;
  if (thoughtSignature === undefined || isSigned) return after;
  return after.map((block) =>
    block === first ? { ...block, thoughtSignature } : block,
  );
}

/** Writes a call's block, in place of one that it had. */
type WriteBlock = (
  call: MessageCall,
  block: FormFields | undefined,
) => FormFields;

/**
 * Puts the blocks of calls into content, in the calls' order, and drops other
 * blocks of calls.
 */
function replaceBlocks(
  blocks: readonly FormFields[],
  calls: readonly MessageCall[],
  isCall: (block: FormFields) => boolean,
  write: WriteBlock,
): readonly FormFields[] {
  const waiting = calls.filter(needsBlock).map((call) => {
    const at = blockIndexOf(call);
    return {
      at,
      block: write(call, at === undefined ? undefined : blocks[at]),
    };
  });
  const replaced = blocks.flatMap((block, index) => {
    const last = waiting.findIndex(({ at }) => at === index);
    if (last >= 0) return waiting.splice(0, last + 1).map(({ block }) => block);
    return isCall(block) ? [] : [block];
  });
  return [...replaced, ...waiting.map(({ block }) => block)];
}

/**
 * Whether the content must hold a block of a call: that of one which could not
 * be read may stand elsewhere alone.
 */
function needsBlock(call: MessageCall): boolean {
  return !isInvalid(call.call) || blockIndexOf(call) !== undefined;
}

function blockIndexOf({ before }: MessageCall): number | undefined {
  return before?.sites.find((site) => site.place === "content")?.index;
}

/** Content, and the metadata that names its format. */
type FormattedContent = Pick<AIMessage, "content" | "response_metadata">;

/**
 * Takes content out of LangChain's own format if it has no block of any call,
 * as in some streamed messages: a copy would get such blocks, which some
 * providers reject, as others do empty text (core 1.4.0;
 * repair-ai-message.test).
 */
function withoutFormat(
  message: AIMessage,
  located: readonly LocatedCall[],
): FormattedContent {
  const { content, response_metadata } = message;
  if (located.length === 0 || !isOwnFormat(response_metadata)) return message;
  // In this format, Google's client sends `tool_calls`, with their signatures;
  // in its own, it would need blocks (google 0.2.6; google.test).
  if (isChatGoogle(response_metadata)) return message;
  const sent = sentSites(message).flat();
  if (sent.some(({ place }) => place === "content")) return message;
  const { output_version: _, ...metadata } = response_metadata;
  const blocks = Array.isArray(content)
    ? content.filter(({ text }) => text !== "")
    : content;
  return {
    content: blocks.length > 0 ? blocks : "",
    response_metadata: metadata,
  };
}
