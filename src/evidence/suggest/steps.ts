import { createHash } from "node:crypto";
import type { JsonValue } from "../../repair/types.ts";
import type { LoggedInput } from "../logged-inputs.ts";
import { wilsonInterval } from "../wilson-interval.ts";
import { Explainer } from "./explain-pair.ts";
import { type FixerCall, runFixerCall } from "./fixer-call.ts";

/**
 * A call that the tool's latest schema rejects, even after toolmend's repairs
 * without a fixer.
 */
export interface RejectedCall {
  readonly input: LoggedInput;
  /** Parsed where it is JSON. */
  readonly value: JsonValue;
  /**
   * What the tool would have received of its correction, where one is known.
   */
  readonly label: JsonValue | undefined;
}

/**
 * A step that corrections show, and the calls that it changes: every way of a
 * correction takes it, or none.
 */
export class FixerStep {
  readonly call: FixerCall;
  /** Where it stands in a way, at the earliest. */
  order: number = Number.POSITIVE_INFINITY;
  /** The searched conversations whose corrections show it. */
  readonly searchedRuns: Set<string> = new Set();
  /** The inputs that it changes, by their JSON. */
  readonly changed: Map<string, JsonValue> = new Map();
  readonly agree: LoggedInput[] = [];
  readonly contradict: LoggedInput[] = [];
  readonly unlabelled: LoggedInput[] = [];

  constructor(call: FixerCall) {
    this.call = call;
  }

  /** Adds a correction whose way takes this step. */
  addPlace(order: number, input: LoggedInput): void {
    this.order = Math.min(this.order, order);
    if (isSearched(input)) this.searchedRuns.add(runOf(input));
  }

  /**
   * Asks what a rejected call says of this step. Where only some of its ways
   * take it, they say nothing.
   */
  count(
    { input, value, label }: RejectedCall,
    ways: readonly (readonly FixerStep[])[],
  ): void {
    const isChanged = runFixerCall(this.call, value) !== undefined;
    if (isChanged) this.changed.set(JSON.stringify(value), value);
    const taking = ways.filter((way) => way.includes(this)).length;
    if (taking > 0) {
      if (taking === ways.length) this.agree.push(input);
    } else if (isChanged) {
      const calls = label === undefined ? this.unlabelled : this.contradict;
      calls.push(input);
    }
  }
}

/**
 * Reads the steps off all corrections, and asks of each step what the other
 * calls say of it.
 */
export function gatherSteps(
  refused: readonly RejectedCall[],
  minRuns: number,
): readonly FixerStep[] {
  const steps = new Map<string, FixerStep>();
  const explainer = new Explainer();
  const explained = refused.map((call) => {
    const ways =
      call.label === undefined ? [] : explainer.explain(call.value, call.label);
    const stepWays = ways.map((way) =>
      way.map((fixerCall) => stepOf(fixerCall, steps)),
    );
    for (const way of stepWays) {
      for (const [order, step] of way.entries())
        step.addPlace(order, call.input);
    }
    return { call, ways: stepWays };
  });
  // Most values that a step could fill in were seen once: they need not be
  // tried on every input.
  const common = [...steps.values()].filter(
    ({ searchedRuns }) => searchedRuns.size >= minRuns,
  );
  for (const step of common) {
    for (const { call, ways } of explained) step.count(call, ways);
  }
  return common;
}

function stepOf(call: FixerCall, steps: Map<string, FixerStep>): FixerStep {
  const key = JSON.stringify(call);
  const step = steps.get(key) ?? new FixerStep(call);
  steps.set(key, step);
  return step;
}

/** A call as the conversation that it belongs to. */
type InRun = Pick<LoggedInput, "run">;

/**
 * The conversation of a call. Calls without a known one count as one together.
 */
function runOf({ run = "" }: InRun): string {
  return run;
}

/** The conversations of inputs. */
export function runsOf(inputs: readonly InRun[]): ReadonlySet<string> {
  return new Set(inputs.map(runOf));
}

/**
 * Whether an input is of the half that is searched: by the first bit of its
 * conversation's SHA-256.
 */
export function isSearched(input: LoggedInput): boolean {
  const [firstByte = 0] = createHash("sha256").update(runOf(input)).digest();
  return firstByte < 128;
}

/** Calls that agree with their corrections, and calls that contradict them. */
export interface Votes {
  readonly agree: readonly InRun[];
  readonly contradict: readonly InRun[];
}

/**
 * Wilson's lower bound of the share of conversations that agree. One that says
 * both counts as one that contradicts.
 */
export function lowerBoundOf({ agree, contradict }: Votes): number {
  const contradicting = runsOf(contradict);
  const agreeing = [...runsOf(agree)].filter(
    (run) => !contradicting.has(run),
  ).length;
  if (agreeing === 0) return 0;
  return wilsonInterval(agreeing, agreeing + contradicting.size).lower;
}
