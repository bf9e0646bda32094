import type { SwitchableEdit } from "../../repair/edit-switches.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { FixerCall } from "./fixer-call.ts";

/** By what the log is halved: the one half is searched for fixers, and on the other they are counted. */
export type HoldOut = "run" | "time" | "model";

/** How many refused calls a suggestion repairs, by what is known of them. */
export interface Counts {
  /** As the call that took its place: the model's own correction, a handler's or a person's. */
  readonly agree: number;
  /** To something else than the call that took its place. */
  readonly contradict: number;
  /** Nothing took its place that is known. */
  readonly unlabelled: number;
}

/**
 * What is to become of a suggestion.
 *
 * - `write`: it is written to the file of fixers.
 * - `listed`: it is shown, with what speaks against it, and not written.
 * - `review`: no correction is known; somebody has to say whether it is meant. It is not written.
 */
export type Verdict = "write" | "listed" | "review";

/** How something that was found did on the calls of both halves, and what follows. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Why it is not written; what to look at. */
  readonly why?: string;
  /** In how many distinct runs of the half that was searched it agrees, or is accepted. */
  readonly runs: number;
  /** Calls of the half that was searched. */
  readonly mined: Counts;
  /** Calls of the other half, on top of what the suggestions before it repair. */
  readonly heldOut: Counts;
  /** Distinct runs of the other half with a known correction: all their calls agree, or one does not. */
  readonly heldOutRuns: { readonly agree: number; readonly contradict: number };
  /** Wilson's lower bound, 95 %, of the share of those runs that agree; 0 where there are none. */
  readonly lowerBound: number;
}

/** Fixers for one tool, found in a log, and how they did on calls that were not used to find them. */
export interface FixerSuggestion extends Judgement {
  readonly tool: string;
  /** The hash of the tool's latest schema in the log, by which all was counted. */
  readonly schema: string;
  /** In the order in which they are to be registered. */
  readonly fixers: readonly FixerCall[];
  /** The same as TypeScript: `renameKey("element", "selector")`. */
  readonly code: readonly string[];
  /** Calls that were right, and that it would change; of how many. */
  readonly validChanged: number;
  readonly valid: number;
  /** Calls that are repaired without it, and that it would change; of how many. */
  readonly repairedChanged: number;
  readonly repaired: number;
}

/** A name under which models call a tool. */
export interface ToolNameSuggestion extends Judgement {
  readonly from: string;
  readonly to: string;
  readonly code: string;
}

/** A single edit that is made at `eager` only, and could be allowed for all tools. */
export interface EditSuggestion extends Judgement {
  readonly edit: SwitchableEdit;
  /** Of how many tools there are inputs on which it agrees. */
  readonly tools: number;
  readonly code: string;
}

/** What a schema could say otherwise. Only acceptance can be tested, not what a model will write. */
export interface SchemaProposal {
  readonly tool: string;
  readonly schema: string;
  readonly kind: "alias" | "enum" | "nullable" | "default";
  /** The place in the input, as a JSON Pointer; `*` is every element of an array. */
  readonly path: string;
  /** What to change, in words. */
  readonly proposal: string;
  readonly value?: JsonValue;
  /** In how many distinct runs it was met. */
  readonly runs: number;
  /** How many of the refused inputs with this fault the changed schema accepts; absent for `alias`. */
  readonly accepted?: { readonly inputs: number; readonly of: number };
}

/** What was found in a log. */
export interface SuggestResult {
  readonly suggestions: readonly FixerSuggestion[];
  readonly toolNames: readonly ToolNameSuggestion[];
  readonly edits: readonly EditSuggestion[];
  readonly schemaProposals: readonly SchemaProposal[];
  readonly holdOut: {
    readonly by: HoldOut;
    /** Distinct runs of refused calls in each half. */
    readonly minedRuns: number;
    readonly heldOutRuns: number;
  };
  readonly minRuns: number;
  /** What all that is written does to the whole log, each call by its own schema, as `replay` counts it. */
  readonly written: Counts & {
    readonly refused: number;
    readonly changed: number;
    /** Of the refused calls that are repaired: those that this version repairs without any fixer. */
    readonly withoutFixers: number;
  };
  /** What the log lacks for more, and what was passed over. */
  readonly notes: readonly string[];
}
