import type { AIMessage } from "@langchain/core/messages";
import { loadOnce } from "../../repair/drive.ts";
import { wrongUse } from "../../repair/errors/likeness.ts";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { isJsonObject, jsonEquals } from "../../repair/json/json-value.ts";
import type { NotRegistry } from "../../repair/policy.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import { fieldsOf } from "../../repair/schema/undeclared.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import { checkOptions, checkToolList, nameThing, type OptionsUsage } from "../../repair/usage.ts";
import { messageModel } from "../trace/message-model.ts";
import { originOf } from "../trace/origin-of.ts";
import { toArgs } from "./args.ts";
import { boundRecords } from "./bound-records.ts";
import { type CallRecord, recordsAsMetadata } from "./call-records.ts";
import { holdsArgs, type LocatedCall } from "./call-sites.ts";
import { isAIMessage } from "./is-ai-message.ts";
import { type OfferedTools, offeredTools } from "./offered-tools.ts";
import { type ReadCall, readCalls, toToolCall } from "./read-calls.ts";
import {
  MESSAGE_CHECKS,
  type MessageIntegrationOptions,
  type RepairMessageOptions,
} from "./repair-message-options.ts";
import {
  findNamedTool,
  type Refusal,
  resolveNamedCall,
  resolveUnknownCall,
} from "./resolve-tool-call.ts";
import { type HistoryCall, rewriteLocatedCalls } from "./rewrite-message.ts";

const MESSAGE_USAGE: OptionsUsage = {
  of: "repairAIMessage",
  example: "repairAIMessage(message, tools, { fixers })",
  checks: MESSAGE_CHECKS,
};

/**
 * Repairs every tool call of a model's message, in every place where a provider is sent it again:
 * `tool_calls`, `additional_kwargs`, content blocks and `response_metadata`. Calls that LangChain
 * could not read become tool calls; those that cannot be repaired become `invalid_tool_calls`, with
 * what to tell the model as `error` (see `settleToolCalls`).
 *
 * @param message The model's message. It is not changed.
 * @param tools The tools that the model was offered. Calls of a provider's tools, and well-formed
 * calls of tools that were not offered, are left alone.
 * @param options Fixers, level, limits and handlers.
 * @returns The message itself, by reference, where nothing was to be repaired. Else a new one, with
 * the same id, name, usage and metadata, and never a chunk.
 * @throws TypeError for a wrong use: what is not a message of a model or a list of tools, a schema of an
 * unknown kind, an unknown option, a value that an option cannot have.
 * @throws What `onUnfixable` throws.
 * @example
 * ```ts
 * const message = await repairAIMessage(await model.invoke("Buy it."), tools, { fixers });
 * console.log(message.tool_calls?.[0]?.args); // { selector: '#buy' }
 * ```
 */
export async function repairAIMessage(
  message: AIMessage,
  tools: readonly unknown[],
  options: RepairMessageOptions & NotRegistry = {},
): Promise<AIMessage> {
  if (!isAIMessage(message)) {
    throw wrongUse(
      `repairAIMessage(message, tools, options) needs an AIMessage; this is ${nameThing(message)}.`,
    );
  }
  checkToolList(tools, "repairAIMessage(message, tools, options)");
  checkOptions(options, MESSAGE_USAGE);
  const origin = originOf("messages", undefined, options);
  return repairCalls(message, tools, { ...options, origin });
}

/** Options of whoever has another use for a call that cannot be repaired. */
export interface RepairCallsOptions extends MessageIntegrationOptions {
  /** Whether a call that cannot be repaired, but was read as it was written, is left as it is. */
  readonly leaveUnfixable?: boolean;
  /** Tells the calls that are looked at. Default: all are. */
  readonly only?: (call: { readonly id: string; readonly name: string }) => boolean;
}

/** As `repairAIMessage`. */
export async function repairCalls(
  message: AIMessage,
  tools: readonly unknown[],
  given: RepairCallsOptions,
): Promise<AIMessage> {
  const { origin } = given;
  const options = origin ? { ...given, origin: { ...origin, ...messageModel(message) } } : given;
  const offered = offeredTools(tools);
  const calls = readCalls(message, options.history);
  if (calls.length === 0) {
    const { rescueTextToolCalls = false } = options;
    return rescueTextToolCalls === false
      ? message
      : (await loadRescue()).rescueTextCalls(message, offered.client, options);
  }
  const rewritten = new Map<LocatedCall, HistoryCall>();
  const records: CallRecord[] = [];
  // One after another, so that handlers hear of the calls in the model's order.
  for (const call of calls) {
    const { located, id, name, record } = call;
    if (located.invalid && record?.error) continue;
    if (options.only?.({ id, name }) === false) continue;
    const change = await repairCall(call, offered, options);
    if (change === undefined) continue;
    if (change.call !== undefined) rewritten.set(located, change.call);
    if (change.record !== undefined) records.push(change.record);
  }
  if (rewritten.size === 0 && records.length === 0) return message;
  const order = calls.map(({ id }) => id);
  const made = new Map([...rewritten.values()].map((call) => [call.id, call.args]));
  const kept = boundRecords(records, (id) => made.get(id), options.record);
  const metadata = recordsAsMetadata(message, kept, order);
  const located = calls.map((call) => call.located);
  return rewriteLocatedCalls(message, located, rewritten, { metadata });
}

