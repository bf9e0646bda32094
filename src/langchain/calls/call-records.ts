import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ValueDigest } from "../../repair/json/digest.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue, NameRepair, Repair } from "../../repair/types.ts";
import { writtenArgs } from "./args.ts";
import { checkMessage } from "./check-messages.ts";
import { isAIMessage } from "./is-ai-message.ts";
import { readSharedInput, type SharedInput } from "./share-raw-input.ts";

/** What toolmend did to, or saw in, one call of a message. Kept with the message, where no provider is sent it. */
export interface CallRecord {
  /** The id that the call has now. */
  readonly id: string;
  /** The input as the model wrote it; absent when it wrote none, and where it is `omitted`. */
  readonly rawToolInput?: JsonValue;
  /** Every change that was made to it. Long values are told by length and hash, unless `record` is `"full"`. */
  readonly repairs: readonly Repair[];
  /** Length and hash of what is left out. */
  readonly omitted?: OmittedFields;
  /**
   * The keys of the call that the tool's schema does not declare, as JSON Pointers; absent for none.
   * The first 100, each cut to 500 characters, unless `record` is `"full"`.
   */
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

/** What a record leaves out. */
export interface OmittedFields {
  /** What the model wrote. */
  readonly rawToolInput?: ValueDigest;
  /** Of a call that was refused: the arguments with which it stands in the history. */
  readonly args?: ValueDigest;
  /** How many undeclared keys are not listed. */
  readonly undeclared?: number;
}

/** A record as the message holds it: what the model wrote is without what the call still has. */
export interface KeptRecord extends Omit<CallRecord, "rawToolInput"> {
  readonly rawToolInput?: JsonValue;
  readonly shared?: SharedInput;
}

const KEY = "toolmend";

/**
 * Returns what toolmend did to the calls of a message.
 *
 * @param message The message. Of others than a model's, there are no records.
 * @returns The records, of the calls that were changed or refused. Where a call is another one now, as
 * after a human's edit, long parts of what the model wrote may be `omitted`.
 * @example
 * ```ts
 * const message = await repairAIMessage(await model.invoke("Buy it."), tools, { fixers });
 * console.log(callRecordsOf(message)[0]?.repairs[0]?.fixer); // renameKey(element → selector)
 * ```
 */
export function callRecordsOf(message: BaseMessage): readonly CallRecord[] {
  checkMessage(message, "callRecordsOf(message)");
  if (!isAIMessage(message)) return [];
  return keptRecordsOf(message).map((record) => wholeRecord(record, message));
}

/** As `callRecordsOf`, with the records as the message holds them. */
export function keptRecordsOf(message: AIMessage): readonly KeptRecord[] {
  const { calls } = ownMetadata(message);
  return Array.isArray(calls) ? (calls as unknown as readonly KeptRecord[]) : [];
}

function wholeRecord({ shared, ...record }: KeptRecord, message: AIMessage): CallRecord {
  if (shared === undefined) return record;
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const call = [...tool_calls, ...invalid_tool_calls].find(({ id }) => id === record.id);
  const rawToolInput = readSharedInput(shared, writtenArgs(call?.args));
  return rawToolInput === undefined
    ? { ...record, omitted: { ...record.omitted, rawToolInput: shared.whole } }
    : { ...record, rawToolInput };
}

/**
 * Returns the order in which the model made the calls of a message, where it is recorded: refused
 * calls are kept apart from the others, and a human's decisions change the order of the rest.
 *
 * @param message The message.
 * @returns The ids of its calls; none where it is not recorded.
 */
export function callOrderOf(message: AIMessage): readonly string[] {
  const { order } = ownMetadata(message);
  return Array.isArray(order) ? (order as unknown as readonly string[]) : [];
}

/**
 * Creates the metadata that keeps records with a message.
 *
 * @param message The message that is to have them. One of a call that it has a record of already
 * replaces that.
 * @param records The records.
 * @param order The ids of its calls, in the model's order. Default: as it was recorded.
 * @returns What to add to its `response_metadata`.
 */
export function recordsAsMetadata(
  message: AIMessage,
  records: readonly KeptRecord[],
  order: readonly string[] = [],
): AIMessage["response_metadata"] {
  if (records.length === 0) return {};
  const fresh = new Set(records.map(({ id }) => id));
  const calls = [...keptRecordsOf(message).filter(({ id }) => !fresh.has(id)), ...records];
  // One call is in order, and calls that were all run stay as they are.
  const isKept = order.length > 1 && calls.some(({ error }) => error !== undefined);
  const known = callOrderOf(message);
  const own = { ...ownMetadata(message), calls };
  return { [KEY]: isKept && known.length === 0 ? { ...own, order } : own };
}

/** What toolmend keeps with a message. */
function ownMetadata({ response_metadata }: AIMessage): Readonly<Record<string, unknown>> {
  const own: unknown = response_metadata?.[KEY];
  return isJsonObject(own) ? own : {};
}
