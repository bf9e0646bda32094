// Repair of the messages of models, for `model.pipe(…)`, own graphs and hand-written loops.

export { type CallRecord, callRecordsOf } from "./langchain/calls/call-records.ts";
export {
  type NormalizedToolCall,
  type NormalizedToolCalls,
  normalizeToolCalls,
} from "./langchain/calls/normalize-tool-calls.ts";
export { type RepairMessageOptions, repairAIMessage } from "./langchain/calls/repair-ai-message.ts";
export { type SettleOptions, settleToolCalls } from "./langchain/calls/settle-tool-calls.ts";
