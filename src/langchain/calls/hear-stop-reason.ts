import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { RunnableConfig } from "@langchain/core/runnables";
import { keepSaidApart } from "./stop-reasons.ts";

/**
 * Listens to why a model stops while it is asked. Where nobody listens to tokens, LangChain puts that
 * into the message; where somebody does, it tells callbacks alone.
 *
 * @param callbacks Those that the model is asked with, where they are known.
 * @param ask Asks the model.
 * @returns What it returns.
 */
export async function hearStopReason<Answer>(
  callbacks: RunnableConfig["callbacks"],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  // Without callbacks, nobody listens to tokens.
  if (!isManager(callbacks)) return ask();
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd({ generations }) {
      for (const { message, generationInfo } of generations.flat() as ChatGeneration[]) {
        if (message && generationInfo) keepSaidApart(message, generationInfo);
      }
    },
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    return await ask();
  } finally {
    callbacks.removeHandler(handler);
  }
}

/** A list of handlers is none yet; another copy of LangChain has a class of its own. */
function isManager(callbacks: unknown): callbacks is CallbackManager {
  return typeof (callbacks as CallbackManager | undefined)?.addHandler === "function";
}
