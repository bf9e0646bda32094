import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { withoutListeners } from "../../repair/policy.ts";
import type { OnUnfixable } from "../../repair/result.ts";
import type { ToolLike } from "../../repair/types.ts";
import { keptRecordsOf } from "../calls/call-records.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { MessageIntegrationOptions } from "../calls/repair-message-options.ts";
import { withAnswerFields } from "../calls/with-fields.ts";
import type { ReplacedAnswer } from "./agent-memory.ts";
import { callsAgain } from "./calls-again.ts";
import { findInputErrors, type InputError, withoutStack } from "./input-errors.ts";
import { isRefusedBySchema } from "./is-refused-by-schema.ts";

/** How calls are retried. */
interface RetryOptions extends MessageIntegrationOptions {
  /** Whether calls may take their old place; their answers are then taken away after the model. */
  readonly isInPlace: boolean;
  /** Whether a tool's refusal is seen for the first time, and told of. */
  readonly isFirst: (answer: ToolMessage) => boolean;
}

/** What became of the calls that tools refused. */
export interface RetriedCalls {
  /** The history, without stack traces. */
  readonly messages: readonly BaseMessage[];
  /** By the id of LangChain's answer: what the model is told in its stead. */
  readonly told: ReadonlyMap<string, ReplacedAnswer>;
  /** A message with the calls that were repaired after all. */
  readonly retry?: AIMessage;
}

/**
 * Repairs calls that a tool refused because nobody had repaired them: a human edited them after
 * this middleware had seen them, or another middleware made them. What cannot be repaired is
 * answered in the model's terms.
 *
 * Where all calls of the message are repaired, they take their old place, if they may. Else the repaired ones are
 * made in a message of their own, so that nobody is asked about those that have run.
 *
 * @param messages The history.
 * @param tools The agent's own tools.
 * @param options How to repair, and the handlers.
 */
export async function retryRefusedCalls(
  messages: readonly BaseMessage[],
  tools: readonly ToolLike[],
  options: RetryOptions,
): Promise<RetriedCalls> {
  const errors = findInputErrors(messages);
  if (errors.length === 0) return { messages, told: new Map() };
  const last = messages.findLast(isAIMessage);
  // Once something else was said, the call is history.
  const isUnderWay = messages.slice(messages.findLastIndex(isAIMessage) + 1).every(isToolMessage);
  const fresh = isUnderWay
    ? await onlyNotRun(
        errors.filter(({ asked }) => asked === last),
        tools,
      )
    : [];
  const texts = new Map<string | undefined, string>();
  const isReported = fresh.filter(({ answer }) => options.isFirst(answer)).length === 0;
  const captured = captureAnswers(texts, isReported ? quietly(options) : options);
  const retry = last && (await repairRefused(last, fresh, tools, captured));
  const replaced = new Map<BaseMessage, ToolMessage>();
  for (const error of errors) {
    const text = texts.get(error.call.id);
    const { answer } = error;
    replaced.set(
      answer,
      text ? withAnswerFields(answer, { content: text }) : await withoutStack(error, tools),
    );
  }
  return {
    messages: messages.map((message) => replaced.get(message) ?? message),
    told: new Map(
      [...replaced].map(([before, after]) => [
        before.id ?? "",
        { before: before as ToolMessage, after },
      ]),
    ),
    ...(retry && { retry }),
  };
}

/** Without those of a tool that has run, and threw because one that it called refused its input. */
async function onlyNotRun(
  errors: readonly InputError[],
  tools: readonly ToolLike[],
): Promise<readonly InputError[]> {
  const isNotRun = async ({ call }: InputError) => {
    const tool = tools.find(({ name }) => name === call.name);
    return tool !== undefined && (await isRefusedBySchema(call.args, tool));
  };
  const verdicts = await Promise.all(errors.map(isNotRun));
  return errors.filter((_, index) => verdicts[index]);
}

async function repairRefused(
  message: AIMessage,
  errors: readonly InputError[],
  tools: readonly ToolLike[],
  { isInPlace, isFirst: _, ...options }: RetryOptions,
): Promise<AIMessage | undefined> {
  if (errors.length === 0) return undefined;
  const ids = new Set(errors.map(({ answer }) => answer.tool_call_id));
  const only = ({ id }: { readonly id: string }) => ids.has(id);
  const before = keptRecordsOf(message);
  const repaired = await repairCalls(message, tools, { ...options, only, leaveUnfixable: true });
  const fresh = keptRecordsOf(repaired).filter((record) => !before.includes(record));
  const again = new Set(fresh.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
  if (again.size === 0) return undefined;
  const { tool_calls = [], invalid_tool_calls = [] } = repaired;
  const isWhole = tool_calls.length === again.size && invalid_tool_calls.length === 0;
  return isWhole && isInPlace ? repaired : callsAgain(repaired, again);
}

function quietly(options: RetryOptions): RetryOptions {
  const { origin: _, ...rest } = withoutListeners(options);
  return rest;
}

/** Keeps what the handler wants the model to be told. */
function captureAnswers(
  told: Map<string | undefined, string>,
  options: RetryOptions,
): RetryOptions {
  const { onUnfixable } = options;
  if (typeof onUnfixable !== "function") return options;
  const captured: OnUnfixable = async (error, causingData, action) => {
    const answer = await onUnfixable(error, causingData, action);
    if (typeof answer === "string") told.set(error.toolCall?.id, answer);
    return answer;
  };
  return { ...options, onUnfixable: captured };
}
