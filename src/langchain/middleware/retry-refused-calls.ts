import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { OnUnfixable, ToolLike } from "../../repair/types.ts";
import { callRecordsOf } from "../calls/call-records.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { RepairMessageOptions } from "../calls/repair-message-options.ts";
import { withAnswerFields } from "../calls/with-fields.ts";
import { findInputErrors, type InputError, withoutStack } from "./input-errors.ts";

/** What became of the calls that tools refused. */
export interface RetriedCalls {
  /** The history, without stack traces. */
  readonly messages: readonly BaseMessage[];
  /** The model's last message with calls that were repaired after all, and their old answers. */
  readonly retry?: { readonly message: AIMessage; readonly answers: readonly ToolMessage[] };
}

/**
 * Repairs calls that a tool refused because nobody had repaired them: a human edited them after
 * this middleware had seen them, or another middleware made them. What cannot be repaired is
 * answered in the model's terms.
 *
 * @param messages The history.
 * @param tools The agent's own tools.
 * @param options How to repair, and the handlers.
 */
export async function retryRefusedCalls(
  messages: readonly BaseMessage[],
  tools: readonly ToolLike[],
  options: RepairMessageOptions,
): Promise<RetriedCalls> {
  const errors = findInputErrors(messages);
  if (errors.length === 0) return { messages };
  const last = messages.findLast(isAIMessage);
  // Once something else was said, the call is history.
  const isUnderWay = messages.slice(messages.findLastIndex(isAIMessage) + 1).every(isToolMessage);
  const fresh = isUnderWay ? errors.filter(({ asked }) => asked === last) : [];
  const told = new Map<string | undefined, string>();
  const retry = last && (await repairRefused(last, fresh, tools, hear(told, options)));
  const replaced = new Map<BaseMessage, ToolMessage>();
  for (const error of errors) {
    const text = told.get(error.call.id);
    const { answer } = error;
    replaced.set(
      answer,
      text ? withAnswerFields(answer, { content: text }) : await withoutStack(error, tools),
    );
  }
  return {
    messages: messages.map((message) => replaced.get(message) ?? message),
    ...(retry && { retry }),
  };
}

async function repairRefused(
  message: AIMessage,
  errors: readonly InputError[],
  tools: readonly ToolLike[],
  options: RepairMessageOptions,
): Promise<RetriedCalls["retry"]> {
  if (errors.length === 0) return undefined;
  const ids = new Set(errors.map(({ answer }) => answer.tool_call_id));
  const only = ({ id }: { readonly id: string }) => ids.has(id);
  const before = callRecordsOf(message);
  const repaired = await repairCalls(message, tools, { ...options, only, leaveUnfixable: true });
  const fresh = callRecordsOf(repaired).filter((record) => !before.includes(record));
  const answers = errors
    .map(({ answer }) => answer)
    .filter((answer) => fresh.some(({ id }) => id === answer.tool_call_id));
  return answers.length === 0 ? undefined : { message: repaired, answers };
}

/** Keeps what the handler wants the model to be told. */
function hear(
  told: Map<string | undefined, string>,
  options: RepairMessageOptions,
): RepairMessageOptions {
  const { onUnfixable } = options;
  if (typeof onUnfixable !== "function") return options;
  const heard: OnUnfixable = async (error, causingData, action) => {
    const answer = await onUnfixable(error, causingData, action);
    if (typeof answer === "string") told.set(error.toolCall?.id, answer);
    return answer;
  };
  return { ...options, onUnfixable: heard };
}
