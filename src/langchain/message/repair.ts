import type { AIMessage, ToolCall } from "@langchain/core/messages";
import { drive, imported } from "../../repair/drive.ts";
import type { ToolInputError } from "../../repair/errors.ts";
import { rejectedInput } from "../../repair/events/later-calls.ts";
import { emitCall, emitCorrections } from "../../repair/events/report.ts";
import { isJsonObject, jsonEquals } from "../../repair/json.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import {
  type FoundTool,
  findTool,
  resolveFoundInput,
  type ToolOfCall,
  unknownToolError,
} from "../../repair/repair-tool-call.ts";
import { askHandler } from "../../repair/repair-tool-input.ts";
import type { Resolution } from "../../repair/result.ts";
import { isString } from "../../repair/schema/part.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import { mergeGiven } from "../../repair/usage.ts";
import { messageModel } from "../trace/trace.ts";
import { isAsSent, type LocatedCall } from "./locate.ts";
import {
  boundRecord,
  type CallRecord,
  isEdited,
  isHidden,
  isStillRejected,
  recordsAsMetadata,
  shownArgs,
  toArgs,
} from "./messages.ts";
import type { RepairCallsOptions } from "./options.ts";
import type { HistoryCall } from "./provider-forms.ts";
import { type ReadCall, readCalls } from "./read.ts";
import { rewriteLocatedCalls } from "./rewrite.ts";

/** What the repaired message says of one call. */
interface CallInMessage {
  readonly id: string;
  /** The name of the tool, repaired if possible. */
  readonly name: string;
  /** The arguments that it has in the message. */
  readonly args: unknown;
  readonly read: ReadCall;
  /** The call's record in the message. */
  readonly record: CallRecord | undefined;
  /** How it is written into the message; `undefined` if it stays unchanged. */
  readonly rewritten: HistoryCall | undefined;
}

/** A call that is valid, repaired or left alone. */
interface AcceptedOutcome extends CallInMessage {
  readonly kind: "accepted";
}

/** A call whose tool is unknown so far: it is left alone, and not reported. */
interface UnknownOutcome extends CallInMessage {
  readonly kind: "unknown";
}

/** A call that does not run. */
interface RejectedOutcome extends CallInMessage {
  readonly kind: "rejected";
  /** Why, in the words that the model gets. */
  readonly refusal: string;
  /**
   * Why it was rejected just now; `undefined` if a handler answered for it, or
   * if it was rejected in an earlier turn.
   */
  readonly error: ToolInputError | undefined;
  /** The tool that it was rejected for just now. */
  readonly tool: ToolLike | undefined;
}

/** The outcome of one call of a message. */
export type JudgedCall = AcceptedOutcome | UnknownOutcome | RejectedOutcome;

/** A call that was rejected just now, and that no handler answered for. */
export interface UnhandledOutcome extends RejectedOutcome {
  readonly error: ToolInputError;
}

export function isUnhandled(call: JudgedCall): call is UnhandledOutcome {
  return call.kind === "rejected" && call.error !== undefined;
}

/**
 * A repaired message, and the outcome of each of its calls, in the model's
 * order.
 */
export interface MessageCalls {
  readonly message: AIMessage;
  readonly calls: readonly JudgedCall[];
}

/**
 * Repairs every tool call of a model's message, in every place that is sent to
 * a provider again: `tool_calls`, `additional_kwargs`, content blocks and
 * `response_metadata`. Calls that LangChain could not read become tool calls;
 * calls of a provider's tools are left alone.
 */
