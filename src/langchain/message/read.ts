import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type InvalidToolCall,
  type ToolCall,
  type ToolCallChunk,
} from "@langchain/core/messages";
import { isJsonObject, jsonEquals, parseExactly } from "../../repair/json.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import {
  type CallRecord,
  callIdsOf,
  isMalformed,
  isToolMessage,
  ownMetadata,
  recordsOf,
} from "./messages.ts";
import type { RepairCallsOptions } from "./options.ts";

/** A call in a provider's form. */
export interface CallSite {
  /** Where the message holds it. */
  readonly place: "chunks" | SentPlace;
  /** Its index at that place. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  /** The arguments: text if the provider keeps text, else a value. */
  readonly args: unknown;
}

/** A call of a message, with every place that holds it. */
export interface LocatedCall {
  readonly call: ToolCall | InvalidToolCall;
  /** Whether LangChain could not read it: it stands in `invalid_tool_calls`. */
  readonly invalid: boolean;
  readonly sites: readonly CallSite[];
}

/** All that a message says about one of its calls. */
export interface ReadCall {
  readonly located: LocatedCall;
  /** A unique id, even if the model gave none, or one that is taken. */
  readonly id: string;
  /** The tool's name as the model wrote it. */
  readonly name: string;
  /** The arguments as the model wrote them: text if LangChain could not read it, else the value. */
  readonly raw: unknown;
  /** Whether the message is known to be cut off in this call. */
  readonly truncated: boolean;
  /** What toolmend recorded of it before. */
  readonly record: CallRecord | undefined;
}

type Fields = Record<string, unknown>;

/** Reads the calls of a model's message, including those that LangChain could not read. */
export function readCalls(
  message: AIMessage,
  { history = [], isInState = false }: Pick<RepairCallsOptions, "history" | "isInState"> = {},
): readonly ReadCall[] {
  const located = locateCalls(message);
  if (located.length === 0) return [];
  const records = new Map(recordsOf(message).map((record) => [record.id, record]));
  const given = located.map(({ call }) => call.id);
  const ids = assignCallIds(message, given, history);
  const cutOff = !isInState && isCutOff(message);
  return located.map((one, index) => {
    const id = ids[index] as string;
    const { args } = one.call;
    const asItStands = { raw: args, truncated: isMalformed(args) };
    const isKept = asItStands.truncated || (isInState && !one.invalid);
    const isCut = cutOff && index === located.length - 1;
    const input = isKept ? asItStands : rawInput(message, one, isCut);
    return { located: one, id, name: one.call.name ?? "", ...input, record: records.get(id) };
  });
}

/** Finds the calls of a model's message, and every place that holds each in providers' forms. */
export function locateCalls(message: AIMessage): readonly LocatedCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const calls = [
    ...tool_calls.map((call) => ({ call, invalid: false })),
    ...[...invalid_tool_calls, ...blocksAlone(message)].map((call) => ({ call, invalid: true })),
  ];
  if (calls.length === 0) return [];
  const located = calls.map((one) => ({ ...one, sites: [] as CallSite[] }));
  for (const found of [chunkSites(message), ...sentSites(message)]) {
    const free = [...found];
    // Exact matches first, so that two calls with one id each get their own.
    for (const isSiteOf of MATCHES) {
      if (free.length === 0) break;
      for (const { call, sites } of located) {
        if (sites.some(({ place }) => place === free[0]?.place)) continue;
        const at = free.findIndex((site) => isSiteOf(site, call));
        if (at >= 0) sites.push(...free.splice(at, 1));
      }
    }
  }
  return inModelOrder(located, message);
}

/** LangChain's events make a block of a call that could not be read, and keep it nowhere else. */
function blocksAlone(message: AIMessage): readonly InvalidToolCall[] {
  const known = new Set(callIdsOf(message));
  return itemsOf(message.content).flatMap(({ type, id, name, args, error }) =>
    type === "invalid_tool_call" && typeof id === "string" && !known.has(id)
      ? [{ type, id, name, args, error } as InvalidToolCall]
      : [],
  );
}

