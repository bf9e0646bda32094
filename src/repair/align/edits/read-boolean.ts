import { wordIn } from "../bare-text.ts";
import { boolean, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const readBoolean: ValueEdit = {
  name: "read-boolean",
  level: "safe",
  cost: 1,
  types: ["string"],
  propose({ value }) {
    const word = wordIn(value)?.toLowerCase();
    return word === "true" || word === "false"
      ? proposeValue(word === "true")
      : [];
  },
};

export function readBooleanSpec(): EditSpec {
  return {
    does: '"true" and "false" in any case become the boolean.',
    example: {
      schema: object({ force: boolean }),
      input: { force: "True" },
      after: { force: true },
    },
    notFor: [
      { schema: object({ force: boolean }), input: { force: "true?" } },
      { schema: object({ force: boolean }), input: { force: "not true" } },
      { schema: object({ force: boolean }), input: { force: "wahr" } },
    ],
  };
}
