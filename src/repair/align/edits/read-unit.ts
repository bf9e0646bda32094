import { readExactNumber } from "../../read/numbers.ts";
import { described, number, object } from "../cases.ts";
import { foldName, wordsOf } from "../names.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";
import { jsonNumberOf, mayGroup } from "../written-number.ts";

export const readUnit: ValueEdit = {
  name: "read-unit",
  level: "eager",
  cost: 2,
  propose(at) {
    if (at.node.of("number").length === 0 || at.place.inList) return [];
    const { number = "", unit = "" } = amountIn(at);
    const text = jsonNumberOf(number);
    if (text === undefined || unit === "") return [];
    return proposeValue(readExactNumber(text), "the field's name ends in the unit");
  },
  unless: {
    "the field's name ends in no such unit": (_, at) => !isOwnUnit(at),
    "one point before three digits may part groups": (_, at) =>
      mayGroup(jsonNumberOf(amountIn(at).number ?? "") ?? ""),
  },
};

/** A number and a unit behind it: `21 °C`, `12mm`, `65%`. */
const AMOUNT = /^\s*(?<number>\S*?\d)\s*(?<unit>°?\p{L}+|%)\s*$/u;

function amountIn({ value }: ValueWant): { readonly number?: string; readonly unit?: string } {
  const isShort = typeof value === "string" && value.length < 50;
  return isShort ? (AMOUNT.exec(value)?.groups ?? {}) : {};
}

/** Whether the field's name ends in the unit, in its case or in that of the description. */
function isOwnUnit(at: ValueWant): boolean {
  const { unit = "" } = amountIn(at);
  const last = wordsOf(at.place.key).at(-1) ?? "";
  if (unit === "%") return last === "pct" || last === "percent";
  const letters = unit.replace("°", "");
  if (foldName(letters) !== last) return false;
  // `M` for `height_m` may be a million: a capital must stand in the description.
  return (
    letters === last || at.node.variants().some(({ description }) => speaksOf(unit, description))
  );
}

/** Whether a description holds a unit as a word: "Temperature in °C". */
function speaksOf(unit: string, description: string): boolean {
  return description.split(/[\s,.;:()[\]/]+/).includes(unit);
}

export function readUnitSpec(): EditSpec {
  const temperature = object({ temp_c: described(number, "Temperature in °C") });
  return {
    does: "A number followed by the unit in which the field's name ends becomes the number: `12 mm` for `width_mm`, `65%` for `humidity_pct`, and `21 °C` for `temp_c` if the description writes the unit so.",
    example: { schema: temperature, input: { temp_c: "21 °C" }, after: { temp_c: 21 } },
    refused: {
      "the field's name ends in no such unit": {
        schema: temperature,
        input: { temp_c: "70 °F" },
      },
      "one point before three digits may part groups": {
        schema: object({ mass_kg: number }),
        input: { mass_kg: "1.250 kg" },
      },
    },
    notFor: [
      { schema: object({ width_mm: number }), input: { width_mm: "12 to 15 mm" } },
      { schema: object({ width_mm: number }), input: { width_mm: "~12 mm" } },
      { schema: object({ width_mm: number }), input: { width_mm: "mm" } },
    ],
  };
}
