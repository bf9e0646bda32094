import {
  foldName,
  lettersOf,
  mayBeAnotherWord,
  type Slip,
  slipBetween,
} from "../../words/names.ts";
import { choiceOf, integer, object, text } from "../cases.ts";
import { choicesOf } from "../choices.ts";
import type { Edit, EditSpec, KeyRename } from "../rule.ts";
import type { KeyWant } from "../types.ts";
import { likeKeys, unlessOneOfSeveral } from "./like-keys.ts";

export const correctKey: Edit<KeyRename, KeyWant> = {
  name: "correct-key",
  level: "eager",
  cost: 3,
  isForIgnored: true,
  propose: (at) => likeKeys(at, whyMisspelt),
  unless: {
    ...unlessOneOfSeveral(
      (key, declared) => whyMisspelt(key, declared) !== undefined,
    ),
    "in a word of fewer than five letters it may be another word": (
      change,
      at,
    ) => isUnsure(change, at) && mayBeAnotherWord(slipOf(change)),
    "a letter lost or too many in a key of fewer than eight may make another word":
      (change, at) => {
        if (lettersOf(change.to).length >= 8) return false;
        const kind = slipOf(change)?.kind;
        return OF_ONE_LETTER.has(kind) && isUnsure(change, at);
      },
  },
};

/** The slips that make a name longer or shorter by a letter. */
const OF_ONE_LETTER: ReadonlySet<Slip["kind"] | undefined> = new Set([
  "lost",
  "added",
] as const);

/**
 * Why a key differs from a declared one: a slip, or a piece of JSON behind its
 * quote.
 */
function whyMisspelt(key: string, declared: string): string | undefined {
  const [start = "", ...pieces] = key.split('"');
  if (pieces.length === 0) return slipBetween(key, declared)?.why;
  const isStuck = foldName(start) === foldName(declared);
  return isStuck ? "a piece of JSON is stuck to it" : undefined;
}

function slipOf({ from, to }: KeyRename): Slip | undefined {
  return slipBetween(from, to);
}

/** Whether only the length of the names tells a typo from another word. */
function isUnsure(change: KeyRename, at: KeyWant): boolean {
  return !at.run.isForHints && !isProven(change, at);
}

/**
 * Whether the value shows which key was meant: it is one of its choices, or has
 * its format.
 */
function isProven(
  { from, to }: KeyRename,
  { object, variant }: KeyWant,
): boolean {
  const node = variant.properties.get(to);
  const value = object[from];
  if (typeof value !== "string" || !node?.accepts(value)) return false;
  if (choicesOf(node).texts.includes(value)) return true;
  return node.of("string").some((branch) => branch.said("format").length > 0);
}

export function correctKeySpec(): EditSpec {
  return {
    does: "A key with one typo becomes the absent key that was meant, if no other is as near; so does one with a piece of JSON stuck behind its quote. A typo is, in a word of five letters or more, two neighbouring letters swapped; in a key of eight letters or more, one letter lost or too many; or a piece of two or three signs written twice; or a difference in accents alone. It never changes the first letter, drops or adds the last, or replaces a letter. Where the value is one of the declared key's choices, or has its format, shorter keys count, too.",
    example: {
      schema: object({ query: text, selector: text }),
      input: { qurey: "cats", selctor: "#buy" },
      after: { query: "cats", selector: "#buy" },
    },
    witnesses: {
      "that key is there already": {
        schema: object({ selector: text }),
        input: { selector: "#buy", selctor: "#sell" },
      },
      "it is like several declared keys": {
        schema: object({ "configuration?": text, "configuratoin?": text }),
        input: { configuraton: "a" },
      },
      "another key is like it, too": {
        schema: object({ selector: text }),
        input: { selctor: "#buy", seletcor: "#sell" },
      },
      "in a word of fewer than five letters it may be another word": {
        schema: object({ form: text }),
        input: { from: "a" },
      },
      "a letter lost or too many in a key of fewer than eight may make another word":
        {
          schema: object({ patient: text }),
          input: { patent: "EP 1" },
        },
    },
    notFor: [
      { schema: object({ factory: text }), input: { factor: "x" } },
      { schema: object({ selector: text }), input: { selektor: "#buy" } },
      { schema: object({ amount: integer }), input: { mount: 5 } },
      {
        schema: object({ state: choiceOf("on", "off") }),
        input: { statute: "on" },
      },
    ],
  };
}
