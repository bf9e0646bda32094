import type { AIMessage } from "@langchain/core/messages";

/**
 * Gives a model's message an id where the model gave none, in place, as LangGraph does when it puts a
 * message into the state. What is made of the message then has it too: a model that hands out one
 * object twice, as fakes and caches do, replaces its own message in the state, repaired or not.
 *
 * @param message The model's message.
 * @returns The message.
 */
export function giveId(message: AIMessage): AIMessage {
  if (message.id !== undefined || Object.isFrozen(message)) return message;
  message.id = crypto.randomUUID();
  if (message.lc_kwargs !== undefined) message.lc_kwargs.id = message.id;
  return message;
}
