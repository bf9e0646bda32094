import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { giveId, isAIMessage } from "../message/messages.ts";
import { saveStopInfo } from "../message/stop-reason.ts";
import { viewOf } from "../tool/view-of.ts";

type BoundRunnable = Runnable<unknown, unknown>;
type Bind = (tools: readonly unknown[], options?: unknown) => BoundRunnable;

/** A use of the model: LangChain binds tools to it, and asks it. */
interface ModelUse {
  readonly tools: readonly unknown[];
  readonly answerId: string | undefined;
}

/** A request's model, and what LangChain and inner middleware do with it. */
export class ObservedModel<Model> {
  /** A view of the model that records its uses. */
  readonly model: Model;
  /**
   * The messages that it was shown last, with those that inner middleware
   * added.
   */
  shown: readonly BaseMessage[] = [];
  /** The signal that aborts its agent's runs. */
  signal: AbortSignal | undefined;
  #lastUse: ModelUse | undefined;

  constructor(model: Model) {
    this.model = this.#viewOf(model);
  }

  /**
   * Returns the tools that were bound for an answer; `undefined` if the model
   * did not give it.
   */
  toolsBehind(answerId: string | undefined): readonly unknown[] | undefined {
    const isItsOwn = this.#lastUse?.answerId === answerId;
    return isItsOwn ? this.#lastUse?.tools : undefined;
  }

  #viewOf(model: Model): Model {
    const { bindTools } = (model ?? {}) as { bindTools?: Bind };
    const isBinding = "bound" in Object(model);
    if (typeof bindTools !== "function" || isBinding) return model;
    const bind: Bind = (tools, options) => {
      const bound = bindTools.call(model, tools, options);
      const invoke = (input: unknown, config?: Partial<RunnableConfig>) =>
        this.#invoke(bound, tools, input, config);
      return viewOf(bound, { invoke });
    };
    return viewOf(model as Model & object, { bindTools: bind });
  }

  async #invoke(
    bound: BoundRunnable,
    tools: readonly unknown[],
    input: unknown,
    config: Partial<RunnableConfig> | undefined,
  ): Promise<unknown> {
    this.signal = config?.signal;
    this.shown = input as readonly BaseMessage[];
    const answer = await bound.invoke(input, config);
    if (isAIMessage(answer))
      this.#lastUse = { tools, answerId: giveId(answer).id };
    return answer;
  }
}

/**
 * Captures why a model stops: if tokens are streamed, only callbacks get the
 * reason.
 */
export async function captureStopReason<Answer>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  // LangChain passes the config of its node to no middleware (langchain 1.5.14;
  // streaming.test).
  const { callbacks } =
    AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  // Handlers alone belong to no run; without a run, no tokens are streamed.
  if (callbacks === undefined || Array.isArray(callbacks)) return ask();
  const captured: ChatGeneration[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd: ({ generations }) =>
      void captured.push(...(generations.flat() as ChatGeneration[])),
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    const answer = await ask();
    if (isAIMessage(answer))
      saveStopInfo(answer, generationOf(answer, captured)?.generationInfo);
    return answer;
  } finally {
    callbacks.removeHandler(handler);
  }
}

/**
 * Finds what a message was made of: other middleware may have copied the
 * model's message.
 */
function generationOf(
  answer: AIMessage,
  captured: readonly ChatGeneration[],
): ChatGeneration | undefined {
  if (captured.length === 1) return captured[0];
  return captured.findLast(({ message }) => message?.id === answer.id);
}
