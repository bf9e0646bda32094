/** The hour that was parsed last, as text and as its beginning: lines of a log follow each other. */
let hour = "";
let start = 0;

/**
 * Parses a line's time. What toolmend writes (`2026-11-21T20:57:43.452Z`) is parsed some five times
 * as fast as `Date.parse` does it: a report of a million lines parses a million of them.
 *
 * @param text A time as ISO 8601.
 * @returns Milliseconds since 1970; `NaN` where it is no time.
 */
export function parseTime(text: string): number {
  const isUsual =
    text.length === 24 &&
    text[13] === ":" &&
    text[16] === ":" &&
    text[19] === "." &&
    text[23] === "Z";
  if (!isUsual) return Date.parse(text);
  if (!text.startsWith(hour) || hour === "") {
    hour = text.slice(0, 13);
    start = Date.parse(`${hour}:00:00.000Z`);
  }
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (minute > 59 || second > 59) return Number.NaN;
  return start + minute * 60_000 + second * 1_000 + digits(text, 20, 3);
}

function digits(text: string, at: number, count: number): number {
  let number = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
