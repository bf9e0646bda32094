import type { BaseMessage } from "@langchain/core/messages";
import { type Runnable, RunnableBinding, type RunnableConfig } from "@langchain/core/runnables";
import { wrongUse } from "../../repair/errors/usage-error.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { canBeForced, refusesToolChoice } from "../correct/force-tool-call.ts";
import { type SplitChain, splitAtModel } from "./split-at-model.ts";
import { toMessages } from "./to-messages.ts";

/** What a chain is run again with. */
export interface RetryRequest {
  /** What the model had been asked, where that was heard. */
  readonly asked: readonly BaseMessage[] | undefined;
  /** What is said to it now, in the last attempt and before. */
  readonly corrections: readonly BaseMessage[];
  /** The last of `corrections`: what was not said before. */
  readonly fresh: readonly BaseMessage[];
  readonly toolChoice: string | undefined;
}

/** Runs a chain again, with messages added. */
export type Retry<Output> = (request: RetryRequest, config: RunnableConfig) => Promise<Output>;

/**
 * Finds out how a chain is run again with messages added: from its model on, where that is found;
 * else as a whole, with the messages added to its input.
 *
 * @param chain The chain.
 * @param input Its input.
 * @param messagesKey Where the messages go, in an input that is an object. Default: `messages`, where
 * that holds some.
 * @throws TypeError when there is no place for messages.
 */
export function planRetry<Input, Output>(
  chain: Runnable<Input, Output>,
  input: Input,
  messagesKey: string | undefined,
): Retry<Output> {
  const split = messagesKey === undefined ? splitAtModel(chain as Runnable) : undefined;
  if (split !== undefined) return (request, config) => runFromModel(split, request, config);
  const append = appender(input, messagesKey);
  return ({ corrections }, config) => chain.invoke(append(corrections) as Input, config);
}

async function runFromModel<Output>(
  split: SplitChain,
  { asked, fresh, toolChoice }: RetryRequest,
  config: RunnableConfig,
): Promise<Output> {
  const { model, fromModel } = split;
  const messages = [...(asked ?? []), ...fresh];
  const run = (runnable: Runnable) => fromModel(runnable).invoke(messages, config);
  if (toolChoice === undefined || !canBeForced(model)) return run(model);
  const forced = { tool_choice: toolChoice } as RunnableConfig;
  try {
    return await run(new RunnableBinding({ bound: model, config: forced }));
  } catch (error) {
    if (!refusesToolChoice(error)) throw error;
    return run(model);
  }
}

type Append = (corrections: readonly BaseMessage[]) => unknown;

function appender(input: unknown, messagesKey: string | undefined): Append {
  const whole = messagesKey === undefined ? toMessages(input) : undefined;
  if (whole !== undefined) return (corrections) => [...whole, ...corrections];
  if (isJsonLike(input)) {
    const key = messagesKey ?? (Array.isArray(input.messages) ? "messages" : undefined);
    const held = key === undefined ? undefined : (toMessages(input[key] ?? []) ?? undefined);
    if (key !== undefined && held !== undefined) {
      return (corrections) => ({ ...input, [key]: [...held, ...corrections] });
    }
  }
  throw wrongUse(
    "selfCorrecting finds no place for messages: the chain is no sequence with a chat model in it, and its input is neither text nor messages. Name the input's key that takes messages as option messagesKey.",
  );
}

function isJsonLike(input: unknown): input is Record<string, unknown> {
  return isJsonObject(input);
}
