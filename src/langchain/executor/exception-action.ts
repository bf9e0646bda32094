import { EXCEPTION } from "../../repair/steps.ts";
import type { AgentAction } from "../../repair/types.ts";

/**
 * Makes LangChain's `_Exception` action: the step that tells the model of what could not be read.
 *
 * @param observation What the model is told.
 * @param log What LangChain keeps of the model's output for its next prompt.
 * @param text What the model wrote.
 */
export function exceptionAction(observation: string, log: string, text: string): AgentAction {
  const recorded = { rawToolInput: text, repairs: [], undeclared: [], valid: false };
  return { tool: EXCEPTION, toolInput: observation, log, ...recorded } as AgentAction;
}