/** Which site holds a call, from the surest sign to the weakest. */
const MATCHES: readonly ((site: CallSite, call: ToolCall | InvalidToolCall) => boolean)[] = [
  (site, call) => isNamed(site, call) && holdsArgs(site, call.args),
  isNamed,
  // Google's form has no ids; LangChain makes them.
  (site, { name, args }) =>
    site.place === "content" && !site.id && site.name === name && holdsArgs(site, args),
  // A human may have changed the call's tool.
  (site, { id }) => site.place !== "chunks" && Boolean(site.id) && site.id === id,
];

function isNamed(site: CallSite, call: ToolCall | InvalidToolCall): boolean {
  return (site.id || undefined) === (call.id || undefined) && site.name === (call.name ?? "");
}

/** Whether a place holds the call's own arguments: the value, or the unreadable text. */
function holdsArgs({ args: held }: CallSite, args: unknown): boolean {
  if (held === args) return true;
  const value = typeof held === "string" ? parseArgs(held) : held;
  return jsonEquals(value as JsonValue, args as JsonValue);
}

/** Whether the next request sends a call with its own name and arguments. */
export function isAsSent({ call, sites }: LocatedCall): boolean {
  return sites.every(
    (site) =>
      site.place === "chunks" ||
      (site.name === (call.name ?? "") && (site.args === "" || holdsArgs(site, call.args))),
  );
}

/** Sorts calls as the model made them, as far as the message shows it. */
function inModelOrder(calls: readonly LocatedCall[], message: AIMessage): readonly LocatedCall[] {
  const place = (["chunks", "kwargs", "output", "content"] as const).find((one) =>
    calls.every(({ sites }) => sites.some((site) => site.place === one)),
  );
  const { order } = ownMetadata(message);
  const ids: readonly unknown[] = Array.isArray(order) ? order : [];
  if (place === undefined && !calls.every(({ call }) => ids.includes(call.id))) return calls;
  const at = ({ call, sites }: LocatedCall) =>
    sites.find((site) => site.place === place)?.index ?? ids.indexOf(call.id);
  return [...calls].sort((left, right) => at(left) - at(right));
}

function parseArgs(text: string): unknown {
  const value = text.trim() === "" ? {} : parseExactly(text);
  return value === undefined ? text : value;
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

/** The types of content blocks that are calls of the agent's own tools. */
const CALL_BLOCKS = new Set<unknown>(
  "tool_use tool_call invalid_tool_call functionCall".split(" "),
);

/** A call for the history. */
export interface HistoryCall {
  /** The call's id; none for OpenAI's old `function_call`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
  /** Why the call must not run: it then stands in `invalid_tool_calls`. */
  readonly error?: string;
  /** For a call that must not run, the arguments as the model wrote them. Default: unchanged. */
  readonly written?: string | undefined;
}

/** Where a message holds what providers are sent. */
export type SentPlace = "kwargs" | "output" | "content";

/** How providers are sent a call: where its form stands, how it is read and written. */
interface Form {
  list(message: BaseMessage): unknown;
  /** What an item says; `undefined` if it is no call. */
  read(item: Fields): readonly [id: unknown, name: unknown, args: unknown] | undefined;
  write(item: Fields, call: HistoryCall): Fields;
}

export const FORMS: Readonly<Record<SentPlace, Form>> = {
  // OpenAI's chat completions, and providers that follow them.
  kwargs: {
    list: ({ additional_kwargs }) => additional_kwargs?.tool_calls,
    read: ({ id, function: called }) =>
      isJsonObject(called) ? [id, called.name, called.arguments] : undefined,
    write({ id, function: called, ...item }, call) {
      return { ...item, id: call.id ?? id, function: { ...(called as Fields), ...asText(call) } };
    },
  },
  // OpenAI's responses.
  output: {
    list: ({ response_metadata }) => (response_metadata as Fields | undefined)?.output,
    read: ({ type, call_id, name, arguments: args }) =>
      type === "function_call" ? [call_id, name, args] : undefined,
    write: (item, call) => ({ ...item, call_id: call.id, ...asText(call) }),
  },
  // Anthropic, Bedrock, Google, and LangChain's own content blocks.
  content: {
    list: ({ content }) => content,
    read(block) {
      if (!CALL_BLOCKS.has(block.type)) return undefined;
      const { functionCall: called } = block;
      const { id, name, args, input } = isJsonObject(called) ? called : block;
      return [id, name, block.type === "tool_use" ? input : args];
    },
    write(block, { id, name, args, error }) {
      const { functionCall: called, error: _, ...rest } = block;
      if (block.type === "tool_use") return { ...block, id, name, input: args };
      if (isJsonObject(called)) {
        return { ...block, functionCall: { ...called, ...("id" in called && { id }), name, args } };
      }
      return error === undefined
        ? { ...rest, type: "tool_call", id, name, args }
        : { ...rest, type: "invalid_tool_call", id, name, args: JSON.stringify(args), error };
    },
  },
};

export function asText({ name, args, written }: HistoryCall): { name: string; arguments: string } {
  return { name, arguments: written ?? JSON.stringify(args) };
}

/** Finds the forms of calls that providers are sent, by place. */
export function sentSites(message: BaseMessage): readonly (readonly CallSite[])[] {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return (Object.keys(FORMS) as SentPlace[]).map((place) =>
    itemsOf(FORMS[place].list(message)).flatMap((item, index) => {
      const found = FORMS[place].read(item);
      if (found === undefined) return [];
      const [id, name, args] = found;
      return [{ place, index, id: text(id), name: text(name) ?? "", args }];
    }),
  );
}

function itemsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? item : {})) : [];
}

