import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  ToolCall,
  ToolCallChunk,
} from "@langchain/core/messages";
import { isJsonObject, jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/** Where in a message a provider's form of a call stands. */
export type Place = "chunks" | "kwargs" | "output" | "content";

/** A call in the form of a provider, who is sent it again with the next request. */
export interface CallSite {
  readonly place: Place;
  /** Its index among what stands at that place. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments: text where the provider keeps text, else a value. */
  readonly args: unknown;
}

/** A call of a message, with every place where it stands. */
export interface LocatedCall {
  readonly call: ToolCall | InvalidToolCall;
  /** Whether LangChain could not read it: it stands in `invalid_tool_calls`. */
  readonly invalid: boolean;
  readonly sites: readonly CallSite[];
}

type Fields = Record<string, unknown>;

/** The content blocks that are calls of the agent's own tools. */
const CALL_BLOCKS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_call",
  "invalid_tool_call",
  "functionCall",
]);

/**
 * Finds the calls of a model's message, and where each stands in the forms of providers.
 *
 * @param message The message.
 * @returns The calls, in the order in which the model made them as far as the message tells.
 */
export function locateCalls(message: AIMessage): readonly LocatedCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const calls = [
    ...tool_calls.map((call) => ({ call, invalid: false })),
    ...[...invalid_tool_calls, ...blocksAlone(message)].map((call) => ({ call, invalid: true })),
  ];
  if (calls.length === 0) return [];
  const sites = calls.map((): CallSite[] => []);
  for (const place of [chunkSites, kwargsSites, outputSites, contentSites]) {
    const free = [...place(message)];
    // Exact ones first, so that of two calls with one id each gets its own.
    for (const isSite of [isExactly, isNamed, isUnnumbered]) {
      for (const [index, { call }] of calls.entries()) {
        if (sites[index]?.some((site) => site.place === free[0]?.place)) continue;
        const found = free.findIndex((site) => isSite(site, call));
        if (found >= 0) sites[index]?.push(...free.splice(found, 1));
      }
    }
  }
  const located = calls.map((call, index) => ({ ...call, sites: sites[index] ?? [] }));
  return inModelOrder(located);
}

/**
 * LangChain's events make a block of a call that could not be read, and the message has it nowhere
 * else: nobody would answer it.
 */
function blocksAlone({ content, invalid_tool_calls = [] }: AIMessage): readonly InvalidToolCall[] {
  const known = new Set(invalid_tool_calls.map(({ id }) => id));
  return itemsOf(content).flatMap(({ type, id, name, args, error }) =>
    type === "invalid_tool_call" && typeof id === "string" && !known.has(id)
      ? [{ type, id, name, args, error } as InvalidToolCall]
      : [],
  );
}

/**
 * Finds calls that a provider would be sent, but that the message does not have any more: LangChain
 * takes those out of `tool_calls` that a human did not reject beside one that was rejected.
 *
 * @param message The message.
 * @param answered The ids of calls that have an answer: those stay.
 * @returns Their ids.
 */
export function orphanCallIds(
  message: AIMessage,
  answered: ReadonlySet<string>,
): ReadonlySet<string> {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const known = new Set([...tool_calls, ...invalid_tool_calls].map(({ id }) => id));
  const sites = [kwargsSites, outputSites, contentSites].flatMap((place) => place(message));
  const ids = sites.flatMap(({ id }) => (id && !known.has(id) && !answered.has(id) ? [id] : []));
  return new Set(ids);
}

function inModelOrder(calls: readonly LocatedCall[]): readonly LocatedCall[] {
  const place = (["chunks", "kwargs", "output", "content"] as const).find((one) =>
    calls.every(({ sites }) => sites.some((site) => site.place === one)),
  );
  if (place === undefined) return calls;
  const at = ({ sites }: LocatedCall) => sites.find((site) => site.place === place)?.index ?? 0;
  return [...calls].sort((left, right) => at(left) - at(right));
}

function isNamed(site: CallSite, call: ToolCall | InvalidToolCall): boolean {
  return (site.id || undefined) === (call.id || undefined) && site.name === (call.name ?? "");
}

function isExactly(site: CallSite, call: ToolCall | InvalidToolCall): boolean {
  return isNamed(site, call) && (site.args === call.args || holdsArgs(site, call.args));
}

/** Google's form has no ids; LangChain makes them. */
function isUnnumbered(site: CallSite, { name, args }: ToolCall | InvalidToolCall): boolean {
  const isSame = site.args === args || holdsArgs(site, args);
  return site.place === "content" && !site.id && site.name === name && isSame;
}

/**
 * Tells whether a place holds the very arguments that the call has.
 *
 * @param site The place.
 * @param args The arguments of the call: a value, or text that could not be read.
 */
export function holdsArgs(site: CallSite, args: unknown): boolean {
  const value = typeof site.args === "string" ? parseArgs(site.args) : site.args;
  return jsonEquals(value as JsonValue | undefined, args as JsonValue | undefined);
}

function parseArgs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim() === "" ? {} : text;
  }
}

/** A streamed message keeps the text of its calls. */
function chunkSites(message: BaseMessage): readonly CallSite[] {
  const { tool_call_chunks: chunks = [] } = message as { tool_call_chunks?: ToolCallChunk[] };
  const sites = new Map<unknown, CallSite>();
  for (const [index, chunk] of chunks.entries()) {
    const key = chunk.index ?? chunk.id ?? `chunk ${index}`;
    const before = sites.get(key);
    sites.set(key, {
      place: "chunks",
      index: before?.index ?? index,
      id: before?.id ?? chunk.id,
      name: `${before?.name ?? ""}${chunk.name ?? ""}`,
      args: `${before?.args ?? ""}${chunk.args ?? ""}`,
    });
  }
  return [...sites.values()];
}

/** OpenAI's chat completions, and those who do as they do. */
function kwargsSites({ additional_kwargs }: BaseMessage): readonly CallSite[] {
  return itemsOf(additional_kwargs?.tool_calls).flatMap(({ id, function: called }, index) =>
    isFields(called) ? [siteOf("kwargs", index, id, called.name, called.arguments)] : [],
  );
}

/** OpenAI's responses. */
function outputSites({ response_metadata }: BaseMessage): readonly CallSite[] {
  return itemsOf((response_metadata as Fields | undefined)?.output).flatMap((item, index) =>
    item.type === "function_call"
      ? [siteOf("output", index, item.call_id, item.name, item.arguments)]
      : [],
  );
}

/** Anthropic, Bedrock, Google, and LangChain's own content blocks. */
function contentSites({ content }: BaseMessage): readonly CallSite[] {
  return itemsOf(content).flatMap((block, index) => {
    if (!CALL_BLOCKS.has(block.type)) return [];
    const { id, name, args, input } = (
      isFields(block.functionCall) ? block.functionCall : block
    ) as Fields;
    return [siteOf("content", index, id, name, block.type === "tool_use" ? input : args)];
  });
}

function siteOf(place: Place, index: number, id: unknown, name: unknown, args: unknown): CallSite {
  return {
    place,
    index,
    id: typeof id === "string" ? id : undefined,
    name: typeof name === "string" ? name : "",
    args,
  };
}

function itemsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map((item) => (isFields(item) ? item : {})) : [];
}

function isFields(value: unknown): value is Fields {
  return isJsonObject(value);
}
