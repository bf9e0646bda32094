/**
 * Repair of the messages of models, for `model.pipe(…)`, own graphs and hand-written loops.
 *
 * @module toolmend/messages
 */

export { type CallRecord, callRecordsOf } from "./langchain/calls/call-records.ts";
export {
  type NormalizedToolCall,
  type NormalizedToolCalls,
  normalizeToolCalls,
} from "./langchain/calls/normalize-tool-calls.ts";
export { repairAIMessage } from "./langchain/calls/repair-ai-message.ts";
export type { RepairMessageOptions } from "./langchain/calls/repair-message-options.ts";
export { afterRepair, type MessagesState, repairNode } from "./langchain/calls/repair-node.ts";
export { type SettleOptions, settleToolCalls } from "./langchain/calls/settle-tool-calls.ts";
export type { Trace, TraceDetail } from "./langchain/trace/trace-options.ts";
export type { TextFormatName } from "./repair/text-calls/formats.ts";
export {
  readTextCalls,
  type TextCall,
  type TextCalls,
} from "./repair/text-calls/read-text-calls.ts";
