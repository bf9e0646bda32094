import {
  type AIMessage,
  type BaseMessage,
  type InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { aBoolean, type Checks, checkOptions, type OptionsUsage } from "../../repair/usage.ts";
import { writtenArgs } from "./args.ts";
import { keptRecordsOf } from "./call-records.ts";
import { holdsArgs, type LocatedCall, orphanCallIds } from "./call-sites.ts";
import { checkMessages } from "./check-messages.ts";
import { reattachCalls } from "./detach-refused-calls.ts";
import { isAIMessage, isToolMessage } from "./is-ai-message.ts";
import { isToolRefusal } from "./is-tool-refusal.ts";
import { type ReadCall, readCalls } from "./read-calls.ts";
import { withRepairNote } from "./repair-note.ts";
import { type HistoryCall, rewriteLocatedCalls } from "./rewrite-message.ts";

/** How a history is settled. */
export interface SettleOptions {
  /** Whether calls that LangChain could not read are answered too. Default: `true`. */
  readonly rescueInvalidToolCalls?: boolean | undefined;
  /** Whether the answer of a repaired call says so to the model. Default: `false`. */
  readonly tellModel?: boolean | undefined;
}

const SETTLE_USAGE: OptionsUsage = {
  of: "settleToolCalls",
  example: "settleToolCalls(messages, { tellModel: true })",
  checks: { rescueInvalidToolCalls: aBoolean, tellModel: aBoolean } satisfies Checks<SettleOptions>,
};

/** Options of whoever knows what becomes of the last message's calls. */
interface CompleteOptions extends SettleOptions {
  /**
   * Whether calls that nobody has answered are over, those of the last message too. Default: only
   * those after whose message somebody has spoken.
   */
  readonly isOver?: boolean | undefined;
  /** Where answers are looked for that the history lacks: other middleware may show a part of it. */
  readonly known?: readonly BaseMessage[] | undefined;
}

/**
 * Makes a history fit for a provider: a call that is not to be run becomes a tool call again, with
 * arguments that are an object, and a `ToolMessage` that says what is wrong with it follows. Every
 * call has one answer, right after its message, in the order in which the model made the calls. So
 * the model is told, and no call is left without an answer.
 *
 * Calls of the last message that can be run, and have no answer yet, are left to be run.
 *
 * @param messages The history. It is not changed.
 * @param options What else is settled.
 * @returns The history, settled; the very array where nothing was to be settled. Messages that are
 * settled already are in it by reference.
 * @throws TypeError for what is not an array of messages, and for an unknown option.
 * @example
 * ```ts
 * const history = [new HumanMessage("Buy it.")];
 * const answer = await model.invoke(settleToolCalls(history));
 * ```
 */
export function settleToolCalls(
  messages: readonly BaseMessage[],
  options: SettleOptions = {},
): BaseMessage[] {
  checkMessages(messages, "settleToolCalls(messages, options)");
  checkOptions(options, SETTLE_USAGE);
  return completeToolMessages(messages, options);
}

/** As `settleToolCalls`. */
export function completeToolMessages(
  messages: readonly BaseMessage[],
  options: CompleteOptions,
): BaseMessage[] {
  const completed: BaseMessage[] = [];
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as BaseMessage;
    const next = messages.findIndex((one, index) => index > at && isAIMessage(one));
    const end = next < 0 ? messages.length : next;
    const after = messages.slice(at + 1, end);
    const isOver = options.isOver === true || next >= 0 || !after.every(isToolMessage);
    if (isAIMessage(message))
      completed.push(...completeTurn(message, after, { ...options, isOver }));
    else completed.push(message, ...after);
    at = end;
  }
  const isSame =
    completed.length === messages.length &&
    completed.every((one, index) => one === messages[index]);
  return isSame ? (messages as BaseMessage[]) : completed;
}

/** A model's message, and what stands between it and the model's next. */
function completeTurn(
  message: AIMessage,
  following: readonly BaseMessage[],
  options: CompleteOptions,
): readonly BaseMessage[] {
  const reattached = reattachCalls(message);
  const calls = readCalls(reattached);
  if (calls.length === 0) return [message, ...following];
  const after = withoutLostRefusals(following, calls);
  const completed = completeMessage(reattached, calls, { ...options, after });
  const given = new Map<string, ToolMessage>();
  // Of two answers to one call, the later one holds.
  for (const one of after) if (isToolMessage(one)) given.set(one.tool_call_id, one);
  const ids = calls.map(({ id }) => id);
  const hasOwnIds = haveOwnIds(calls);
  const answers = calls.flatMap((call) => {
    const answer = given.get(call.id) ?? (answerFor(call, options, hasOwnIds) as ToolMessage);
    if (answer === undefined) return [];
    return options.tellModel === true ? [withRepairNote(answer, keptRecordsOf(message))] : [answer];
  });
  if (!hasOwnIds) return [completed, ...answers.filter((one) => !after.includes(one)), ...after];
  const others = after.filter((one) => !isToolMessage(one) || !ids.includes(one.tool_call_id));
  return [completed, ...answers, ...others];
}

/**
 * Where a human rejects a call, LangChain takes those beside it out of the message. What their tools
 * said of an input before it was edited goes with them: a provider takes no answer without a call.
 */
function withoutLostRefusals(
  messages: readonly BaseMessage[],
  calls: readonly ReadCall[],
): readonly BaseMessage[] {
  const ids = new Set(calls.map(({ id }) => id));
  return messages.filter(
    (one) => !isToolMessage(one) || ids.has(one.tool_call_id) || !isToolRefusal(one),
  );
}

/** Whether each call has an id of its own, by which its answer is known. */
function haveOwnIds(calls: readonly ReadCall[]): boolean {
  return calls.every(({ located, id }) => located.call.id === id);
}

function answerFor(
  { located, id, name, record }: ReadCall,
  { rescueInvalidToolCalls = true, isOver, known = [] }: CompleteOptions,
  hasOwnIds: boolean,
): ToolMessage | undefined {
  const { error = record?.error } = located.call as InvalidToolCall;
  if (record?.error !== undefined || (located.invalid && rescueInvalidToolCalls)) {
    return toErrorAnswer(
      id,
      name,
      error || `The input of tool "${name}" was not accepted: it could not be read.`,
    );
  }
  if (located.invalid || !isOver || !hasOwnIds) return undefined;
  const answer = known.findLast((one) => isToolMessage(one) && one.tool_call_id === id);
  if (answer !== undefined && !isToolRefusal(answer as ToolMessage)) return answer as ToolMessage;
  // A state does not tell which of these it was: to say that it was not run would invite to run it again.
  return toErrorAnswer(
    id,
    name,
    `There is no answer of the tool "${name}": it was not run, or was broken off, or its answer was taken away.`,
  );
}

function toErrorAnswer(id: string, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}

function completeMessage(
  message: AIMessage,
  calls: readonly ReadCall[],
  {
    rescueInvalidToolCalls = true,
    after,
  }: SettleOptions & { readonly after: readonly BaseMessage[] },
): AIMessage {
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const { located, id, name, record } of calls) {
    const { args } = located.call;
    const isAsked = !located.invalid || rescueInvalidToolCalls || record?.error !== undefined;
    if (isAsked && !isComplete(located)) {
      rewritten.set(located, { id, name, args: writtenArgs(args) ?? {} });
    }
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

function isComplete({ call, invalid, sites }: LocatedCall): boolean {
  const isSame = (site: LocatedCall["sites"][number]) =>
    site.place === "chunks" || site.args === "" || holdsArgs(site, call.args);
  return !invalid && isJsonObject(call.args) && sites.every(isSame);
}
