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
  isStillRejected,
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
    if (completedTurn !== turn) isComplete = false;
    completed.push(...completedTurn);
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
 * answers are looked for in these messages.
 */
type Unanswered = "open" | readonly BaseMessage[];

/** Completes a turn; returns the same if it is complete. */
function completeTurn(
  turn: readonly BaseMessage[],
  isFollowed: boolean,
  known: readonly BaseMessage[] | undefined,
): readonly BaseMessage[] {
  const [message, ...after] = turn;
  if (!isAIMessage(message)) return turn;
  if (areSame(after, complete.get(message))) return turn;
  const isPast = isFollowed || !after.every(isToolMessage);
  const unanswered = known ?? (isPast ? [] : "open");
  const completed = answerCalls(message, after, unanswered);
  if (!areSame(completed, turn)) return completed;
  if (isPast && after.some(isToolMessage)) complete.set(message, after);
  return turn;
}

/** Answers the calls of a turn. */
function answerCalls(
  message: AIMessage,
  after: readonly BaseMessage[],
  unanswered: Unanswered,
): readonly BaseMessage[] {
  const shown = revealNames(message);
  const calls = readCalls(shown, { isInState: true });
  if (calls.length === 0) return [message, ...after];
  const followers = after.map(revealNames);
  const completed = completeMessage(shown, calls, followers);
  const answered = answersIn(followers);
  // An answer is certain to be a call's own if no other call has its id.
  const withOwnId = callsWithOwnId(calls);
  const answers: BaseMessage[] = [];
  for (const call of calls) {
    const answer =
      answered.get(call.id) ??
      answerFor(call, withOwnId.has(call) ? unanswered : "open");
    if (answer !== undefined) answers.push(answer);
  }
  if (withOwnId.size === calls.length)
    return [completed, ...answers, ...withoutAnswers(followers, calls)];
  const added = answers.filter((answer) => !followers.includes(answer));
  return [completed, ...added, ...followers];
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

/** Finds the calls whose id the model gave to them alone. */
function callsWithOwnId(calls: readonly ReadCall[]): ReadonlySet<ReadCall> {
  const seen = new Set<string | undefined>();
  const repeated = new Set<string | undefined>();
  for (const { located } of calls) {
    const { id } = located.call;
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return new Set(
    calls.filter(
      ({ located, id }) => located.call.id === id && !repeated.has(id),
    ),
  );
}

function answerFor(
  call: ReadCall,
  unanswered: Unanswered,
): ToolMessage | undefined {
  const { located, id, name, record } = call;
  if (located.invalid || isStillRejected(located.call, record))
    return errorAnswer(id, name, errorOf(call));
  if (unanswered === "open") return undefined;
  const answers = unanswered
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

/** Why a call did not run. */
function errorOf({ located, name, record }: ReadCall): string {
  // LangChain's `concat` replaces the error of an invalid call (core 1.4.0;
  // repair-stream.test).
  const error = record?.error ?? (located.call as InvalidToolCall).error;
  return (
    error ||
    `The input of tool "${name}" was not accepted: it could not be read.`
  );
}

function completeMessage(
  message: AIMessage,
  calls: readonly ReadCall[],
  after: readonly BaseMessage[],
): AIMessage {
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const { located, id, name, record } of calls) {
    if (isReadyToSend(located)) continue;
    const args =
      writtenArgs(located.call.args) ?? writtenArgs(record?.rawToolInput) ?? {};
    rewritten.set(located, { id, name, args });
  }
  const located = calls.map((call) => call.located);
  const orphans = orphanSites(message, located, after);
  const valid = located.filter(({ invalid }) => !invalid);
  const isInOrder = valid.every(
    ({ call }, index) => call === message.tool_calls?.[index],
  );
  if (isInOrder && rewritten.size + orphans.length === 0) return message;
  return rewriteLocatedCalls(message, located, rewritten, { orphans });
}

/** Whether a provider is sent a call as it is in the message, and can read it. */
function isReadyToSend(located: LocatedCall): boolean {
  const { call, invalid } = located;
  return !invalid && isJsonObject(call.args) && isAsSent(located);
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
