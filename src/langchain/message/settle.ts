import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json.ts";
import { isAnonymousBlock, isAsSent, type LocatedCall } from "./locate.ts";
import {
  answersIn,
  callIdsOf,
  checkMessages,
  errorAnswer,
  isAIMessage,
  isStillRefused,
  isToolMessage,
  revealNames,
  writtenArgs,
} from "./messages.ts";
import {
  type CallSite,
  type HistoryCall,
  sentSites,
} from "./provider-forms.ts";
import { type ReadCall, readCalls } from "./read.ts";
import { rewriteLocatedCalls } from "./rewrite.ts";

/**
 * Makes a history valid for a provider: a rejected call becomes a tool call
 * again, with an object as arguments, and a `ToolMessage` with the error
 * follows it. Every call gets one answer, right after its message, in the
 * model's order. So the model learns the error, and no call is left without an
 * answer.
 *
 * Calls of the last message that can run, and have no answer yet, stay open.
 *
 * @param messages The history. It is not changed.
 * @returns The settled history; the same array if nothing had to change. Turns
 *   that were settled already keep their messages by reference.
 * @throws TypeError if `messages` is not an array of messages.
 * @example
 * ```ts
 * const history = [new HumanMessage("Buy it.")];
 * const answer = await model.invoke(settleToolCalls(history));
 * ```
 */
export function settleToolCalls(
  messages: readonly BaseMessage[],
): BaseMessage[] {
  checkMessages(messages, "settleToolCalls(messages)");
  return completeToolMessages(messages);
}

/**
 * Settles a history.
 *
 * @param known If given, all unanswered calls are over, those of the last
 *   message too, and answers that the history lacks are looked for here: other
 *   middleware may show a part of it. Default: only calls before the user's
 *   last message are over.
 */
export function completeToolMessages(
  messages: readonly BaseMessage[],
  known?: readonly BaseMessage[],
): BaseMessage[] {
  const completed: BaseMessage[] = [];
  let isComplete = true;
  let end = 0;
  while (end < messages.length) {
    const turn = turnAt(messages, end);
    end += turn.length;
    const completedTurn = completeTurn(turn, end < messages.length, known);
    if (completedTurn !== undefined) isComplete = false;
    completed.push(...(completedTurn ?? turn));
  }
  return isComplete ? (messages as BaseMessage[]) : completed;
}

/**
 * Returns a model's message with all messages up to the model's next one, or
 * any other message alone.
 */
function turnAt(
  messages: readonly BaseMessage[],
  start: number,
): readonly BaseMessage[] {
  let end = start + 1;
  if (isAIMessage(messages[start])) {
    while (end < messages.length && !isAIMessage(messages[end])) end++;
  }
  return messages.slice(start, end);
}

/**
 * What follows the first message of a complete turn: a history has many, and
 * every request reads them all.
 */
const complete = new WeakMap<BaseMessage, readonly BaseMessage[]>();

function areSame(
  items: readonly unknown[],
  before: readonly unknown[] | undefined,
): boolean {
  return (
    items.length === before?.length &&
    items.every((item, at) => item === before[at])
  );
}

/**
 * Whether calls without an answer may still run, or are over; then their
 * answers are looked for in `messages`.
 */
type Unanswered = "open" | { readonly messages: readonly BaseMessage[] };

/** Completes a turn; `undefined` if it is complete. */
function completeTurn(
  [message, ...after]: readonly BaseMessage[],
  isFollowed: boolean,
  known: readonly BaseMessage[] | undefined,
): readonly BaseMessage[] | undefined {
  if (!isAIMessage(message) || areSame(after, complete.get(message)))
    return undefined;
  const isPast =
    isFollowed || after.some((follower) => !isToolMessage(follower));
  const isOver = isPast || known !== undefined;
  const unanswered = isOver ? { messages: known ?? [] } : "open";
  const completed = answerCalls(message, after, unanswered);
  const mayKeep = isPast && after.some(isToolMessage);
  if (completed === undefined && mayKeep) complete.set(message, after);
  return completed;
}

