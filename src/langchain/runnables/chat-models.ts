import type { BaseMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import type { ToolCallingModel } from "./tool-chain-types.ts";

/** A chat model, or one that tools are bound to. */
export type ChatModel =
  | (ToolCallingModel & Required<Pick<ToolCallingModel, "bindTools">>)
  // biome-ignore lint/suspicious/noExplicitAny: a model's call options differ by provider
  | Runnable<any, BaseMessage, any>;

interface Wrapping {
  readonly bound?: unknown;
  readonly runnable?: unknown;
  readonly config?: { readonly tools?: unknown };
  readonly kwargs?: { readonly tools?: unknown };
  readonly _llmType?: unknown;
  readonly bindTools?: unknown;
}

/** Tells a chat model, and one that is bound to tools or a config or has fallbacks, from others. */
export function isChatModel(runnable: unknown): boolean {
  if (runnable === null || typeof runnable !== "object") return false;
  const { _llmType, bound, runnable: inner } = runnable as Wrapping;
  return typeof _llmType === "function" || isChatModel(bound) || isChatModel(inner);
}

/** Tells a chat model that tools can be bound to, and are not yet. */
export function canBindTools(runnable: unknown): runnable is ToolCallingModel {
  return typeof (runnable as Wrapping | null)?.bindTools === "function";
}

/** Whether tools are bound to a model. */
export function hasTools(runnable: unknown): boolean {
  const { config, kwargs, bound, runnable: inner } = (runnable ?? {}) as Wrapping;
  if (config?.tools !== undefined || kwargs?.tools !== undefined) return true;
  return (bound !== undefined && hasTools(bound)) || (inner !== undefined && hasTools(inner));
}
