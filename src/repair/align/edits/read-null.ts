import { described, inputsFor, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import { isNoValue, UNLESS_CHOICE, UNLESS_MEANT } from "./nothing.ts";

export const readNull: ValueEdit = {
  name: "read-null",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["string"],
  propose({ text, node }) {
    if (node.of("null").length === 0 || !isNoValue(text)) return [];
    return proposeValue(null);
  },
  unless: { ...UNLESS_MEANT, ...UNLESS_CHOICE },
};

export function readNullSpec(): EditSpec {
  const limit = { type: ["integer", "null"] };
  return {
    does: '`""`, `"null"`, `"None"`, `"undefined"` and `"N/A"` become null if the schema takes null and not the text, under the condition of `drop-null`.',
    example: {
      schema: object({ limit }),
      input: { limit: "None" },
      after: { limit: null },
    },
    witnesses: {
      "a description speaks of null or of empty text": {
        schema: object({
          limit: described(limit, "Row limit; null removes it"),
        }),
        input: { limit: "None" },
      },
      "it is one of the choices": {
        schema: object({ mark: { enum: ["nOne", "nTwo", null] } }),
        input: { mark: "None" },
      },
    },
    notFor: inputsFor(
      object({ limit }),
      { limit: "none of them" },
      { limit: "no" },
      { limit: "keine" },
    ),
  };
}