/** Answers the calls of a turn; `undefined` if it is complete. */
function answerCalls(
  message: AIMessage,
  after: readonly BaseMessage[],
  unanswered: Unanswered,
): readonly BaseMessage[] | undefined {
  const shown = revealNames(message);
  const calls = readCalls(shown, { isInState: true });
  if (calls.length === 0) return undefined;
  const followers = after.map(revealNames);
  const completed = completeMessage(shown, calls, followers);
  const answered = answersIn(followers);
  const repeated = repeatedIds(calls);
  const hasOwnId = ({ located, id }: ReadCall) =>
    located.call.id === id && !repeated.has(id);
  // An answer is certain to be a call's own if no other call has its id.
  const answers = calls.flatMap(
    (call) =>
      answered.get(call.id) ??
      answerFor(call, hasOwnId(call) ? unanswered : "open") ??
      [],
  );
  const turn = calls.every(hasOwnId)
    ? [completed, ...answers, ...withoutAnswers(followers, calls)]
    : [
        completed,
        ...answers.filter((answer) => !followers.includes(answer)),
        ...followers,
      ];
  return areSame(turn, [message, ...after]) ? undefined : turn;
}

function withoutAnswers(
  messages: readonly BaseMessage[],
  calls: readonly ReadCall[],
): readonly BaseMessage[] {
  const ids = new Set(calls.map(({ id }) => id));
  return messages.filter(
    (message) => !isToolMessage(message) || !ids.has(message.tool_call_id),
  );
}

/** Finds the ids that several calls of a message have. */
function repeatedIds(
  calls: readonly ReadCall[],
): ReadonlySet<string | undefined> {
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
  unanswered: Unanswered,
): ToolMessage | undefined {
  const { call, invalid } = located;
  if (invalid || isStillRefused(call, record)) {
    // LangChain's `concat` replaces the error of an invalid call (core 1.4.0;
    // repair-stream.test).
    const error = record?.error ?? (call as InvalidToolCall).error;
    const unread = `The input of tool "${name}" was not accepted: it could not be read.`;
    return errorAnswer(id, name, error || unread);
  }
  if (unanswered === "open") return undefined;
  const answers = unanswered.messages
    .filter(isToolMessage)
    .filter(({ tool_call_id }) => tool_call_id === id);
  const [answer] = answers;
  // Ids may repeat in a history: of several answers, none is certain to be the
  // call's own.
  if (answer !== undefined && answers.length === 1) return revealNames(answer);
  // A state does not show which of these it was, and "not run" would invite the
  // model to run it again.
  const missing = `There is no answer of the tool "${name}": it was not run, or was broken off, or its answer was taken away.`;
  return errorAnswer(id, name, missing);
}

function completeMessage(
  message: AIMessage,
  calls: readonly ReadCall[],
  after: readonly BaseMessage[],
): AIMessage {
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const { located, id, name, record } of calls) {
    const { call, invalid } = located;
    if (!invalid && isJsonObject(call.args) && isAsSent(located)) continue;
    const args =
      writtenArgs(call.args) ?? writtenArgs(record?.rawToolInput) ?? {};
    rewritten.set(located, { id, name, args });
  }
  const located = calls.map((call) => call.located);
  const orphans = orphanSites(message, located, after);
  const valid = located.filter(({ invalid }) => !invalid);
  const isInOrder = valid.every(
    ({ call }, index) => call === message.tool_calls?.[index],
  );
  if (rewritten.size === 0 && orphans.length === 0 && isInOrder) return message;
  return rewriteLocatedCalls(message, located, rewritten, { orphans });
}

/**
 * Finds providers' forms of calls that a message does not make any more: when a
 * human rejects one call, LangChain removes the others from `tool_calls`, but a
 * provider would still be sent them (langchain 1.5.14; google.test).
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
    const isTaken = taken.some(
      ({ place, index }) => place === site.place && index === site.index,
    );
    return isAnonymousBlock(site) && !isTaken;
  });
}