/**
 * Returns what the model wrote as the input of a call. LangChain's streaming completes text that
 * was cut off (`{"to": "Ann` → `{"to": "Ann"}`); only the text itself, kept in the chunks or in a
 * provider's form of the call, shows that. Anthropic without streaming, Google and Bedrock keep no
 * text: there, only the stop reason shows it.
 */
function rawInput(
  { response_metadata }: AIMessage,
  { call, invalid, sites }: LocatedCall,
  isCut: boolean,
): Pick<ReadCall, "raw" | "truncated"> {
  const { model_provider, output } = (response_metadata ?? {}) as {
    readonly model_provider?: unknown;
    readonly output?: readonly { readonly status?: unknown }[];
  };
  const [text] = sites.flatMap(({ args }) => (typeof args === "string" ? [args] : []));
  // OpenAI's responses say whether each call was finished.
  const isUnfinished = sites.some(
    ({ place, index }) => place === "output" && output?.[index]?.status === "incomplete",
  );
  const truncated = isCut || isUnfinished;
  const isObject = OBJECT_WIRES.has(model_provider);
  if (invalid) {
    const written = text ?? call.args ?? "";
    const isValue = truncated && isObject && typeof written === "string";
    return { raw: isValue ? parseArgs(written) : written, truncated };
  }
  // If a provider's whole answer has no text, that of a streamed one does not clear a call either.
  const isWhole = isWholeText(text, call.args, truncated && !isObject);
  return { raw: isWhole ? call.args : text, truncated };
}

/** They carry objects in whole answers: complete text does not show that the model had finished. */
const OBJECT_WIRES = new Set<unknown>(
  "anthropic bedrock-converse google-genai google-vertexai ollama".split(" "),
);

/** Whether arguments are other than LangChain's reading of a call's text: someone edited them. */
export function isEditOf(text: string, args: unknown): boolean {
  const chunk = { type: "tool_call_chunk" as const, id: "_", name: "_", args: text, index: 0 };
  const streamed = () => new AIMessageChunk({ content: "", tool_call_chunks: [chunk] });
  const read = parseExactly(text) ?? streamed().tool_calls?.[0]?.args;
  return !jsonEquals(read as JsonValue, args as JsonValue);
}

/** Whether the parsed value may stand for the text: it is all of it. */
function isWholeText(text: string | undefined, args: unknown, truncated: boolean): boolean {
  if (text === undefined) return true;
  if (text.trim() === "") return isJsonObject(args);
  // A truncated call needs its text: complete JSON clears it.
  return (!truncated && parseExactly(text) !== undefined) || isEditOf(text, args);
}

