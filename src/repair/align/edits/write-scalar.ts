import { NAMES_TRUTH } from "../../words/vocabulary.ts";
import { described, integer, object, text } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const writeScalar: ValueEdit = {
  name: "write-scalar",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["number", "boolean"],
  propose(at) {
    const { value, node } = at;
    if (node.of("string").length === 0) return [];
    if (typeof value === "number") return proposeValue(spellingOf(value, at));
    return proposeValue(String(value), "the field names it");
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
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
  const written = String(value);
  return written.includes("e") ? undefined : written;
}

function namesTruth(written: string, { node }: ValueWant): boolean {
  return node.of("string").some(({ values, description }) => {
    return values?.includes(written) ?? NAMES_TRUTH.test(description);
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
