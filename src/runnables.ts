/**
 * A chain that lets a model call tools, with repair, self-correction and fallbacks; and try/except for
 * tools and chains of one's own.
 *
 * @module toolmend/runnables
 */

export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/correct/attempt-event.ts";
export type { SelfCorrectOptions } from "./langchain/correct/options.ts";
export { describeFailure, type ToolFailure } from "./langchain/runnables/describe-failure.ts";
export { toolChain } from "./langchain/runnables/tool-chain.ts";
export type {
  ChainSelfCorrectOptions,
  ToolCallingModel,
  ToolChain,
  ToolChainFailure,
  ToolChainOptions,
  ToolChainResult,
  ToolChainSuccess,
  ToolResult,
} from "./langchain/runnables/tool-chain-types.ts";
export {
  type ToolErrorsOptions,
  withToolErrors,
} from "./langchain/runnables/with-tool-errors.ts";
export type {
  ToolWithErrors,
  WithToolErrors,
} from "./langchain/runnables/with-tool-errors-types.ts";
export type { Trace, TraceDetail } from "./langchain/trace/trace-options.ts";
