import type {
  AIMessage,
  BaseMessage,
  InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import {
  checkMessages,
  errorAnswer,
  isAIMessage,
  isHidden,
  isToolMessage,
  revealNames,
  writtenArgs,
} from "./messages.ts";
import { isAsSent, type LocatedCall, orphanCallIds, type ReadCall, readCalls } from "./read.ts";
import { isAsRefused } from "./records.ts";
import { type HistoryCall, rewriteLocatedCalls } from "./rewrite.ts";

/** Options of callers that know the outcome of the last message's calls. */
interface CompleteOptions {
  /**
   * Whether unanswered calls are over, those of the last message too. Default: only calls before
   * the user's last message.
   */
  readonly isOver?: boolean | undefined;
  /** Where to look for answers that the history lacks: other middleware may show a part of it. */
  readonly known?: readonly BaseMessage[] | undefined;
}

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

export function completeToolMessages(
  messages: readonly BaseMessage[],
  options: CompleteOptions = {},
): BaseMessage[] {
  let completed: BaseMessage[] | undefined;
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as BaseMessage;
    let end = at + 1;
    if (isAIMessage(message) && hasCalls(message)) {
      while (end < messages.length && !isAIMessage(messages[end])) end++;
      const isPast = options.isOver === true || end < messages.length;
      const turn = { message, messages, at, end, isOver: isPast || hasSpoken(messages, at, end) };
      if (!isKnown(turn) && !isPlain(turn)) {
        const after = completeTurn(turn, options);
        if (after !== undefined) {
          completed ??= messages.slice(0, at);
          completed.push(...after);
          at = end;
          continue;
        }
        remember(turn);
      }
    }
    completed?.push(...messages.slice(at, end));
    at = end;
  }
  return completed ?? (messages as BaseMessage[]);
}

/** A model's message, and the messages up to the model's next. */
interface Turn {
  readonly message: AIMessage;
  readonly messages: readonly BaseMessage[];
  readonly at: number;
  readonly end: number;
  readonly isOver: boolean;
}

/** Whether a message may have calls; for blocks alone, `readCalls` decides. */
function hasCalls({ tool_calls = [], invalid_tool_calls = [], content }: AIMessage): boolean {
  return tool_calls.length + invalid_tool_calls.length > 0 || typeof content !== "string";
}

function hasSpoken(messages: readonly BaseMessage[], at: number, end: number): boolean {
  for (let next = at + 1; next < end; next++) if (!isToolMessage(messages[next])) return true;
  return false;
}

/** The turns that need no completion, so that a history is read once. */
const known = new WeakMap<AIMessage, readonly unknown[]>();

function remember({ message, messages, at, end, isOver }: Turn): void {
  const { tool_calls, content } = message;
  known.set(message, [isOver, tool_calls, content, ...messages.slice(at + 1, end)]);
}

const KNOWN_PARTS = 3;

function isKnown({ message, messages, at, end, isOver }: Turn): boolean {
  const parts = known.get(message);
  if (parts === undefined || parts.length !== end - at - 1 + KNOWN_PARTS) return false;
  const [wasOver, calls, content] = parts;
  if (wasOver !== isOver || calls !== message.tool_calls || content !== message.content) {
    return false;
  }
  for (let part = KNOWN_PARTS; part < parts.length; part++) {
    if (parts[part] !== messages[at + 1 + part - KNOWN_PARTS]) return false;
  }
  return true;
}

