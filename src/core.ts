/**
 * Repair without LangChain, for any framework and for browsers, in the order
 * that a tool input takes.
 *
 * @module toolmend/core
 */

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
export {
  preload,
  repairToolInput,
  repairToolInputSync,
} from "./repair/repair-tool-input.ts";
export type { RepairResult } from "./repair/result.ts";

export {
  readTextCalls,
  type TextCalls,
} from "./repair/text-calls/read-text-calls.ts";
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
