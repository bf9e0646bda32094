import type { AIMessage } from "@langchain/core/messages";
import { isCutOff } from "../calls/is-cut-off.ts";
import type { CapturedGeneration } from "./capture-generation.ts";

/**
 * Tells whether the provider says that a model's output was cut off.
 *
 * @param generation What the model wrote: a message, or text with what the provider said of it.
 */
export function isGenerationCutOff(generation: CapturedGeneration | undefined): boolean {
  const { message, generationInfo } = generation ?? {};
  const response_metadata = { ...generationInfo, ...message?.response_metadata };
  const additional_kwargs = message?.additional_kwargs ?? {};
  return isCutOff({ response_metadata, additional_kwargs } as AIMessage);
}
