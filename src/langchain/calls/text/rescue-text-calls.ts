import type { AIMessage } from "@langchain/core/messages";
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
import type { JsonValue, Repair, ToolLike } from "../../../repair/types.ts";
import { toArgs } from "../args.ts";
import { assignCallIds } from "../assign-call-ids.ts";
import { boundRecords } from "../bound-records.ts";
import { type CallRecord, recordsAsMetadata } from "../call-records.ts";
import { isCutOff } from "../is-cut-off.ts";
import type { MessageIntegrationOptions, RepairMessageOptions } from "../repair-message-options.ts";
import { isQuoted } from "./is-quoted.ts";
import { shownTexts } from "./shown-texts.ts";
import { spokenText, withCalls } from "./spoken-text.ts";

/**
 * Makes tool calls of a message that is nothing but calls written as text, all in one format: of
 * offered tools, by their exact names, and accepted by their schemas after repair. Calls that stand
 * in the history, in whatever notation, are not: they may be a quotation, and what it quotes
 * somebody else's. All of the message's calls are made, or none.
 *
 * @param message A message without tool calls. It is not changed.
 * @param tools The tools that were offered.
 * @param options How to repair. `onUnfixable` is not asked: what is no call is no bad call either.
 * @returns A new message whose calls are flagged as rescued, with the plain text before them; or the
 * message itself, by reference.
 */
export async function rescueTextCalls(
  message: AIMessage,
  tools: readonly ToolLike[],
  options: MessageIntegrationOptions,
): Promise<AIMessage> {
  const { history = [], rescueTextToolCalls, ...repairing } = options;
  const text = spokenText(message.content);
  if (text === undefined || isCutOff(message)) return message;
  const formats = Array.isArray(rescueTextToolCalls) ? rescueTextToolCalls : undefined;
  const read = readTextCalls(text, tools, { formats });
  if (read === undefined) return message;
  const accepted: Accepted[] = [];
  for (const call of read.calls) {
    const one = await acceptCall(call, tools, repairing);
    if (one === undefined) return message;
    // A model that repeats itself has lost its way: what it meant once is not run twice.
    if (accepted.some((other) => isSameCall(other, one))) return message;
    accepted.push(one);
  }
  const forms = accepted.flatMap((one) => one.forms);
  if (isQuoted(forms, shownTexts(history, tools))) return message;
  const located = read.calls.map(({ name, id }) => {
    return { call: { name, args: {}, id: fitId(id) }, invalid: false, sites: [] };
  });
  const ids = assignCallIds(message, located, history);
  const calls = accepted.map(({ tool, result }, index) => ({
    name: tool.name,
    args: toArgs(result.toolInput as JsonValue),
    id: ids[index] as string,
    type: "tool_call" as const,
  }));
  const records = accepted.map((one, index) => toRecord(one, ids[index] as string, text, read));
  for (const [index, { tool, result }] of accepted.entries()) {
    const { repairs = [] } = records[index] ?? {};
    const resolution = { kind: "run" as const, ...result, repairs };
    const told = { raw: text, tool, resolution, rescued: true, isHandedOn: true };
    await emitCall(told, { ...repairing, toolCall: calls[index] });
  }
  const argsOf = (own: string) => calls.find(({ id }) => id === own)?.args;
  const metadata = recordsAsMetadata(message, boundRecords(records, argsOf, options.record));
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
  repairing: Omit<RepairMessageOptions, "history">,
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
