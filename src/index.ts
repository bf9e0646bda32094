/**
 * Repair of tool inputs, of tools and of AgentExecutors, in the order in which a tool input travels.
 *
 * @module toolmend
 */

export { ToolInputParsingException } from "@langchain/core/tools";
export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/correct/attempt-event.ts";
export type {
  AgentSelfCorrectOptions,
  SelfCorrectOptions,
} from "./langchain/correct/options.ts";
export type { KeepLangChain, WrapAgentExecutorOptions } from "./langchain/executor/options.ts";
export {
  type TypedAgentChunk,
  type TypedAgentOutput,
  type WrappedAgentExecutor,
  wrapAgentExecutor,
} from "./langchain/executor/wrap-agent-executor.ts";
export type { InvocableTool } from "./langchain/tool/invocable-tool.ts";
export {
  unwrapTool,
  type WrapToolOptions,
  wrapTool,
  wrapTools,
} from "./langchain/tool/wrap-tool.ts";
export type { Trace, TraceDetail } from "./langchain/trace/trace-options.ts";
export type { EditSwitches, SwitchableEdit } from "./repair/edit-switches.ts";
export type { ReachedLimit, RefusalReason } from "./repair/errors/refusal-reason.ts";
export {
  isToolInputParsingException,
  ToolInputError,
  type ToolInputErrorFields,
} from "./repair/errors/tool-input-error.ts";
export type { EvidenceSink, InputEvent, OnRefused, RefusalEvent } from "./repair/events/event.ts";
export { type ExplainedStep, explainRepair, type RepairExplanation } from "./repair/explain.ts";
export {
  coerceTo,
  dropNulls,
  mapValue,
  parseJson,
  renameKey,
  type ScalarType,
  setDefault,
  splitList,
  unwrapKey,
  wrapValue,
} from "./repair/fixers/built-in.ts";
export {
  createFixerRegistry,
  type FixerRegistry,
  type RegisteredTool,
  type ToolName,
  type ToolRepairPolicy,
} from "./repair/fixers/registry.ts";
export type { ValueDigest } from "./repair/json/digest.ts";
export { preload } from "./repair/load.ts";
export { repairToolInput } from "./repair/pipeline.ts";
export type { RepairOptions } from "./repair/policy.ts";
export { applyRepairs } from "./repair/records.ts";
export type {
  OnUnfixable,
  RepairFailure,
  RepairResult,
  RepairSuccess,
  Unfixable,
} from "./repair/result.ts";
export {
  type ExceptionAction,
  normalizeIntermediateSteps,
  type RecordedAction,
  type ToolAction,
  type TypedAgentAction,
  type TypedAgentStep,
} from "./repair/steps.ts";
export {
  type RawToolCall,
  type RepairedToolCall,
  repairToolCall,
  type ToolCallRepairResult,
} from "./repair/tool-call.ts";
export type {
  AgentAction,
  FixContext,
  Fixer,
  FixerInput,
  InputIssue,
  JsonObject,
  JsonSchema,
  JsonValue,
  NameRepair,
  OmittedParts,
  OnRepair,
  OtherToolName,
  RecordDetail,
  Repair,
  RepairEvent,
  RepairLevel,
  RepairLimits,
  ToolCall,
  ToolInput,
  ToolLike,
  ToolOutput,
  UndeclaredKeys,
} from "./repair/types.ts";
