import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";

/** Tells a model's message from others, across the copies and versions of `@langchain/core`. */
export function isAIMessage(message: unknown): message is AIMessage {
  return messageType(message) === "ai";
}

/** Tells a tool's message from others, across the copies and versions of `@langchain/core`. */
export function isToolMessage(message: unknown): message is ToolMessage {
  return messageType(message) === "tool";
}

function messageType(message: unknown): string | undefined {
  const { _getType } = (message ?? {}) as Partial<BaseMessage>;
  return typeof _getType === "function" ? _getType.call(message) : undefined;
}
