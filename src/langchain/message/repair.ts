import type { AIMessage, ToolCall } from "@langchain/core/messages";
import { drive, imported } from "../../repair/drive.ts";
import type { ToolInputError } from "../../repair/errors.ts";
import { emitCall, emitCorrections } from "../../repair/events/report.ts";
import { isJsonObject, jsonEquals } from "../../repair/json.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { type FoundTool, findTool, unknownToolError } from "../../repair/repair-tool-call.ts";
import { askHandler, resolveToolInput } from "../../repair/repair-tool-input.ts";
import type { Resolution } from "../../repair/result.ts";
import type { JsonValue, Repair, ToolLike } from "../../repair/types.ts";
import { messageModel } from "../trace/trace.ts";
import { isAsSent } from "./locate.ts";
import {
  boundRecord,
  type CallRecord,
  isEdited,
  isHidden,
  recordsAsMetadata,
  refusedInput,
  shownArgs,
  toArgs,
} from "./messages.ts";
import type { RepairCallsOptions } from "./options.ts";
import type { HistoryCall } from "./provider-forms.ts";
import { type ReadCall, readCalls } from "./read.ts";
import { rewriteLocatedCalls } from "./rewrite.ts";

/** The outcome of one call of a message. */
export interface JudgedCall {
  readonly id: string;
  /** The name of the tool, repaired if possible. */
  readonly name: string;
  /** The arguments that it has in the message. */
  readonly args: unknown;
  readonly read: ReadCall;
  /** The call's record in the message. */
  readonly record?: CallRecord | undefined;
  /** How it is written into the message; absent if it stays unchanged. */
  readonly written?: HistoryCall | undefined;
  /** Why it does not run, in the words that the model gets; absent if it runs. */
  readonly refusal?: string | undefined;
  /** Why it was refused just now, unless a handler answered for it. */
  readonly error?: ToolInputError | undefined;
  /** The tool that it was refused for just now. */
  readonly tool?: ToolLike;
  /** Whether its tool is unknown so far: it is left alone, and not reported. */
  readonly isUnknown?: boolean;
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
  const { origin, onUnfixable, rescueTextToolCalls = false } = given;
  const options: RepairCallsOptions = {
    ...given,
    ...(origin && { origin: { ...origin, ...messageModel(message) } }),
    // The caller passes each refusal's error message to the model.
    onUnfixable: onUnfixable === "tellModel" ? undefined : onUnfixable,
  };
  const offered = offeredTools(tools);
  const read = readCalls(message, options);
  if (read.length === 0 && rescueTextToolCalls !== false) {
    const { rescueTextCalls } = await loadRescue();
    const rescued = await rescueTextCalls(message, offered.client, options);
    return { message: rescued, calls: readCalls(rescued).map((call) => unchanged(call)) };
  }
  const calls: JudgedCall[] = [];
  // One after another, so that handlers receive the calls in the model's order.
  for (const call of read) calls.push(await judgeCall(call, offered, options));
  return { message: writeCalls(message, calls), calls };
}

/** Few agents ask for it, and few messages hold such a call. */
const loadRescue = () => imported(import("./text/rescue-text-calls.ts"));

function writeCalls(message: AIMessage, calls: readonly JudgedCall[]): AIMessage {
  const records = calls.flatMap(({ record, read }) =>
    record !== undefined && record !== read.record ? [record] : [],
  );
  const entries = calls.flatMap(({ read, written }) =>
    written === undefined ? [] : [[read.located, written] as const],
  );
  if (entries.length + records.length === 0) return message;
  // LangChain has invalid calls apart; the order says where they stood.
  const isApart = entries.some(([, { error }]) => error !== undefined);
  const order = isApart ? { order: calls.map(({ id }) => id) } : {};
  const metadata = recordsAsMetadata(message, records, order);
  const located = calls.map(({ read }) => read.located);
  return rewriteLocatedCalls(message, located, new Map(entries), { metadata });
}

