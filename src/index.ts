// The public surface, in the order in which a tool input travels.

export { ToolInputParsingException } from "@langchain/core/tools";
export { applyRepairs } from "./apply-repairs.ts";
export {
  isToolInputParsingException,
  ToolInputError,
  type ToolInputErrorFields,
} from "./errors.ts";
export {
  createFixerRegistry,
  type FixerRegistry,
  type RegisteredTool,
  type ToolName,
  type ToolRepairPolicy,
} from "./fixer-registry.ts";
export { coerceTo, type ScalarType } from "./fixers/coerce-to.ts";
export { dropNulls } from "./fixers/drop-nulls.ts";
export { mapValue } from "./fixers/map-value.ts";
export { parseJson } from "./fixers/parse-json.ts";
export { renameKey } from "./fixers/rename-key.ts";
export { setDefault } from "./fixers/set-default.ts";
export { splitList } from "./fixers/split-list.ts";
export { unwrapKey } from "./fixers/unwrap-key.ts";
export { wrapValue } from "./fixers/wrap-value.ts";
export type { ToolInput, ToolOutput } from "./infer.ts";
export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/self-correct/attempt-event.ts";
export type {
  AgentSelfCorrectOptions,
  SelfCorrectOptions,
} from "./langchain/self-correct/options.ts";
export {
  type KeepLangChain,
  type TypedAgentChunk,
  type TypedAgentOutput,
  type WrapAgentExecutorOptions,
  type WrappedAgentExecutor,
  wrapAgentExecutor,
} from "./langchain/wrap-agent-executor.ts";
export {
  type InvocableTool,
  unwrapTool,
  type WrapToolOptions,
  wrapTool,
  wrapTools,
} from "./langchain/wrap-tool.ts";
export type { RepairOptions } from "./repair-options.ts";
export {
  type RawToolCall,
  type RepairedToolCall,
  repairToolCall,
  type ToolCallRepairResult,
} from "./repair-tool-call.ts";
export { repairToolInput } from "./repair-tool-input.ts";
export {
  type ExceptionAction,
  normalizeIntermediateSteps,
  type OtherToolName,
  type RecordedAction,
  type ToolAction,
  type TypedAgentAction,
  type TypedAgentStep,
} from "./steps.ts";
export type {
  AgentAction,
  FixContext,
  Fixer,
  InputIssue,
  JsonObject,
  JsonSchema,
  JsonValue,
  NameRepair,
  OnRepair,
  OnUnfixable,
  Repair,
  RepairEvent,
  RepairFailure,
  RepairLevel,
  RepairLimits,
  RepairResult,
  RepairSuccess,
  ToolCall,
  ToolLike,
} from "./types.ts";
