import { isContainer, isJsonObject } from "../../json.ts";
import type { JsonValue } from "../../types.ts";
import { integer, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import { freeTexts } from "./free-texts.ts";

export const unwrapArray: ValueEdit = {
  name: "unwrap-array",
  level: "safe",
  cost: 2,
  types: ["array"],
  fits: "someKey",
  unpacks: true,
  propose({ value, node }) {
    const item = onlyItemOf(value);
    // A text for a field of text is `unwrap-text`'s.
    if (item === null || (!isContainer(item) && freeTexts(node).length > 0))
      return [];
    if (isJsonObject(item) && node.of("object").length === 0) return [];
    return proposeValue(item, "the only element of a list, wanted by itself");
  },
};

/** The only element of a list; null if it has none or several. */
export function onlyItemOf(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length === 1
    ? (value[0] as JsonValue)
    : null;
}

export function unwrapArraySpec(): EditSpec {
  const count = object({ count: integer });
  return {
    does: "A list around a single value is removed.",
    example: { schema: count, input: { count: [5] }, after: { count: 5 } },
    notFor: [
      { schema: count, input: { count: [5, 6] } },
      { schema: count, input: { count: [] } },
      { schema: count, input: { count: [null] } },
      { schema: count, input: { count: ["5 or 6"] } },
    ],
  };
}
