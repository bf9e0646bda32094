import { ANSWERS } from "../../words/vocabulary.ts";
import { boolean, inputsFor, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const readYesNo: ValueEdit = {
  name: "read-yes-no",
  level: "eager",
  cost: 2,
  types: ["string", "number"],
  propose({ value, node }) {
    if (node.of("boolean").length === 0) return [];
    return proposeValue(
      ANSWERS.get(`${value}`.trim().toLowerCase()),
      "it answers yes or no",
    );
  },
  unless: {
    "only one answer is allowed, which may be a consent": (_, { node }) =>
      !node.accepts(true) || !node.accepts(false),
  },
};

export function readYesNoSpec(): EditSpec {
  return {
    does: "`yes`, `on` and `1`, `no`, `off` and `0` become the boolean, unless the field takes only one of the two.",
    example: {
      schema: object({ force: boolean }),
      input: { force: "yes" },
      after: { force: true },
    },
    witnesses: {
      "only one answer is allowed, which may be a consent": {
        schema: object({ agreed: { const: true } }),
        input: { agreed: "yes" },
      },
    },
    notFor: inputsFor(
      object({ force: boolean }),
      { force: "yes, but not now" },
      { force: "yes/no" },
      { force: "y" },
      { force: "ja" },
      { force: 2 },
    ),
  };
}
