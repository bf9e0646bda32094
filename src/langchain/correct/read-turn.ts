import type { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue } from "../../repair/types.ts";
import { writtenArgs } from "../calls/args.ts";
import { type CallRecord, callRecordsOf } from "../calls/call-records.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { isAsRefused } from "../calls/is-as-refused.ts";
import { isToolRefusal } from "../calls/is-tool-refusal.ts";

/** A call of a model's message, as the history shows it. */
export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** What the model wrote; `undefined` where the message does not say it any more. */
  readonly raw: JsonValue | undefined;
  /** What it has now: what ran, where it ran. */
  readonly input: JsonValue;
  /** Whether it was refused as the model wrote it. */
  readonly isRefused: boolean;
  /** Whether it ran, and its tool did not fail. */
  readonly hasRun: boolean;
  /** Who replaced its input in place. */
  readonly replacedBy?: CorrectionSource;
}

/** How LangGraph's ToolNode tells a model that a tool refused its input. */
const NODE_REFUSAL = /^Error: Received tool input did not match expected schema/;

/**
 * Reads what became of the calls of a model's message, from the message and its answers alone.
 *
 * @param message The message.
 * @param answers The answers that follow it.
 * @returns The calls, those first that can be run.
 */
export function readTurn(message: AIMessage, answers: readonly ToolMessage[]): readonly TurnCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const records = new Map(callRecordsOf(message).map((record) => [record.id, record]));
  return [...tool_calls, ...invalid_tool_calls].flatMap((call): readonly TurnCall[] => {
    const { id, name, args } = call;
    if (!id || !name) return [];
    const record = records.get(id);
    const answer = answers.find(({ tool_call_id }) => tool_call_id === id);
    const replacedBy = record && replacerOf(record, writtenArgs(args) ?? {});
    const isRefused = isRefusedAnswer(answer) || record?.error !== undefined;
    const raw = record === undefined ? args : record.rawToolInput;
    const hasRun = answer !== undefined && answer.status !== "error" && !isRefusedAnswer(answer);
    const read = { id, name, raw: raw as JsonValue | undefined, input: args as JsonValue };
    return [
      { ...read, isRefused: isRefused && !hasRun, hasRun, ...(replacedBy && { replacedBy }) },
    ];
  });
}

/**
 * Returns the answers to a model's message: what tools say before the model speaks again.
 *
 * @param messages The messages.
 * @param index Where the model's message stands.
 */
export function answersAfter(messages: readonly unknown[], index: number): readonly ToolMessage[] {
  const next = messages.findIndex((one, at) => at > index && isAIMessage(one));
  return messages.slice(index + 1, next < 0 ? undefined : next).filter(isToolMessage);
}

function isRefusedAnswer(answer: ToolMessage | undefined): boolean {
  if (answer === undefined) return false;
  const { content } = answer;
  return isToolRefusal(answer) || (typeof content === "string" && NODE_REFUSAL.test(content));
}

function replacerOf(
  record: CallRecord,
  args: Record<string, unknown>,
): CorrectionSource | undefined {
  if (record.error !== undefined) return isAsRefused({ args }, record) ? undefined : "human";
  return record.repairs.some(({ fixer }) => fixer === "onUnfixable") ? "handler" : undefined;
}
