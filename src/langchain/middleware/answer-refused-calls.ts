import { type AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { offeredTools } from "../calls/offered-tools.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { RepairMessageOptions } from "../calls/repair-message-options.ts";
import { type SettleOptions, settleToolCalls } from "../calls/settle-tool-calls.ts";
import type { ModelTurn } from "./agent-memory.ts";

/** What `afterModel` returns: LangChain merges the messages into the state by their ids. */
export interface StateUpdate {
  readonly messages: BaseMessage[];
  readonly jumpTo?: "tools" | "end";
}

/**
 * After the model, and after the middleware whose hooks ran before: repairs calls that a human
 * edited, and answers those that are not to be run.
 *
 * Where other calls are to be run, the refused ones stay `invalid_tool_calls`, so that nobody is
 * asked to approve them. Where there are none, they become answered tool calls, and the run goes on
 * by way of the tools, which have nothing to do: as LangChain ends a run whose last message has no
 * calls.
 *
 * @param messages The state's messages.
 * @param turn What is known of the model's turn.
 * @param options How to repair, and the handlers.
 * @returns The update; `undefined` where there is none.
 */
export async function answerRefusedCalls(
  messages: readonly BaseMessage[],
  turn: ModelTurn | undefined,
  options: RepairMessageOptions & SettleOptions,
): Promise<StateUpdate | undefined> {
  const at = messages.findLastIndex(isAIMessage);
  const last = messages[at];
  if (last === undefined || !isAIMessage(last)) return undefined;
  const { settled = [], retried = [] } = turn ?? {};
  const removed = retried.flatMap(({ id }) =>
    id === undefined ? [] : [new RemoveMessage({ id })],
  );
  if (removed.length > 0) return { messages: [...settled, ...removed], jumpTo: "tools" };

  const after = messages.slice(at + 1);
  if (turn !== undefined && isAskedAgain(last, after, turn)) {
    return { messages: [...settled], jumpTo: "end" };
  }
  const message = await repairEdited(last, messages.slice(0, at), turn, options);
  const all = settleToolCalls([message, ...after], { ...options, tellModel: false });
  const answers = all.slice(1).filter((one) => !after.includes(one));
  if (answers.length === 0) {
    const changed = message === last ? settled : [...settled, message];
    return changed.length === 0 ? undefined : { messages: [...changed] };
  }
  const answered = new Set(after.filter(isToolMessage).map(({ tool_call_id }) => tool_call_id));
  const isRunning = (message.tool_calls ?? []).some(({ id }) => !id || !answered.has(id));
  return isRunning
    ? { messages: [...settled, message, ...answers] }
    : { messages: [...settled, all[0] as AIMessage, ...answers], jumpTo: "tools" };
}

/**
 * Tells whether LangChain has refused a structured response, and is asking the model again by a way
 * of its own. The hooks after the model are then run besides; going on from them, LangChain would
 * ask the model twice.
 */
function isAskedAgain(
  { tool_calls = [] }: AIMessage,
  after: readonly BaseMessage[],
  { tools }: ModelTurn,
): boolean {
  const { client, provider } = offeredTools(tools);
  const names = new Set([...client.map(({ name }) => name), ...provider]);
  const answered = new Set(after.filter(isToolMessage).map(({ tool_call_id }) => tool_call_id));
  return (
    tool_calls.some(({ name }) => !names.has(name)) &&
    tool_calls.every(({ id }) => id !== undefined && answered.has(id))
  );
}

/** Calls that are as they left the repair are not looked at again. */
async function repairEdited(
  message: AIMessage,
  history: readonly BaseMessage[],
  turn: ModelTurn | undefined,
  options: RepairMessageOptions,
): Promise<AIMessage> {
  if (turn === undefined || turn.calls === message.tool_calls) return message;
  return repairCalls(message, turn.tools, { ...options, history, rescueTextToolCalls: false });
}
