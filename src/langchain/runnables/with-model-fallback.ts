import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import {
  isToolInputParsingException,
  ToolInputError,
} from "../../repair/errors/tool-input-error.ts";
import { wrongUse } from "../../repair/errors/usage-error.ts";
import { notify } from "../../repair/notify.ts";
import type { OnAttempt } from "../correct/attempt-event.ts";
import { mustRethrow } from "../executor/must-rethrow.ts";
import { type ChatModel, canBindTools, isChatModel } from "./chat-models.ts";
import { mapToolChain } from "./map-tool-chain.ts";
import { namedLambda } from "./named-lambda.ts";
import { splitAtModel } from "./split-at-model.ts";
import { toError } from "./to-error.ts";
import type { ToolCallingModel } from "./tool-chain-types.ts";
import { withEarlier } from "./with-earlier.ts";

/** When another model is asked. */
export interface ModelFallbackOptions {
  /**
   * Which errors are a reason to ask the next one. Default: a tool input that was refused
   * (`ToolInputError`, or LangChain's own `ToolInputParsingException`), and nothing else.
   */
  readonly when?: ((error: Error) => boolean) | undefined;
  /** Told of every attempt. */
  readonly onAttempt?: OnAttempt | undefined;
}

/**
 * Asks a better model where a chain ends in a tool input that could not be repaired: the same input
 * goes to the next one. Other errors are thrown at once; for those there is `withFallbacks`, which
 * composes with this.
 *
 * @param chain A tool chain, or any other: `prompt.pipe(model.bindTools(tools)).pipe(…)`.
 * @param fallbacks What to ask, one after another: a chat model, which takes the model's place in the
 * chain (with its tools bound to it, unless it is a tool chain), or a whole chain.
 * @param options When, and who is told. Default: on a refused tool input only.
 * @returns A Runnable with the same input and output. A stream comes in one piece. When all fail, the
 * last refusal is thrown, with those before it as its `cause`.
 * @throws TypeError when there is no fallback, or no place for a model in the chain.
 */
export function withModelFallback<Input, Output>(
  chain: Runnable<Input, Output>,
  fallbacks: readonly (Runnable<Input, Output> | ChatModel)[],
  options: ModelFallbackOptions = {},
): Runnable<Input, Output> {
  if (fallbacks.length === 0) throw wrongUse("withModelFallback needs at least one fallback.");
  if (fallbacks.every(canBindTools)) {
    const models = fallbacks as readonly ToolCallingModel[];
    const mapped = mapToolChain(chain as Runnable, (own) => ({
      fallbacks: [...(own.fallbacks ?? []), ...models],
      fallbackWhen: options.when ?? own.fallbackWhen,
      onAttempt: options.onAttempt ?? own.onAttempt,
    }));
    if (mapped !== undefined) return mapped as Runnable<Input, Output>;
  }
  const chains = [chain, ...fallbacks.map((fallback) => toChain(fallback, chain as Runnable))];
  return namedLambda("withModelFallback", (input: Input, config) =>
    tryEach(chains as Runnable<Input, Output>[], input, options, config),
  );
}

function toChain(fallback: unknown, chain: Runnable): Runnable {
  if (canBindTools(fallback)) {
    const mapped = mapToolChain(chain, () => ({ model: fallback }));
    if (mapped !== undefined) return mapped;
  }
  if (!isChatModel(fallback)) return fallback as Runnable;
  const split = splitAtModel(chain);
  if (split === undefined) {
    throw wrongUse(
      "withModelFallback finds no place for a model in this chain: give it a whole chain as fallback, or make the chain with toolChain.",
    );
  }
  if (canBindTools(fallback) && !canBindTools(split.model)) {
    throw wrongUse(
      "withModelFallback needs the fallback model with its tools bound to it, as the chain's own is: model.bindTools(tools).",
    );
  }
  return split.withModel(fallback as Runnable);
}

async function tryEach<Input, Output>(
  chains: readonly Runnable<Input, Output>[],
  input: Input,
  { when = isToolInputParsingException, onAttempt }: ModelFallbackOptions,
  config: RunnableConfig,
): Promise<Output> {
  const earlier: ToolInputError[] = [];
  for (const [index, chain] of chains.entries()) {
    config.signal?.throwIfAborted();
    const attempt = index + 1;
    const remedy = index === 0 ? "first" : "fallback";
    try {
      const output = await chain.invoke(input, { ...config, runName: `${remedy}:${attempt}` });
      notify(onAttempt, { attempt, remedy, ok: true, errors: [] });
      return output;
    } catch (thrown) {
      const error = toError(thrown);
      if (mustRethrow(thrown, config.signal) || !when(error)) throw thrown;
      notify(onAttempt, { attempt, remedy, ok: false, errors: [error] });
      const isRefusal = ToolInputError.isInstance(error);
      if (index === chains.length - 1) throw isRefusal ? withEarlier(error, earlier) : thrown;
      if (isRefusal) earlier.push(error);
    }
  }
  throw wrongUse("withModelFallback has no chain to run.");
}
