import type { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { wrongUse } from "../../repair/errors/likeness.ts";
import { nameThing } from "../../repair/usage.ts";
import { captureStopReason } from "../calls/capture-stop-reason.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import { askForced } from "../correct/ask-forced.ts";
import { canBeForced } from "../correct/force-tool-call.ts";
import { namedLambda } from "./named-lambda.ts";
import type { ToolCallingModel, ToolChainSpec } from "./tool-chain-types.ts";

/** How a model is asked. */
export interface Question {
  readonly model: ToolCallingModel;
  /** What a chat model takes. */
  readonly input: unknown;
  /** The tool that it must call, or `"any"`. */
  readonly toolChoice?: string | undefined;
  /** The name of the attempt, for the tracer. */
  readonly runName: string;
}

/**
 * Asks a model, with the tools bound to it, in a run of its own.
 *
 * @param question What is asked. A provider that refuses to make the model call a tool is asked
 * again without that.
 * @param spec The tools, and what else they are bound with.
 * @param config The config, with the callbacks of the chain.
 * @throws TypeError when the model answers with something else than a model's message.
 */
export function askModel(
  { model, input, toolChoice, runName }: Question,
  { tools, bindOptions }: ToolChainSpec,
  config: RunnableConfig,
): Promise<AIMessage> {
  const attempt = namedLambda<unknown, AIMessage>(runName, async (asked, inner) => {
    const ask = (forced: object) =>
      bindTools(model, tools, { ...bindOptions, ...forced }).invoke(asked, inner);
    const answer: unknown = await askForced(canBeForced(model) ? toolChoice : undefined, (choice) =>
      captureStopReason(inner.callbacks, () =>
        ask(choice === undefined ? {} : { tool_choice: choice }),
      ),
    );
    if (isAIMessage(answer)) return answer;
    throw wrongUse("toolChain needs a chat model: this one answered with no AIMessage.");
  });
  return attempt.invoke(input, config);
}

function bindTools(
  model: ToolCallingModel,
  tools: ToolChainSpec["tools"],
  options: object,
): Pick<ToolCallingModel, "invoke"> {
  assertCallsTools(model);
  return model.bindTools([...tools], options);
}

/**
 * Makes sure that tools can be bound to a model.
 *
 * @param model The model.
 * @throws TypeError when they cannot.
 */
export function assertCallsTools(
  model: ToolCallingModel,
): asserts model is ToolCallingModel & Required<Pick<ToolCallingModel, "bindTools">> {
  if (typeof model?.bindTools === "function") return;
  throw wrongUse(
    `toolChain needs a chat model that has bindTools, not ${nameThing(model)}; give it the model itself, not one that tools are bound to already.`,
  );
}
