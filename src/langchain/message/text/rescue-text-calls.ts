import type { AIMessage, MessageContent } from "@langchain/core/messages";
import { emitCall } from "../../../repair/events/emit.ts";
import { isJsonObject, jsonEquals } from "../../../repair/json/json-value.ts";
import { levelAllows } from "../../../repair/level-allows.ts";
import { repairInput } from "../../../repair/pipeline.ts";
import { policyFor } from "../../../repair/policy.ts";
import { parseExactly } from "../../../repair/read/parse-exactly.ts";
import type { RepairSuccess } from "../../../repair/result.ts";
import { compileSchema } from "../../../repair/schema/compile-schema.ts";
import { readWholeJson } from "../../../repair/text-calls/json-calls.ts";
import {
  readTextCalls,
  type TextCall,
  type TextCalls,
} from "../../../repair/text-calls/read-text-calls.ts";
import type { JsonObject, JsonValue, Repair, ToolLike } from "../../../repair/types.ts";
import { toArgs, withFields } from "../messages.ts";
import type { RepairCallsOptions } from "../options.ts";
import { assignCallIds, isCutOff } from "../read.ts";
import { boundRecord, type CallRecord, recordsAsMetadata } from "../records.ts";
import { isQuoted } from "./is-quoted.ts";
import { shownTexts } from "./shown-texts.ts";

/**
 * Makes tool calls of a message that is nothing but calls written as text, all in one format: of
 * offered tools, by their exact names, and accepted by their schemas after repair. Calls that
 * stand in the history, in whatever notation, are not: they may be a quotation, and what it quotes
 * somebody else's. All of the message's calls are made, or none.
 */
export async function rescueTextCalls(
  message: AIMessage,
  tools: readonly ToolLike[],
  options: RepairCallsOptions,
): Promise<AIMessage> {
  const { history = [], rescueTextToolCalls, ...repairing } = options;
  const text = spokenText(message.content);
  const isRefusal = Boolean(message.additional_kwargs.refusal);
  if (text === undefined || isRefusal || isCutOff(message)) return message;
  const formats = Array.isArray(rescueTextToolCalls) ? rescueTextToolCalls : undefined;
  const read = readTextCalls(text, tools, { formats });
  if (read === undefined) return message;
  const accepted: Accepted[] = [];
  for (const call of read.calls) {
    const one = await acceptCall(call, tools, repairing);
    // A model that repeats itself has lost its way: what it meant once is not run twice.
    if (one === undefined || accepted.some((other) => isSameCall(other, one))) return message;
    accepted.push(one);
  }
  const forms = accepted.flatMap((one) => one.forms);
  if (isQuoted(forms, shownTexts(history, tools))) return message;
  const written = read.calls.map(({ name, id }) => ({ call: { name, args: {}, id: fitId(id) } }));
  const ids = assignCallIds(message, written, history);
  const rescued = accepted.map((one, index) => {
    const { name } = one.tool;
    const [id = "", args] = [ids[index], toArgs(one.result.toolInput as JsonValue)];
    const call = { name, args, id, type: "tool_call" as const };
    return { ...one, call, record: toRecord(one, id, text, read) };
  });
  for (const { tool, result, call, record } of rescued) {
    const resolution = { kind: "run" as const, ...result, repairs: record.repairs };
    const told = { raw: text, tool, resolution, rescued: true, isHandedOn: true };
    await emitCall(told, { ...repairing, toolCall: call });
  }
  const records = rescued.map(({ record }) => boundRecord(record));
  const metadata = recordsAsMetadata(message, records);
  const calls = rescued.map(({ call }) => call);
  return withCalls(message, calls, read.lead, metadata);
}

/** A call that its tool accepts. */
interface Accepted {
  readonly call: TextCall;
  readonly tool: ToolLike;
  readonly written: JsonValue;
  readonly result: RepairSuccess;
  /** The call in all forms that it has. */
  readonly forms: readonly { readonly name: string; readonly args: unknown }[];
}

function isSameCall(one: Accepted, other: Accepted): boolean {
  const [input, otherInput] = [one.result.toolInput, other.result.toolInput];
  return one.tool === other.tool && jsonEquals(input as JsonValue, otherInput as JsonValue);
}

async function acceptCall(
  call: TextCall,
  tools: readonly ToolLike[],
  repairing: Omit<RepairCallsOptions, "history">,
): Promise<Accepted | undefined> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return undefined;
  if (!levelAllows(policyFor(tool, repairing).level, call.level)) return undefined;
  const written = writtenFor(tool, call.args);
  const result = await repairInput(written, tool, { ...repairing, action: undefined });
  if (!result.ok) return undefined;
  const forms = [written, result.toolInput].flatMap((args) => {
    const value = typeof args === "string" ? (readWholeJson(args)?.value ?? args) : args;
    return [value, ...onlyValueOf(value)].map((one) => ({ name: tool.name, args: one }));
  });
  return { call, tool, written, result, forms };
}

