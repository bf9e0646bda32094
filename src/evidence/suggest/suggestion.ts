import type { CorrectionSource } from "../../repair/events/event.ts";
import type { FixerCall } from "./fixer-call.ts";

/** How many refused calls a suggestion changes, by what is known of them. */
export interface Counts {
  /** Into the call that replaced it: the model's own correction, a handler's or a person's. */
  readonly agree: number;
  /** Into something other than the call that replaced it. */
  readonly contradict: number;
  /** No correction is known. */
  readonly unlabelled: number;
}

/**
 * What becomes of a suggestion.
 *
 * - `write`: structure proves it, and corrections agree. It is written to the file of fixers.
 * - `listed`: corrections agree, or mostly, but only a person can say whether it is right.
 * - `review`: no correction is known; toolmend at `eager` would make the same repair.
 */
export type Verdict = "write" | "listed" | "review";

/** What was found in a log about one mistake, and what follows from it. */
export interface Suggestion {
  readonly tool: string;
  /** The hash of the tool's latest schema in the log, by which all was counted. */
  readonly schema?: string;
  readonly call: FixerCall | ToolNameCall;
  /** As TypeScript, without values of the log: `renameKey("element", "selector")`. */
  readonly code: string;
  readonly verdict: Verdict;
  /** Why it is not written. */
  readonly why?: string;
  /** Distinct conversations of the searched half in which it agrees, or would be made. */
  readonly runs: number;
  /** Refused calls of the half of the log that was searched. */
  readonly mined: Counts;
  /** Refused calls of the other half. */
  readonly heldOut: Counts;
  /** Wilson's lower bound, 95 %, of the share of conversations with a known correction that agree. */
  readonly lowerBound: number;
  /** Who made the corrections that agree, in calls. */
  readonly sources: Readonly<Partial<Record<CorrectionSource, number>>>;
}

/** A name under which models call a tool. */
export interface ToolNameCall {
  readonly fixer: "renameTool";
  readonly from: string;
  readonly to: string;
}

/** What was found in a log. */
export interface SuggestResult {
  readonly suggestions: readonly Suggestion[];
  readonly holdOut: {
    /** Distinct conversations with refused calls in each half. */
    readonly minedRuns: number;
    readonly heldOutRuns: number;
  };
  readonly minRuns: number;
  /** Refused calls in the log. */
  readonly refused: number;
  /** What all that is written does to the whole log, each call by its own schema, as `replay` counts it. */
  readonly written: Counts & { readonly changed: number };
  /** What the log lacks for more, and what was ignored. */
  readonly notes: readonly string[];
}

/** What was found, as it may stand in a file: without the values of the log that a call says. */
export interface ShownSuggestions extends Omit<SuggestResult, "suggestions"> {
  readonly suggestions: readonly Omit<Suggestion, "call">[];
}
