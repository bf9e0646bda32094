import { pairCorrections } from "../correct/pair-corrections.ts";
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
 * @param isRefused Whether an action is to be replaced.
 */
export function mergePlans(
  before: PreparedActions,
  next: PreparedPlan,
  isRefused: (outcome: Outcome) => boolean,
): PreparedPlan {
  const held = before.outcomes.filter((outcome) => !isRefused(outcome));
  if (next.kind === "output") return held.length === 0 ? next : before;
  const { pairs, standsAlone } = pairCorrections(
    { held, refused: before.outcomes.filter(isRefused), made: next.outcomes },
    ({ action }) => ({ name: String(action.tool), input: action.toolInput }),
  );
  if (standsAlone) return next;
  const outcomes = before.outcomes.map((outcome) => {
    const corrected = pairs.get(outcome);
    return corrected === undefined ? outcome : inPlaceOf(outcome, corrected);
  });
  return { ...before, outcomes };
}

/** The very action, as it is kept for when LangChain runs its tool; it is toolmend's own. */
function inPlaceOf({ action }: Outcome, outcome: Outcome): Outcome {
  const { log, toolCallId, messageLog } = action;
  Object.assign(outcome.action, { log, toolCallId, messageLog });
  return outcome;
}