export async function repairAllCalls(
  message: AIMessage,
  tools: readonly unknown[],
  repairing: RepairCallsOptions,
): Promise<MessageCalls> {
  const { origin, onUnfixable, rescueTextToolCalls = false } = repairing;
  const options: RepairCallsOptions = {
    ...repairing,
    ...(origin && { origin: { ...origin, ...messageModel(message) } }),
    // The caller passes each refusal's error message to the model.
    onUnfixable: onUnfixable === "tellModel" ? undefined : onUnfixable,
  };
  const offered = offeredTools(tools);
  const read = readCalls(message, options);
  if (read.length === 0 && rescueTextToolCalls !== false) {
    const { rescueTextCalls } = await loadRescue();
    const rescued = await rescueTextCalls(message, offered.client, options);
    return { message: rescued, calls: readCalls(rescued).map(unchanged) };
  }
  const calls: JudgedCall[] = [];
  // One after another, so that handlers receive the calls in the model's order.
  for (const call of read) calls.push(await judgeCall(call, offered, options));
  return { message: writeCalls(message, calls), calls };
}

/** Few agents ask for it, and few messages hold such a call. */
const loadRescue = () => imported(import("./text/rescue-text-calls.ts"));

function writeCalls(
  message: AIMessage,
  calls: readonly JudgedCall[],
): AIMessage {
  const records: CallRecord[] = [];
  const changes = new Map<LocatedCall, HistoryCall>();
  for (const { record, read, rewritten } of calls) {
    if (record !== undefined && record !== read.record) records.push(record);
    if (rewritten !== undefined) changes.set(read.located, rewritten);
  }
  if (changes.size + records.length === 0) return message;
  // LangChain has invalid calls apart; the order says where they stood.
  const isApart = [...changes.values()].some(
    ({ error }) => error !== undefined,
  );
  const order = isApart ? { order: calls.map(({ id }) => id) } : {};
  const metadata = recordsAsMetadata(message, records, order);
  const located = calls.map(({ read }) => read.located);
  return rewriteLocatedCalls(message, located, changes, { metadata });
}

/** A call that keeps its name and arguments, in every provider's form too. */
function unchanged(read: ReadCall): AcceptedOutcome {
  const { located, id, name } = read;
  const { call, invalid } = located;
  const args = call.args as HistoryCall["args"];
  const isLeft = invalid || (id === call.id && isAsSent(located));
  const rewritten = isLeft ? undefined : { id, name, args };
  return { ...asRead(read), kind: "accepted", rewritten };
}

/** What the message said of a call before. */
function asRead(read: ReadCall): CallInMessage {
  const { located, id, name, record } = read;
  const { args } = located.call;
  return { id, name, args, read, record, rewritten: undefined };
}

/** How one call is repaired, and all others. */
type CallContext = ResolveOptions & RepairCallsOptions;

async function judgeCall(
  read: ReadCall,
  offered: OfferedTools,
  options: RepairCallsOptions,
): Promise<JudgedCall> {
  const settled = settledCall(read, offered, options);
  if (settled !== undefined) return settled;
  const { located, raw, record } = read;
  const { invalid } = located;
  const context = contextOf(read, options);
  const match = findOfferedTool(read, offered.client, context);
  if (!match.ok) return judgeUnknown(read, match, offered.client, context);
  const { tool, nameRepair, moved } = match;
  const resolution = await resolveFoundInput(raw, match, context);
  const { report = emitCall } = options;
  await report(
    { raw, tool, resolution, nameRepair, rescued: invalid, isHandedOn: true },
    context,
  );
  if (resolution.kind !== "run") {
    // The history shows the arguments that were rejected.
    const rejected = moved === undefined ? read : { ...read, raw: moved.input };
    return rejectCall(rejected, tool, resolution, options);
  }
  if (record?.error !== undefined)
    await emitHumanCorrection(read, tool, resolution.toolInput, options);
  return accept(read, match, resolution);
}

/** The outcome of a call that is not to be repaired now, if it is such. */
function settledCall(
  read: ReadCall,
  { provider }: OfferedTools,
  options: RepairCallsOptions,
): JudgedCall | undefined {
  const { located, id, name, record } = read;
  const { call, invalid } = located;
  if (options.only?.({ id, name }) === false)
    return { ...asRead(read), kind: "accepted" };
  if (record?.error !== undefined) {
    // A human's edit of a rejected call is judged again.
    const isRejected = invalid || isStillRejected(call, record);
    if (isRejected) return keepRejected(read, record, record.error, options);
  }
  const isProviders = provider.has(name) || "isCustomTool" in call;
  return isProviders ? unchanged(read) : undefined;
}

