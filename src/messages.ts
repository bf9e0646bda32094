/**
 * Repairs the messages of models, for `model.pipe(…)`, your own graphs and
 * hand-written loops.
 *
 * @module toolmend/messages
 */

export type { RepairMessageOptions } from "./langchain/message/options.ts";
export {
  type ReadToolCall,
  readToolCalls,
} from "./langchain/message/read-tool-calls.ts";
export {
  repairCondition,
  repairNode,
  repairToolCalls,
} from "./langchain/message/repair-tool-calls.ts";
export { settleToolCalls } from "./langchain/message/settle.ts";
export {
  readTextCalls,
  type TextCalls,
} from "./repair/text-calls/read-text-calls.ts";
