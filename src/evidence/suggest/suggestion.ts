import { createHash } from "node:crypto";
import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue } from "../../repair/types.ts";
import { wilsonInterval } from "../wilson-interval.ts";
import { codeOf, type FixerCall } from "./fixer-call.ts";
import type { LoggedInput } from "./logged-inputs.ts";

/** How many refused calls a suggestion changes, by what is known of them. */
export interface Counts {
  /** Into the call that replaced it: the model's own correction, a handler's or a person's. */
  readonly agree: number;
  /** Into something other than the call that replaced it. */
  readonly contradict: number;
  /** No correction is known. */
  readonly unlabelled: number;
}

/** What was found in a log about one mistake, and what follows from it. */
export interface Suggestion {
  readonly tool: string;
  /** The hash of the tool's latest schema in the log, by which all was counted. */
  readonly schema?: string;
  readonly call: FixerCall;
  /** As TypeScript, without values of the log: `renameKey("element", "selector")`. */
  readonly code: string;
  /**
   * - `write`: structure proves it, and corrections agree. It is written to the file of fixers.
   * - `listed`: corrections agree, or mostly, but only a person can say whether it is right.
   */
  readonly verdict: "write" | "listed";
  /** Why it is not written. */
  readonly why?: string;
  /** Distinct conversations of the searched half in which it agrees. */
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

/** A distinct input that a tool's latest schema rejects. */
export interface RefusedCase {
  /** Parsed where it is JSON; `undefined` where it is repaired without any fixer. */
  value: JsonValue | undefined;
  /** The calls that had this input, what the tool would have received of their corrections, and the ways there. */
  readonly calls: {
    readonly input: LoggedInput;
    readonly label: JsonValue | undefined;
    ways: readonly (readonly Step[])[];
  }[];
}

/** A step that corrections show. */
export interface Step {
  readonly call: FixerCall;
  /** Where it stands in a way, at the earliest. */
  order: number;
  readonly said: Said;
  /** The inputs that it changes. */
  readonly touched: RefusedCase[];
  /** The conversations of the searched half in which a way takes it. */
  readonly runs: Set<string>;
}

/** The calls that a step changes, by what their corrections say of it: every way there takes it, or none. */
export type Said = Readonly<Record<keyof Counts, LoggedInput[]>>;

export function toSuggestion(
  { why, ...known }: Pick<Suggestion, "tool" | "schema" | "call"> & { why: string | undefined },
  said: Said,
): Suggestion {
  const countIn = (half: boolean): Counts => {
    const count = (inputs: readonly LoggedInput[]) =>
      inputs.filter((one) => isSearched(one) === half).length;
    const { agree, contradict, unlabelled } = said;
    return { agree: count(agree), contradict: count(contradict), unlabelled: count(unlabelled) };
  };
  const sources: Partial<Record<CorrectionSource, number>> = {};
  for (const { correction: { source = "later-call" } = {} } of said.agree) {
    sources[source] = (sources[source] ?? 0) + 1;
  }
  return {
    ...known,
    code: codeOf(known.call),
    verdict: why === undefined ? "write" : "listed",
    ...(why === undefined ? {} : { why }),
    runs: runsOf(said.agree.filter(isSearched)).size,
    mined: countIn(true),
    heldOut: countIn(false),
    lowerBound: lowerBoundOf(said),
    sources,
  };
}

/** A conversation that says both counts against the step. */
export function lowerBoundOf({ agree, contradict }: Said): number {
  const against = runsOf(contradict);
  const hits = [...runsOf(agree)].filter((run) => !against.has(run)).length;
  return hits === 0 ? 0 : wilsonInterval(hits, hits + against.size).lower;
}

/** What counts as one conversation; calls of which none is known count as one together. */
export function runOf({ run }: LoggedInput): string {
  return run ?? "";
}

export function runsOf(inputs: readonly LoggedInput[]): ReadonlySet<string> {
  return new Set(inputs.map(runOf));
}

const halves = new Map<string, boolean>();

/** Whether an input is of the half that is searched: by the first bit of its conversation's SHA-256. */
export function isSearched(input: LoggedInput): boolean {
  const run = runOf(input);
  const known = halves.get(run);
  if (known !== undefined) return known;
  const isFirst = (createHash("sha256").update(run).digest()[0] ?? 0) < 128;
  if (halves.size > 100_000) halves.clear();
  halves.set(run, isFirst);
  return isFirst;
}
