import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseTime } from "#src/evidence/parse-time.ts";

test("every time that toolmend writes is parsed as Date.parse does it", () => {
  const dates = fc.date({
    noInvalidDate: true,
    min: new Date("0000-01-01"),
    max: new Date("9999-12-31"),
  });
  fc.assert(
    fc.property(dates, (date) => {
      expect(parseTime(date.toISOString())).toBe(date.getTime());
    }),
  );
});

test.each([
  "2026-11-21T20:57:43Z",
  "2026-11-21T20:57:43.452+02:00",
  "2026-11-21",
  "+200000-01-01T00:00:00.000Z",
  "2026-13-21T20:57:43.452Z",
  "2026-11-21T25:57:43.452Z",
  "2026-11-21T20:61:43.452Z",
  "2026-11-21T20:57:61.452Z",
  "2026-11-21T20:5x:43.452Z",
  "2026-11-21T20:57:43.4x2Z",
  "yesterday at noon, I say",
  "",
])("%j is what it is to Date.parse", (text) => {
  expect(parseTime(text)).toBe(Date.parse(text));
});
