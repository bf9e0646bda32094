import { wordIn } from "../bare-text.ts";
import { boolean, inputsFor, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const readBoolean: ValueEdit = {
  name: "read-boolean",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["string"],
  propose({ value }) {
    const word = wordIn(value)?.toLowerCase();
    return proposeValue(BOOLEANS.get(word));
  },
};

const BOOLEANS: ReadonlyMap<string | undefined, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

export function readBooleanSpec(): EditSpec {
  return {
    does: '"true" and "false" in any case become the boolean.',
    example: {
      schema: object({ force: boolean }),
      input: { force: "True" },
      after: { force: true },
    },
    notFor: inputsFor(
      object({ force: boolean }),
      { force: "true?" },
      { force: "not true" },
      { force: "wahr" },
    ),
  };
}
