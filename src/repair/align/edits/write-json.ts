import { object, text } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const writeJson: ValueEdit = {
  name: "write-json",
  level: "safe",
  cost: 1,
  types: ["object", "array"],
  propose({ value, node }) {
    if (node.of("string").length === 0) return [];
    return proposeValue(JSON.stringify(value));
  },
  unless: {
    "`objectAsText` does not ask for it": (_, { place, run }) => {
      const { objectAsText } = run;
      if (typeof objectAsText === "boolean") return !objectAsText;
      return !objectAsText.includes(place.path);
    },
  },
};

export function writeJsonSpec(): EditSpec {
  return {
    does: "An object or a list becomes JSON text, only with the option `objectAsText`.",
    example: {
      schema: object({ content: text }),
      input: { content: { a: 1 } },
      after: { content: '{"a":1}' },
    },
    witnesses: {
      "`objectAsText` does not ask for it": {
        schema: object({ content: text }),
        input: { content: { a: 1 } },
      },
    },
    notFor: [
      {
        schema: object({ count: { type: "integer" } }),
        input: { count: { a: 1 } },
      },
    ],
  };
}
