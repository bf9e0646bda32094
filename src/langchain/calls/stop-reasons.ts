import type { BaseMessage } from "@langchain/core/messages";

type StopInfo = Readonly<Record<string, unknown>>;

const stopInfos = new WeakMap<BaseMessage, StopInfo>();

/**
 * Keeps what a provider said of a model's message apart from it: where a message was streamed,
 * LangChain tells callbacks of the stop reason, and leaves it out of the message.
 *
 * @param message The message.
 * @param info What it said.
 */
export function saveStopInfo(message: BaseMessage, info: StopInfo): void {
  stopInfos.set(message, info);
}

/**
 * Returns what a provider said of a model's message apart from it.
 *
 * @param message The message.
 */
export function stopInfoOf(message: BaseMessage): StopInfo | undefined {
  return stopInfos.get(message);
}
