import { type Callbacks, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicTool } from "@langchain/core/tools";
import { EXCEPTION } from "../../repair/steps.ts";

/** LangChain's tool for what is observed in a tool's stead, so that callbacks and traces show a run. */
const EXCEPTION_TOOL = new DynamicTool({
  name: EXCEPTION,
  description: "Exception tool",
  func: async (observation) => observation,
});

/** What LangChain's own shows as its run's name. */
const RUN_NAME = "ExceptionTool";

/**
 * Observes a text in a tool's stead, as LangChain does: in a run of `_Exception`.
 *
 * @param observation The text.
 * @param config What the tool would have been run with: its callbacks are told.
 * @returns The text.
 */
export async function observeInstead(observation: string, config: unknown): Promise<string> {
  const { callbacks } = parseCallbackConfigArg(config as Callbacks | RunnableConfig | undefined);
  await EXCEPTION_TOOL.invoke(observation, { callbacks, runName: RUN_NAME });
  return observation;
}
