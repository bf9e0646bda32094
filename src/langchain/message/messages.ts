import {
  AIMessage,
  type AIMessageFields,
  type BaseMessage,
  type MessageContent,
  type ToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { orElse } from "../../repair/foreign.ts";
import {
  canonicalJson,
  copyJson,
  cutText,
  digestOf,
  isJsonObject,
  parseExactly,
  showValue,
} from "../../repair/json.ts";
import {
  boundRepairs,
  digestOver,
  MAX_LISTED,
  MAX_PATH,
  MAX_VALUE,
} from "../../repair/records.ts";
import type {
  JsonObject,
  JsonValue,
  NameRepair,
  Repair,
  ValueDigest,
} from "../../repair/types.ts";
import { mergeGiven, nameThing } from "../../repair/usage.ts";

/**
 * Recognizes a model's message across the copies and versions of
 * `@langchain/core`.
 */
export function isAIMessage(message: unknown): message is AIMessage {
  return messageType(message) === "ai";
}

/**
 * Recognizes a tool's message across the copies and versions of
 * `@langchain/core`.
 */
export function isToolMessage(message: unknown): message is ToolMessage {
  return messageType(message) === "tool";
}

function messageType(message: unknown): string | undefined {
  const { _getType } = Object(message) as Partial<BaseMessage>;
  return typeof _getType === "function" ? _getType.call(message) : undefined;
}

/** Returns the messages since the user's last one. */
export function sinceSpoken(
  history: readonly BaseMessage[],
): readonly BaseMessage[] {
  const isOfOthers = (message: BaseMessage) =>
    !isAIMessage(message) && !isToolMessage(message);
  return history.slice(history.findLastIndex(isOfOthers) + 1);
}

/** The ids of the calls that a message makes or answers. */
export function callIdsOf(message: BaseMessage): readonly string[] {
  if (isToolMessage(message)) return [message.tool_call_id];
  const { tool_calls = [], invalid_tool_calls = [] } =
    message as Partial<AIMessage>;
  if (tool_calls.length + invalid_tool_calls.length === 0) return [];
  return [...tool_calls, ...invalid_tool_calls].flatMap(({ id }) => id || []);
}

/**
 * Returns the answers of tools, by the ids of their calls: of several answers
 * to a call, the last.
 */
export function answersIn(
  messages: readonly BaseMessage[],
): ReadonlyMap<string, ToolMessage> {
  return new Map(
    messages
      .filter(isToolMessage)
      .map((answer) => [answer.tool_call_id, answer]),
  );
}

/**
 * Prefixes the name of a rejected call while a human is asked about the others:
 * no tool has it. Providers accept these signs in names: the thread can go on
 * without toolmend.
 */
export const REFUSED_NAME = "input_refused__";

/** A call, or the answer to one. */
interface NamedCall {
  readonly name?: string | undefined;
}

/**
 * Whether a call, or the answer to one, has the reserved name of a rejected
 * call.
 */
export function isHidden({ name = "" }: NamedCall): boolean {
  return name.startsWith(REFUSED_NAME);
}

/**
 * Gives the calls with these ids the reserved name. Providers' content blocks
 * keep the true names; LangChain's own blocks do not, because a checkpoint
 * rebuilds the calls from them (core 1.4.0; checkpoint.test).
 */
export function hideCalls(
  message: AIMessage,
  ids: ReadonlySet<string>,
): AIMessage {
  if (ids.size === 0) return message;
  return renameCalls(message, ({ id, name }) =>
    ids.has(id ?? "") ? REFUSED_NAME + name : name,
  );
}

/**
 * Restores the true names of calls and answers; returns the same message if it
 * has no reserved names.
 */
export function revealNames<Message extends BaseMessage>(
  message: Message,
): Message {
  if (isAIMessage(message)) {
    if (!message.tool_calls?.some(isHidden)) return message;
    return renameCalls(message, trueName) as BaseMessage as Message;
  }
  if (!isToolMessage(message) || !isHidden(message)) return message;
  const copy = Object.create(Object.getPrototypeOf(message)) as Message;
  return Object.assign(copy, message, { name: trueName(message) });
}

function trueName({ name = "" }: NamedCall): string {
  return isHidden({ name }) ? name.slice(REFUSED_NAME.length) : name;
}

function renameCalls(
  message: AIMessage,
  nameOf: (call: ToolCall) => string,
): AIMessage {
  const { tool_calls = [], content } = message;
  const rename = (call: ToolCall) => ({ ...call, name: nameOf(call) });
  const renamed = { tool_calls: tool_calls.map(rename) };
  if (!Array.isArray(content)) return withFields(message, renamed);
  const blocks = content.map((block) =>
    block.type === "tool_call" ? rename(block as object as ToolCall) : block,
  );
  return withFields(message, { ...renamed, content: blocks as MessageContent });
}

/**
 * Copies a model's message with other fields, never as a chunk. The copy has
 * exactly the calls that it is given: LangChain's constructor would add those
 * of its own content blocks (core 1.4.0; own-graph.test).
 */
export function withFields(
  message: AIMessage,
  changes: Partial<AIMessageFields>,
): AIMessage {
  const {
    id,
    name,
    usage_metadata,
    additional_kwargs,
    response_metadata,
    ...fields
  } = {
    ...message,
    ...changes,
  };
  const { content, tool_calls = [], invalid_tool_calls = [] } = fields;
  const calls = { tool_calls, invalid_tool_calls };
  const copy = new AIMessage({
    // LangChain keeps a field that is `undefined`, and writes it to checkpoints
    // (core 1.4.0; repair-ai-message.test).
    ...mergeGiven({ id, name, usage_metadata }),
    ...calls,
    additional_kwargs,
    response_metadata,
    // LangChain's constructor adds the calls to the array that it receives
    // (core 1.4.0; messages.test).
    content: Array.isArray(content) ? [...content] : content,
  });
  return Object.assign(copy, calls);
}

/** Makes the answer to a call that did not run. */
export function errorAnswer(
  id: string,
  name: string,
  content: string,
): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}

