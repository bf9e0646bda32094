import { describe, expect, test } from "@jest/globals";
import { jsonNumberOf, mayGroup } from "#src/repair/align/written-number.ts";

describe("jsonNumberOf: the JSON number that a text writes", () => {
  test.each([
    ["a JSON number", "-1.5e3", "-1.5e3"],
    ["full-width digits", "４２", "42"],
    ["a plus", "+5", "5"],
    ["a plus and no zero", "+.5", "0.5"],
    ["no zero before the point", ".5", "0.5"],
    ["no zero behind a minus", "-.5", "-0.5"],
    ["two groups by commas", "1,234,567", "1234567"],
    ["two groups by points", "1.250.000", "1250000"],
    ["two groups by spaces", "1 250 000", "1250000"],
    ["two groups by no-break spaces", "1\u00a0250\u00a0000", "1250000"],
    ["two groups by narrow spaces", "1\u202f250\u202f000", "1250000"],
    ["two groups by apostrophes", "1'250'000", "1250000"],
    ["two groups by typographic apostrophes", "1’250’000", "1250000"],
    ["a negative number in groups", "-12,345,678", "-12345678"],
    ["three groups", "123,456,789,012", "123456789012"],
    ["one group by an underscore", "1_000", "1000"],
    ["groups by underscores", "-12_345_678", "-12345678"],
    ["a group and a point", "12,345.60", "12345.60"],
    ["groups and a point", "-1,234,567.8", "-1234567.8"],
    ["a group and a comma", "12.345,60", "12345.60"],
    ["groups and a comma", "1.234.567,8", "1234567.8"],
    ["one group by a space", "54 300", "54300"],
  ])("%s", (_, text, number) => expect(jsonNumberOf(text)).toBe(number));

  test.each([
    ["one group by a comma", "1,000"],
    ["two digits behind a space", "1 00"],
    ["one group by an apostrophe", "1'000"],
    ["a decimal comma", "1,5"],
    ["groups by two signs", "1,234.567.890"],
    ["a group of two digits", "1,23,456"],
    ["a group of four digits", "1,2345,678"],
    ["four digits before a group", "1234,567,890"],
    ["a zero before a group", "0,123,456"],
    ["a zero before a group and a point", "0,123.4"],
    ["a zero before an underscore", "0_123"],
    ["a group of two digits by an underscore", "1_00"],
    ["four digits before an underscore", "1234_567"],
    ["four digits before a group and a point", "1234,567.8"],
    ["a group of two digits and a point", "12,34.5"],
    ["a group and no decimals", "12,345."],
    ["a leading zero", "007"],
    ["a plus alone", "+"],
    ["a plus before a word", "+a"],
    ["two pluses", "++5"],
    ["a plus behind it", "5+"],
    ["a point alone", "."],
    ["a point behind it", "5."],
    ["a percentage", "15%"],
    ["a unit", "5 kg"],
    ["a power", "5²"],
    ["something before groups", "$1,234,567"],
    ["something behind groups", "1,234,567 kg"],
    ["something before underscores", "x1_000"],
    ["something behind underscores", "1_000x"],
    ["something before a group and a point", "$12,345.60"],
    ["something behind a group and a point", "12,345.60 kg"],
    ["a word", "five"],
    ["nothing", ""],
  ])("none: %s", (_, text) => expect(jsonNumberOf(text)).toBeUndefined());
});

describe("mayGroup: one point before three digits may group them", () => {
  test.each(["1.250", "-1.250", "12.345", "123.456"])("%s", (number) => {
    expect(mayGroup(number)).toBe(true);
  });

  test.each(["0.125", "1.25", "1.2500", "1234.567", "1250", "1.250e3", "1.250.000", "01.250"])(
    "not %s",
    (number) => expect(mayGroup(number)).toBe(false),
  );
});