/** Gives every call a unique id: a new one if it has none, or one that another call has taken. */
export function assignCallIds(
  message: AIMessage,
  given: readonly (string | undefined)[],
  history: readonly BaseMessage[],
): readonly string[] {
  const used = given.length === 0 ? new Set<string>() : takenIds(message, history);
  return given.map((own, index) => {
    const id = own && !used.has(own) ? own : newId(message, index, used);
    used.add(id);
    return id;
  });
}

/**
 * Finds the ids that are taken: LangChain never runs a call whose id has an answer in any turn. A
 * message with the same id does not count: in a state, the new one replaces it.
 */
function takenIds(message: AIMessage, history: readonly BaseMessage[]): Set<string> {
  const isReplaced = (one: BaseMessage) =>
    one === message || (one.id !== undefined && one.id === message.id);
  const replaced = history.filter(isReplaced).flatMap(callIdsOf);
  const taken = new Set<string>();
  for (const one of history) {
    if (isReplaced(one) || (isToolMessage(one) && replaced.includes(one.tool_call_id))) continue;
    for (const id of callIdsOf(one)) taken.add(id);
  }
  return taken;
}

/** Providers limit the length of an id: OpenAI to 40 characters. */
const MAX_ID_LENGTH = 40;

/** Derives an id from the message's id and the call's index, so that it is the same each time. */
function newId(message: AIMessage, index: number, used: ReadonlySet<string>): string {
  const stem = (message.id ?? crypto.randomUUID()).replace(/[^A-Za-z0-9_-]/g, "_");
  for (let attempt = 0; ; attempt++) {
    const suffix = attempt === 0 ? `_${index}` : `_${index}_${attempt}`;
    const id = `call_${stem.slice(-(MAX_ID_LENGTH - 5 - suffix.length))}${suffix}`;
    if (!used.has(id)) return id;
  }
}

/** Where providers say why a model stopped. OpenAI's responses have a status, and not always a reason. */
const REASON_KEYS =
  "finish_reason finishReason stop_reason stopReason done_reason reason status".split(" ");

/** The stop reasons of an unfinished message, folded: it was too long, was stopped, or failed. */
const CUT_OFF: ReadonlySet<string> = new Set([
  ...["length", "maxlength", "maxtokens", "maxoutputtokens", "maxcompletiontokens", "tokenlimit"],
  ...["modellength", "modelcontextwindowexceeded", "contextwindowexceeded", "errorlimit"],
  ...["contentfilter", "contentfiltered", "guardrailintervened", "refusal", "safety"],
  ...["recitation", "language", "blocklist", "prohibitedcontent", "spii", "errortoxic"],
  ...["malformedfunctioncall", "malformedtooluse", "malformedmodeloutput", "unexpectedtoolcall"],
  ...["pauseturn", "incomplete", "timelimit", "timeout", "cancelled", "canceled", "usercancel"],
  ...["error", "failed", "abort", "aborted", "insufficientsystemresource", "other"],
]);

/** Checks whether the provider says that a model's message was cut off. */
export function isCutOff(
  message: Pick<BaseMessage, "additional_kwargs" | "response_metadata">,
): boolean {
  const { additional_kwargs, response_metadata } = message;
  const { incomplete_details, messageStop } = (response_metadata ?? {}) as Fields;
  const said = [response_metadata, additional_kwargs, incomplete_details, messageStop];
  return [...said, saved.get(message)].some((fields) =>
    REASON_KEYS.some((key) => {
      const reason = (fields as Fields | null | undefined)?.[key];
      // Providers write `MAX_TOKENS`, `max_tokens` and `max-tokens`.
      return typeof reason === "string" && CUT_OFF.has(reason.toLowerCase().replace(/[\s_-]/g, ""));
    }),
  );
}

/** What providers reported about messages outside of them. */
const saved = new WeakMap<object, Fields>();

/** Saves a stop reason: that of a streamed message, LangChain passes to callbacks alone. */
export function saveStopInfo(message: BaseMessage | undefined, info: Fields | undefined): void {
  if (message !== undefined && info !== undefined) saved.set(message, info);
}
