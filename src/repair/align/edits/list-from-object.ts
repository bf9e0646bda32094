import { isJsonObject } from "../../json/json-value.ts";
import type { JsonType, Variant } from "../../schema/node.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { wordsOf } from "../names.ts";
import { VALUES } from "../reasons.ts";
import { type Edit, elementsOf } from "./edit.ts";
import { hasFixedLength } from "./has-fixed-length.ts";

/** A list written as an object: `{"0": "a", "1": "b"}`. From 1 on, the keys could be ids or ranks. */
export const listFromNumberedKeys: Edit = {
  name: "list-from-numbered-keys",
  fits: "snug",
  level: "safe",
  cost: 2,
  propose(value, want) {
    if (!isJsonObject(value) || want.of("array").length === 0) return [];
    const keys = Object.keys(value);
    const isNumbered = keys.length > 0 && keys.every((key, index) => key === String(index));
    return isNumbered ? [Object.values(value) as JsonValue[]] : [];
  },
  reason: () => VALUES.numberedFromZero,
};

/** Parallel lists, where a list of objects is wanted: `{"x": [1, 2], "y": [3, 4]}`. */
export const rowsFromColumns: Edit = {
  name: "rows-from-columns",
  fits: "snug",
  maxRest: 2,
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!isJsonObject(value)) return [];
    const columns = Object.entries(value as JsonObject);
    const length = Array.isArray(columns[0]?.[1]) ? columns[0][1].length : 0;
    const isEven = columns.every(([, cells]) => Array.isArray(cells) && cells.length === length);
    if (length === 0 || columns.length < 2 || !isEven) return [];
    const rows = elementsOf(want).filter(({ type }) => type === "object");
    if (!rows.some((row) => isMadeOf(row, columns))) return [];
    const row = (index: number) =>
      Object.fromEntries(
        columns.map(([key, cells]) => [key, (cells as JsonValue[])[index] ?? null]),
      );
    return [Array.from({ length }, (_, index) => row(index))];
  },
  reason: () => VALUES.columnsOfRows,
};

/** Whether columns are all of a row's fields, none of which is a list itself. */
function isMadeOf(row: Variant, columns: readonly (readonly [string, JsonValue])[]): boolean {
  const keys = new Set(columns.map(([key]) => key));
  return (
    [...row.required].every((key) => keys.has(key)) &&
    columns.every(([key, cells]) => {
      const field = row.properties.get(key);
      return field?.variants().every(({ type }) => isScalarType(type)) && !field.accepts(cells);
    })
  );
}

function isScalarType(type: JsonType | undefined): boolean {
  return type !== undefined && type !== "array" && type !== "object";
}

/** The orders in which the parts of a point are always said. */
const POINTS = ["x,y", "x,y,z"];
/** The orders in which the ends of a range are always said: it is more than its two ends. */
const RANGES = ["start,end", "min,max", "from,to"];

/** What a pair is called that is the two ends of something. */
const RANGE_WORDS = /\b(?:range|interval|bounds|pair|span|window|between)\b/i;

/** A pair written as an object: `{"x": 1, "y": 2}` for `[1, 2]`. */
export const pairFromParts: Edit = {
  name: "pair-from-parts",
  maxRest: 1,
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!isJsonObject(value)) return [];
    const keys = Object.keys(value);
    if (keys.length > 3) return [];
    const order = keys.join(",").toLowerCase();
    const parts = Object.values(value) as JsonValue[];
    const lists = want.of("array");
    const areScalars = elementsOf(want).every(({ type }) => isScalarType(type));
    if (lists.length === 0 || !areScalars) return [];
    const isFixed = hasFixedLength(parts, want);
    const names = [want.place.key ?? "", ...lists.map(({ description }) => description)];
    const speaksOfRange = names.some((name) => RANGE_WORDS.test(wordsOf(name).join(" ")));
    const isPair = POINTS.includes(order)
      ? isFixed || names.some((name) => POINT_WORDS.test(wordsOf(name).join(" ")))
      : RANGES.includes(order) && (isFixed || speaksOfRange);
    return isPair ? [parts] : [];
  },
  reason: () => VALUES.partsInOrder,
};

/** What is said of points by their coordinates. */
const POINT_WORDS =
  /\b(?:points?|coords?|coordinates?|vertex|vertices|positions?|locations?|origin|cent(?:er|re)|vectors?|corners?|waypoints?|xyz?|x y|pixels?|path|polygon|line)\b/i;
