import type { AIMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue, NameRepair, Repair } from "../../repair/types.ts";

/** What toolmend did to, or saw in, one call of a message. Kept with the message, where no provider is sent it. */
export interface CallRecord {
  /** The id that the call has now. */
  readonly id: string;
  /** The input as the model wrote it; absent when it wrote none. */
  readonly rawToolInput?: JsonValue;
  /** Every change that was made to it. */
  readonly repairs: readonly Repair[];
  /** The keys of the call that the tool's schema does not declare, as JSON Pointers; absent for none. */
  readonly undeclared?: readonly string[];
  /** Where there are such, the keys that the tool has: some of them, if it has many. */
  readonly declared?: readonly string[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** That the call would have been lost: LangChain could not read it, or it stood in the text. */
  readonly rescued?: "invalid_tool_call" | "text";
  /** For a call that stood in the text: the format in which it was written (docs/text-calls.md). */
  readonly format?: string;
  /** Why it was not run, as the model is told. */
  readonly error?: string;
}

const KEY = "toolmend";

/**
 * Gives what toolmend did to the calls of a message.
 *
 * @param message The message.
 * @returns The records, of the calls that were changed or refused.
 */
export function callRecordsOf({ response_metadata }: AIMessage): readonly CallRecord[] {
  const own: unknown = response_metadata?.[KEY];
  return isJsonObject(own) && Array.isArray(own.calls)
    ? (own.calls as unknown as readonly CallRecord[])
    : [];
}

/**
 * Makes the metadata that keeps records with a message.
 *
 * @param message The message that is to have them. One of a call that it has a record of already
 * replaces that.
 * @param records The records.
 * @returns What to add to its `response_metadata`.
 */
export function recordsAsMetadata(
  message: AIMessage,
  records: readonly CallRecord[],
): AIMessage["response_metadata"] {
  if (records.length === 0) return {};
  const fresh = new Set(records.map(({ id }) => id));
  const calls = [...callRecordsOf(message).filter(({ id }) => !fresh.has(id)), ...records];
  return { [KEY]: { calls } };
}
