import { isContainer, isJsonObject } from "../../json.ts";
import { freeTexts } from "../../schema/node.ts";
import type { JsonValue } from "../../types.ts";
import { inputsFor, integer, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const unwrapArray: ValueEdit = {
  name: "unwrap-array",
  level: "safe",
  cost: 2,
  types: ["array"],
  fits: "someKey",
  unpacks: true,
  propose({ value, node }) {
    const item = onlyItemOf(value);
    if (item === null) return [];
    // A text for a field of text is `unwrap-text`'s.
    if (!isContainer(item) && freeTexts(node).length > 0) return [];
    if (isJsonObject(item) && node.of("object").length === 0) return [];
    return proposeValue(item, "the only element of a list, wanted by itself");
  },
};

/** The only element of a list; null if it has none or several. */
export function onlyItemOf(value: JsonValue): JsonValue {
  if (!Array.isArray(value) || value.length !== 1) return null;
  return value[0] as JsonValue;
}

export function unwrapArraySpec(): EditSpec {
  const count = object({ count: integer });
  return {
    does: "A list around a single value is removed.",
    example: { schema: count, input: { count: [5] }, after: { count: 5 } },
    notFor: inputsFor(
      count,
      { count: [5, 6] },
      { count: [] },
      { count: [null] },
      { count: ["5 or 6"] },
    ),
  };
}
