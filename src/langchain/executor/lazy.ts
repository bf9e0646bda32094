// What few runs need, in one part: each part that is loaded by itself makes the others larger.

export { correctPlan } from "./correct-plan.ts";
export { findLaterActions } from "./find-later-actions.ts";
export { readAction } from "./read-action.ts";
