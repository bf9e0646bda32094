import {
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
} from "@langchain/core/messages";

/**
 * Makes messages of what a chat model takes as its input.
 *
 * @param input A text, messages in any of LangChain's forms, or a prompt value.
 * @returns The messages; `undefined` when it is none of these.
 */
export function toMessages(input: unknown): BaseMessage[] | undefined {
  if (typeof input === "string") return [new HumanMessage(input)];
  if (Array.isArray(input)) return input.map((one) => coerceMessageLikeToMessage(one));
  const { toChatMessages } = (input ?? {}) as { toChatMessages?: () => BaseMessage[] };
  return typeof toChatMessages === "function" ? toChatMessages.call(input) : undefined;
}
