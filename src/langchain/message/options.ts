import type { BaseMessage } from "@langchain/core/messages";
import type { emitCall } from "../../repair/events/report.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type ResolveOptions,
} from "../../repair/policy.ts";
import {
  aFormatList,
  type TextFormatName,
} from "../../repair/text-calls/format-names.ts";
import {
  aBoolean,
  anAbortSignal,
  anArray,
  type Checks,
  either,
} from "../../repair/usage.ts";
import { aTrace, type TraceOptions } from "../trace/trace.ts";

/** How to repair the calls of a message. */
export interface RepairMessageOptions
  extends Omit<
      ResolveOptions,
      | "action"
      | "explain"
      | "origin"
      | "parsed"
      | "toolCall"
      | "truncated"
      | "use"
    >,
    TraceOptions {
  /**
   * Whether calls that the model wrote as text (docs/text-calls.md) become
   * calls: all of a message's, or none. `true` reads the formats whose tokens
   * never occur in prose; an array names the formats to read, such as
   * `["python-list", "json"]`, and excludes all others. A sentence before the
   * calls stays. Unsafe if the model reads untrusted text: what it quotes from
   * outside `history` may run. Default: `false`.
   */
  readonly rescueTextToolCalls?:
    | boolean
    | readonly TextFormatName[]
    | undefined;
  /**
   * The messages before it. A call whose id is taken by one of their calls gets
   * another id, and text that occurs in one is not read as a call. Default:
   * none.
   */
  readonly history?: readonly BaseMessage[] | undefined;
}

export const MESSAGE_CHECKS: Checks<RepairMessageOptions> = {
  ...COMMON_CHECKS,
  trace: aTrace,
  signal: anAbortSignal,
  onUnfixable: aHandler,
  rescueTextToolCalls: either(aBoolean, aFormatList),
  history: anArray,
};

/** Options for internal callers that repair messages. */
export interface RepairCallsOptions
  extends RepairMessageOptions,
    Pick<ResolveOptions, "origin"> {
  /** Whether rejected calls become invalid ones. Default: `false`. */
  readonly asInvalid?: boolean;
  /**
   * Whether others may have changed the calls since the model wrote them: its
   * texts do not count.
   */
  readonly isInState?: boolean;
  /**
   * Whether the list of tools is complete. If not, names are not repaired.
   * Default: `true`.
   */
  readonly isComplete?: boolean;
  /**
   * Whether other middleware may have further tools: readable calls of them are
   * left alone.
   */
  readonly leavesUnknown?: boolean;
  /**
   * Tools that the model was not offered, and may call by their very names.
   * Default: none.
   */
  readonly unoffered?: readonly unknown[];
  /** Reports each call. Default: at once. */
  readonly report?: (...outcome: Parameters<typeof emitCall>) => unknown;
  /** Selects the calls to repair. Default: all. */
  readonly only?: (call: {
    readonly id: string;
    readonly name: string;
  }) => boolean;
}
