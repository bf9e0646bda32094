import { choiceOf, inputsFor, listOf, object } from "../cases.ts";
import { choicesLike, choicesOf } from "../choices.ts";
import { partsOf } from "../lists.ts";
import {
  type EditSpec,
  type Proposal,
  proposeValue,
  type ValueEdit,
} from "../rule.ts";

export const splitChoices: ValueEdit = {
  name: "split-choices",
  level: "safe",
  cost: 2,
  types: ["string"],
  propose({ text, node }) {
    const parts = partsOf(text);
    if (parts.length === 0) return [];
    const proposals: Proposal[] = [];
    for (const { itemAt } of node.of("array")) {
      const item = itemAt(0);
      if (item === undefined) continue;
      const choices = choicesOf(item);
      const areChoices = parts.every(
        (part) => choicesLike(part, choices).length > 0,
      );
      // `Doe, Jane` may be one of them.
      const isOne = choicesLike(text, choices).length > 0;
      if (areChoices && !isOne) {
        proposals.push(
          ...proposeValue([...parts], "every part is one of the choices"),
        );
      }
    }
    return proposals;
  },
};

export function splitChoicesSpec(): EditSpec {
  const days = object({ days: listOf(choiceOf("mon", "tue", "wed")) });
  return {
    does: "Text becomes a list if every part of it is one of the choices, parted by one sign: commas, semicolons or line breaks.",
    example: {
      schema: days,
      input: { days: "mon, wed" },
      after: { days: ["mon", "wed"] },
    },
    notFor: inputsFor(
      days,
      { days: "mon, not wed" },
      { days: "mon to wed" },
      { days: "mon, sun" },
      { days: "mon, tue; wed" },
    ),
  };
}
