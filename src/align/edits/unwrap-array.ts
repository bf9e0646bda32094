import type { JsonValue } from "../../types.ts";
import type { Edit } from "./edit.ts";

/** A list around one value that is wanted by itself: `[{"selector": "#a"}]`, `[[1, 2]]`, `[5]`. */
export const unwrapArray: Edit = {
  name: "unwrap-array",
  level: "safe",
  cost: 2,
  unpacks: true,
  propose: (value) => onlyElement(value, (item) => typeof item !== "string"),
};

/** A list around one text. It may stand for JSON text instead, or for the first of several. */
export const unwrapText: Edit = {
  name: "unwrap-text",
  level: "eager",
  cost: 3,
  unpacks: true,
  propose: (value, want) =>
    want.of("array").length > 0 ? [] : onlyElement(value, (item) => typeof item === "string"),
};

function onlyElement(value: JsonValue, test: (item: JsonValue) => boolean): JsonValue[] {
  if (!Array.isArray(value) || value.length !== 1) return [];
  const [item] = value as JsonValue[];
  return item !== undefined && item !== null && test(item) ? [item] : [];
}