/** A call that keeps its name and arguments, in every provider's form too. */
function unchanged(read: ReadCall): JudgedCall {
  const { located, id, name, record } = read;
  const { call, invalid } = located;
  const args = call.args as HistoryCall["args"];
  const isLeft = invalid || (id === call.id && isAsSent(located));
  return { id, name, args, read, record, written: isLeft ? undefined : { id, name, args } };
}

async function judgeCall(
  read: ReadCall,
  { client, provider }: OfferedTools,
  options: RepairCallsOptions,
): Promise<JudgedCall> {
  const { located, id, name, raw, truncated, record } = read;
  const { call, invalid } = located;
  const same: JudgedCall = { id, name, args: call.args, read, record };
  if (options.only?.({ id, name }) === false) return same;
  const refusal = record?.error;
  if (record !== undefined && refusal !== undefined && (invalid || !isEdited(call, record))) {
    const args = shownArgs(call.args);
    const isLeft = options.refusedAs === "invalid" || (!invalid && isAsSent(located));
    const written = { id, name, args };
    const made = { args, written, record: boundRecord(record, written) };
    return { ...same, refusal, ...(!isLeft && made) };
  }
  if (provider.has(name) || "isCustomTool" in call) return unchanged(read);
  const resolving: ResolveOptions & RepairCallsOptions = {
    ...options,
    toolCall: { ...call, id, name, type: "tool_call" } as ToolCall,
    truncated,
    // LangChain parsed it into a string: the model wrote the input as a string.
    parsed: !invalid && raw === call.args,
  };
  const { isComplete = true, unoffered = [], report = emitCall } = options;
  const isNamed = (tool: ToolLike) => tool.name === name;
  const exact = client.find(isNamed) ?? offeredTools(unoffered).client.find(isNamed);
  const found: FoundTool = exact
    ? { ok: true, tool: exact }
    : findTool({ name, args: raw }, client, resolving);
  if (!found.ok) return judgeUnknown(read, found, client, resolving);
  const { tool, nameRepair, moved } = found;
  if (exact === undefined && !isComplete) {
    return judgeUnknown(read, { didYouMean: tool.name }, client, resolving);
  }
  const resolution = withRepair(
    moved?.repair,
    await (moved === undefined
      ? resolveToolInput(raw, tool, resolving)
      : resolveToolInput(moved.input, tool, { ...resolving, parsed: false })),
  );
  const outcome = { raw, tool, resolution, nameRepair, rescued: invalid, isHandedOn: true };
  await report(outcome, resolving);
  if (resolution.kind !== "run") {
    // The history shows the arguments that were rejected.
    const judged = moved === undefined ? read : { ...read, raw: moved.input };
    return { ...refuse(judged, tool.name, resolution, options), tool };
  }
  const { repairs, toolInput, undeclared } = resolution;
  if (refusal !== undefined && record?.rawToolInput !== undefined) {
    // A refused call that is another now: a human edited it.
    const refused = { id, raw: record.rawToolInput };
    const find = async () => {
      const error = await refusedInput(refused, tool);
      return [{ error, tool, source: "human" as const, by: id, toolInput }];
    };
    await emitCorrections(find, options);
  }
  const isChanged = invalid || nameRepair !== undefined || repairs.length > 0;
  const isRight = !isChanged && jsonEquals(toolInput, call.args as JsonValue);
  const isNew = record === undefined ? undeclared.length > 0 : isEdited(call, record);
  if (isRight && !isNew) return unchanged(read);
  const args = toArgs(toolInput);
  // What the model wrote stays on record if a human edited the call.
  const kept: Partial<CallRecord> = record ?? { rawToolInput: raw as JsonValue };
  const { error: _, isUnknown: __, undeclared: ___, ...before } = kept;
  const made: CallRecord = {
    ...before,
    id,
    repairs,
    ...(undeclared.length > 0 && { undeclared }),
    ...(nameRepair && { nameRepair }),
    ...(invalid && { rescued: "invalid_tool_call" as const }),
  };
  const written = { id, name: tool.name, args };
  const judged = isRight ? unchanged(read) : { ...written, read, written };
  return { ...judged, record: boundRecord(made, written) };
}

