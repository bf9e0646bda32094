import { isJsonObject } from "../../json/json-value.ts";
import type { JsonValue } from "../../types.ts";
import { VALUES } from "../reasons.ts";
import { type Edit, freeText } from "./edit.ts";

/** A list around one value that is wanted by itself: `[{"selector": "#a"}]`, `[[1, 2]]`, `[5]`. */
export const unwrapArray: Edit = {
  name: "unwrap-array",
  fits: "known",
  level: "safe",
  cost: 2,
  unpacks: true,
  propose(value, want) {
    const item = onlyElement(value);
    if (item === undefined || (isScalar(item) && freeText(want).length > 0)) return [];
    // The only element of a list that is wanted is no list itself.
    return isJsonObject(item) && want.of("object").length === 0 ? [] : [item];
  },
  reason: () => VALUES.onlyElement,
};

/** A list around one text. Not where the description speaks of a list: then its JSON may be meant. */
export const unwrapText: Edit = {
  name: "unwrap-text",
  maxRest: 1,
  level: "eager",
  cost: 3,
  unpacks: true,
  propose(value, want) {
    const item = onlyElement(value);
    const texts = freeText(want);
    if (item === undefined || !isScalar(item) || texts.length === 0) return [];
    return texts.some(({ description }) => LIST.test(description)) ? [] : [item];
  },
  reason: () => VALUES.onlyElement,
};

const LIST = /\b(?:lists?|arrays?|sets?|collections?|sequences?|tuples?|multiple|several|json)\b/i;

function onlyElement(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  return (value as JsonValue[])[0] ?? undefined;
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object";
}
