import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import {
  isToolInputParsingException,
  ToolInputError,
} from "../../repair/errors/tool-input-error.ts";
import { openLedger } from "../correct/correction-ledger.ts";
import { correctionMessages } from "../correct/correction-messages.ts";
import { toolChoiceFor } from "../correct/force-tool-call.ts";
import {
  readSelfCorrect,
  type SelfCorrectOptions,
  type SelfCorrectPolicy,
} from "../correct/options.ts";
import { mustRethrow } from "../executor/must-rethrow.ts";
import { planRetry, type RetryRequest } from "./chain-retry.ts";
import { type FoundCall, findRefusedCall } from "./find-refused-call.ts";
import { hearAnswers } from "./hear-answers.ts";
import { mapToolChain } from "./map-tool-chain.ts";
import { namedLambda } from "./named-lambda.ts";
import { watchAttempts } from "./watch-attempts.ts";
import { withEarlier } from "./with-earlier.ts";

/** How a chain's model is asked to correct itself. */
export interface SelfCorrectingOptions extends SelfCorrectOptions {
  /**
   * Where the messages go in the chain's input, where that is an object and the chain is no sequence
   * with a chat model in it. Default: `messages`, where that holds some.
   */
  readonly messagesKey?: string | undefined;
}

/**
 * Lets a chain's model correct a tool call that could not be repaired: it is shown its own message
 * with the malformed call, what is wrong with it, and asked to call again. It must call a tool then,
 * where the model can be made to. It is not asked again when it makes the same mistake twice, or when
 * the budget is spent. No tool's callbacks run for an attempt that failed.
 *
 * @param chain A tool chain, or any other that throws `ToolInputError` (its tools wrapped by
 * `wrapTool`) or LangChain's own error. A sequence is run again from its model on; any other as a
 * whole, with the messages added to its input.
 * @param options How often, and what is asked. Default: `maxAttempts` 2, the first included.
 * @returns A Runnable with the same input and output. A stream comes in one piece. When nothing
 * helps, the last error is thrown, with those before it as its `cause`.
 * @throws TypeError when a number is not one to count with. When invoked: when there is no place for
 * messages in the chain's input.
 */
export function selfCorrecting<Input, Output>(
  chain: Runnable<Input, Output>,
  options: SelfCorrectingOptions = {},
): Runnable<Input, Output> {
  const policy = readSelfCorrect(options);
  const corrected = mapToolChain(chain as Runnable, () => ({ selfCorrect: options }));
  if (corrected !== undefined) return corrected as Runnable<Input, Output>;
  return namedLambda("selfCorrecting", (input: Input, config) =>
    correct(chain, input, policy, options.messagesKey, config),
  );
}

async function correct<Input, Output>(
  chain: Runnable<Input, Output>,
  input: Input,
  policy: SelfCorrectPolicy,
  messagesKey: string | undefined,
  config: RunnableConfig,
): Promise<Output> {
  const retry = planRetry(chain, input, messagesKey);
  const turn = openLedger(policy).beginTurn();
  const watcher = watchAttempts(policy.onAttempt);
  const earlier: ToolInputError[] = [];
  let request: RetryRequest | undefined;
  for (let attempt = 1; ; attempt++) {
    const remedy = attempt === 1 ? "first" : "self-correction";
    const { answers, config: heard } = hearAnswers({ ...config, runName: `${remedy}:${attempt}` });
    try {
      const output = await (request ? retry(request, heard) : chain.invoke(input, heard));
      watcher.tell({ attempt, remedy, ok: true, errors: [] }, answers);
      return output;
    } catch (thrown) {
      if (mustRethrow(thrown, config.signal) || !isToolInputParsingException(thrown)) throw thrown;
      const found = findRefusedCall(thrown, answers, attempt);
      const decision = found && turn.decide([found.call.error]);
      const stopped = decision?.ask === false ? { stopped: decision.stopped } : {};
      watcher.tell({ attempt, remedy, ok: false, errors: [thrown], ...stopped }, answers);
      if (found === undefined || decision?.ask !== true) {
        throw ToolInputError.isInstance(thrown) ? withEarlier(thrown, earlier) : thrown;
      }
      earlier.push(found.call.error);
      request = nextRequest(found, request, policy);
    }
  }
}

function nextRequest(
  { asked, message, call }: FoundCall,
  before: RetryRequest | undefined,
  { prompt, forceToolCall }: SelfCorrectPolicy,
): RetryRequest {
  const errors = [call.error];
  const fresh = correctionMessages(message, [call], prompt(errors));
  return {
    asked,
    fresh,
    corrections: [...(before?.corrections ?? []), ...fresh],
    toolChoice: forceToolCall ? toolChoiceFor(errors) : undefined,
  };
}
