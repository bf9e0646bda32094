import { mayBeAnotherWord, type Slip, slipBetween } from "../../words/names.ts";
import { choiceOf, inputsFor, object } from "../cases.ts";
import { choicesOf } from "../choices.ts";
import type { EditSpec, Proposal, ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const correctChoice: ValueEdit = {
  name: "correct-choice",
  level: "eager",
  cost: 3,
  types: ["string"],
  propose({ text, node }) {
    const { texts } = choicesOf(node);
    if (texts.length > MAX_CHOICES) return [];
    const proposals: Proposal[] = [];
    for (const after of texts) {
      const slip = slipBetween(text, after);
      if (slip !== undefined) proposals.push({ after, why: slip.why });
    }
    return proposals;
  },
  unless: {
    "in a word of fewer than five letters it may be another word": (
      proposal,
      at,
    ) => !at.run.isForHints && mayBeAnotherWord(slipTo(proposal, at)),
  },
};

/** Among more choices than this, one slip leads to another of them. */
const MAX_CHOICES = 500;

function slipTo({ after }: Proposal, { text }: ValueWant): Slip | undefined {
  return slipBetween(text, String(after));
}

export function correctChoiceSpec(): EditSpec {
  const unit = object({ unit: choiceOf("celsius", "fahrenheit") });
  return {
    does: "A text with one typo becomes the choice that was meant, if no other is as near. A typo is, in a word of five letters or more, two neighbouring letters swapped, or one letter lost or too many; or a piece written twice; or a difference in accents alone. It never changes the first letter, drops or adds the last, or replaces a letter.",
    example: {
      schema: unit,
      input: { unit: "fahrenhiet" },
      after: { unit: "fahrenheit" },
    },
    witnesses: {
      "in a word of fewer than five letters it may be another word": {
        schema: object({ fabric: choiceOf("silk", "wool") }),
        input: { fabric: "slik" },
      },
    },
    notFor: [
      // Two choices are as near: the engine takes none.
      {
        schema: object({ kind: choiceOf("trails", "trials") }),
        input: { kind: "trils" },
      },
      ...inputsFor(
        unit,
        { unit: "kelvin" },
        { unit: "selsius" },
        { unit: "celsiu" },
        { unit: "celsius2" },
      ),
    ],
  };
}
