import { readExactNumber } from "../../read/numbers.ts";
import { wordIn } from "../bare-text.ts";
import { inputsFor, integer, number, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";
import { countGroups, jsonNumberOf, mayGroup } from "../written-number.ts";

export const readNumber: ValueEdit = {
  name: "read-number",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["string"],
  propose(at) {
    if (at.node.of("number").length === 0) return [];
    return proposeValue(readExactNumber(writtenNumber(at)));
  },
  unless: {
    "one point before three digits may part groups": (_, at) =>
      mayGroup(writtenNumber(at)),
    "three numbers of three digits may be a list": (_, { value }) => {
      const word = wordIn(value) ?? "";
      // `101,102,103`, but not `1,234,567`
      const [first = ""] = word.replace("-", "").split(",", 1);
      return first.length === 3 && countGroups(word, ",") > 1;
    },
    "an exponent may be part of a code": (_, at) => {
      if (!writtenNumber(at).toLowerCase().includes("e")) return false;
      const variants = at.node.of("number");
      return variants.every((each) => each.said("type").includes("integer"));
    },
  },
};

/** The JSON number that a text writes; `""` if it writes none. */
function writtenNumber({ value }: ValueWant): string {
  return jsonNumberOf(wordIn(value) ?? "") ?? "";
}

export function readNumberSpec(): EditSpec {
  return {
    does: "Text that is a JSON number becomes the number; so does one with full-width digits, with `+`, without the zero before its point, or with groups of three. Two or more of the same separator part groups (`1,234,567`, `1.250.000`, `1 250 000`); commas do not if the first group has three digits, too (`101,102,103`). One separator does if it is a space (`54 300`) or if another sign is the point (`12,345.60`), else it is rejected (`1,000`, `1.250`).",
    example: {
      schema: object({ count: integer }),
      input: { count: "1,234,567" },
      after: { count: 1_234_567 },
    },
    witnesses: {
      "one point before three digits may part groups": {
        schema: object({ weight: number }),
        input: { weight: "1.250" },
      },
      "three numbers of three digits may be a list": {
        schema: object({ room: integer }),
        input: { room: "101,102,103" },
      },
      "an exponent may be part of a code": {
        schema: object({ lot: integer }),
        input: { lot: "1e3" },
      },
    },
    notFor: inputsFor(
      object({ count: integer }),
      { count: "1,000" },
      { count: "101,102" },
      { count: "007" },
      { count: "15%" },
      { count: "5 kg" },
      { count: "5²" },
      { count: "9007199254740993" },
    ),
  };
}
