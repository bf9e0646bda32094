import { NAMES_TRUTH } from "../../words/vocabulary.ts";
import { described, integer, object, text } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const writeScalar: ValueEdit = {
  name: "write-scalar",
  level: "safe",
  cost: 1,
  types: ["number", "boolean"],
  propose(at) {
    const { value, node } = at;
    if (node.of("string").length === 0) return [];
    if (typeof value === "boolean")
      return proposeValue(String(value), "the field names it");
    return typeof value === "number" ? proposeValue(spellingOf(value, at)) : [];
  },
  unless: {
    "nothing names true, false or boolean": ({ after }, at) =>
      typeof at.value === "boolean" && !namesTruth(String(after), at),
  },
};

/**
 * A number as the model wrote it; `undefined` if that is not known for sure.
 */
function spellingOf(value: number, { run }: ValueWant): string | undefined {
  const spellings = run.spellings();
  if (spellings.has(value)) return spellings.get(value);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  const written = String(value);
  return isExact && !written.includes("e") ? written : undefined;
}

function namesTruth(written: string, { node }: ValueWant): boolean {
  return node.of("string").some(({ values, description }) => {
    return values === undefined
      ? NAMES_TRUTH.test(description)
      : values.includes(written);
  });
}

export function writeScalarSpec(): EditSpec {
  return {
    does: "A number becomes text in its own spelling (`3.10`). A boolean becomes text only if it is one of the choices, or the description names `true`, `false` or `boolean`.",
    example: {
      schema: object({ id: text }),
      input: { id: 42 },
      after: { id: "42" },
    },
    witnesses: {
      "nothing names true, false or boolean": {
        schema: object({ middle_name: described(text, "Middle name") }),
        input: { middle_name: false },
      },
    },
    notFor: [
      {
        schema: object({ middle_name: text }),
        input: { middle_name: 2 ** 64 },
      },
      { schema: object({ count: integer }), input: { count: true } },
    ],
  };
}
