import { isContainer } from "../../json.ts";
import type { JsonValue } from "../../types.ts";
import { choiceOf, described, integer, object, text, texts } from "../cases.ts";
import type { EditSpec, ValueEdit } from "../rule.ts";
import { isNoValue, leaveOut, UNLESS_CHOICE, UNLESS_MEANT } from "./nothing.ts";

export const dropEmptyText: ValueEdit = {
  name: "drop-empty-text",
  level: "safe",
  cost: 2,
  types: ["string"],
  propose: (at) => (isNoValue(at.text) ? leaveOut(at) : []),
  unless: {
    ...UNLESS_MEANT,
    ...UNLESS_CHOICE,
    "`None` may mean none of its default": (_, { text, node }) =>
      text.trim() === "None" && holdsText(node.default),
  },
};

/** Whether a default is a text, or a list or an object that is not empty. */
function holdsText(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return value !== "";
  return isContainer(value) && Object.keys(value).length > 0;
}

export function dropEmptyTextSpec(): EditSpec {
  return {
    does: '`""`, `"null"`, `"None"`, `"undefined"` and `"N/A"` in an optional field that rejects them are left out, under the same condition, but `None` not where the default is a text or a filled list.',
    example: {
      schema: object({ query: text, "limit?": integer }),
      input: { query: "cats", limit: "None" },
      after: { query: "cats" },
    },
    witnesses: {
      "a description speaks of null or of empty text": {
        schema: object({
          query: text,
          "limit?": described(integer, "Row limit. Empty: no limit"),
        }),
        input: { query: "cats", limit: "" },
      },
      "`None` may mean none of its default": {
        schema: object({
          to: text,
          "cc?": { ...texts, default: ["audit@example.com"] },
        }),
        input: { to: "a", cc: "None" },
      },
      // With `respell-choice` it costs less to take the choice: only a choice
      // that case tells apart shows it.
      "it is one of the choices": {
        schema: object({ query: text, "mark?": choiceOf("nOne", "nTwo") }),
        input: { query: "cats", mark: "None" },
      },
    },
    notFor: [
      {
        schema: object({ query: text, "limit?": integer }),
        input: { query: "cats", limit: "none needed" },
      },
      {
        schema: object({ query: text, limit: integer }),
        input: { query: "cats", limit: "" },
      },
      {
        schema: object({ query: text, "limit?": integer }),
        input: { query: "cats", limit: "none" },
      },
    ],
  };
}
