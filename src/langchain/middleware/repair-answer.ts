import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { OnUnfixable } from "../../repair/result.ts";
import type { JsonValue } from "../../repair/types.ts";
import { callRecordsOf, keptRecordsOf, recordsAsMetadata } from "../calls/call-records.ts";
import { type LocatedCall, locateCalls } from "../calls/call-sites.ts";
import { readCalls } from "../calls/read-calls.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { MessageIntegrationOptions } from "../calls/repair-message-options.ts";
import { type HistoryCall, rewriteLocatedCalls } from "../calls/rewrite-message.ts";
import { correctionMessages } from "../correct/correction-messages.ts";
import { pairCorrections } from "../correct/pair-corrections.ts";
import type { CorrectedCall, MergedAnswer } from "../correct/run-corrections.ts";

/** A model's message, repaired, and what is wrong with the calls that could not be. */
export interface RepairedAnswer {
  /** As the model wrote it. */
  readonly response: AIMessage;
  readonly message: AIMessage;
  /** By the call's id. Calls that `onUnfixable` answers are not among them. */
  readonly errors: ReadonlyMap<string, ToolInputError>;
  /** The ids of its calls, in the order in which the model made them. */
  readonly order: readonly string[];
}

/**
 * Repairs a model's message, and keeps the errors of the calls that were refused.
 *
 * @param response The message.
 * @param tools The tools of the request.
 * @param options How to repair, and the handlers.
 */
export async function repairAnswer(
  response: AIMessage,
  tools: readonly unknown[],
  options: MessageIntegrationOptions,
): Promise<RepairedAnswer> {
  const captured = new Map<string, ToolInputError>();
  const onUnfixable: OnUnfixable = async (error, causingData, action) => {
    const { onUnfixable: handle } = options;
    // "tellModel" is what comes after self-correction, whatever is given.
    const answer =
      typeof handle === "function" ? await handle(error, causingData, action) : undefined;
    const id = error.toolCall?.id;
    if (id !== undefined && typeof answer !== "string") captured.set(id, error);
    return answer;
  };
  const message = await repairCalls(response, tools, { ...options, onUnfixable });
  const refused = new Set(keptRecordsOf(message).map(({ id, error }) => error && id));
  const errors = new Map([...captured].filter(([id]) => refused.has(id)));
  return {
    response,
    message,
    errors,
    order: readCalls(response, options.history).map(({ id }) => id),
  };
}

/**
 * Makes the messages with which the model is asked to correct its calls.
 *
 * @param answer The model's message.
 * @param request What it is asked.
 */
export function askToCorrect(answer: RepairedAnswer, request: string): readonly BaseMessage[] {
  const { message, errors } = answer;
  const records = new Map(callRecordsOf(message).map((record) => [record.id, record]));
  const calls = locatedInOrder(answer).map((located) => {
    const { id = "", args } = located.call;
    const record = records.get(id);
    const error = errors.get(id);
    const text = error === undefined ? record?.error : undefined;
    return { id, located, raw: record?.rawToolInput ?? args, error, text };
  });
  return correctionMessages(message, calls, request);
}

/**
 * Makes one answer of a model's message and of the one in which it corrected the refused calls.
 * Without calls that were right, the new one stands alone, if it has no call too few. Else each
 * corrected call takes the place of a refused one, as it should have been made. The model was asked
 * for no others; what else it called is left out, for its next turn.
 *
 * @param before The answer with refused calls.
 * @param next The answer to the request.
 */
export function mergeAnswers(
  before: RepairedAnswer,
  next: RepairedAnswer,
): MergedAnswer<RepairedAnswer> & { readonly corrected: readonly StandingCall[] } {
  const located = locatedInOrder(before);
  const isRefused = ({ call }: LocatedCall) => before.errors.has(call.id ?? "");
  const refused = located.filter(isRefused);
  const held = located.filter((one) => !isRefused(one));
  if (held.length === 0 && !hasCalls(next)) return { answer: next, corrected: [] };
  const { pairs, standsAlone } = pairCorrections(
    { held, refused, made: locatedInOrder(next) },
    ({ call: { name = "", args } }) => ({ name, input: args }),
  );
  const corrected = [...pairs].flatMap(([{ call }, made]): readonly StandingCall[] => {
    const error = before.errors.get(call.id ?? "");
    const { id: by, args } = made.call;
    const toolInput = args as JsonValue;
    const id = standsAlone ? by : call.id;
    return error === undefined || made.invalid ? [] : [{ error, by, toolInput, id }];
  });
  if (standsAlone) return { answer: next, corrected };
  const records = new Map(keptRecordsOf(next.message).map((record) => [record.id, record]));
  const errors = new Map(before.errors);
  const rewritten = new Map<LocatedCall, HistoryCall>();
  const fresh = [...pairs].map(([one, { call }]) => {
    const id = one.call.id ?? "";
    const error = next.errors.get(call.id ?? "");
    errors.delete(id);
    if (error !== undefined) errors.set(id, error);
    const record = { repairs: [], ...records.get(call.id ?? ""), id };
    rewritten.set(one, toHistoryCall(id, call, record.error));
    return record;
  });
  const metadata = recordsAsMetadata(before.message, fresh);
  const message = rewriteLocatedCalls(before.message, located, rewritten, { metadata });
  const { response } = next;
  return { answer: { response, message, errors, order: before.order }, corrected };
}

/** A call that stands for a refused one. */
interface StandingCall extends CorrectedCall {
  /** Its id in the message that stands for both. */
  readonly id: string | undefined;
}

/** Whether a message has calls of any kind. */
export function hasCalls({ message }: RepairedAnswer): boolean {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  return tool_calls.length + invalid_tool_calls.length > 0;
}

/** A message keeps refused calls apart from the others, and so not their order. */
function locatedInOrder({ message, order }: RepairedAnswer): readonly LocatedCall[] {
  const at = ({ call }: LocatedCall) => order.indexOf(call.id ?? "");
  return [...locateCalls(message)].sort((left, right) => at(left) - at(right));
}

function toHistoryCall(
  id: string,
  { name = "", args }: LocatedCall["call"],
  error: string | undefined,
): HistoryCall {
  if (typeof args !== "string") return { id, name, args: args ?? {} };
  return { id, name, args: {}, error: error ?? "", written: args };
}
