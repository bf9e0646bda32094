import type { AIMessage } from "@langchain/core/messages";
import { loadOnce } from "../../repair/drive.ts";
import { ToolInputError } from "../../repair/errors.ts";
import { emitCall, emitCorrections } from "../../repair/events/emit.ts";
import type { MarkRun } from "../../repair/events/event.ts";
import { isJsonObject, jsonEquals } from "../../repair/json/json-value.ts";
import { resolveToolInput } from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { type Resolution, unfixableHandler } from "../../repair/result.ts";
import { findTool, unknownToolError } from "../../repair/tool-call.ts";
import type { JsonObject, JsonValue, NameRepair, ToolLike } from "../../repair/types.ts";
import { messageModel } from "../trace/trace.ts";
import { toArgs, writtenArgs } from "./messages.ts";
import type { RepairCallsOptions } from "./options.ts";
import { isAsSent, type LocatedCall, type ReadCall, readCalls, toToolCall } from "./read.ts";
import {
  boundRecord,
  type CallRecord,
  isAsRefused,
  recordsAsMetadata,
  refusedInput,
} from "./records.ts";
import { type HistoryCall, rewriteLocatedCalls } from "./rewrite.ts";

/** The outcome of one call of a message. */
export interface JudgedCall {
  readonly id: string;
  /** The name of the tool, repaired if possible. */
  readonly name: string;
  /** The call's record in the message. */
  readonly record: CallRecord | undefined;
  /** Why it does not run, in the words that the model gets; `undefined` if it runs. */
  readonly refusal: string | undefined;
  /** Why it was refused just now, unless a handler answered for it. */
  readonly error?: ToolInputError | undefined;
  /** The arguments that it has in the message. */
  readonly args: unknown;
  readonly read: ReadCall;
}

/** A repaired message, and the outcome of each of its calls, in the model's order. */
export interface MessageCalls {
  readonly message: AIMessage;
  readonly calls: readonly JudgedCall[];
}

/**
 * Repairs every tool call of a model's message, in every place that is sent to a provider again:
 * `tool_calls`, `additional_kwargs`, content blocks and `response_metadata`. Calls that LangChain
 * could not read become tool calls; calls of a provider's tools are left alone.
 */
export async function repairCalls(
  message: AIMessage,
  tools: readonly unknown[],
  given: RepairCallsOptions,
): Promise<MessageCalls> {
  const { origin, onUnfixable } = given;
  const options: RepairCallsOptions = {
    ...given,
    ...(origin && { origin: { ...origin, ...messageModel(message) } }),
    // The caller passes each refusal's error message to the model.
    onUnfixable: onUnfixable === "tellModel" ? undefined : onUnfixable,
  };
  const offered = offeredTools(tools);
  const calls = readCalls(message, options.history);
  if (calls.length === 0) {
    const { rescueTextToolCalls = false } = options;
    if (rescueTextToolCalls === false) return { message, calls: [] };
    const code = await loadRescue();
    return readAgain(await code.rescueTextCalls(message, offered.client, options));
  }
  const changes: Change[] = [];
  // One after another, so that handlers receive the calls in the model's order.
  for (const call of calls) changes.push(await repairCall(call, offered, options));
  const records = changes.flatMap(({ record }) => (record ? [boundRecord(record)] : []));
  const rewritten = new Map(
    changes.flatMap(({ read, call }) => (call ? [[read.located, call]] : [])),
  );
  const isChanged = rewritten.size > 0 || records.length > 0;
  const metadata = recordsAsMetadata(message, records);
  const located = calls.map((call) => call.located);
  const repaired = isChanged
    ? rewriteLocatedCalls(message, located, rewritten, { metadata })
    : message;
  return {
    message: repaired,
    calls: changes.map(({ read, call, refusal, error }) => {
      const record = records.find(({ id }) => id === read.id) ?? read.record;
      const { name, args } = call ?? { name: read.name, args: read.located.call.args };
      return { id: read.id, name, args, read, refusal, error, record };
    }),
  };
}

/** Few agents ask for it, and few messages hold such a call. */
const loadRescue = loadOnce(() => import("./text/rescue-text-calls.ts"));

