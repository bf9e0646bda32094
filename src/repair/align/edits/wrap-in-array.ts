import { isJsonObject } from "../../json.ts";
import { spacedParts } from "../../text.ts";
import { isNothing } from "../../words/vocabulary.ts";
import { holdsAny, MAX_WORD, opensContainer } from "../bare-text.ts";
import { choiceOf, object, openObject, text, texts } from "../cases.ts";
import { beginsAsWord, elementsOf, everyElement, isRange } from "../lists.ts";
import {
  type EditSpec,
  type Proposal,
  proposeValue,
  type ValueEdit,
} from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const wrapInArray: ValueEdit = {
  name: "wrap-in-array",
  level: "safe",
  cost: 2,
  types: ["string", "number", "boolean", "object"],
  fits: "allKeys",
  maxInnerCost: 3,
  propose(at) {
    const { value, node, place } = at;
    if (place.inList || node.of("array").length === 0) return [];
    const elements = elementsOf(at);
    const takesObject = elements.some(({ type }) => type === "object");
    if (isJsonObject(value) && !takesObject) return [];
    return proposeValue(
      [value],
      "the field takes a list, and this is its only element",
    );
  },
  unless: {
    "it is a word for nothing": (_, { value }) => isNothing(value),
    "it begins as a list, an object or another structure": (_, { value }) => {
      if (typeof value !== "string") return false;
      return opensContainer(value) || !beginsAsValue(value);
    },
    "a sign in it parts values, or says that there are more": ofFreeText(
      (text) => holdsAny(text, PART_VALUES),
    ),
    "several words that are no name may say more": ofFreeText(
      (text) => !isWordOrName(text.trim()),
    ),
    "it is a range": ofFreeText(isRange),
    "it is too long for one element": ofFreeText(
      (text) => text.length > MAX_WORD,
    ),
  },
};

/** `a, b`, `a; b`, `a|b`, lines, tabs; `a, b, …`. */
const PART_VALUES: readonly string[] = [...",;|\n\t，；、…", "..."];

/** Whether a text begins as a word does, with a plus, or with a quote. */
function beginsAsValue(text: string): boolean {
  const value = text.trimStart();
  return VALUE_STARTS.has(value.charAt(0)) || beginsAsWord(value);
}

const VALUE_STARTS = new Set("+\"'`");

/** One word, or a name: `New York`, `Part 2`, but not `all but 14A`. */
function isWordOrName(text: string): boolean {
  const words = spacedParts(text);
  if (words.length === 1) return true;
  return words.every((word) => /^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(word));
}

/**
 * An objection to a text, unless the elements are choices, which say themselves
 * what they are.
 */
function ofFreeText(isObjection: (text: string) => boolean) {
  return (_: Proposal, at: ValueWant): boolean => {
    if (typeof at.value !== "string" || areChoices(at)) return false;
    return isObjection(at.value);
  };
}

function areChoices(at: ValueWant): boolean {
  return everyElement(at, ({ values }) => values !== undefined);
}

export function wrapInArraySpec(): EditSpec {
  const files = object({ files: texts });
  return {
    does: "A number, a boolean or an object becomes a list of one; so does a text only if it is one word, or words that each begin with a capital or a digit. It holds no comma, semicolon, `|`, tab, line break or ellipsis, is no range and no word for nothing, and begins with no bracket or other sign.",
    example: {
      schema: files,
      input: { files: "a.txt" },
      after: { files: ["a.txt"] },
    },
    witnesses: {
      "it begins as a list, an object or another structure": {
        schema: files,
        input: { files: "[a.txt" },
      },
      "it is a word for nothing": { schema: files, input: { files: "none" } },
      "a sign in it parts values, or says that there are more": {
        schema: files,
        input: { files: "Doe, Jane" },
      },
      "several words that are no name may say more": {
        schema: files,
        input: { files: "all but a.txt" },
      },
      "it is a range": { schema: files, input: { files: "A1-A9" } },
      "it is too long for one element": {
        schema: files,
        input: { files: "long".repeat(60) },
      },
    },
    notFor: [
      {
        schema: object({
          days: { type: "array", items: choiceOf("mon", "tue") },
        }),
        input: { days: "sun" },
      },
      {
        schema: openObject({
          steps: {
            type: "array",
            items: object({ action: text, "point?": text }),
          },
        }),
        input: { steps: { action: "click" }, point: "1,2" },
      },
    ],
  };
}
