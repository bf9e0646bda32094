import { JSON_NUMBER } from "../read/numbers.ts";
import { toHalfWidth } from "../words/names.ts";

/**
 * Two groups of three and more, parted by one sign: `1,234,567`, `1.250.000`,
 * `1 250 000`.
 */
const GROUPS = /^-?[1-9]\d{0,2}([,. '’])\d{3}(?:\1\d{3})+$/;
/** One group behind a space, which is no decimal sign: `54 300`. */
const SPACED = /^-?[1-9]\d{0,2} \d{3}$/;
/**
 * The same with a point behind groups that a comma parts, or the reverse:
 * `12,345.60`, `12.345,60`.
 */
const GROUPS_AND_POINT =
  /^-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+)$/;
/** Groups as programs write them: `1_000`. */
const UNDERSCORES = /^-?[1-9]\d{0,2}(?:_\d{3})+$/;

/**
 * The JSON number that a text writes: `+5`, `.5`, `1_000`, but not `1,000`,
 * which has two readings.
 */
export function jsonNumberOf(text: string): string | undefined {
  const plain = toHalfWidth(text)
    .replace(/[\u00a0\u202f]/g, " ")
    .replace(/^\+(?=[\d.])/, "")
    .replace(/^(-?)\.(?=\d)/, "$10.");
  const number = withoutGroups(plain);
  return JSON_NUMBER.test(number) ? number : undefined;
}

function withoutGroups(text: string): string {
  if (GROUPS.test(text) || SPACED.test(text) || UNDERSCORES.test(text))
    return text.replace(/[^\d-]/g, "");
  if (!GROUPS_AND_POINT.test(text)) return text;
  const point = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const whole = text.slice(0, point).replace(/[,.]/g, "");
  return `${whole}.${text.slice(point + 1)}`;
}

/** `1.250` is a little over one, or 1250 if a point groups. */
export function mayGroup(number: string): boolean {
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(number);
}
