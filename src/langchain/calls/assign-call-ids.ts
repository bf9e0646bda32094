import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { LocatedCall } from "./call-sites.ts";
import { isAIMessage, isToolMessage } from "./is-ai-message.ts";

/** Providers limit the length of an id: OpenAI to 40 characters. */
const MAX_ID_LENGTH = 40;

/**
 * Gives every call an id of its own: another one where it has none, or where its id is taken by a
 * call before it or by one of an earlier message. LangChain takes a call whose id has an answer for
 * one that has been run.
 *
 * @param message The message.
 * @param located Its calls.
 * @param history The messages before it. Default: none.
 * @returns The ids, in the order of the calls. New ones follow from the message's id and the call's
 * place, so that the same message gets the same.
 */
export function assignCallIds(
  message: AIMessage,
  located: readonly LocatedCall[],
  history: readonly BaseMessage[] = [],
): readonly string[] {
  const used = new Set(earlierMessages(message, history).flatMap(idsIn));
  return located.map(({ call }, index) => {
    const id = call.id && !used.has(call.id) ? call.id : newId(message, index, used);
    used.add(id);
    return id;
  });
}

/**
 * Returns the messages whose ids are taken. A message of the same id is not among them, nor are its
 * answers: in a state, the new one takes its place.
 */
function earlierMessages(
  message: AIMessage,
  history: readonly BaseMessage[],
): readonly BaseMessage[] {
  const replaced = history.filter(
    (one) => one === message || (one.id !== undefined && one.id === message.id),
  );
  if (replaced.length === 0) return history;
  const ids = new Set(replaced.flatMap(idsIn));
  return history.filter(
    (one) => !replaced.includes(one) && !(isToolMessage(one) && ids.has(one.tool_call_id)),
  );
}

function idsIn(message: BaseMessage): readonly string[] {
  if (isToolMessage(message)) return [message.tool_call_id];
  if (!isAIMessage(message)) return [];
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  return [...tool_calls, ...invalid_tool_calls].flatMap(({ id }) => (id ? [id] : []));
}

function newId(message: AIMessage, index: number, used: ReadonlySet<string>): string {
  const stem = (message.id ?? crypto.randomUUID()).replace(/[^A-Za-z0-9_-]/g, "_");
  for (let attempt = 0; ; attempt++) {
    const suffix = attempt === 0 ? `_${index}` : `_${index}_${attempt}`;
    const id = `call_${stem.slice(-(MAX_ID_LENGTH - 5 - suffix.length))}${suffix}`;
    if (!used.has(id)) return id;
  }
}
