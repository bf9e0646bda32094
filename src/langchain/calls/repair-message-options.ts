import type { BaseMessage } from "@langchain/core/messages";
import { aHandler, COMMON_CHECKS, type ResolveOptions } from "../../repair/policy.ts";
import type { TextFormatName } from "../../repair/text-calls/formats.ts";
import type { RecordDetail } from "../../repair/types.ts";
import {
  aBoolean,
  anAbortSignal,
  anArray,
  arrayOf,
  aString,
  type Checks,
  either,
  oneOf,
} from "../../repair/usage.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";

/** How the calls of a message are repaired. */
export interface RepairMessageOptions
  extends Omit<ResolveOptions, "action" | "checked" | "origin" | "toolCall" | "truncated">,
    TraceOptions {
  /** Whether calls that LangChain could not read are repaired too. Default: `true`. */
  readonly rescueInvalidToolCalls?: boolean | undefined;
  /**
   * Whether calls that the model wrote as text (docs/text-calls.md) become calls: all of a message's,
   * or none. `true` reads the formats whose tokens prose has none of; an array names the formats to
   * read, such as `["python-list", "json"]`, and no other is. A sentence before the calls stays.
   * Unsafe where the model reads what strangers wrote: what it quotes from outside `history` may be
   * run. Default: `false`.
   */
  readonly rescueTextToolCalls?: boolean | readonly TextFormatName[] | undefined;
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
  rescueTextToolCalls: either(aBoolean, arrayOf(aString)),
  record: oneOf("full", "bounded", "outline"),
  history: anArray,
};
/** The same, as a seam hands them on. */
export interface MessageIntegrationOptions
  extends RepairMessageOptions,
    Pick<ResolveOptions, "origin"> {}
