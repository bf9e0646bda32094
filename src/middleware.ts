export {
  type ToolInputMiddleware,
  type ToolInputMiddlewareOptions,
  toolInputMiddleware,
} from "./langchain/middleware.ts";
export type {
  AttemptEvent,
  OnAttempt,
  StopReason,
} from "./langchain/self-correct/attempt-event.ts";
export type {
  AgentSelfCorrectOptions,
  SelfCorrectOptions,
} from "./langchain/self-correct/options.ts";