function contextOf(
  { located: { call, invalid }, id, name, raw, truncated }: ReadCall,
  options: RepairCallsOptions,
): CallContext {
  return {
    ...options,
    toolCall: { ...call, id, name, type: "tool_call" } as ToolCall,
    truncated,
    // LangChain parsed it into a string: the model wrote the input as a string.
    parsed: !invalid && raw === call.args,
  };
}

/** Keeps a call that was rejected in an earlier turn. */
function keepRejected(
  read: ReadCall,
  record: CallRecord,
  refusal: string,
  { asInvalid = false }: RepairCallsOptions,
): RejectedOutcome {
  const { located, id, name } = read;
  const kept: RejectedOutcome = {
    ...asRead(read),
    kind: "rejected",
    refusal,
    error: undefined,
    tool: undefined,
  };
  const isLeft = asInvalid || (!located.invalid && isAsSent(located));
  if (isLeft) return kept;
  const rewritten = { id, name, args: shownArgs(located.call.args) };
  return {
    ...kept,
    args: rewritten.args,
    rewritten,
    record: boundRecord(record, rewritten),
  };
}

function findOfferedTool(
  { name, raw }: ReadCall,
  client: readonly ToolLike[],
  context: CallContext,
): FoundTool {
  const { isComplete = true, unoffered = [] } = context;
  const isNamed = (tool: ToolLike) => tool.name === name;
  const exact =
    client.find(isNamed) ?? offeredTools(unoffered).client.find(isNamed);
  if (exact !== undefined) return { ok: true, tool: exact };
  const match = findTool({ name, args: raw }, client, context);
  if (!match.ok || isComplete) return match;
  return { ok: false, didYouMean: match.tool.name };
}

/** Reports a rejected call that a human edited, so that it runs now. */
async function emitHumanCorrection(
  { id, record }: ReadCall,
  tool: ToolLike,
  toolInput: unknown,
  options: RepairCallsOptions,
): Promise<void> {
  const raw = record?.rawToolInput;
  if (raw === undefined) return;
  const find = async () => {
    const error = await rejectedInput({ id, rawToolInput: raw }, tool);
    return [
      {
        error,
        tool,
        source: "human" as const,
        by: id,
        toolInput: toolInput as JsonValue,
      },
    ];
  };
  await emitCorrections(find, options);
}

/** A call that runs, and what is recorded of it. */
function accept(
  read: ReadCall,
  { tool, nameRepair }: ToolOfCall,
  { repairs, toolInput, undeclared }: RunResolution,
): AcceptedOutcome {
  const { located, id, raw, record } = read;
  const { call, invalid } = located;
  const isChanged = invalid || nameRepair !== undefined || repairs.length > 0;
  const isRight = !isChanged && jsonEquals(toolInput, call.args as JsonValue);
  const isNew =
    record === undefined ? undeclared.length > 0 : isEdited(call, record);
  if (isRight && !isNew) return unchanged(read);
  // What the model wrote stays on record if a human edited the call.
  const before: Partial<CallRecord> = record ?? {
    rawToolInput: raw as JsonValue,
  };
  const { error: _, isUnknown: __, undeclared: ___, ...kept } = before;
  const current = mergeGiven<CallRecord>(kept, {
    id,
    repairs,
    undeclared,
    nameRepair,
    rescued: invalid ? "invalid_tool_call" : undefined,
  });
  const rewritten = { id, name: tool.name, args: toArgs(toolInput) };
  const bounded = boundRecord(current, rewritten);
  if (isRight) return { ...unchanged(read), record: bounded };
  return { kind: "accepted", ...rewritten, read, rewritten, record: bounded };
}

