import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { detachRefusedCalls } from "../calls/detach-refused-calls.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { offeredTools } from "../calls/offered-tools.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { MessageIntegrationOptions } from "../calls/repair-message-options.ts";
import { completeToolMessages, type SettleOptions } from "../calls/settle-tool-calls.ts";
import type { ModelTurn } from "./agent-memory.ts";
import { isCurrentError, isStaleError, withoutStacks } from "./input-errors.ts";
import { type StateUpdate, toStateUpdate } from "./state-update.ts";

/**
 * After the model, and after the middleware whose hooks ran before: repairs calls that a human
 * edited, and answers those that are not to be run.
 *
 * Where other calls are to be run, the refused ones stay `invalid_tool_calls` until the model is
 * asked again, so that nobody is asked to approve them. Where there are none, they become answered
 * tool calls, and the run goes on by way of the tools, which have nothing to do: as LangChain ends a
 * run whose last message has no calls.
 *
 * @param messages The state's messages.
 * @param turn What is known of the model's turn, and the agent's tools.
 * @param options How to repair, and the handlers.
 * @returns The update; `undefined` where there is none.
 */
export async function answerRefusedCalls(
  messages: readonly BaseMessage[],
  turn: ModelTurn | undefined,
  options: MessageIntegrationOptions & SettleOptions,
): Promise<StateUpdate | undefined> {
  const at = messages.findLastIndex(isAIMessage);
  const last = messages[at];
  if (last === undefined || !isAIMessage(last)) return undefined;
  const before = await withoutStacks(messages.slice(0, at), turn);
  const history = completeToolMessages(before, { ...options, isOver: true });
  const after = messages.slice(at + 1);
  if (turn !== undefined && isAskedAgain(last, after, turn)) {
    return toStateUpdate(messages, [...history, last, ...after], "end");
  }
  const message = await repairEdited(last, messages, turn, options);
  const current = after.filter((answer) => !isStaleError(answer, message));
  if (current.length < after.length) {
    // Those calls are others now: what was said of them is not said of these.
    return toStateUpdate(messages, [...history, message, ...current], "tools");
  }
  if (isRunning(message, current)) {
    return toStateUpdate(messages, [...history, message, ...current]);
  }
  const completed = completeToolMessages([message, ...current], { ...options, tellModel: false });
  const isAnswered =
    completed.length > 1 + current.length || current.some((one) => isCurrentError(one, message));
  return toStateUpdate(messages, [...history, ...completed], isAnswered ? "tools" : undefined);
}

function isRunning({ tool_calls = [] }: AIMessage, after: readonly BaseMessage[]): boolean {
  const answered = answeredIn(after);
  return tool_calls.some(({ id }) => !id || !answered.has(id));
}

function answeredIn(messages: readonly BaseMessage[]): ReadonlySet<string> {
  return new Set(messages.filter(isToolMessage).map(({ tool_call_id }) => tool_call_id));
}

/**
 * Tells whether LangChain has refused a structured response, and is asking the model again by a way
 * of its own. The hooks after the model are then run besides; going on from them, LangChain would
 * ask the model twice. Of several structured responses at once it answers one.
 */
function isAskedAgain(
  { tool_calls = [] }: AIMessage,
  after: readonly BaseMessage[],
  { tools }: ModelTurn,
): boolean {
  const { client, provider } = offeredTools(tools);
  const names = new Set([...client.map(({ name }) => name), ...provider]);
  const answered = answeredIn(after);
  return tool_calls.some(
    ({ id, name }) => !names.has(name) && id !== undefined && answered.has(id),
  );
}

/**
 * Calls that are as they left the repair are not looked at again, nor those that have an answer:
 * what ran is never shown otherwise.
 */
async function repairEdited(
  message: AIMessage,
  messages: readonly BaseMessage[],
  turn: ModelTurn | undefined,
  options: MessageIntegrationOptions,
): Promise<AIMessage> {
  if (turn === undefined || (turn.calls !== undefined && turn.calls === message.tool_calls)) {
    return message;
  }
  const at = messages.indexOf(message);
  const answered = answeredIn(messages.slice(at + 1).filter((one) => !isStaleError(one, message)));
  const history = messages.slice(0, at);
  const origin = options.origin && { ...options.origin, isAgain: true };
  const repaired = await repairCalls(message, turn.tools, {
    ...options,
    origin,
    history,
    rescueTextToolCalls: false,
    only: ({ id }) => !answered.has(id),
  });
  return detachRefusedCalls(repaired);
}
