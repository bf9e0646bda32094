/**
 * What the edits of null and of empty text share: `drop-null`,
 * `drop-empty-text`, `read-null`, `fill-default`.
 */

import { choicesLike, choicesOf } from "../choices.ts";
import type { Conditions, Proposal } from "../rule.ts";
import { areTextsKnown, speaksOfNothing, textsAbout } from "../schema-texts.ts";
import type { ValueWant } from "../types.ts";

/**
 * Texts that programs write for no value. Python's `None` in its own spelling:
 * "none" may be "no".
 */
const NO_VALUE = /^\s*(?:null|undefined|NULL|Null|None|N\/A|n\/a)?\s*$/;

/** Whether a text stands for no value. */
export function isNoValue(text: string): boolean {
  return text.length < 50 && NO_VALUE.test(text);
}

/** An optional place is left out. */
export function leaveOut(at: ValueWant): readonly Proposal[] {
  // a description that is not known may speak of null
  const mayLeaveOut = at.place.isOptional && areTextsKnown(at);
  return mayLeaveOut ? [{ after: undefined, why: NOTHING_GIVEN }] : [];
}

/** The reason of a repair that takes an empty value for none. */
export const NOTHING_GIVEN = "nothing is given, and nothing need be";

/** An empty value may be an instruction: "null clears it". */
export const UNLESS_MEANT: Conditions<Proposal, ValueWant> = {
  "a description speaks of null or of empty text": (_, at) =>
    textsAbout(at).some(speaksOfNothing),
};

/** A text may spell one of the choices. */
export const UNLESS_CHOICE: Conditions<Proposal, ValueWant> = {
  "it is one of the choices": (_, { value, node }) =>
    typeof value === "string" && choicesLike(value, choicesOf(node)).length > 0,
};
