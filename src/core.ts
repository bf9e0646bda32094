/**
 * Repair without LangChain, for any framework and for browsers, in the order in which a tool input travels.
 *
 * @module toolmend/core
 */

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
export type { OnUnfixable, RepairFailure, RepairResult, RepairSuccess } from "./repair/result.ts";
export { repairToolInputSync } from "./repair/sync.ts";
export type { TextFormatName } from "./repair/text-calls/formats.ts";
export {
  readTextCalls,
  type TextCall,
  type TextCalls,
} from "./repair/text-calls/read-text-calls.ts";
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