function readAgain(message: AIMessage): MessageCalls {
  const calls = readCalls(message).map((read): JudgedCall => {
    const { id, name, record } = read;
    return { id, name, record, read, args: read.located.call.args, refusal: undefined };
  });
  return { message, calls };
}

/** The change of one call. */
interface Change {
  readonly read: ReadCall;
  /** Absent if the call stays unchanged. */
  readonly call?: HistoryCall | undefined;
  readonly record?: CallRecord;
  readonly refusal?: string;
  readonly error?: ToolInputError | undefined;
}

async function repairCall(
  read: ReadCall,
  { client, provider }: OfferedTools,
  options: RepairCallsOptions,
): Promise<Change> {
  const { located, id, name, raw, truncated, record } = read;
  const { call, invalid } = located;
  if (options.only?.({ id, name }) === false) return { read };
  const before = record?.error;
  if (before !== undefined && (invalid || isAsRefused(call.args, record as CallRecord))) {
    const args = writtenArgs(call.args) ?? {};
    const isLeft = options.refusedAs === "invalid" || (!invalid && isAsSent(located));
    return { read, refusal: before, call: isLeft ? undefined : { id, name, args } };
  }
  const unchanged: Change = { read, call: invalid ? undefined : keepCall(located, id) };
  if (provider.has(name) || "isCustomTool" in call) return unchanged;
  // LangChain parsed it into a string: the model wrote the input as a string.
  const parsed = !invalid && raw === call.args;
  const resolving = { ...options, toolCall: toToolCall(read), truncated, parsed };
  const named = await findNamedTool(name, raw, client, resolving);
  if (named instanceof ToolInputError) {
    if (!invalid && options.isComplete === false) return unchanged;
    return refuse(read, name, await resolveUnknownCall(raw, named, resolving), options);
  }
  const resolution = await resolveNamedCall(raw, { ...named, rescued: invalid }, resolving);
  const { tool, nameRepair } = named;
  if (resolution.kind !== "run") {
    const isLeft = options.leaveUnfixable === true && !invalid && raw === call.args && !truncated;
    return isLeft ? unchanged : refuse(read, tool.name, resolution, options);
  }
  const { repairs, toolInput, undeclared } = resolution;
  if (before !== undefined) await emitEdited(read, tool, toolInput, options);
  const isRight = repairs.length === 0 && nameRepair === undefined;
  const undeclaredKeys = undeclared.length === 0 ? undefined : { undeclared };
  if (!invalid && isRight && jsonEquals(toolInput, call.args as JsonValue)) {
    return undeclaredKeys === undefined || record !== undefined
      ? unchanged
      : { ...unchanged, record: { id, repairs: [], ...undeclaredKeys } };
  }
  return {
    read,
    call: { id, name: tool.name, args: toArgs(toolInput) },
    record: {
      // What the model wrote stays on record if a human's edit was repaired.
      ...(before === undefined && raw !== undefined && { rawToolInput: raw as JsonValue }),
      ...(before !== undefined && record),
      id,
      repairs,
      ...undeclaredKeys,
      ...(nameRepair && { nameRepair }),
      ...(invalid && { rescued: "invalid_tool_call" as const }),
    },
  };
}

/** Reports a refused call that now has other arguments and can run: a human edited it. */
async function emitEdited(
  { id, record }: ReadCall,
  tool: ToolLike,
  toolInput: JsonValue,
  options: RepairCallsOptions,
): Promise<void> {
  const raw = record?.rawToolInput;
  if (raw === undefined) return;
  const find = async () => {
    const error = await refusedInput({ id, raw }, tool);
    return [{ error, source: "human" as const, by: id, toolInput }];
  };
  await emitCorrections(find, options);
}

/**
 * A valid call stays unchanged, unless its id changed, or a provider would be sent other arguments
 * than those that run, as after a human's edit.
 */
function keepCall(located: LocatedCall, id: string): HistoryCall | undefined {
  const { name = "", args } = located.call;
  return id === located.call.id && isAsSent(located)
    ? undefined
    : { id, name, args: args as HistoryCall["args"] };
}

