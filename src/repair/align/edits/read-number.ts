import { readExactNumber } from "../../read/numbers.ts";
import type { JsonValue } from "../../types.ts";
import { wordsOf } from "../names.ts";
import { VALUES } from "../reasons.ts";
import type { Edit, Want } from "./edit.ts";

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
    if (!isShortText(value) || want.of("number").length === 0) return [];
    const text = unquote(value);
    const takesFraction = want.of("number").some(({ type }) => type === "number");
    // `1e5` where an id is wanted is an id; a count is never written so.
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

/**
 * An amount of money, where its comma or point can be read in one way only, and where the place
 * says that its currency is the one that the sign says.
 */
export const readFigure: Edit = {
  name: "read-figure",
  level: "eager",
  cost: 2,
  propose(value, want) {
    if (!isShortText(value) || want.of("number").length === 0) return [];
    const text = unquote(value);
    const [, minus = "", sign = "", amount = ""] = /^([+-]?)([$€£])\s?(\d.*)$/.exec(text) ?? [];
    if (amount === "" || !namesCurrency(CURRENCIES[sign], want)) return [];
    // `€1.234` and `$1,234` are one thing here and another there; `$3.50` and `$1,234.50` are not.
    const isClear =
      readExactNumber(amount) !== undefined ? !/^\d{1,3}\.\d{3}$/.test(amount) : CLEAR.test(amount);
    return isClear ? exact(minus + amount.replaceAll(",", "")) : [];
  },
  reason: () => VALUES.currencyIsSaid,
};

/** What the signs of currencies stand for; others use the dollar's as well. */
const CURRENCIES: { readonly [sign: string]: RegExp } = {
  $: /\b(?:usd|dollars?|us\$|bucks)\b|\$/i,
  "€": /\b(?:eur|euros?)\b|€/i,
  "£": /\b(?:gbp|pounds?|sterling)\b|£/i,
};

function namesCurrency(currency: RegExp | undefined, { place, of }: Want): boolean {
  const said = [wordsOf(place.key ?? "").join(" "), ...of("number").map((one) => one.description)];
  return currency !== undefined && said.some((text) => currency.test(text.slice(0, 2_000)));
}

function exact(text: string): number[] {
  const number = readExactNumber(text);
  return number === undefined ? [] : [number];
}

/** Text that is short enough to be a number. */
function isShortText(value: JsonValue): value is string {
  return typeof value === "string" && value.length <= 100;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  const [first = ""] = trimmed;
  const isQuoted = trimmed.length > 1 && trimmed.endsWith(first) && `"'\``.includes(first);
  return isQuoted ? trimmed.slice(1, -1).trim() : trimmed;
}
