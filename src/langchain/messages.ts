// Repair of the messages of models, for `model.pipe(…)`, own graphs and hand-written loops.

export { type CallRecord, callRecordsOf } from "./messages/call-records.ts";
export {
  type NormalizedToolCall,
  type NormalizedToolCalls,
  normalizeToolCalls,
} from "./messages/normalize-tool-calls.ts";
export { type RepairMessageOptions, repairAIMessage } from "./messages/repair-ai-message.ts";
export { type SettleOptions, settleToolCalls } from "./messages/settle-tool-calls.ts";
