import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { pairCorrections } from "../correct/pair-corrections.ts";
import type { CorrectedCall } from "../correct/run-corrections.ts";
import type { PreparedActions, PreparedPlan } from "./plan.ts";
import type { Outcome } from "./run.ts";

/**
 * Makes one plan of what an agent planned, and of what it planned when it was asked to correct the
 * actions that were refused. Without any that were right, the new plan stands alone, if it has no
 * action too few. Else each corrected action takes the place of a refused one, in the model's first
 * message too: as it should have been called. The model was asked for no others; what else it planned
 * is left out, for its next turn.
 *
 * @param before What was planned first.
 * @param next What was planned then.
 * @param errorOf Why an action is to be replaced; `undefined` where it is not.
 * @returns The plan, and which of its actions stand for which that were refused.
 */
export function mergePlans(
  before: PreparedActions,
  next: PreparedPlan,
  errorOf: (outcome: Outcome) => ToolInputError | undefined,
): { readonly plan: PreparedPlan; readonly corrected: readonly CorrectedCall[] } {
  const isRefused = (outcome: Outcome) => errorOf(outcome) !== undefined;
  const held = before.outcomes.filter((outcome) => !isRefused(outcome));
  if (next.kind === "output") return { plan: held.length === 0 ? next : before, corrected: [] };
  const { pairs, standsAlone } = pairCorrections(
    { held, refused: before.outcomes.filter(isRefused), made: next.outcomes },
    ({ action }) => ({ name: String(action.tool), input: action.toolInput }),
  );
  const corrected = [...pairs].flatMap(([refused, { resolution, action }]) => {
    const error = errorOf(refused);
    return error === undefined || resolution.kind !== "run"
      ? []
      : [{ error, by: action.toolCallId, toolInput: resolution.toolInput }];
  });
  if (standsAlone) return { plan: next, corrected };
  const outcomes = before.outcomes.map((outcome) => {
    const corrected = pairs.get(outcome);
    return corrected === undefined ? outcome : inPlaceOf(outcome, corrected);
  });
  return { plan: { ...before, outcomes }, corrected };
}

/** The very action, as it is kept for when LangChain runs its tool; it is toolmend's own. */
function inPlaceOf({ action }: Outcome, outcome: Outcome): Outcome {
  const { log, toolCallId, messageLog } = action;
  Object.assign(outcome.action, { log, toolCallId, messageLog });
  return outcome;
}
