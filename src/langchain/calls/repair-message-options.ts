import type { BaseMessage } from "@langchain/core/messages";
import { aHandler, COMMON_CHECKS, type ResolveOptions } from "../../repair/policy.ts";
import type { RecordDetail } from "../../repair/types.ts";
import { aBoolean, anAbortSignal, anArray, type Checks, oneOf } from "../../repair/usage.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";

/** How the calls of a message are repaired. */
export interface RepairMessageOptions
  extends Omit<ResolveOptions, "action" | "checked" | "origin" | "toolCall" | "truncated">,
    TraceOptions {
  /** Whether calls that LangChain could not read are repaired too. Default: `true`. */
  readonly rescueInvalidToolCalls?: boolean | undefined;
  /**
   * Whether a message that is nothing but calls, written as text in a format that models use
   * (docs/text-calls.md), becomes these calls: all of them, or none. Plain text before them that only
   * announces them stays. Unsafe where the model reads what strangers wrote: what it quotes from
   * outside `history` may be run. Default: `false`.
   */
  readonly rescueTextToolCalls?: boolean | undefined;
  /**
   * How much is kept of the repairs with the message, and so in every checkpoint of its thread. It
   * changes nothing of what `onRepair` is told. Default: `"bounded"`.
   */
  readonly record?: RecordDetail | undefined;
  /**
   * The messages before it: a call whose id one of their calls has gets another one, and text that
   * stands in one is not taken for a call. Default: none.
   */
  readonly history?: readonly BaseMessage[] | undefined;
}

/** What the options must be. */
export const MESSAGE_CHECKS: Checks<RepairMessageOptions> = {
  ...COMMON_CHECKS,
  trace: aTrace,
  parsed: aBoolean,
  signal: anAbortSignal,
  onUnfixable: aHandler,
  rescueInvalidToolCalls: aBoolean,
  rescueTextToolCalls: aBoolean,
  record: oneOf("full", "bounded", "outline"),
  history: anArray,
};
/** The same, as a seam hands them on. */
export interface MessageIntegrationOptions
  extends RepairMessageOptions,
    Pick<ResolveOptions, "origin"> {}
