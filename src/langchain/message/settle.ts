import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json.ts";
import { isAnonymousBlock, isAsSent, type LocatedCall } from "./locate.ts";
import {
  callIdsOf,
  checkMessages,
  errorAnswer,
  isAIMessage,
  isEdited,
  isToolMessage,
  revealNames,
  writtenArgs,
} from "./messages.ts";
import { type CallSite, sentSites } from "./provider-forms.ts";
import { type ReadCall, readCalls } from "./read.ts";
import { rewriteLocatedCalls } from "./rewrite.ts";

/**
 * Makes a history valid for a provider: a rejected call becomes a tool call again, with an object
 * as arguments, and a `ToolMessage` with the error follows it. Every call gets one answer, right
 * after its message, in the model's order. So the model learns the error, and no call is left
 * without an answer.
 *
 * Calls of the last message that can run, and have no answer yet, stay open.
 *
 * @param messages The history. It is not changed.
 * @returns The settled history; the same array if nothing had to change. Turns that were settled
 * already keep their messages by reference.
 * @throws TypeError if `messages` is not an array of messages.
 * @example
 * ```ts
 * const history = [new HumanMessage("Buy it.")];
 * const answer = await model.invoke(settleToolCalls(history));
 * ```
 */
export function settleToolCalls(messages: readonly BaseMessage[]): BaseMessage[] {
  checkMessages(messages, "settleToolCalls(messages)");
  return completeToolMessages(messages);
}

/**
 * Settles a history.
 *
 * @param known If given, all unanswered calls are over, those of the last message too, and answers
 * that the history lacks are looked for here: other middleware may show a part of it. Default: only
 * calls before the user's last message are over.
 */
export function completeToolMessages(
  messages: readonly BaseMessage[],
  known?: readonly BaseMessage[],
): BaseMessage[] {
  let completed: BaseMessage[] | undefined;
  for (let at = 0, end = 0; at < messages.length; at = end) {
    const message = messages[at] as BaseMessage;
    end = at + 1;
    let turn: readonly BaseMessage[] | undefined;
    if (isAIMessage(message)) {
      while (end < messages.length && !isAIMessage(messages[end])) end++;
      const after = messages.slice(at + 1, end);
      if (!areSame(after, complete.get(message))) {
        const isPast = end < messages.length || after.some((one) => !isToolMessage(one));
        turn = completeTurn(message, after, known ?? (isPast ? [] : undefined));
        if (turn === undefined && isPast && after.some(isToolMessage)) complete.set(message, after);
      }
    }
    if (turn !== undefined) completed ??= messages.slice(0, at);
    completed?.push(...(turn ?? messages.slice(at, end)));
  }
  return completed ?? (messages as BaseMessage[]);
}

/** Complete turns, by their first message: a history has many, and every request reads them all. */
const complete = new WeakMap<BaseMessage, readonly BaseMessage[]>();

function areSame(one: readonly unknown[], other: readonly unknown[] | undefined): boolean {
  return one.length === other?.length && one.every((item, at) => item === other[at]);
}

/** Completes a turn; `undefined` if it is complete. Its calls are over if there are known answers. */
function completeTurn(
  message: AIMessage,
  given: readonly BaseMessage[],
  known: readonly BaseMessage[] | undefined,
): readonly BaseMessage[] | undefined {
  const shown = revealNames(message);
  const calls = readCalls(shown, { isInState: true });
  if (calls.length === 0) return undefined;
  const after = given.map(revealNames);
  const completed = completeMessage(shown, calls, after);
  // The later of two answers to one call counts.
  const answered = new Map(after.filter(isToolMessage).map((one) => [one.tool_call_id, one]));
  const repeated = repeatedIds(calls);
  const hasOwnId = ({ located, id }: ReadCall) => located.call.id === id && !repeated.has(id);
  // An answer is certain to be a call's own if no other call has its id.
  const answers = calls.flatMap(
    (call) => answered.get(call.id) ?? answerFor(call, hasOwnId(call) ? known : undefined) ?? [],
  );
  const hasOwnIds = calls.every(hasOwnId);
  const ids = new Set(calls.map(({ id }) => id));
  const others = after.filter((one) => !isToolMessage(one) || !ids.has(one.tool_call_id));
  const fresh = answers.filter((one) => !after.includes(one));
  const turn = hasOwnIds ? [completed, ...answers, ...others] : [completed, ...fresh, ...after];
  return areSame(turn, [message, ...given]) ? undefined : turn;
}

/** Finds the ids that several calls of a message have. */
function repeatedIds(calls: readonly ReadCall[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>();
  const repeated = new Set<string | undefined>();
  for (const { located } of calls) {
    const { id } = located.call;
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return repeated;
}

function answerFor(
  { located, id, name, record }: ReadCall,
  known: readonly BaseMessage[] | undefined,
): ToolMessage | undefined {
  // LangChain's `concat` replaces the error of an invalid call.
  const error = record?.error ?? (located.call as InvalidToolCall).error;
  if (located.invalid || (record?.error !== undefined && !isEdited(located.call, record))) {
    const unread = `The input of tool "${name}" was not accepted: it could not be read.`;
    return errorAnswer(id, name, error || unread);
  }
  // Ids may repeat in a history: of several answers, none is certain to be the call's own.
  const found = known?.filter((one) => isToolMessage(one) && one.tool_call_id === id);
  const answer = found?.length === 1 ? found[0] : undefined;
  if (known === undefined || answer !== undefined)
    return answer && revealNames(answer as ToolMessage);
  // A state does not show which of these it was, and "not run" would invite the model to run it again.
  const missing = `There is no answer of the tool "${name}": it was not run, or was broken off, or its answer was taken away.`;
  return errorAnswer(id, name, missing);
}

function completeMessage(
  message: AIMessage,
  calls: readonly ReadCall[],
  after: readonly BaseMessage[],
): AIMessage {
  const rewritten = new Map(
    calls.flatMap(({ located, id, name, record }) => {
      const { call, invalid } = located;
      if (!invalid && isJsonObject(call.args) && isAsSent(located)) return [];
      const args = writtenArgs(call.args) ?? writtenArgs(record?.rawToolInput) ?? {};
      return [[located, { id, name, args }]];
    }),
  );
  const located = calls.map((call) => call.located);
  const orphans = orphanSites(message, located, after);
  const valid = located.filter(({ invalid }) => !invalid);
  const isInOrder = valid.every(({ call }, index) => call === message.tool_calls?.[index]);
  if (rewritten.size === 0 && orphans.length === 0 && isInOrder) return message;
  return rewriteLocatedCalls(message, located, rewritten, { orphans });
}

/**
 * Finds providers' forms of calls that a message does not make any more: when a human rejects one
 * call, LangChain removes the others from `tool_calls`, but a provider would still be sent them.
 */
function orphanSites(
  message: AIMessage,
  located: readonly LocatedCall[],
  after: readonly BaseMessage[],
): readonly CallSite[] {
  const sent = sentSites(message).flat();
  if (sent.length === 0) return [];
  const known = new Set([message, ...after].flatMap(callIdsOf));
  const taken = located.flatMap(({ sites }) => sites);
  return sent.filter((site) => {
    if (site.id) return !known.has(site.id);
    const isTaken = taken.some(({ place, index }) => place === site.place && index === site.index);
    return isAnonymousBlock(site) && !isTaken;
  });
}
