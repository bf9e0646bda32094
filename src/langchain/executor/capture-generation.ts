import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { saveStopInfo } from "../calls/stop-reasons.ts";
import type { CallbackManagerLike } from "./executor-like.ts";

/** What a model wrote, as LangChain hands it to callbacks. */
export interface CapturedGeneration {
  readonly text?: string;
  readonly message?: BaseMessage;
  readonly generationInfo?: Record<string, unknown>;
  /** The messages that the model was asked with. */
  readonly asked?: readonly BaseMessage[];
  /** The prompts, of a model that takes text. */
  readonly prompts?: readonly string[];
}

/** What was heard, and the callbacks to plan with. */
export interface GenerationCapture {
  readonly callbackManager: CallbackManagerLike;
  /** The last output of a model; `undefined` when none told of any. */
  last(): CapturedGeneration | undefined;
}

/**
 * Listens to what the model writes while an agent plans. An agent's parser drops it: its error does
 * not hold the text, and calls that could not be read vanish.
 *
 * @param callbackManager The callbacks that the agent would plan with; they are not changed.
 */
export function captureGeneration(
  callbackManager: CallbackManagerLike | undefined,
): GenerationCapture {
  let captured: CapturedGeneration | undefined;
  let question: Pick<CapturedGeneration, "asked" | "prompts"> = {};
  const handler = BaseCallbackHandler.fromMethods({
    handleChatModelStart(_model, messages) {
      question = { asked: messages.flat() };
    },
    handleLLMStart(_model, prompts) {
      question = { prompts };
    },
    handleLLMEnd({ generations }) {
      const last: CapturedGeneration | undefined = generations.at(-1)?.at(-1);
      captured = { ...last, ...question };
      if (last?.message && last.generationInfo) saveStopInfo(last.message, last.generationInfo);
    },
  });
  handler.awaitHandlers = true;
  return {
    callbackManager: callbackManager?.copy([handler], true) ?? managerOf(handler),
    last: () => captured,
  };
}

function managerOf(handler: BaseCallbackHandler): CallbackManagerLike {
  const manager = new CallbackManager();
  manager.addHandler(handler, true);
  return manager as unknown as CallbackManagerLike;
}