/**
 * Gives a model's message an id in place if it has none, as LangGraph does.
 * Copies then have it too: a model that returns one object twice, as caches do,
 * replaces its own message in the state (langgraph 1.7.3; same-message.test).
 */
export function giveId(message: AIMessage): AIMessage {
  if (message.id !== undefined || Object.isFrozen(message)) return message;
  message.id = crypto.randomUUID();
  // A checkpoint is written from `lc_kwargs` (core 1.4.0; checkpoint.test).
  if (message.lc_kwargs !== undefined) message.lc_kwargs.id = message.id;
  return message;
}

/**
 * Returns a tool's input as the arguments of a call: the text of a string tool
 * in its one field.
 */
export function toArgs(toolInput: JsonValue): JsonObject {
  return typeof toolInput === "string"
    ? { input: toolInput }
    : (toolInput as JsonObject);
}

/**
 * Returns a model's arguments as an object: the value itself, or the text
 * parsed as JSON.
 */
export function writtenArgs(written: unknown): JsonObject | undefined {
  const value = typeof written === "string" ? parseExactly(written) : written;
  return isJsonObject(value) ? value : undefined;
}

/**
 * Returns rejected arguments as the history shows them: providers take objects.
 * What could not be read, or was cut off, goes under one key, which no tool
 * accepts, even where the record is lost.
 */
export function shownArgs(written: unknown, isCut = false): JsonObject {
  const args =
    isCut && !isMalformed(written) ? undefined : writtenArgs(written);
  if (args !== undefined) return args;
  const isText = typeof written === "string";
  const text = isText
    ? written.slice(0, MAX_SHOWN)
    : showValue(written, MAX_SHOWN);
  return { [MALFORMED]: text };
}

const MALFORMED = "malformed_arguments";

/** How many characters the history shows of arguments that are no object. */
const MAX_SHOWN = 4_000;

export function isMalformed(args: unknown): boolean {
  return isJsonObject(args) && typeof args[MALFORMED] === "string";
}

export function checkMessages(messages: unknown, of: string): void {
  if (Array.isArray(messages)) return;
  throw new TypeError(
    `${of} needs an array of messages; this is ${nameThing(messages)}.`,
  );
}

export function checkState(state: unknown, of: string): void {
  const { messages } = Object(state) as { messages?: unknown };
  if (Array.isArray(messages)) return;
  const what = nameThing(state);
  const more =
    what === "an object" ? ` whose messages are ${nameThing(messages)}` : "";
  throw new TypeError(
    `${of} needs a graph's state, { messages: [messages] }; this is ${what}${more}.`,
  );
}

/**
 * toolmend's record of one call. Kept with the message, but never sent to a
 * provider.
 */
