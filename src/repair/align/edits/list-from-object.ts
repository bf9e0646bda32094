import { isJsonObject } from "../../json/json-value.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import type { Edit } from "./edit.ts";

/** A list written as an object: `{"0": "a", "1": "b"}`. */
export const listFromNumberedKeys: Edit = {
  name: "list-from-numbered-keys",
  fits: "snug",
  level: "safe",
  cost: 2,
  propose(value, want) {
    if (!isJsonObject(value) || want.of("array").length === 0) return [];
    const keys = Object.keys(value);
    const first = keys[0] === "1" ? 1 : 0;
    const isNumbered = keys.length > 0 && keys.every((key, index) => key === String(index + first));
    return isNumbered ? [Object.values(value) as JsonValue[]] : [];
  },
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
    const takesRows = want.of("array").some((variant) =>
      variant
        .itemAt(0)
        ?.variants()
        .some(({ properties }) => columns.every(([key]) => properties.has(key))),
    );
    if (length === 0 || columns.length < 2 || !isEven || !takesRows) return [];
    const row = (index: number) =>
      Object.fromEntries(
        columns.map(([key, cells]) => [key, (cells as JsonValue[])[index] ?? null]),
      );
    return [Array.from({ length }, (_, index) => row(index))];
  },
};

/** The orders in which the parts of a pair are always said. */
const ORDERS = ["x,y", "x,y,z", "start,end", "min,max", "from,to"];

/** A pair written as an object: `{"x": 1, "y": 2}` for `[1, 2]`. */
export const pairFromParts: Edit = {
  name: "pair-from-parts",
  maxRest: 1,
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!isJsonObject(value) || want.of("array").length === 0) return [];
    const order = Object.keys(value).join(",").toLowerCase();
    return ORDERS.includes(order) ? [Object.values(value) as JsonValue[]] : [];
  },
};
