import type { BaseMessage } from "@langchain/core/messages";

type Said = Readonly<Record<string, unknown>>;

const said = new WeakMap<BaseMessage, Said>();

/**
 * Keeps what a provider said of a model's message apart from it: where a message was streamed,
 * LangChain tells callbacks of the stop reason, and leaves it out of the message.
 *
 * @param message The message.
 * @param info What it said.
 */
export function keepSaidApart(message: BaseMessage, info: Said): void {
  said.set(message, info);
}

/**
 * Returns what a provider said of a model's message apart from it.
 *
 * @param message The message.
 */
export function saidApart(message: BaseMessage): Said | undefined {
  return said.get(message);
}
