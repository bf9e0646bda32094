import { isContainer } from "../../json.ts";
import { freeTexts } from "../../schema/node.ts";
import { described, inputsFor, object, text } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import { onlyItemOf } from "./unwrap-array.ts";

export const unwrapText: ValueEdit = {
  name: "unwrap-text",
  level: "safe",
  cost: 2,
  types: ["array"],
  maxInnerCost: 1,
  unpacks: true,
  propose({ value, node }) {
    const item = onlyItemOf(value);
    if (item === null || item === "" || isContainer(item)) return [];
    if (freeTexts(node).length === 0) return [];
    return proposeValue(item, "the only element of a list, wanted by itself");
  },
  unless: {
    "its description says list, array, set or JSON": (_, { node }) =>
      freeTexts(node).some(({ description }) => NAMES_LIST.test(description)),
  },
};

const NAMES_LIST = /\b(?:lists?|arrays?|sets?|json)\b/i;

export function unwrapTextSpec(): EditSpec {
  return {
    does: "A list around one text is removed, unless the description says list, array, set or JSON.",
    example: {
      schema: object({ selector: text }),
      input: { selector: ["#buy"] },
      after: { selector: "#buy" },
    },
    witnesses: {
      "its description says list, array, set or JSON": {
        schema: object({
          selector: described(text, "JSON array of selectors"),
        }),
        input: { selector: ["#buy"] },
      },
    },
    notFor: inputsFor(
      object({ selector: text }),
      { selector: ["#buy", "#sell"] },
      { selector: [] },
      { selector: [["#buy"], "#sell"] },
    ),
  };
}
