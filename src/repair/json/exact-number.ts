/**
 * By value, how the numbers of an input are written whose spelling is not `String(number)`
 * (`3.10`, `1e3`, `+5`); `undefined` where the same value is written in several ways.
 */
export type NumberSpellings = ReadonlyMap<number, string | undefined>;

const NUMBER = /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Reads a number that a double holds, digit for digit.
 *
 * @param text The text, without white space around it.
 * @returns The number; `undefined` for what is no number, for one with a leading zero, which is an
 * id, and for one whose digits would change: an integer beyond 2^53, too many digits, `1e-400`.
 */
export function readExactNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  const isRounded = INTEGER.test(text) ? !Number.isSafeInteger(number) : losesDigits(text, number);
  return isRounded ? undefined : number;
}

const INTEGER = /^[+-]?\d+$/;

/**
 * Checks whether a number is other than it was written.
 *
 * @param text How it was written.
 * @param number What was read.
 */
export function losesDigits(text: string, number: number): boolean {
  if (!Number.isFinite(number)) return true;
  const written = String(number);
  return written !== text && decimalOf(text) !== decimalOf(written);
}

/** The digits without zeros around them, and where the point stands: the same for `10`, `10.0`, `1e1`. */
function decimalOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const point = Number(exponent) - fraction.length + digits.length - end;
  return end === 0 ? "0" : `${digits.slice(0, end)}e${point}`;
}
