import type { AIMessage, BaseMessage, ToolCall } from "@langchain/core/messages";
import { assignCallIds } from "./assign-call-ids.ts";
import { callOrderOf, type KeptRecord, keptRecordsOf } from "./call-records.ts";
import { type LocatedCall, locateCalls } from "./call-sites.ts";
import { rawInputs } from "./raw-input.ts";

/** Everything that is known of one call of a message. */
export interface ReadCall {
  readonly located: LocatedCall;
  /** An id of its own, also where the model gave it none, or one that is taken. */
  readonly id: string;
  /** The tool's name as the model wrote it. */
  readonly name: string;
  /** What the model wrote as arguments: text where LangChain could not read it, else the value. */
  readonly raw: unknown;
  /** Whether the message is known to be cut off in this call. */
  readonly truncated: boolean;
  /** What toolmend did to it before. */
  readonly record: KeptRecord | undefined;
}

/**
 * Reads the calls of a model's message, those that LangChain could not read too.
 *
 * @param message The message.
 * @param history The messages before it, whose ids are taken. Default: none.
 * @returns The calls, in the order in which the model made them as far as the message tells.
 */
export function readCalls(
  message: AIMessage,
  history: readonly BaseMessage[] = [],
): readonly ReadCall[] {
  const located = locateCalls(message);
  const ids = assignCallIds(message, located, history);
  const inputs = rawInputs(message, located);
  const records = new Map(keptRecordsOf(message).map((record) => [record.id, record]));
  const calls = located.flatMap((one, index) => {
    const [id, input] = [ids[index], inputs[index]];
    if (id === undefined || input === undefined) return [];
    return [{ located: one, id, name: one.call.name ?? "", ...input, record: records.get(id) }];
  });
  return inRecordedOrder(calls, callOrderOf(message));
}

/** Calls that the record does not name stay behind those that it names. */
function inRecordedOrder(
  calls: readonly ReadCall[],
  order: readonly string[],
): readonly ReadCall[] {
  if (order.length === 0) return calls;
  const places = new Map(order.map((id, index) => [id, index]));
  const at = ({ id }: ReadCall) => places.get(id) ?? order.length;
  return [...calls].sort((left, right) => at(left) - at(right));
}

/**
 * Returns the tool call that fixers, handlers and errors are told of.
 *
 * @param call The call.
 */
export function toToolCall({ located, id, name }: ReadCall): ToolCall {
  return { ...located.call, id, name, type: "tool_call" } as ToolCall;
}
