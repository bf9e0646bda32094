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
const NO_VALUES: ReadonlySet<string> = new Set([
  "",
  "null",
  "undefined",
  "NULL",
  "Null",
  "None",
  "N/A",
  "n/a",
]);

/** Whether a text stands for no value. */
export function isNoValue(text: string): boolean {
  return text.length < 50 && NO_VALUES.has(text.trim());
}

/** An optional place is left out. */
export function leaveOut(at: ValueWant): readonly Proposal[] {
  // a description that is not known may speak of null
  if (!at.place.isOptional || !areTextsKnown(at)) return [];
  return [{ after: undefined, why: NOTHING_GIVEN }];
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
  "it is one of the choices": (_, { text, node }) =>
    choicesLike(text, choicesOf(node)).length > 0,
};