/** What a call with one argument may be written with in the text that it quotes: `click("#buy")`. */
function onlyValueOf(args: unknown): readonly unknown[] {
  const values = isJsonObject(args) ? Object.values(args) : [];
  const [only] = values;
  return values.length === 1 && typeof only !== "object" ? [only] : [];
}

/** JSON text, which keeps its spelling; its value where the tool would take the text for a string. */
function writtenFor(tool: ToolLike, args: string): JsonValue {
  const value = parseExactly(args);
  if (typeof value === "string") return value;
  const isValue = typeof value === "object" && compileSchema(tool.schema).takesString;
  return isValue ? value : args;
}

function toRecord(
  { call, written, result }: Accepted,
  id: string,
  text: string,
  { format }: TextCalls,
): CallRecord {
  const rescue: Repair = {
    fixer: "rescue-text-call",
    path: "",
    before: text,
    after: written,
    level: call.level,
  };
  const { undeclared } = result;
  return {
    id,
    rawToolInput: text,
    repairs: [rescue, ...result.repairs],
    ...(undeclared.length > 0 ? { undeclared } : {}),
    rescued: "text",
    format,
  };
}

/** An id that every provider takes, and that is no mere number of the call in its message. */
function fitId(id: string | undefined): string | undefined {
  return id !== undefined && /^[A-Za-z0-9_-]{8,40}$/.test(id) ? id : undefined;
}

type Block = {
  readonly type?: string;
  readonly text?: unknown;
  readonly citations?: unknown;
  readonly annotations?: unknown;
};

/** The content blocks in which a model thinks: nothing in them is a call. */
const REASONING: ReadonlySet<string | undefined> = new Set([
  "reasoning",
  "reasoning_content",
  "thinking",
  "redacted_thinking",
]);

interface NewCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly id: string;
  readonly type: "tool_call";
}

/**
 * Reads the text of a message that has nothing else to say. `undefined` where there is more than
 * thoughts and then text of the model's own: who thinks after a text may take it back, and a text
 * that cites something may quote it.
 */
function spokenText(content: MessageContent): string | undefined {
  if (typeof content === "string") return content;
  const said = (content as readonly Block[]).filter(({ text }) => text !== "");
  const blocks = said.slice(said.findLastIndex(({ type }) => REASONING.has(type)) + 1);
  const thoughts = said.slice(0, said.length - blocks.length);
  const isOwn = ({ type, text, citations, annotations }: Block) =>
    type === "text" && typeof text === "string" && isNone(citations) && isNone(annotations);
  if (!thoughts.every(({ type }) => REASONING.has(type)) || !blocks.every(isOwn)) return undefined;
  return blocks.map(({ text }) => text).join("");
}

function isNone(sources: unknown): boolean {
  return sources === undefined || sources === null || (sources as unknown[]).length === 0;
}

/** Puts calls in the place of the text in which they were written. */
function withCalls(
  message: AIMessage,
  calls: readonly NewCall[],
  lead: string,
  metadata: AIMessage["response_metadata"],
): AIMessage {
  const { content, response_metadata } = message;
  return withFields(message, {
    content: typeof content === "string" ? lead : withLead(content as readonly Block[], lead),
    tool_calls: [...calls],
    response_metadata: { ...withOutput(response_metadata, calls, lead), ...metadata },
  });
}

function withLead(blocks: readonly Block[], lead: string): MessageContent {
  const kept = blocks.filter(({ type }) => REASONING.has(type));
  return (lead === "" ? kept : [...kept, { type: "text", text: lead }]) as MessageContent;
}

/** OpenAI's responses are sent their own output again: there too, the calls stand for the text. */
function withOutput(
  metadata: AIMessage["response_metadata"],
  calls: readonly NewCall[],
  lead: string,
): AIMessage["response_metadata"] {
  const { output } = metadata as { output?: unknown };
  if (!Array.isArray(output)) return metadata;
  const isMessage = (item: unknown) => isJsonObject(item) && item.type === "message";
  const said = lead === "" ? undefined : output.find(isMessage);
  const spoken = { ...said, content: [{ type: "output_text", text: lead, annotations: [] }] };
  const items = calls.map(({ id, name, args }) => {
    return { type: "function_call", call_id: id, name, arguments: JSON.stringify(args) };
  });
  const others = output.filter((item) => !isMessage(item));
  return {
    ...metadata,
    output: [...others, ...(said === undefined ? [] : [spoken]), ...items],
  };
}
