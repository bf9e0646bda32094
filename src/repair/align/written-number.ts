import { JSON_NUMBER, withoutPlus } from "../read/numbers.ts";
import { isDigits } from "../text.ts";
import { toHalfWidth } from "../words/names.ts";

/**
 * The signs that part groups of three digits, and how many of a sign show it.
 * One comma or point may be a decimal sign: `1,234`, but `1,234,567`.
 */
const GROUP_SIGNS = [
  { sign: ",", fewest: 2 },
  { sign: ".", fewest: 2 },
  { sign: " ", fewest: 1 },
  { sign: "'", fewest: 2 },
  { sign: "’", fewest: 2 },
  // as programs write them: `1_000`
  { sign: "_", fewest: 1 },
];

/** A sign of groups, and the decimal sign behind them: `12,345.60`. */
const GROUPS_AND_POINT = [
  { sign: ",", point: "." },
  { sign: ".", point: "," },
];

/** The first group: up to three digits that do not begin with a zero. */
const FIRST_GROUP = /^-?[1-9]\d{0,2}$/;

/**
 * How many groups of three digits stand behind a first one: 2 in `1,234,567`; 0
 * in a text that is no number in groups, as `12,34`.
 */
export function countGroups(text: string, sign: string): number {
  if (!text.includes(sign)) return 0;
  const [first = "", ...groups] = text.split(sign);
  if (!FIRST_GROUP.test(first)) return 0;
  const areThree = (group: string) => group.length === 3 && isDigits(group);
  return groups.every(areThree) ? groups.length : 0;
}

/**
 * The JSON number that a text writes: `+5`, `.5`, `1_000`, but not `1,000`,
 * which has two readings.
 */
export function jsonNumberOf(text: string): string | undefined {
  const spaced = toHalfWidth(text)
    .replaceAll("\u00a0", " ")
    .replaceAll("\u202f", " ");
  const plain = withoutPlus(spaced).replace(/^(-?)\.(?=\d)/, "$10.");
  if (JSON_NUMBER.test(plain)) return plain;
  const number = withoutGroups(plain);
  return JSON_NUMBER.test(number) ? number : undefined;
}

function withoutGroups(text: string): string {
  for (const { sign, fewest } of GROUP_SIGNS) {
    if (countGroups(text, sign) >= fewest) return text.replaceAll(sign, "");
  }
  for (const { sign, point } of GROUPS_AND_POINT) {
    const end = text.lastIndexOf(point);
    if (end < 0) continue;
    const whole = text.slice(0, end);
    const decimals = text.slice(end + 1);
    if (countGroups(whole, sign) > 0 && isDigits(decimals))
      return `${whole.replaceAll(sign, "")}.${decimals}`;
  }
  return text;
}

/** `1.250` is a little over one, or 1250 if a point groups. */
export function mayGroup(number: string): boolean {
  return countGroups(number, ".") === 1;
}
