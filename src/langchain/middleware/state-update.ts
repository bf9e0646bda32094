import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";

/** What `afterModel` returns: LangChain merges the messages into the state by their ids. */
export interface StateUpdate {
  readonly messages: BaseMessage[];
  readonly jumpTo?: "tools" | "end";
}

/** LangGraph's id for all messages of a state. */
const REMOVE_ALL = "__remove_all__";

/**
 * Creates the update that makes one list of messages of another.
 *
 * @param before The messages of the state.
 * @param after What they are to be.
 * @param jumpTo Where the run goes on. Default: as it would.
 * @returns The update; `undefined` where there is none.
 */
export function toStateUpdate(
  before: readonly BaseMessage[],
  after: readonly BaseMessage[],
  jumpTo?: StateUpdate["jumpTo"],
): StateUpdate | undefined {
  const messages = [...changesBetween(before, after)];
  if (messages.length === 0 && jumpTo === undefined) return undefined;
  return { messages, ...(jumpTo && { jumpTo }) };
}

/** A message that the state does not have goes to its end; elsewhere there is no place for it. */
function changesBetween(
  before: readonly BaseMessage[],
  after: readonly BaseMessage[],
): readonly BaseMessage[] {
  const known = new Map(before.map((message) => [message.id, message]));
  const isKnown = ({ id }: BaseMessage) => id !== undefined && known.has(id);
  const left = new Set(after.map(({ id }) => id));
  const kept = after.filter(isKnown);
  const added = after.filter((message) => !isKnown(message));
  const inPlace = before.filter(({ id }) => left.has(id));
  const isMerged =
    inPlace.every(({ id }, index) => id === kept[index]?.id) &&
    after.slice(0, kept.length).every(isKnown);
  if (!isMerged) return [new RemoveMessage({ id: REMOVE_ALL }), ...after];
  const removed = before.flatMap(({ id }) =>
    id === undefined || left.has(id) ? [] : [new RemoveMessage({ id })],
  );
  const changed = kept.filter((message) => known.get(message.id) !== message);
  return [...removed, ...changed, ...added];
}