function refuse(
  read: ReadCall,
  name: string,
  resolution: Refusal,
  { refusedAs }: RepairCallsOptions,
): Change {
  const { id, raw } = read;
  const isAnswered = resolution.kind === "observation";
  const refusal = isAnswered ? resolution.text : resolution.error.toModelMessage();
  const invalid: HistoryCall = {
    id,
    name,
    args: isJsonObject(raw) ? raw : {},
    error: refusal,
    written: typeof raw === "string" ? raw : undefined,
  };
  const args: JsonObject = writtenArgs(raw) ?? {};
  return {
    read,
    refusal,
    error: isAnswered ? undefined : resolution.error,
    call: refusedAs === "invalid" ? invalid : { id, name, args },
    record: { id, rawToolInput: resolution.error.causingData, repairs: [], error: refusal },
  };
}

/** The tools of a request, by who runs them. */
interface OfferedTools {
  /** The agent's own, with a name and a schema: their calls are repaired. */
  readonly client: readonly ToolLike[];
  /** The names of tools that the provider runs or defines: plain descriptions, whose calls are left alone. */
  readonly provider: ReadonlySet<string>;
}

/** Separates the agent's own tools from the provider's. */
export function offeredTools(tools: readonly unknown[]): OfferedTools {
  const client = tools.filter(isClientTool);
  const others = tools.filter((tool) => !isClientTool(tool));
  return { client, provider: new Set(others.flatMap(namesOf)) };
}

function isClientTool(tool: unknown): tool is ToolLike {
  if (tool === null || typeof tool !== "object" || !("name" in tool) || !("schema" in tool)) {
    return false;
  }
  return typeof tool.name === "string" && tool.schema !== null && tool.schema !== undefined;
}

function namesOf(tool: unknown): readonly string[] {
  if (!isJsonObject(tool)) return [];
  const { name, type, function: described } = tool;
  const inner = isJsonObject(described) ? described.name : undefined;
  return [name, type, inner].filter((one): one is string => typeof one === "string");
}

/** The tool that a call names. */
interface NamedTool {
  readonly tool: ToolLike;
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** Whether LangChain would have lost the call. */
  readonly rescued?: boolean;
}

/** The outcome of a call that does not run. */
type Refusal = Exclude<Resolution, { readonly kind: "run" }>;

/** Finds the tool that a call names, or says that no such tool exists. */
async function findNamedTool(
  name: string,
  raw: unknown,
  tools: readonly ToolLike[],
  options: ResolveOptions & Pick<RepairCallsOptions, "isComplete">,
): Promise<NamedTool | ToolInputError> {
  const { action, toolCall, isComplete = true } = options;
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return { tool: exact };
  const found = isComplete ? await findTool(name, tools, options) : ({ ok: false } as const);
  return found.ok ? found : unknownToolError(name, raw, tools, { ...found, action, toolCall });
}

/** Resolves the input of a call as `resolveToolInput` does, and reports it, with what marks the run. */
async function resolveNamedCall(
  raw: unknown,
  { tool, nameRepair, rescued }: NamedTool,
  options: ResolveOptions,
): Promise<Resolution & { readonly markRun?: MarkRun | undefined }> {
  const resolution = await resolveToolInput(raw, tool, options);
  const outcome = { raw, tool, resolution, nameRepair, rescued, isHandedOn: true };
  const emitting = emitCall(outcome, options);
  return emitting === undefined ? resolution : { ...resolution, markRun: await emitting };
}

/**
 * Resolves and reports a call of a tool that does not exist: a handler can only choose the text
 * that the model gets.
 */
export async function resolveUnknownCall(
  raw: unknown,
  error: ToolInputError,
  options: ResolveOptions,
): Promise<Refusal> {
  const handle = unfixableHandler(options.onUnfixable);
  const answer = await handle?.(error, error.causingData, error.action);
  const resolution: Refusal =
    typeof answer === "string"
      ? { kind: "observation", text: answer, error }
      : { kind: "refused", error };
  await emitCall({ raw, tool: undefined, resolution }, options);
  return resolution;
}
