import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Correction } from "../../repair/events/report.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { ToolLike } from "../../repair/types.ts";
import { callRecordsOf } from "../calls/call-records.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { isAsRefused } from "../calls/is-as-refused.ts";
import { findLaterCalls, refusedInput } from "../correct/find-later-calls.ts";
import { answersAfter, readTurn } from "../correct/read-turn.ts";
import type { ToolCallRequest } from "./answer-at-tools.ts";

/** A model's message, after the others. */
export interface LaterMessage {
  readonly message: AIMessage;
  readonly history: readonly BaseMessage[];
  readonly tools: readonly ToolLike[];
}

/**
 * Finds which calls of a model's message stand for calls that were refused since somebody spoke.
 *
 * @param later The message, repaired, and the history.
 */
export function findLaterCorrections({
  message,
  history,
  tools,
}: LaterMessage): Promise<readonly Correction[]> {
  const from = history.findLastIndex((one) => !isAIMessage(one) && !isToolMessage(one)) + 1;
  const turns = history
    .slice(from)
    .flatMap((one, index, since) =>
      isAIMessage(one) ? [readTurn(one, answersAfter(since, index))] : [],
    );
  const names = new Set((message.tool_calls ?? []).map(({ id }) => id));
  // What toolmend let pass is about to run.
  const made = readTurn(message, []).map((call) => ({
    ...call,
    hasRun: !call.isRefused && names.has(call.id),
  }));
  return findLaterCalls({ turns, made, tools });
}

/**
 * Finds out whether a human replaced the input of a call that was refused, and the tool accepts it.
 *
 * @param request The call, as it is run.
 */
export async function findHumanEdit(request: ToolCallRequest): Promise<readonly Correction[]> {
  const { toolCall, state } = request;
  const tool = request.tool as ToolLike | undefined;
  const asked = state.messages.findLast(isAIMessage);
  const record = asked && callRecordsOf(asked).find(({ id }) => id === toolCall.id);
  if (tool === undefined || record?.error === undefined || isAsRefused(toolCall, record)) return [];
  const { id = "", args: toolInput } = toolCall;
  const { rawToolInput: raw } = record;
  if (raw === undefined || !(await compileSchema(tool.schema).validate(toolInput)).ok) return [];
  const error = await refusedInput({ id, raw }, tool);
  return [{ error, source: "human", by: id, toolInput }];
}
