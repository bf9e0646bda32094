import type { AIMessage, UsageMetadata } from "@langchain/core/messages";

/** Why a model is not asked again. */
export type StopReason =
  /** It was asked `maxAttempts` times. */
  | "attempts"
  /** The calls of this tool were corrected `maxCorrectionsPerTool` times in this run. */
  | "tool-budget"
  /** Calls were corrected `maxCorrections` times in this run. */
  | "budget"
  /** It made the same mistake again: the very same input. */
  | "repeated"
  /** It was asked to call a tool again and did not. */
  | "no-call";

/** One time that a model was asked. Given to `onAttempt`. */
export interface AttemptEvent {
  /** Counts from 1, over all models. */
  readonly attempt: number;
  /** Why the model was asked: first, to correct itself, or instead of the one before. */
  readonly remedy: "first" | "self-correction" | "fallback";
  /** Whether everything that the model called can be run. */
  readonly ok: boolean;
  /** What was wrong, `ToolInputError`s as a rule; empty when `ok`. */
  readonly errors: readonly Error[];
  /** Why the model is not asked again, where it is not. */
  readonly stopped?: StopReason;
  /** What the model answered, as it wrote it, where that is known. */
  readonly message?: AIMessage;
  /** What this attempt used, where the provider says it. */
  readonly usage?: UsageMetadata;
  /** What all attempts of this run used so far. */
  readonly totalUsage?: UsageMetadata;
}

/**
 * Told of every attempt, the successful ones too. A throw or a rejection is ignored: watching stops
 * no run, and is not waited for.
 */
export type OnAttempt = (event: AttemptEvent) => void;
