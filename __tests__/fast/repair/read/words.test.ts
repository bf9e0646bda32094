import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "#src/repair/types.ts";
import { readingOf } from "../../../support/repair/read/reading-of.ts";

const read = (text: string) => readingOf(text, { level: "safe" });

describe("a number in another spelling is read", () => {
  test.each<[written: string, number: number]>([
    ["+5", 5],
    ["-5.", -5],
    ["5.5e3", 5500],
    ["5.e3", 5000],
    [".5e-3", 0.0005],
    ["-.5", -0.5],
    ["+.5", 0.5],
    ["1E+5", 100_000],
    ["0.10", 0.1],
    ["0", 0],
    ["-7", -7],
    ["123456789", 123_456_789],
    ["1234567890", 1_234_567_890],
    ["1.1234567", 1.1234567],
    ["1_000", 1000],
    ["12_345_678", 12_345_678],
    ["0x1F", 31],
    ["0X1f", 31],
    ["0xffffffffffff", 281_474_976_710_655],
    ["１２", 12],
    ["－１．５", -1.5],
    ["＋５", 5],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["100000000000000000000", 1e20],
  ])("%s", (written, number) => {
    expect(read(`{"a": ${written},}`)).toEqual({ value: { a: number } });
    expect(read(`["x", ${written},]`)).toEqual({ value: ["x", number] });
    expect(read(`{"a": ${written} , "b": 1,}`)).toEqual({ value: { a: number, b: 1 } });
  });
});

describe("a word without quotes that can only be a text is one", () => {
  test.each([
    "red",
    "x5",
    "green-ish",
    "red.",
    "a/b",
    "a#b",
    "naïve",
    "e\u0301te\u0301",
    "москва",
    "日本",
    "hello!",
    "hello?",
    "#buy",
    "##buy",
    "###buy",
    "#5",
    ".btn",
    "@user",
    "~/notes",
    "/etc/passwd",
    "_x",
    "me@x",
    "a@b-c",
    "x~y",
    "user-id",
    "user-id.x",
    "a.b-c",
    "user.5",
    "truth",
    "truest",
    "nullable",
    "nonexistent",
    "falsely",
    "info",
    "infinite",
    "nano",
    "nile",
    "avoid",
    "voids",
    "constructor",
    "toString",
    "v1.2",
    "x".repeat(2000),
    // addresses, dates, versions, ids
    "https://x.io/?q=1",
    "http://x",
    "2024-10-18",
    "1.2.3",
    "1.2.3.4",
    "57eeeeb1-450b-4b1c-9d5e-0123456789ab",
    "57EEEEB1-450B-4B1C-9D5E-0123456789AB",
    // digits that a number would not keep
    "007",
    "00",
    "12345678901234567890",
    "9007199254740993",
    "1.0000000000000000001",
    "-12345678901234567890",
    "0.12345678901234567891",
    "1e-400",
  ])("%s", (word) => {
    const text = word.replace(/\.$/, "");
    expect(read(`{"color": ${text},}`)).toEqual({ value: { color: text } });
    expect(read(`{"b": 1, "color": ${text}\n,}`)).toEqual({ value: { b: 1, color: text } });
  });

  test.each<[end: string]>([
    [", "],
    ["; "],
    ["，"],
    ["；"],
    ["、"],
    ["\n, "],
    ["\r\n, "],
    [" , "],
    ["\t, "],
    ["\u00a0, "],
    [" /* - */, "],
    ["/**/, "],
    [" // --\n, "],
    [" # --\n, "],
    [" <!-- -->, "],
    [" \\n, "],
    ["\\n, "],
  ])("it ends at %j", (end) => {
    expect(read(`{"a": red${end}"b": 1}`)).toEqual({ value: { a: "red", b: 1 } });
  });

  test.each<[text: string, value: JsonValue]>([
    ['{"a": red｝', { a: "red" }],
    ['["x", red］', ["x", "red"]],
    ['{"l": ("x", red)}', { l: ["x", "red"] }],
    ['{"a": red \n}', { a: "red" }],
    ["{'a': +12345678901234567890}", { a: "12345678901234567890" }],
  ])("%s", (text, value) => {
    expect(read(text)).toEqual({ value });
  });
});

describe("a literal in another spelling is read", () => {
  test.each<[word: string, value: JsonValue]>([
    ["True", true],
    ["TRUE", true],
    ["False", false],
    ["FALSE", false],
    ["None", null],
    ["NULL", null],
    ["Null", null],
    ["undefined", null],
  ])("%s", (word, value) => {
    expect(read(`{"a": ${word}}`)).toEqual({ value: { a: value } });
  });
});

describe("a word that may be anything else is rejected where it stands", () => {
  test.each([
    // literals that run into each other, or are misspelled
    "true1",
    "true-ish",
    "truefalse",
    "nullnull",
    "NoneNone",
    "falsetrue",
    "nullnone",
    "tRue",
    "null-",
    // words for no value
    "NaN",
    "nan",
    "inf",
    "Infinity",
    "-inf",
    "+Infinity",
    "nil",
    "void",
    // expressions, units, ranges, members of variables
    "1/6",
    "12px",
    "5e",
    "5.5.",
    "1..2",
    "10-20",
    "2*3",
    "++5",
    "+-5",
    "x=",
    "f(x)",
    "a*b",
    "a..b",
    ".5x",
    "/x/",
    "/x/g",
    "/x/gi",
    "//x",
    "a$b",
    "$x",
    "user.id",
    "user.id.x",
    "_a.b",
    "index.html",
    "9.b",
    "5px.x",
    // numbers with faults
    "1_00",
    "1000_000",
    "01_000",
    "-1_000",
    "1_000.5",
    "0x",
    "0x1G",
    "-0x1F",
    "0x1F.5",
    "0x1234567890123",
    "1e999",
    "-1e999",
    "１２a",
    "-01",
    // dates, ids and addresses with faults
    "2024-1-18",
    "24-10-18",
    "12024-10-18",
    "2024-10-180",
    "2024-10-18T10",
    "57eeeeb1-450b-4b1c-9d5e",
    "57eeeeb1-450b-4b1c-9d5e-0123456789abc",
    "157eeeeb1-450b-4b1c-9d5e-0123456789ab",
    "1.2.",
    ".1.2.3",
    "####buy",
    "#",
    "##",
    "-x",
    "?",
    "!x",
    "hello!!",
    "hello?!",
    "x".repeat(2001),
  ])("%s", (word) => {
    const reading = read(`{"color": ${word}, "b": 1,}`);
    const marked = `{"color": →${word}, "b": 1,}`;
    expect(reading).toMatchObject({ marked, kind: "value" });
  });
});