/** Whether a turn has the usual form: calls in `tool_calls` alone, each answered, in their order. */
function isPlain({ message, messages, at, end }: Turn): boolean {
  const { tool_calls = [], invalid_tool_calls = [], content, additional_kwargs } = message;
  if (typeof content !== "string" || invalid_tool_calls.length > 0) return false;
  const { output } = (message.response_metadata ?? {}) as { output?: unknown };
  const isElsewhere = output ?? additional_kwargs?.tool_calls ?? Object(message).tool_call_chunks;
  if (isElsewhere !== undefined || tool_calls.length > end - at - 1) return false;
  const ids = new Set<string>();
  for (const [index, { id, args, name }] of tool_calls.entries()) {
    const answer = messages[at + 1 + index];
    if (!id || ids.has(id) || !isJsonObject(args) || isHidden({ name })) return false;
    if (!isToolMessage(answer) || answer.tool_call_id !== id) return false;
    if (isHidden(answer)) return false;
    ids.add(id);
  }
  // A second answer to a call, after the others, is the one that counts.
  const next = messages[at + 1 + tool_calls.length];
  return at + 1 + tool_calls.length === end || !isToolMessage(next);
}

/** Completes a turn; `undefined` if it is complete. */
function completeTurn(
  { message, messages, at, end, isOver }: Turn,
  options: CompleteOptions,
): readonly BaseMessage[] | undefined {
  const shown = revealNames(message);
  const calls = readCalls(shown);
  if (calls.length === 0) return undefined;
  const after = messages.slice(at + 1, end).map(revealNames);
  const completed = completeMessage(shown, calls, after);
  // The later of two answers to one call counts.
  const given = new Map(after.filter(isToolMessage).map((one) => [one.tool_call_id, one]));
  const hasOwnIds = calls.every(({ located, id }) => located.call.id === id);
  const answers = calls.flatMap((call) => {
    const answer = given.get(call.id) ?? answerFor(call, hasOwnIds && isOver, options);
    return answer === undefined ? [] : [answer];
  });
  const ids = new Set(calls.map(({ id }) => id));
  const others = after.filter((one) => !isToolMessage(one) || !ids.has(one.tool_call_id));
  const fresh = answers.filter((one) => !after.includes(one));
  const turn = hasOwnIds ? [completed, ...answers, ...others] : [completed, ...fresh, ...after];
  const isSame =
    turn.length === end - at && turn.every((one, index) => one === messages[at + index]);
  return isSame ? undefined : turn;
}

function answerFor(
  { located, id, name, record }: ReadCall,
  isOver: boolean,
  { known: more = [] }: CompleteOptions,
): ToolMessage | undefined {
  const { args, error = record?.error } = located.call as InvalidToolCall;
  if (located.invalid) {
    return errorAnswer(
      id,
      name,
      error || `The input of tool "${name}" was not accepted: it could not be read.`,
    );
  }
  if (record?.error !== undefined && isAsRefused(args, record)) {
    return errorAnswer(id, name, record.error);
  }
  if (!isOver) return undefined;
  const answer = more.findLast((one) => isToolMessage(one) && one.tool_call_id === id);
  if (answer !== undefined) return revealNames(answer as ToolMessage);
  // A state does not show which of these it was, and "not run" would invite the model to run it again.
  return errorAnswer(
    id,
    name,
    `There is no answer of the tool "${name}": it was not run, or was broken off, or its answer was taken away.`,
  );
}

function completeMessage(
  message: AIMessage,
  calls: readonly ReadCall[],
  after: readonly BaseMessage[],
): AIMessage {
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const { located, id, name } of calls) {
    const { call, invalid } = located;
    if (!invalid && isJsonObject(call.args) && isAsSent(located)) continue;
    rewritten.set(located, { id, name, args: writtenArgs(call.args) ?? {} });
  }
  const answered = after.filter(isToolMessage).map(({ tool_call_id }) => tool_call_id);
  const orphans = orphanCallIds(message, new Set(answered));
  const made = message.tool_calls ?? [];
  const valid = calls.filter(({ located }) => !located.invalid);
  const isInOrder = valid.every(({ located }, index) => located.call === made[index]);
  if (rewritten.size === 0 && orphans.size === 0 && isInOrder) return message;
  const located = calls.map((call) => call.located);
  return rewriteLocatedCalls(message, located, rewritten, { stray: orphans });
}
