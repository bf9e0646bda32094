/**
 * Repair of tool inputs, of tools and of AgentExecutors, in the order that a
 * tool input takes.
 *
 * @module toolmend
 */

export { ToolInputParsingException } from "@langchain/core/tools";
export type { WrapAgentExecutorOptions } from "./langchain/executor/run.ts";
export {
  type WrappedAgentExecutor,
  wrapAgentExecutor,
} from "./langchain/executor/wrap-agent-executor.ts";
export {
  type WrapToolOptions,
  wrapTool,
  wrapTools,
} from "./langchain/tool/wrap-tool.ts";
export {
  isToolInputParsingException,
  ToolInputError,
} from "./repair/errors.ts";
export type { EvidenceSink, InputEvent } from "./repair/events/event.ts";
export {
  createFixerRegistry,
  type FixerRegistry,
} from "./repair/fixers/registry.ts";
export type { CommonOptions, RepairOptions } from "./repair/policy.ts";
export {
  repairToolCall,
  type ToolCallRepairResult,
} from "./repair/repair-tool-call.ts";
export { preload, repairToolInput } from "./repair/repair-tool-input.ts";
export type { OnUnfixable, RepairResult } from "./repair/result.ts";
export {
  normalizeIntermediateSteps,
  type TypedAgentStep,
} from "./repair/steps.ts";
export type {
  FixContext,
  Fixer,
  InputIssue,
  JsonValue,
  RefusalReason,
  Repair,
  RepairLevel,
  RepairLevelOption,
  ToolInput,
  ToolLike,
} from "./repair/types.ts";
