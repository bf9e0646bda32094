/**
 * Repair as a middleware of `createAgent`.
 *
 * @module toolmend/middleware
 */

export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/correct/attempt-event.ts";
export type {
  AgentSelfCorrectOptions,
  SelfCorrectOptions,
} from "./langchain/correct/options.ts";
export {
  type ToolInputMiddleware,
  type ToolInputMiddlewareOptions,
  toolInputMiddleware,
} from "./langchain/middleware/tool-input-middleware.ts";
export type { Trace, TraceDetail } from "./langchain/trace/trace-options.ts";
