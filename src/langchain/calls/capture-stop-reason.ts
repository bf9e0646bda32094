import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { RunnableConfig } from "@langchain/core/runnables";
import { isAIMessage } from "./is-ai-message.ts";
import { saveStopInfo, stopInfoOf } from "./stop-reasons.ts";

/**
 * Listens to why a model stops while it is asked. Where nobody listens to tokens, LangChain puts that
 * into the message; where somebody does, it tells callbacks alone.
 *
 * @param callbacks Those that the model is asked with, where they are known.
 * @param ask Asks the model.
 * @returns What it returns.
 */
export async function captureStopReason<Answer>(
  callbacks: RunnableConfig["callbacks"],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  // Without callbacks, nobody listens to tokens.
  if (!isManager(callbacks)) return ask();
  const captured: ChatGeneration[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd({ generations }) {
      for (const generation of generations.flat() as ChatGeneration[]) {
        const { message, generationInfo } = generation;
        if (!message || !generationInfo) continue;
        captured.push(generation);
        saveStopInfo(message, generationInfo);
      }
    },
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    const answer = await ask();
    keepForCopy(answer, captured);
    return answer;
  } finally {
    callbacks.removeHandler(handler);
  }
}

/** Other middleware may have made a message of its own of the model's: by its id, or one of its calls'. */
function keepForCopy(answer: unknown, captured: readonly ChatGeneration[]): void {
  if (!isAIMessage(answer) || stopInfoOf(answer) !== undefined) return;
  const own = new Set(callIdsOf(answer));
  const { generationInfo } =
    captured.findLast(({ message }) => message.id !== undefined && message.id === answer.id) ??
    captured.findLast(({ message }) => callIdsOf(message).some((id) => own.has(id))) ??
    captured.at(-1) ??
    {};
  if (generationInfo !== undefined) saveStopInfo(answer, generationInfo);
}

function callIdsOf(message: BaseMessage): readonly string[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message as AIMessage;
  return [...tool_calls, ...invalid_tool_calls].flatMap(({ id }) => (id ? [id] : []));
}

/** A list of handlers is none yet; another copy of LangChain has a class of its own. */
function isManager(callbacks: unknown): callbacks is CallbackManager {
  return typeof (callbacks as CallbackManager | undefined)?.addHandler === "function";
}
