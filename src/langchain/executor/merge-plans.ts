import type { PreparedActions, PreparedPlan } from "./plan.ts";
import type { Outcome } from "./run.ts";

/**
 * Makes one plan of what an agent planned, and of what it planned when it was asked to correct the
 * actions that were refused. Without any that were right, the new plan stands alone. Else each
 * corrected action takes the place of a refused one, in the model's first message too: as it should
 * have been called. The model was asked for no others; what else it planned is left out, for its
 * next turn.
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
  if (before.outcomes.every(isRefused)) return next;
  if (next.kind === "output") return before;
  const left = [...next.outcomes];
  const take = (suits: (outcome: Outcome) => boolean): Outcome | undefined => {
    const index = left.findIndex(suits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const corrections = new Map<Outcome, Outcome>();
  const refused = before.outcomes.filter(isRefused);
  for (const suits of [isOfSameTool, () => true]) {
    for (const one of refused) {
      if (corrections.has(one)) continue;
      const taken = take((outcome) => suits(outcome, one));
      if (taken !== undefined) corrections.set(one, inPlaceOf(one, taken));
    }
  }
  const outcomes = before.outcomes.map((outcome) => corrections.get(outcome) ?? outcome);
  return { ...before, outcomes };
}

function isOfSameTool({ action }: Outcome, other: Outcome): boolean {
  return action.tool === other.action.tool;
}

/** The very action, as it is kept for when LangChain runs its tool; it is toolmend's own. */
function inPlaceOf({ action }: Outcome, outcome: Outcome): Outcome {
  const { log, toolCallId, messageLog } = action;
  Object.assign(outcome.action, { log, toolCallId, messageLog });
  return outcome;
}
