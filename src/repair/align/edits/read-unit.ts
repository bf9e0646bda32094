import { readExactNumber } from "../../read/numbers.ts";
import { foldName, wordsOf } from "../../words/names.ts";
import { described, inputsFor, number, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant } from "../types.ts";
import { jsonNumberOf, mayGroup } from "../written-number.ts";

export const readUnit: ValueEdit = {
  name: "read-unit",
  level: "eager",
  cost: 2,
  types: ["string"],
  propose(at) {
    if (at.node.of("number").length === 0 || at.place.inList) return [];
    const { number } = amountIn(at);
    return proposeValue(readExactNumber(number), "the field is in that unit");
  },
  unless: {
    "neither its name nor its description holds the unit": (_, at) =>
      !isOwnUnit(at),
    "one point before three digits may part groups": (_, at) =>
      mayGroup(amountIn(at).number),
  },
};

/** A number and a unit behind it: `21 °C`, `12mm`, `65%`. */
const AMOUNT = /^\s*(?<number>\S*?\d)\s*(?<unit>°?\p{L}+|%)\s*$/u;

/** A JSON number and the unit behind it; both are `""` in another text. */
interface Amount {
  readonly number: string;
  readonly unit: string;
}
const NO_AMOUNT = { number: "", unit: "" };

function amountIn({ text }: ValueWant): Amount {
  if (text.length >= 50) return NO_AMOUNT;
  const { number = "", unit = "" } = AMOUNT.exec(text)?.groups ?? NO_AMOUNT;
  return { number: jsonNumberOf(number) ?? "", unit };
}

/** Whether the field's name ends in the unit, or its description holds it. */
function isOwnUnit(at: ValueWant): boolean {
  const { unit } = amountIn(at);
  const [last = ""] = wordsOf(at.place.key).toReversed();
  if (unit === last || (unit === "%" && PERCENT.has(last))) return true;
  // In a short unit, a capital may be another scale: `M` for `height_m`.
  if (unit.length > 3 && foldName(unit) === last) return true;
  return at.node
    .variants()
    .some(({ description }) => speaksOf(unit, description));
}

const PERCENT: ReadonlySet<string> = new Set(["pct", "percent"]);

/** Whether a description holds a unit as a word: "Temperature in °C". */
function speaksOf(unit: string, description: string): boolean {
  return description.split(/[\s,.;:()[\]/]/).includes(unit);
}

export function readUnitSpec(): EditSpec {
  const temperature = object({
    temp_c: described(number, "Temperature in °C"),
  });
  return {
    does: "A number followed by its field's unit becomes the number. The field's name ends in its unit, or its description holds it as a word: `12 mm` for `width_mm`, `65%` for `humidity_pct`, `21 °C` for “Temperature in °C”.",
    example: {
      schema: temperature,
      input: { temp_c: "21 °C" },
      after: { temp_c: 21 },
    },
    witnesses: {
      "neither its name nor its description holds the unit": {
        schema: temperature,
        input: { temp_c: "70 °F" },
      },
      "one point before three digits may part groups": {
        schema: object({ mass_kg: number }),
        input: { mass_kg: "1.250 kg" },
      },
    },
    notFor: inputsFor(
      object({ width_mm: number }),
      { width_mm: "12 to 15 mm" },
      { width_mm: "~12 mm" },
      { width_mm: "mm" },
    ),
  };
}