/**
 * Leaves a call of an unknown tool to the tools, where other middleware may
 * know it, or rejects it.
 */
async function judgeUnknown(
  read: ReadCall,
  fault: Omit<Extract<FoundTool, { ok: false }>, "ok">,
  tools: readonly ToolLike[],
  options: CallContext,
): Promise<JudgedCall> {
  const { located, id, name, raw } = read;
  const isReadable = !located.invalid && !read.truncated;
  if (options.leavesUnknown && isReadable && !isHidden({ name })) {
    const rawToolInput = raw as JsonValue;
    const unknown: CallRecord = {
      id,
      rawToolInput,
      repairs: [],
      isUnknown: true,
    };
    const record = read.record ?? boundRecord(unknown, located.call);
    return { ...unchanged(read), kind: "unknown", record };
  }
  const { report = emitCall, signal, toolCall } = options;
  const unknown = unknownToolError(name, raw, tools, { ...fault, toolCall });
  const { answer: text, error } = await drive(
    askHandler(unknown, options),
    signal,
  );
  // There is nothing to run: a handler can only choose the model's text.
  const refusal: RejectedResolution =
    typeof text === "string"
      ? { kind: "observation", text, error }
      : { kind: "refused", error };
  await report({ raw, tool: undefined, resolution: refusal }, options);
  return rejectCall(read, undefined, refusal, options);
}

type RunResolution = Extract<Resolution, { readonly kind: "run" }>;

/** The outcome of a call that does not run. */
type RejectedResolution = Exclude<Resolution, RunResolution>;

function rejectCall(
  read: ReadCall,
  tool: ToolLike | undefined,
  resolution: RejectedResolution,
  { asInvalid = false }: RepairCallsOptions,
): RejectedOutcome {
  const { id, raw } = read;
  const { name } = tool ?? read;
  const isAnswered = resolution.kind === "observation";
  const refusal = isAnswered
    ? resolution.text
    : resolution.error.toModelMessage();
  const rewritten = asInvalid
    ? toInvalid(read, name, refusal)
    : { id, name, args: shownArgs(raw, read.truncated) };
  const rawToolInput = resolution.error.causingData;
  const record = boundRecord(
    { id, rawToolInput, repairs: [], error: refusal },
    rewritten,
  );
  const error = isAnswered ? undefined : resolution.error;
  return {
    kind: "rejected",
    id,
    name,
    args: rewritten.args,
    read,
    record,
    rewritten,
    refusal,
    error,
    tool,
  };
}

/** A rejected call that stands in `invalid_tool_calls`. */
function toInvalid(
  { id, raw }: ReadCall,
  name: string,
  error: string,
): HistoryCall {
  const call = { id, name, args: {}, error };
  if (isString(raw)) return { ...call, written: raw };
  return isJsonObject(raw) ? { ...call, args: raw } : call;
}

/** The tools of a request, by who runs them. */
interface OfferedTools {
  /** The agent's own, with a name and a schema: their calls are repaired. */
  readonly client: readonly ToolLike[];
  /**
   * The names of those that the provider runs or defines: their calls are left
   * alone.
   */
  readonly provider: ReadonlySet<string>;
}

/**
 * Separates the agent's own tools from the provider's, which are plain
 * descriptions.
 */
export function offeredTools(tools: readonly unknown[]): OfferedTools {
  const client: ToolLike[] = [];
  const provider = new Set<string>();
  for (const tool of tools) {
    if (isClientTool(tool)) {
      client.push(tool);
      continue;
    }
    const {
      name,
      type,
      function: described,
    } = Object(tool) as Record<string, unknown>;
    const inner = isJsonObject(described) ? described.name : undefined;
    const providerName = [name, inner, type].find(isString);
    if (providerName !== undefined) provider.add(providerName);
  }
  return { client, provider };
}

function isClientTool(tool: unknown): tool is ToolLike {
  const { name, schema } = Object(tool) as Partial<ToolLike>;
  return typeof name === "string" && schema !== null && schema !== undefined;
}
