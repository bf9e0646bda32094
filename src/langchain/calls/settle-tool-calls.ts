import {
  type AIMessage,
  type BaseMessage,
  type InvalidToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { writtenArgs } from "./args.ts";
import { callRecordsOf } from "./call-records.ts";
import { holdsArgs, type LocatedCall } from "./call-sites.ts";
import { isAIMessage, isToolMessage } from "./is-ai-message.ts";
import { readCalls } from "./read-calls.ts";
import { withRepairNote } from "./repair-note.ts";
import { type HistoryCall, rewriteLocatedCalls } from "./rewrite-message.ts";

/** How a history is settled. */
export interface SettleOptions {
  /** Whether calls that LangChain could not read are answered too. Default: `true`. */
  readonly rescueInvalidToolCalls?: boolean | undefined;
  /** Whether the answer of a repaired call says so to the model. Default: `false`. */
  readonly tellModel?: boolean | undefined;
}

/**
 * Makes a history fit for a provider: a call that is not to be run becomes a tool call again, with
 * arguments that are an object, and a `ToolMessage` that says what is wrong with it follows. So the
 * model is told, and no call is left without an answer.
 *
 * @param messages The history. It is not changed.
 * @param options What else is settled.
 * @returns The history, settled. Messages that are settled already are in it by reference.
 */
export function settleToolCalls(
  messages: readonly BaseMessage[],
  options: SettleOptions = {},
): BaseMessage[] {
  return messages.flatMap((message, index) => {
    if (isAIMessage(message)) return settleMessage(message, answersOf(messages, index), options);
    if (options.tellModel !== true || !isToolMessage(message)) return [message];
    const asked = messages.slice(0, index).findLast(isAIMessage);
    return [asked === undefined ? message : withRepairNote(message, callRecordsOf(asked))];
  });
}

/** The answers to the calls of a message: they stand between it and the model's next. */
function answersOf(messages: readonly BaseMessage[], index: number): ReadonlySet<string> {
  const after = messages.slice(index + 1);
  const next = after.findIndex(isAIMessage);
  const answers = (next < 0 ? after : after.slice(0, next)).filter(isToolMessage);
  return new Set(answers.map(({ tool_call_id }) => tool_call_id));
}

function settleMessage(
  message: AIMessage,
  answered: ReadonlySet<string>,
  { rescueInvalidToolCalls = true }: SettleOptions,
): readonly BaseMessage[] {
  const calls = readCalls(message);
  const rewritten = new Map<LocatedCall, HistoryCall>();
  const answers: ToolMessage[] = [];
  for (const { located, id, name, record } of calls) {
    const { args } = located.call;
    const call = { id, name, args: writtenArgs(args) ?? {} };
    if (!located.invalid) {
      const isSettled = isJsonObject(args) && located.sites.every((site) => isSame(located, site));
      if (!isSettled) rewritten.set(located, call);
    } else if (rescueInvalidToolCalls || record?.error) {
      rewritten.set(located, call);
      if (!answered.has(id)) answers.push(toRefusalMessage(id, located.call as InvalidToolCall));
    }
  }
  if (rewritten.size === 0) return [message];
  const located = calls.map((call) => call.located);
  return [rewriteLocatedCalls(message, located, rewritten), ...answers];
}

function isSame({ call }: LocatedCall, site: LocatedCall["sites"][number]): boolean {
  return site.place === "chunks" || site.args === "" || holdsArgs(site, call.args);
}

function toRefusalMessage(id: string, { name = "", error }: InvalidToolCall): ToolMessage {
  const content = error || `The input of tool "${name}" was not accepted: it could not be read.`;
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}
