import type { InputEvent } from "../repair/events/event.ts";
import { digestOf } from "../repair/json/digest.ts";
import { cutText } from "../repair/usage.ts";

/** Ids as some models write them: `functions.search:0`. */
const NAMED = /^(?:functions\.)?(.+):\d+$/s;

/** The longest id that is told, in characters. */
const MAX_LENGTH = 200;

/**
 * Returns the id of a call without what a model wrote: an id may hold the name of the tool that it
 * called, which is told only where it is the application's. Another one stands as a hash.
 *
 * @param id The id.
 * @param event The event that it is told with.
 */
export function redactCallId(id: string | undefined, event: InputEvent): string | undefined {
  if (id === undefined) return undefined;
  const { toolName, isOffered } = event;
  const before = event.kind === "call" ? event.nameRepair?.before : undefined;
  const madeUp = [isOffered ? undefined : toolName, before];
  const named = NAMED.exec(id)?.[1];
  const isForeign = named !== undefined && !(isOffered && named === toolName);
  if (!isForeign && !madeUp.some((name) => name && id.includes(name))) {
    return cutText(id, MAX_LENGTH);
  }
  return `id-${digestOf(id).hash.slice(0, 16)}`;
}