export interface CallRecord {
  /** The call's present id. */
  readonly id: string;
  /**
   * The input as the model wrote it; absent if it wrote none, or if it is
   * `omitted`.
   */
  readonly rawToolInput?: JsonValue;
  /**
   * Length and hash of the call's name and arguments in the message: others are
   * a human's edit.
   */
  readonly call?: ValueDigest;
  /**
   * Every change that was made to it. Long values are given by length and hash.
   */
  readonly repairs: readonly Repair[];
  /** Length and hash of each omitted field. */
  readonly omitted?: OmittedFields;
  /**
   * The keys of the call that the tool's schema does not declare, as JSON
   * Pointers; absent if none. The first 100, each cut to 500 characters.
   */
  readonly undeclared?: readonly string[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /**
   * Where the call was rescued from: LangChain could not read it, or it stood
   * in the text.
   */
  readonly rescued?: "invalid_tool_call" | "text";
  /** For a call that stood in the text: its format (docs/text-calls.md). */
  readonly format?: string;
  /** Why it did not run, in the words that the model gets. */
  readonly error?: string;
  /**
   * Whether its tool was unknown when the model answered: the call was not
   * reported then.
   */
  readonly isUnknown?: true;
}

/** What a record leaves out. */
interface OmittedFields {
  /** What the model wrote, if longer than 1,000 characters of JSON. */
  readonly rawToolInput?: ValueDigest;
  /** How many undeclared keys are not listed. */
  readonly undeclared?: number;
}

/** Returns the metadata that toolmend itself keeps with a message. */
export function ownMetadata({
  response_metadata,
}: BaseMessage): Readonly<Record<string, unknown>> {
  const { toolmend } = Object(response_metadata) as {
    readonly toolmend?: unknown;
  };
  return isJsonObject(toolmend) ? toolmend : {};
}

/**
 * Returns the ids of a message's calls in the model's order, where toolmend
 * recorded it.
 */
export function recordedOrder(message: BaseMessage): readonly unknown[] {
  const { order } = ownMetadata(message);
  return Array.isArray(order) ? order : [];
}

/**
 * Returns the records of the calls of a message that were changed or rejected.
 */
export function recordsOf(message: BaseMessage): readonly CallRecord[] {
  const { calls } = ownMetadata(message);
  const records: readonly unknown[] = Array.isArray(calls) ? calls : [];
  return records.filter(isJsonObject) as unknown as readonly CallRecord[];
}

/** The same, by the ids of their calls. */
export function recordsById(
  message: BaseMessage,
): ReadonlyMap<string, CallRecord> {
  return new Map(recordsOf(message).map((record) => [record.id, record]));
}

/**
 * Creates the metadata that keeps records, and more, with a message: new ones
 * replace old ones.
 */
export function recordsAsMetadata(
  message: AIMessage,
  records: readonly CallRecord[],
  more: Readonly<Record<string, unknown>> = {},
): AIMessage["response_metadata"] {
  const fresh = new Set(records.map(({ id }) => id));
  const calls = [
    ...recordsOf(message).filter(({ id }) => !fresh.has(id)),
    ...records,
  ];
  const toolmend = {
    ...ownMetadata(message),
    ...(calls.length > 0 && { calls }),
    ...more,
  };
  return Object.keys(toolmend).length === 0 ? {} : { toolmend };
}

/**
 * Bounds a record, which every checkpoint of a thread holds. Long input of the
 * model is kept as length and hash, repairs as `boundRepairs` leaves them, and
 * as many undeclared keys as repairs.
 */
export function boundRecord(record: CallRecord, call: NamedArgs): CallRecord {
  const { rawToolInput, undeclared = [], error, ...fields } = record;
  const longInput = digestOver(rawToolInput, MAX_VALUE);
  const listed = undeclared
    .slice(0, MAX_LISTED)
    .map((path) => cutText(path, MAX_PATH));
  const unlisted = undeclared.length - listed.length;
  const omitted = mergeGiven<OmittedFields>(fields.omitted, {
    rawToolInput: longInput,
    undeclared: unlisted > 0 ? unlisted : undefined,
  });
  return mergeGiven<CallRecord>({
    // A tool that runs with the call's own arguments may change them.
    rawToolInput: longInput === undefined ? copyJson(rawToolInput) : undefined,
    ...fields,
    call: digestOfCall(call),
    repairs: boundRepairs(fields.repairs),
    undeclared: listed.length > 0 ? listed : undefined,
    error,
    omitted: Object.keys(omitted).length > 0 ? omitted : undefined,
  });
}

/**
 * Whether a call's input, or its tool's name, is other than the model wrote it.
 */
export function isRepaired(record: CallRecord | undefined): boolean {
  if (record === undefined) return false;
  const { repairs, nameRepair, rescued } = record;
  if (repairs.length > 0) return true;
  return nameRepair !== undefined || rescued !== undefined;
}

type NamedArgs = Readonly<{ name?: string | undefined; args?: unknown }>;

/** The arguments that code makes may be no JSON. */
const digestOfCall = ({ name, args = {} }: NamedArgs): ValueDigest =>
  digestOf(orElse(() => canonicalJson([trueName({ name }), args]), ""));

/**
 * Checks whether a call is another than its record is of: a human may have
 * edited it.
 */
export function isEdited(
  call: NamedArgs,
  record: CallRecord | undefined,
): boolean {
  if (record?.call === undefined) return false;
  return digestOfCall(call).hash !== record.call.hash;
}

/** Whether a call was rejected, and is still the same. */
export function isStillRejected(
  call: NamedArgs,
  record: CallRecord | undefined,
): boolean {
  return record?.error !== undefined && !isEdited(call, record);
}
