import type { ToolLike } from "../../repair/types.ts";

/** A call that somebody's trace holds. */
export interface RecordedCall {
  readonly name: string;
  /** As text where the trace holds the text; else as it was parsed. */
  readonly args: unknown;
  readonly id?: string | undefined;
  /** The tools that the model could call. */
  readonly tools: readonly ToolLike[];
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** What belongs together: the trace. */
  readonly run?: string | undefined;
  readonly thread?: string | undefined;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** Whether the model's output is known to have been cut off. */
  readonly truncated: boolean;
  /** Whether it is of the tool's own record, and no model's: what ran, not what was written. */
  readonly isRun: boolean;
}

/** Reads the calls in one entry of an export: a run, a span. Whatever it is not, it has no calls. */
export type ReadExport = (entry: unknown) => readonly RecordedCall[];
