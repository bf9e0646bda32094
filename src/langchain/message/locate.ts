import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  ToolCall,
  ToolCallChunk,
} from "@langchain/core/messages";
import { jsonEquals, parseExactly } from "../../repair/json.ts";
import type { JsonValue } from "../../repair/types.ts";
import { callIdsOf, recordedOrder } from "./messages.ts";
import {
  type CallSite,
  itemsOf,
  sendsContentCalls,
  sentSites,
  textOf,
} from "./provider-forms.ts";

/** A call of a message, with every place that holds it. */
export interface LocatedCall {
  readonly call: AnyCall;
  /** Whether LangChain could not read it: it stands in `invalid_tool_calls`. */
  readonly invalid: boolean;
  readonly sites: readonly CallSite[];
  /**
   * Whether the next request leaves the call out: it needs a content block, and
   * has none.
   */
  readonly isUnsent: boolean;
}

/** A call whose places are being found. */
interface PlacedCall extends Pick<LocatedCall, "call" | "invalid"> {
  readonly sites: CallSite[];
}

/**
 * Finds the calls of a model's message, and every place that holds each in
 * providers' forms.
 */
export function locateCalls(message: AIMessage): readonly LocatedCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const unreadable = [...invalid_tool_calls, ...blocksAlone(message)];
  const calls: readonly PlacedCall[] = [
    ...tool_calls.map((call) => ({ call, invalid: false, sites: [] })),
    ...unreadable.map((call) => ({ call, invalid: true, sites: [] })),
  ];
  if (calls.length === 0) return [];
  for (const sites of [chunkSites(message), ...sentSites(message)])
    assignSites(sites, calls);
  const needsBlock = sendsContentCalls(message.response_metadata);
  const located = calls.map((call) => ({
    ...call,
    isUnsent: needsBlock && !hasBlock(call),
  }));
  return inModelOrder(located, message);
}

/** Gives each call its own of the sites at one place. */
function assignSites(
  sites: readonly CallSite[],
  calls: readonly PlacedCall[],
): void {
  const free = [...sites];
  const waiting = new Set(calls);
  // Exact matches first, so that two calls with one id each get their own.
  for (const isSiteOf of MATCHES) {
    if (free.length === 0) return;
    for (const placed of waiting) {
      const site = takeFirst(free, (each) => isSiteOf(each, placed.call));
      if (site === undefined) continue;
      placed.sites.push(site);
      waiting.delete(placed);
    }
  }
}

/** Takes the first item that matches out of a list. */
export function takeFirst<Item>(
  items: Item[],
  isMatch: (item: Item) => boolean,
): Item | undefined {
  const at = items.findIndex(isMatch);
  return at < 0 ? undefined : items.splice(at, 1)[0];
}

function hasBlock({ sites }: Pick<LocatedCall, "sites">): boolean {
  return sites.some(({ place }) => place === "content");
}

/**
 * LangChain's events make a block of a call that could not be read, and keep it
 * nowhere else (core 1.4.0; repair-ai-message.test).
 */
function blocksAlone(message: AIMessage): readonly InvalidToolCall[] {
  const known = new Set(callIdsOf(message));
  const alone: InvalidToolCall[] = [];
  for (const { type, id, name, args, error } of itemsOf(message.content)) {
    if (type !== "invalid_tool_call") continue;
    if (typeof id !== "string" || known.has(id)) continue;
    alone.push({ type, id, name, args, error } as InvalidToolCall);
  }
  return alone;
}

type AnyCall = ToolCall | InvalidToolCall;

/** Whether a site may hold a call. */
type IsSiteOf = (site: CallSite, call: AnyCall) => boolean;

