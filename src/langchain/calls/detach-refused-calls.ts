import type { AIMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { keptRecordsOf } from "./call-records.ts";
import { locateCalls } from "./call-sites.ts";
import { withFields } from "./with-fields.ts";

type Fields = Record<string, unknown>;

/** A call in a provider's form, put aside. */
interface DetachedCall {
  readonly place: "content" | "output";
  /** Its index among what stood at that place. */
  readonly index: number;
  readonly item: Fields;
}

const KEY = "toolmend";

/**
 * Puts refused calls aside, wherever a provider would be sent them: until the message is settled,
 * they have no answer. So the thread can be sent to any provider at any time, without toolmend too.
 *
 * @param message A model's message. It is not changed.
 * @returns The message, by reference where nothing is to be put aside.
 */
export function detachRefusedCalls(message: AIMessage): AIMessage {
  // What was put aside before is put back: all of them have their places in one list.
  return detach(reattachCalls(message)) ?? message;
}

function detach(message: AIMessage): AIMessage | undefined {
  const refused = new Set(keptRecordsOf(message).flatMap(({ id, error }) => (error ? [id] : [])));
  const sites = locateCalls(message).flatMap((call) =>
    call.invalid && refused.has(call.call.id ?? "") ? call.sites : [],
  );
  const parked = sites.flatMap(({ place, index }): readonly DetachedCall[] => {
    if (place !== "content" && place !== "output") return [];
    const item = itemsAt(message, place)[index];
    return item === undefined ? [] : [{ place, index, item }];
  });
  if (parked.length === 0) return undefined;
  const without = (place: DetachedCall["place"]) =>
    itemsAt(message, place).filter(
      (_, index) => !parked.some((one) => one.place === place && one.index === index),
    );
  return withItems(
    message,
    without,
    [...parked].sort((left, right) => left.index - right.index),
  );
}

/**
 * Puts back what `detachRefusedCalls` put aside.
 *
 * @param message A model's message. It is not changed.
 * @returns The message, by reference where nothing was put aside.
 */
export function reattachCalls(message: AIMessage): AIMessage {
  const own: unknown = message.response_metadata?.[KEY];
  if (!isJsonObject(own) || !Array.isArray(own.parked)) return message;
  const parked = own.parked as unknown as readonly DetachedCall[];
  const whole = (place: DetachedCall["place"]) => {
    const items = [...itemsAt(message, place)];
    for (const one of parked) if (one.place === place) items.splice(one.index, 0, one.item);
    return items;
  };
  return withItems(message, whole, undefined);
}

function itemsAt(message: AIMessage, place: DetachedCall["place"]): readonly Fields[] {
  const items: unknown = place === "content" ? message.content : message.response_metadata?.output;
  return Array.isArray(items) ? items : [];
}

function withItems(
  message: AIMessage,
  itemsOf: (place: DetachedCall["place"]) => readonly Fields[],
  parked: readonly DetachedCall[] | undefined,
): AIMessage {
  const { content, response_metadata } = message;
  const { parked: _, ...own } = (response_metadata[KEY] ?? {}) as Fields;
  return withFields(message, {
    content: Array.isArray(content) ? (itemsOf("content") as never) : content,
    response_metadata: {
      ...response_metadata,
      ...(Array.isArray(response_metadata.output) && { output: itemsOf("output") }),
      [KEY]: parked === undefined ? own : { ...own, parked },
    },
  });
}
