import { readExactNumber } from "../../json/exact-number.ts";
import type { Edit } from "./edit.ts";

/** Grouped twice, or grouped and with a fraction: then the comma groups. */
const CLEAR = /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d{1,2}|(?:,\d{3}){2,}(?:\.\d+)?)$/;
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:([,_])\d{3})(?:\1\d{3})*(\.\d+)?$/;

/**
 * A number as text. Not one with a leading zero, which is an id, nor one that would be rounded, nor
 * `1e5` where an integer is wanted: that may be an id, too.
 */
export const readNumber: Edit = {
  name: "read-number",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (typeof value !== "string" || want.of("number").length === 0) return [];
    const text = unquote(value);
    const takesFraction = want.of("number").some(({ type }) => type === "number");
    if (/e/i.test(text) && !takesFraction) return [];
    const number = readExactNumber(text);
    if (number !== undefined) return [number];
    const groups = GROUPED.exec(text);
    if (groups === null) return [];
    // `1,234` may be a decimal comma where fractions are welcome; anything more may not.
    const [, sign = "", fraction] = groups;
    const isPlain = sign === "_" || fraction !== undefined || text.split(sign).length > 2;
    return isPlain || !takesFraction ? exact(text.replaceAll(sign, "")) : [];
  },
};

/** An amount of money, where its comma or point can be read in one way only. */
export const readFigure: Edit = {
  name: "read-figure",
  level: "eager",
  cost: 2,
  propose(value, want) {
    if (typeof value !== "string" || want.of("number").length === 0) return [];
    const text = unquote(value);
    const amount = text.replace(/^([+-]?)[$€£]\s?(?=\d)/, "$1");
    // `€1.234` and `$1,234` are one thing here and another there; `$3.50` and `$1,234.50` are not.
    const isClear =
      readExactNumber(amount) !== undefined
        ? !/^[+-]?\d{1,3}\.\d{3}$/.test(amount)
        : CLEAR.test(amount);
    return amount !== text && isClear ? exact(amount.replaceAll(",", "")) : [];
  },
};

function exact(text: string): number[] {
  const number = readExactNumber(text);
  return number === undefined ? [] : [number];
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim();
}
