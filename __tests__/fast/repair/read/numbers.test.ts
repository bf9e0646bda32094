import { expect, test } from "@jest/globals";
import { readExactNumber } from "#src/repair/read/numbers.ts";

test.each<[string, number]>([
  ["5", 5],
  ["-5", -5],
  ["+5", 5],
  ["1.0", 1],
  ["3.10", 3.1],
  ["6.02e23", 6.02e23],
  ["0.1234567890123456", 0.1234567890123456],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ["0.000", 0],
  ["-0.5", -0.5],
  ["+1.5", 1.5],
  ["1000000", 1_000_000],
  ["1e21", 1e21],
  ["1E3", 1000],
  ["1e+3", 1000],
  ["150e-2", 1.5],
  ["0.0000001", 1e-7],
  ["100.10", 100.1],
  ["-9007199254740991", Number.MIN_SAFE_INTEGER],
  ["+9007199254740991", Number.MAX_SAFE_INTEGER],
])("a double holds %s digit for digit", (text, number) => {
  expect(readExactNumber(text)).toBe(number);
});

test.each([
  "12345678901234567890",
  "9007199254740993",
  "-12345678901234567000",
  "0.12345678901234567891",
  "12345678901234567.5",
  "2.9999999999999999999",
  "1e-400",
  "1e400",
  "9007199254740992",
  "-9007199254740992",
  "+9007199254740992",
  "1.0000000000000000001",
  "++5",
  "5.",
  ".5",
  "1e",
  "007",
  "00713",
  "",
  "1,000",
  "0x10",
  "12 items",
  "NaN",
])("a double does not hold %s", (text) => {
  expect(readExactNumber(text)).toBeUndefined();
});

test("a long run of zeros costs no more than its length", () => {
  expect(readExactNumber(`1${"0".repeat(200_000)}1`)).toBeUndefined();
});
