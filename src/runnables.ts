// try/except, fallback and self-correction for LCEL chains, with repair first.

export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/correct/attempt-event.ts";
export type { SelfCorrectOptions } from "./langchain/correct/options.ts";
export type { ChatModel } from "./langchain/runnables/chat-models.ts";
export { describeFailure, type ToolFailure } from "./langchain/runnables/describe-failure.ts";
export {
  type SelfCorrectingOptions,
  selfCorrecting,
} from "./langchain/runnables/self-correcting.ts";
export { toolChain } from "./langchain/runnables/tool-chain.ts";
export type {
  ToolCallingModel,
  ToolChain,
  ToolChainFailure,
  ToolChainOptions,
  ToolChainResult,
  ToolChainSuccess,
  ToolResult,
} from "./langchain/runnables/tool-chain-types.ts";
export {
  type ModelFallbackOptions,
  withModelFallback,
} from "./langchain/runnables/with-model-fallback.ts";
export {
  type ToolErrorsOptions,
  withToolErrors,
} from "./langchain/runnables/with-tool-errors.ts";
export type {
  ToolWithErrors,
  WithToolErrors,
} from "./langchain/runnables/with-tool-errors-types.ts";
