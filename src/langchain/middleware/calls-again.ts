import type { AIMessage, MessageContent } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { keptRecordsOf, recordsAsMetadata } from "../calls/call-records.ts";
import { type LocatedCall, locateCalls, orphanCallIds } from "../calls/call-sites.ts";
import { type HistoryCall, rewriteLocatedCalls } from "../calls/rewrite-message.ts";
import { withFields } from "../calls/with-fields.ts";

/** What a provider would take for the same thing said twice. */
const SAID_ONCE = ["reasoning", "tool_outputs", "__openai_function_call_ids__"] as const;

/**
 * Makes some of a message's calls in a message of their own, with other ids.
 *
 * @param message The message. It is not changed.
 * @param again The ids of the calls.
 * @returns The new message, with what the model thought before the calls, but not with what it said.
 */
export function callsAgain(message: AIMessage, again: ReadonlySet<string>): AIMessage {
  const id = crypto.randomUUID();
  const { tool_calls = [], response_metadata } = message;
  const { output: _, toolmend: __, ...metadata } = response_metadata;
  const kept = tool_calls.filter((call) => call.id !== undefined && again.has(call.id));
  const kwargs = Object.entries(message.additional_kwargs).filter(
    ([key]) => !(SAID_ONCE as readonly string[]).includes(key),
  );
  const copy = withFields(message, {
    id,
    content: withoutOthers(message, again),
    tool_calls: kept,
    invalid_tool_calls: [],
    additional_kwargs: Object.fromEntries(kwargs),
    response_metadata: metadata,
  });
  // What the model's message cost is counted there.
  delete copy.usage_metadata;
  const located = locateCalls(copy).filter(({ invalid }) => !invalid);
  const ids = new Map(located.map(({ call }, index) => [call.id ?? "", `${id}_${index}`]));
  const rewritten = new Map<LocatedCall, HistoryCall>();
  for (const one of located) {
    const { name = "", args } = one.call;
    const own = ids.get(one.call.id ?? "");
    rewritten.set(one, { id: own, name, args: args as HistoryCall["args"] });
  }
  const records = keptRecordsOf(message).flatMap((record) => {
    const own = ids.get(record.id);
    return own === undefined ? [] : [{ ...record, id: own }];
  });
  const named = withFields(copy, { additional_kwargs: underIds(copy.additional_kwargs, ids) });
  delete named.usage_metadata;
  return rewriteLocatedCalls(named, located, rewritten, {
    stray: orphanCallIds(copy, new Set()),
    metadata: recordsAsMetadata(copy, records),
  });
}

/** What is kept by the ids of calls, as Google's signatures are, is kept by the new ones. */
function underIds(
  kwargs: AIMessage["additional_kwargs"],
  ids: ReadonlyMap<string, string>,
): AIMessage["additional_kwargs"] {
  const entries = Object.entries(kwargs).map(([key, value]) => {
    if (!isJsonObject(value) || !Object.keys(value).some((id) => ids.has(id))) return [key, value];
    const own = Object.entries(value).flatMap(([id, one]) =>
      ids.has(id) ? [[ids.get(id), one]] : [],
    );
    return [key, Object.fromEntries(own)];
  });
  return Object.fromEntries(entries);
}

/** What is left of the content: the calls that are made again, whatever form others have, and no text. */
function withoutOthers(message: AIMessage, again: ReadonlySet<string>): MessageContent {
  const { content } = message;
  if (typeof content === "string") return "";
  const others = locateCalls(message).filter(({ call }) => !again.has(call.id ?? ""));
  const sites = others.flatMap((other) => other.sites.filter(({ place }) => place === "content"));
  const left = new Set(sites.map(({ index }) => index));
  return content.filter(({ type }, index) => type !== "text" && !left.has(index));
}
