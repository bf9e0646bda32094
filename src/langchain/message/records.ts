import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { cutText } from "../../repair/errors.ts";
import type { RefusedInput } from "../../repair/events/report.ts";
import { canonicalJson, digestOf, isJsonObject, jsonEquals } from "../../repair/json.ts";
import { boundRepairs, digestOver, MAX_LISTED, MAX_PATH, MAX_VALUE } from "../../repair/records.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, NameRepair, Repair, ToolLike, ValueDigest } from "../../repair/types.ts";
import { writtenArgs } from "./messages.ts";

/** toolmend's record of one call. Kept with the message, but never sent to a provider. */
export interface CallRecord {
  /** The call's present id. */
  readonly id: string;
  /** The input as the model wrote it; absent if it wrote none, or if it is `omitted`. */
  readonly rawToolInput?: JsonValue;
  /** Every change that was made to it. Long values are given by length and hash. */
  readonly repairs: readonly Repair[];
  /** Length and hash of each omitted field. */
  readonly omitted?: OmittedFields;
  /**
   * The keys of the call that the tool's schema does not declare, as JSON Pointers; absent if none.
   * The first 100, each cut to 500 characters.
   */
  readonly undeclared?: readonly string[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** Where the call was rescued from: LangChain could not read it, or it stood in the text. */
  readonly rescued?: "invalid_tool_call" | "text";
  /** For a call that stood in the text: its format (docs/text-calls.md). */
  readonly format?: string;
  /** Why it did not run, in the words that the model gets. */
  readonly error?: string;
}

/** What a record leaves out. */
export interface OmittedFields {
  /** What the model wrote, if longer than 1,000 characters of JSON. */
  readonly rawToolInput?: ValueDigest;
  /** For a refused call: its arguments in the history. */
  readonly args?: ValueDigest;
  /** How many undeclared keys are not listed. */
  readonly undeclared?: number;
}

/** Returns the metadata that toolmend itself keeps with a message. */
export function ownMetadata({ response_metadata }: BaseMessage): Readonly<Record<string, unknown>> {
  const { toolmend } = (response_metadata ?? {}) as { readonly toolmend?: unknown };
  return isJsonObject(toolmend) ? toolmend : {};
}

/** Returns the records of the calls of a message that were changed or rejected. */
export function recordsOf(message: BaseMessage): readonly CallRecord[] {
  const { calls } = ownMetadata(message);
  return Array.isArray(calls) ? (calls as unknown as readonly CallRecord[]) : [];
}

/**
 * Creates the metadata that keeps records, and more, with a message; a new record of a call
 * replaces its old one.
 */
export function recordsAsMetadata(
  message: AIMessage,
  records: readonly CallRecord[],
  more: Readonly<Record<string, unknown>> = {},
): AIMessage["response_metadata"] {
  const fresh = new Set(records.map(({ id }) => id));
  const calls = [...recordsOf(message).filter(({ id }) => !fresh.has(id)), ...records];
  const toolmend = { ...ownMetadata(message), ...(calls.length > 0 && { calls }), ...more };
  return Object.keys(toolmend).length === 0 ? {} : { toolmend };
}

/**
 * Bounds a record, which every checkpoint of a thread holds. Long input of the model is kept as
 * length and hash, repairs as `boundRepairs` leaves them, and as many undeclared keys as repairs.
 */
export function boundRecord(record: CallRecord): CallRecord {
  const { rawToolInput: raw, undeclared = [], error, ...rest } = record;
  const long = digestOver(raw, MAX_VALUE);
  const omitted: OmittedFields = {
    ...rest.omitted,
    // The digest of the arguments shows later whether a refused call was edited.
    ...(long && { rawToolInput: long, ...(error && { args: digestOfArgs(writtenArgs(raw)) }) }),
    ...(undeclared.length > MAX_LISTED && { undeclared: undeclared.length - MAX_LISTED }),
  };
  const listed = undeclared.slice(0, MAX_LISTED).map((path) => cutText(path, MAX_PATH));
  return {
    ...(raw !== undefined && !long && { rawToolInput: raw }),
    ...rest,
    repairs: boundRepairs(rest.repairs),
    ...(listed.length > 0 && { undeclared: listed }),
    ...(error !== undefined && { error }),
    ...(Object.keys(omitted).length > 0 && { omitted }),
  };
}

function digestOfArgs(args: unknown = {}): ValueDigest {
  return digestOf(canonicalJson(args));
}

/** Checks whether a call still has the refused input: a human may have edited it. */
export function isAsRefused(args: unknown, record: CallRecord | undefined): boolean {
  const { rawToolInput, omitted } = record ?? {};
  return omitted?.rawToolInput === undefined
    ? jsonEquals(args as JsonValue, writtenArgs(rawToolInput) ?? {})
    : digestOfArgs(args).hash === omitted.args?.hash;
}

/** Returns why a tool rejects an input that was refused in another turn or process. */
export async function refusedInput(
  { id, raw }: { readonly id: string; readonly raw?: JsonValue | undefined },
  { name: toolName, schema }: ToolLike,
): Promise<RefusedInput> {
  const { validate, jsonSchema } = compileSchema(schema);
  const causingData = raw as JsonValue;
  const checked = await validate(causingData);
  const issues = checked.ok ? [] : checked.issues;
  return { toolName, issues, causingData, jsonSchema, toolCall: { id } };
}