/** Few ask for it, and fewer messages are such a call. */
const loadRescue = loadOnce(() => import("./text/rescue-text-calls.ts"));

/** What is to stand for a call. */
interface Change {
  /** Absent where the call stays as it is. */
  readonly call?: HistoryCall;
  readonly record?: CallRecord;
}

async function repairCall(
  read: ReadCall,
  { client, provider }: OfferedTools,
  options: RepairCallsOptions,
): Promise<Change | undefined> {
  const { located, id, name, raw, truncated } = read;
  const { call, invalid } = located;
  const unchanged = invalid ? undefined : keepCall(located, id);
  if (provider.has(name) || "isCustomTool" in call) return unchanged;
  if (invalid && options.rescueInvalidToolCalls === false) return undefined;
  // LangChain parsed it, and a string came of it: then the model wrote the input as a string.
  const parsed = !invalid && raw === call.args;
  const resolving = { ...options, toolCall: toToolCall(read), truncated, parsed };
  const named = await findNamedTool(name, raw, client, resolving);
  if (named instanceof ToolInputError) {
    if (!invalid) return unchanged;
    return toRefusedChange(id, name, raw, await resolveUnknownCall(raw, named, resolving));
  }
  const resolution = await resolveNamedCall(raw, { ...named, rescued: invalid }, resolving);
  const { tool, nameRepair } = named;
  if (resolution.kind !== "run") {
    const isLeft = options.leaveUnfixable === true && !invalid && raw === call.args && !truncated;
    return isLeft ? unchanged : toRefusedChange(id, tool.name, raw, resolution);
  }
  const { repairs, toolInput, undeclared } = resolution;
  const isRight = repairs.length === 0 && nameRepair === undefined;
  const undeclaredKeys = undeclaredKeysOf(tool, toolInput, undeclared);
  if (!invalid && isRight && jsonEquals(toolInput, call.args as JsonValue)) {
    return undeclaredKeys === undefined || read.record !== undefined
      ? unchanged
      : { ...unchanged, record: { id, repairs: [], ...undeclaredKeys } };
  }
  return {
    call: { id, name: tool.name, args: toArgs(toolInput) },
    record: {
      id,
      ...(raw === undefined ? {} : { rawToolInput: raw as JsonValue }),
      repairs,
      ...undeclaredKeys,
      ...(nameRepair && { nameRepair }),
      ...(invalid && { rescued: "invalid_tool_call" as const }),
    },
  };
}

/** The keys that the tool does not have, and those that it has, for the record. */
function undeclaredKeysOf(
  tool: ToolLike,
  toolInput: JsonValue,
  undeclared: readonly string[],
): Pick<CallRecord, "undeclared" | "declared"> | undefined {
  if (undeclared.length === 0) return undefined;
  const { jsonSchema } = compileSchema(tool.schema);
  return { undeclared, declared: fieldsOf(toolInput, jsonSchema, MAX_FIELDS) };
}

/** The most keys of a tool that a record names. */
const MAX_FIELDS = 20;

/**
 * A call that is right stays as it is; unless its id was not, or a provider would be sent something
 * else than what is run, as after a human's edit.
 */
function keepCall({ call, sites }: LocatedCall, id: string): Change | undefined {
  const { name = "", args } = call;
  const isSame = id === call.id && sites.every((site) => isSameSite(site, args));
  return isSame ? undefined : { call: { id, name, args: args as HistoryCall["args"] } };
}

function isSameSite(site: LocatedCall["sites"][number], args: unknown): boolean {
  return site.place === "chunks" || site.args === "" || holdsArgs(site, args);
}

function toRefusedChange(id: string, name: string, raw: unknown, resolution: Refusal): Change {
  const error =
    resolution.kind === "observation" ? resolution.text : resolution.error.toModelMessage();
  return {
    call: {
      id,
      name,
      args: isJsonObject(raw) ? raw : {},
      error,
      written: typeof raw === "string" ? raw : undefined,
    },
    record: { id, rawToolInput: resolution.error.causingData, repairs: [], error },
  };
}
