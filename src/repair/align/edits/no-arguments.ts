import { isJsonObject } from "../../json.ts";
import { integer, object, text } from "../cases.ts";
import { type EditSpec, type Proposal, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";
import { isNoArguments } from "../vocabulary.ts";
import { NOTHING_GIVEN } from "./nothing.ts";

export const noArguments: ValueEdit = {
  name: "no-arguments",
  level: "safe",
  cost: 1,
  propose(at) {
    const { value, node, place } = at;
    if (place.depth > 0 || isJsonObject(value) || !node.accepts({})) return [];
    const isEmpty = value === null || (typeof value === "string" && value.trim() === "");
    return isEmpty ? proposeValue({}, NOTHING_GIVEN) : fromPlaceholder(at);
  },
};

/** A word for nothing, or an empty list, if the tool declares no argument. */
function fromPlaceholder({ value, node }: ValueWant): readonly Proposal[] {
  const [only, ...others] = node.of("object");
  if (only === undefined || others.length > 0) return [];
  const takesNone = only.properties.size === 0 && only.keyAt("_") === undefined;
  return takesNone && isNoArguments(value) ? proposeValue({}, "the tool takes no arguments") : [];
}

export function noArgumentsSpec(): EditSpec {
  return {
    does: "No input at all is `{}` for a tool that needs none. For a tool without arguments, so are an empty list, empty brackets and a word for nothing (`null`, `undefined`, `none`, `nil`, `n/a`).",
    example: { schema: object({}), input: "", after: {} },
    notFor: [
      { schema: object({ query: text }), input: "" },
      { schema: object({ "limit?": integer }), input: "None, thanks" },
      { schema: object({}), input: "nothing yet" },
      { schema: object({ "limit?": integer }), input: ["all"] },
    ],
  };
}
