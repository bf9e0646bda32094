import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { mergeConfigs, type RunnableConfig } from "@langchain/core/runnables";
import { isAIMessage } from "../calls/is-ai-message.ts";

/** What a chat model was asked and answered. */
export interface HeardAnswer {
  readonly asked: readonly BaseMessage[];
  readonly message: AIMessage;
}

/** What was heard, and the config to run the chain with. */
export interface Hearing {
  readonly config: RunnableConfig;
  /** The answers so far, in the order in which they came. */
  readonly answers: readonly HeardAnswer[];
}

/**
 * Listens to what the chat models of a chain are asked and answer: where a chain ends in an error,
 * nothing else tells.
 *
 * @param config The config that the chain would be run with; it is not changed.
 */
export function hearAnswers(config: RunnableConfig): Hearing {
  const asked = new Map<string, readonly BaseMessage[]>();
  const answers: HeardAnswer[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleChatModelStart(_model, messages, runId) {
      asked.set(runId, messages[0] ?? []);
    },
    handleLLMEnd({ generations }, runId) {
      const { message } = (generations.at(-1)?.at(-1) ?? {}) as { message?: unknown };
      if (isAIMessage(message)) answers.push({ asked: asked.get(runId) ?? [], message });
    },
  });
  handler.awaitHandlers = true;
  return { config: mergeConfigs(config, { callbacks: [handler] }), answers };
}