/** Whether a site holds a call, from the surest sign to the weakest. */
const MATCHES: readonly IsSiteOf[] = [
  withArgs(isNamed),
  isNamed,
  // Google's form has no ids; LangChain makes them (google 0.2.6; google.test).
  withArgs(isAnonymousBlockOf),
  // A human may have changed the call's tool.
  isSentUnderId,
  // Or a call in Google's form: what is left is paired in order, calls of one
  // tool first.
  isAnonymousBlockOf,
  isAnonymousBlock,
];

/** The same sign, for sites that hold the call's arguments, too. */
function withArgs(isSiteOf: IsSiteOf): IsSiteOf {
  return (site, call) => isSiteOf(site, call) && holdsArgs(site, call.args);
}

function isSentUnderId(site: CallSite, { id }: AnyCall): boolean {
  if (site.place === "chunks" || !site.id) return false;
  return site.id === id;
}

function isAnonymousBlockOf(site: CallSite, { name }: AnyCall): boolean {
  return isAnonymousBlock(site) && site.name === name;
}

/** Whether a call is a content block without an id, as Google writes it. */
export function isAnonymousBlock({ place, id }: CallSite): boolean {
  return place === "content" && !id;
}

function isNamed(site: CallSite, { id, name }: AnyCall): boolean {
  return textOf(site.id) === textOf(id) && site.name === textOf(name);
}

/**
 * Whether a place holds the call's own arguments: the value, or the unreadable
 * text.
 */
function holdsArgs({ args: held }: CallSite, args: unknown): boolean {
  if (held === args) return true;
  const value = typeof held === "string" ? parseArgs(held) : held;
  return jsonEquals(value as JsonValue, args as JsonValue);
}

/** Whether the next request sends a call with its own name and arguments. */
export function isAsSent({ call, sites, isUnsent }: LocatedCall): boolean {
  if (isUnsent) return false;
  const { args } = call;
  const name = textOf(call.name);
  const sent = sites.filter(({ place }) => place !== "chunks");
  if (sent.some((site) => site.name !== name)) return false;
  return sent.every((site) => site.args === "" || holdsArgs(site, args));
}

/** Sorts calls as the model made them, as far as the message shows it. */
function inModelOrder(
  calls: readonly LocatedCall[],
  message: AIMessage,
): readonly LocatedCall[] {
  const isAtAll = (place: CallSite["place"]) =>
    calls.every((call) => siteAt(place, call));
  const place = (["chunks", "kwargs", "output", "content"] as const).find(
    isAtAll,
  );
  if (place !== undefined)
    return sortBy(calls, (call) => siteAt(place, call)?.index ?? 0);
  const ids = recordedOrder(message);
  const isRecorded = calls.every(({ call }) => ids.includes(call.id));
  return isRecorded ? sortBy(calls, ({ call }) => ids.indexOf(call.id)) : calls;
}

function siteAt(
  place: CallSite["place"],
  { sites }: LocatedCall,
): CallSite | undefined {
  return sites.find((site) => site.place === place);
}

function sortBy<Item>(
  items: readonly Item[],
  rank: (item: Item) => number,
): readonly Item[] {
  return items.toSorted((left, right) => rank(left) - rank(right));
}

export function parseArgs(text: string): unknown {
  if (text.trim() === "") return {};
  const value = parseExactly(text);
  return value === undefined ? text : value;
}

/** A streamed message keeps the text of its calls. */
function chunkSites(message: BaseMessage): readonly CallSite[] {
  const { tool_call_chunks: chunks = [] } = message as {
    tool_call_chunks?: ToolCallChunk[];
  };
  const sites = new Map<unknown, CallSite>();
  for (const [index, chunk] of chunks.entries()) {
    const { id } = chunk;
    const key = chunk.index ?? id ?? `chunk ${index}`;
    const before = sites.get(key) ?? { index, id, name: "", args: "" };
    sites.set(key, {
      place: "chunks",
      index: before.index,
      id: before.id ?? id,
      name: before.name + textOf(chunk.name),
      args: `${before.args}${textOf(chunk.args)}`,
    });
  }
  return [...sites.values()];
}
