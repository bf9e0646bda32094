import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { callIdsOf, isToolMessage } from "./messages.ts";

/**
 * Gives every call a unique id: a new one if it has none, or one that another
 * call has taken.
 */
export function assignCallIds(
  message: AIMessage,
  writtenIds: readonly (string | undefined)[],
  history: readonly BaseMessage[],
): readonly string[] {
  const used =
    writtenIds.length === 0 ? new Set<string>() : takenIds(message, history);
  return writtenIds.map((written, index) => {
    const isTaken = !written || used.has(written);
    const id = isTaken ? newId(message, index, used) : written;
    used.add(id);
    return id;
  });
}

/**
 * Finds the ids that are taken: LangChain never runs a call whose id has an
 * answer in any turn (langchain 1.5.14; reported-calls.test). A message with
 * the same id does not count: in a state, the new one replaces it.
 */
function takenIds(
  message: AIMessage,
  history: readonly BaseMessage[],
): Set<string> {
  // A message without an id stands for itself.
  const idOf = (each: BaseMessage) => each.id ?? each;
  const replacedId = idOf(message);
  const isReplaced = (earlier: BaseMessage) => idOf(earlier) === replacedId;
  const replacedIds = new Set(history.filter(isReplaced).flatMap(callIdsOf));
  const kept = history.filter((earlier) => {
    if (isReplaced(earlier)) return false;
    return !isToolMessage(earlier) || !replacedIds.has(earlier.tool_call_id);
  });
  return new Set(kept.flatMap(callIdsOf));
}

/** Providers limit the length of an id: OpenAI to 40 characters. */
const MAX_ID_LENGTH = 40;

/**
 * Derives an id from the message's id and the call's index, so that it is the
 * same each time.
 */
function newId(
  message: AIMessage,
  index: number,
  used: ReadonlySet<string>,
): string {
  const stem = (message.id ?? crypto.randomUUID()).replace(
    /[^A-Za-z0-9_-]/g,
    "_",
  );
  for (let attempt = 0; ; attempt++) {
    const suffix = attempt === 0 ? `_${index}` : `_${index}_${attempt}`;
    const id = `call_${stem.slice(-(MAX_ID_LENGTH - 5 - suffix.length))}${suffix}`;
    if (!used.has(id)) return id;
  }
}