/** Puts a change before all others of an input that runs. */
function withRepair(first: Repair | undefined, resolution: Resolution): Resolution {
  if (first === undefined || resolution.kind !== "run") return resolution;
  return { ...resolution, repairs: [first, ...resolution.repairs] };
}

/** Leaves a call of an unknown tool to the tools, where other middleware may know it, or refuses it. */
async function judgeUnknown(
  read: ReadCall,
  fault: Omit<Extract<FoundTool, { ok: false }>, "ok">,
  tools: readonly ToolLike[],
  options: ResolveOptions & RepairCallsOptions,
): Promise<JudgedCall> {
  const { located, id, name, raw, record } = read;
  if (!located.invalid && !read.truncated && options.leavesUnknown && !isHidden({ name })) {
    const rawToolInput = raw as JsonValue;
    const unknown: CallRecord = { id, rawToolInput, repairs: [], isUnknown: true };
    return {
      ...unchanged(read),
      record: record ?? boundRecord(unknown, located.call),
      isUnknown: true,
    };
  }
  const { report = emitCall, signal, toolCall } = options;
  const unknown = unknownToolError(name, raw, tools, { ...fault, toolCall });
  const { answer: text, error } = await drive(askHandler(unknown, options), signal);
  // There is nothing to run: a handler can only choose the model's text.
  const refusal: Refusal =
    typeof text === "string" ? { kind: "observation", text, error } : { kind: "refused", error };
  await report({ raw, tool: undefined, resolution: refusal }, options);
  return refuse(read, name, refusal, options);
}

/** The outcome of a call that does not run. */
type Refusal = Exclude<Resolution, { readonly kind: "run" }>;

function refuse(
  read: ReadCall,
  name: string,
  resolution: Refusal,
  { refusedAs }: RepairCallsOptions,
): JudgedCall {
  const { id, raw } = read;
  const isAnswered = resolution.kind === "observation";
  const refusal = isAnswered ? resolution.text : resolution.error.toModelMessage();
  const text = typeof raw === "string" ? raw : undefined;
  const invalid = { id, name, args: isJsonObject(raw) ? raw : {}, error: refusal, written: text };
  const args = shownArgs(raw, read.truncated);
  const written = refusedAs === "invalid" ? invalid : { id, name, args };
  const rawToolInput = resolution.error.causingData;
  return {
    ...{ id, name, args: written.args, read, written, refusal },
    error: isAnswered ? undefined : resolution.error,
    record: boundRecord({ id, rawToolInput, repairs: [], error: refusal }, written),
  };
}

/** The tools of a request, by who runs them. */
interface OfferedTools {
  /** The agent's own, with a name and a schema: their calls are repaired. */
  readonly client: readonly ToolLike[];
  /** The names of those that the provider runs or defines: their calls are left alone. */
  readonly provider: ReadonlySet<string>;
}

/** Separates the agent's own tools from the provider's, which are plain descriptions. */
export function offeredTools(tools: readonly unknown[]): OfferedTools {
  const client: ToolLike[] = [];
  const provider = new Set<string>();
  for (const tool of tools) {
    const { name, schema, type, function: described } = (tool ?? {}) as Record<string, unknown>;
    if (typeof name === "string" && schema !== null && schema !== undefined) {
      client.push(tool as ToolLike);
    } else {
      const inner = isJsonObject(described) ? described.name : undefined;
      const own = [name, inner, type].find((one) => typeof one === "string");
      if (own !== undefined) provider.add(own as string);
    }
  }
  return { client, provider };
}
