import type { JsonValue } from "../../types.ts";
import { editDistance, foldName, isTypo } from "../names.ts";
import type { Edit, Want } from "./edit.ts";

/** A value of an enum that differs in case, spacing or punctuation: `"New York"`, `NEW_YORK`. */
export const respellChoice: Edit = {
  name: "respell-choice",
  level: "safe",
  cost: 1,
  propose(value, want) {
    const choices = choicesOf(want);
    if (!isWord(value) || choices.length === 0) return [];
    const bare = value
      .trim()
      .replace(/^(["'`])(.*)\1$/s, "$2")
      .trim();
    if (choices.includes(bare)) return [bare];
    const folded = foldName(value);
    return folded === "" ? [] : onlyOne(choices.filter((choice) => foldName(choice) === folded));
  },
};

/** A value of an enum with a slip of the keyboard in it, if one is nearest. */
export const correctChoice: Edit = {
  name: "correct-choice",
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!isWord(value)) return [];
    const choices = choicesOf(want).filter((choice) => isTypo(value, choice));
    const ranked = choices.map((choice) => editDistance(foldName(value), foldName(choice)));
    const least = Math.min(...ranked);
    return onlyOne(choices.filter((_, index) => ranked[index] === least));
  },
};

/** Text that is short enough to be a choice. */
function isWord(value: JsonValue): value is string {
  return typeof value === "string" && value.length <= 200;
}

function choicesOf(want: Want): string[] {
  const values = want.node.variants().flatMap((variant) => variant.values ?? []);
  return values.filter((value): value is string => typeof value === "string");
}

function onlyOne(choices: readonly string[]): JsonValue[] {
  const [choice, ...others] = new Set(choices);
  return choice === undefined || others.length > 0 ? [] : [choice];
}
