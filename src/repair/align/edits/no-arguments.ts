import { isNoArguments } from "../../words/vocabulary.ts";
import { integer, object, text } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import { NOTHING_GIVEN } from "./nothing.ts";

export const noArguments: ValueEdit = {
  name: "no-arguments",
  level: "safe",
  cost: 1,
  types: ["null", "string", "array"],
  propose({ value, node, place }) {
    if (place.depth > 0 || !isNoArguments(value)) return [];
    return node.accepts({}) ? proposeValue({}, NOTHING_GIVEN) : [];
  },
};

export function noArgumentsSpec(): EditSpec {
  return {
    does: "No input at all, an empty list, empty brackets and a word for nothing (`null`, `undefined`, `none`, `nil`, `n/a`, in any case) are `{}` for a tool that needs no argument.",
    example: { schema: object({}), input: "", after: {} },
    notFor: [
      { schema: object({ query: text }), input: "" },
      { schema: object({ "limit?": integer }), input: "None, thanks" },
      { schema: object({}), input: "nothing yet" },
      { schema: object({ "limit?": integer }), input: ["all"] },
    ],
  };
}
