import { getAt } from "../../repair/json/json-pointer.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { FixerCall } from "./fixer-call.ts";
import { runOf } from "./halve-inputs.ts";
import { runsOf } from "./tally.ts";
import type { Case } from "./trial.ts";

/** Which part of the valid calls must hold a value for it to be filled in where it is missing. */
const MOSTLY = 0.9;

/** In how many distinct runs at least. */
const MIN_RUNS = 3;

/**
 * Returns how many distinct runs fixers need to be believed: those with a constant need half as many
 * again, because a question that is asked again and again has the same answer every time.
 *
 * @param calls The fixers.
 * @param minRuns What the others need.
 */
export function runsNeeded(calls: readonly FixerCall[], minRuns: number): number {
  return calls.some(hasConstant) ? minRuns + Math.ceil(minRuns / 2) : minRuns;
}

/**
 * Says why the constants in fixers are not to be trusted, whatever agrees with them.
 *
 * @param calls The fixers.
 * @param agreeing The inputs on which they agree with what took their place.
 * @param valid Inputs that are right, or are repaired without them.
 * @returns `undefined` where nothing speaks against them.
 */
export function constantObjection(
  calls: readonly FixerCall[],
  agreeing: readonly Case[],
  valid: readonly Case[],
): string | undefined {
  const inputs = new Set(agreeing.map(({ input }) => JSON.stringify(input.raw)));
  // Even a number that is only renamed may be 0 each time, of which no sign or unit is seen.
  if (inputs.size < 2) return "always the same input: perhaps always the same question";
  if (!calls.some(hasConstant)) return undefined;
  // What took the place of the refused calls is among the valid ones: it speaks for nothing twice.
  const corrected = new Set(agreeing.map(({ input }) => runOf(input)));
  const others = valid.filter(({ input }) => !corrected.has(runOf(input)));
  for (const call of calls) {
    if (call.fixer !== "setDefault") continue;
    const held = others.flatMap((one) => {
      const value = getAt(one.without, call.at);
      return value === undefined ? [] : [{ one, value }];
    });
    const same = held.filter(({ value }) => jsonEquals(value, call.value as JsonValue));
    const share = held.length === 0 ? 0 : same.length / held.length;
    if (runsOf(same.map(({ one }) => one)) >= MIN_RUNS && share >= MOSTLY) continue;
    const counted = `${same.length} of ${held.length} calls that are right`;
    return `a default, and only ${counted} hold the value (needs ${MOSTLY * 100} %)`;
  }
  return undefined;
}

function hasConstant({ fixer }: FixerCall): boolean {
  return fixer === "setDefault" || fixer === "mapValue";
}
