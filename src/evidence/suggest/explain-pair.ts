import type { JsonValue } from "../../repair/types.ts";
import { type FixerCall, runFixerCall } from "./fixer-call.ts";
import { proposeFixers } from "./propose-fixers.ts";
import type { Case, Trial } from "./trial.ts";

/** The most fixers that one mistake may take. */
const MAX_DEPTH = 3;

/** The most inputs, changed by one fixer more, that are looked at on each step. */
const MAX_STATES = 40;

/** The most ways whose end is left to the pipeline's own repair. */
const MAX_ENDS = 8;

interface State {
  readonly value: JsonValue;
  readonly calls: readonly FixerCall[];
}

/**
 * Finds the fewest fixers that turn a refused input into what took its place, alone or with what the
 * pipeline repairs by itself.
 *
 * @param one The input, with its label.
 * @param trial The tool.
 * @returns The ways with the fewest fixers, each in the order in which they are to run; none where
 * there is no way.
 */
export async function explainPair(
  one: Case,
  trial: Trial,
): Promise<readonly (readonly FixerCall[])[]> {
  const { label, issues } = one;
  if (label === undefined) return [];
  const { jsonSchema } = trial.schema;
  const seen = new Set([JSON.stringify(one.value)]);
  let states: State[] = [{ value: one.value, calls: [] }];
  const unfinished: State[] = [];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const ways: (readonly FixerCall[])[] = [];
    const next: State[] = [];
    for (const { value, calls } of states) {
      for (const call of proposeFixers(value, label, jsonSchema)) {
        const changed = runFixerCall(call, value, { issues });
        if (changed === undefined) continue;
        const text = JSON.stringify(changed);
        if (seen.has(text)) continue;
        seen.add(text);
        const state = { value: changed, calls: [...calls, call] };
        if (await trial.agrees(changed, label)) ways.push(state.calls);
        else if (next.length < MAX_STATES) next.push(state);
      }
    }
    if (ways.length > 0) return ways;
    unfinished.push(...next);
    states = next;
  }
  for (const { calls } of unfinished.slice(0, MAX_ENDS)) {
    const result = await trial.run(one, calls);
    if (result !== undefined && (await trial.agrees(result, label))) return [calls];
  }
  return [];
}
