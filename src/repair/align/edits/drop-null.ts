import { described, integer, object, text } from "../cases.ts";
import type { EditSpec, ValueEdit } from "../rule.ts";
import { leaveOut, UNLESS_MEANT } from "./nothing.ts";

export const dropNull: ValueEdit = {
  name: "drop-null",
  level: "safe",
  cost: 1,
  types: ["null"],
  propose: leaveOut,
  unless: UNLESS_MEANT,
};

export function dropNullSpec(): EditSpec {
  const limit = { query: "cats", limit: null };
  return {
    does: "null in an optional field that rejects it is left out, unless a description (of the field, of what is around it, or of the tool) speaks of null or of empty text other than as the default.",
    example: {
      schema: object({
        query: text,
        "limit?": described(integer, "Rows to return; all by default"),
      }),
      input: limit,
      after: { query: "cats" },
    },
    witnesses: {
      "a description speaks of null or of empty text": {
        schema: object({
          query: text,
          "limit?": described(integer, "Row limit; null clears it"),
        }),
        input: limit,
      },
    },
    notFor: [{ schema: object({ query: text, limit: integer }), input: limit }],
  };
}
