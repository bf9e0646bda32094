import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { constantObjection, runsNeeded } from "./constant-objection.ts";
import type { Candidate } from "./find-candidates.ts";
import { codeOf, type FixerCall, runFixerCall } from "./fixer-call.ts";
import { judge } from "./judge.ts";
import { meaningObjection } from "./meaning-objection.ts";
import type { FixerSuggestion } from "./suggestion.ts";
import { runsOf, tally } from "./tally.ts";
import type { ToolCases } from "./tool-cases.ts";
import type { Case, Trial } from "./trial.ts";

/** What the suggestions so far come to. */
export interface SoFar {
  readonly calls: readonly FixerCall[];
  /** Refused inputs that they leave. */
  readonly mined: readonly Case[];
  readonly heldOut: readonly Case[];
  /** Inputs of either half that they repair, and what comes out. */
  readonly covered: readonly { readonly one: Case; readonly result: JsonValue }[];
}

interface Trying {
  readonly cases: ToolCases;
  readonly state: SoFar;
  readonly trial: Trial;
  readonly minRuns: number;
}

/**
 * Counts what a candidate does on top of what was found so far, on both halves.
 *
 * @param candidate The candidate.
 * @param trying The tool's inputs, and what was found so far.
 * @returns The candidate with its counts and, should it be written, what is left; `undefined` where it
 * adds nothing, or too little to be shown.
 */
export async function tryCandidate(
  { calls }: Candidate,
  { cases, state, trial, minRuns }: Trying,
): Promise<{ suggestion: FixerSuggestion; state: SoFar } | undefined> {
  if (calls.every((call) => hasCall(state.calls, call))) return undefined;
  // What ran before does not run again at the beginning; further on, it may have to.
  const fresh = calls.slice(calls.findIndex((call) => !hasCall(state.calls, call)));
  const all = [...state.calls, ...fresh];
  const mined = await tally(trial, state.mined, all);
  const runs = runsOf(mined.agree);
  if (runs < minRuns) return undefined;
  const heldOut = await tally(trial, state.heldOut, all);
  const changed = {
    valid: await countChanged(trial, cases.valid.map(toCovered), { all, fresh }),
    repaired: await countChanged(trial, [...cases.repaired.map(toCovered), ...state.covered], {
      all,
      fresh,
    }),
  };
  const needed = runsNeeded(calls, minRuns);
  const agreeing = [...mined.agree, ...heldOut.agree];
  const findObjection = () =>
    sideEffect(changed) ??
    meaningObjection(fresh) ??
    constantObjection(calls, agreeing, [...cases.valid, ...cases.repaired]) ??
    (runs < needed ? `a constant, in ${runs} runs only (needs ${needed})` : undefined);
  const suggestion: FixerSuggestion = {
    tool: cases.tool,
    schema: cases.schema,
    fixers: fresh,
    code: fresh.map(codeOf),
    ...judge(mined, heldOut, findObjection),
    validChanged: changed.valid,
    valid: cases.valid.length,
    repairedChanged: changed.repaired,
    repaired: cases.repaired.length + state.covered.length,
  };
  const results = [...mined.results, ...heldOut.results];
  const covered = [...state.covered, ...results.map(([one, result]) => ({ one, result }))];
  return { suggestion, state: { calls: all, mined: mined.open, heldOut: heldOut.open, covered } };
}

function hasCall(calls: readonly FixerCall[], call: FixerCall): boolean {
  const code = codeOf(call);
  return calls.some((one) => codeOf(one) === code);
}

function toCovered(one: Case): SoFar["covered"][number] {
  return { one, result: one.without as JsonValue };
}

async function countChanged(
  trial: Trial,
  known: SoFar["covered"],
  { all, fresh }: { readonly all: readonly FixerCall[]; readonly fresh: readonly FixerCall[] },
): Promise<number> {
  let changed = 0;
  for (const { one, result } of known) {
    const isTouched = fresh.some((call) =>
      [one.value, result].some((value) => runFixerCall(call, value, one) !== undefined),
    );
    const isText = typeof one.value === "string";
    if (!isTouched && !isText) continue;
    if (!jsonEquals(await trial.run(one, all), result)) changed += 1;
  }
  return changed;
}

function sideEffect(changed: { valid: number; repaired: number }): string | undefined {
  if (changed.valid > 0) return `would change ${changed.valid} calls that are right as they are`;
  if (changed.repaired === 0) return undefined;
  return `would change ${changed.repaired} calls that are repaired without it`;
}
