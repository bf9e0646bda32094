import { describe, expect, test } from "@jest/globals";
import {
  elementsOf,
  isCode,
  isOfWords,
  isPartedUnevenly,
  isRange,
  isTight,
  mayBeOneNumber,
  partsOf,
  withoutMarks,
} from "#src/repair/align/lists.ts";
import type { Want } from "#src/repair/align/types.ts";
import { toSchemaNode } from "#src/repair/schema/node.ts";
import type { JsonSchema } from "#src/repair/types.ts";

describe("partsOf: a text is parted at the only kind of sign that it has", () => {
  test.each<[name: string, text: string, parts: readonly string[]]>([
    ["commas", "red, green,blue", ["red", "green", "blue"]],
    ["full-width commas", "红，绿", ["红", "绿"]],
    ["commas of enumeration", "红、绿", ["红", "绿"]],
    ["semicolons", "red; green", ["red", "green"]],
    ["line breaks", "red\n green \nblue", ["red", "green", "blue"]],
    ["space around the whole", "\n red, green\n", ["red", "green"]],
    ["an empty part", "red,, green", ["red", "", "green"]],
  ])("%s", (_, text, parts) => expect(partsOf(text)).toEqual(parts));

  test.each([
    ["no sign", "red green"],
    ["commas and semicolons", "a, b; c"],
    ["commas in lines", "a, b\nc"],
    ["semicolons in lines", "a; b\nc"],
    ["only a line break around it", "red\n"],
    ["a bar", "red|green"],
    ["nothing", ""],
  ])("no parts: %s", (_, text) => expect(partsOf(text)).toEqual([]));

  test("a text of more than 20,000 signs has no parts", () => {
    expect(partsOf("a,".repeat(10_000))).toHaveLength(10_001);
    expect(partsOf(`${"a,".repeat(10_000)}a`)).toEqual([]);
  });
});

describe("isPartedUnevenly: some signs have a space behind them, and others none", () => {
  test.each([
    ["a, b,c", true],
    ["a; b;c", true],
    ["红， 绿，蓝", true],
    ["红、 绿、蓝", true],
    ["a, b, c", false],
    ["a,b,c", false],
    // The space around the whole is not between parts.
    ["a,b,c, ", false],
    ["a, b, c,", false],
  ])("%j: %p", (text, answer) => expect(isPartedUnevenly(text)).toBe(answer));
});

describe("isTight: no sign has a space behind it", () => {
  test.each([
    ["a,b", true],
    ["a;b", false],
    ["红、蓝", false],
    [" a,b ", true],
    ["a,b, ", true],
    ["a, b", false],
    ["a; b", false],
    ["红， 绿", false],
    ["红、 绿", false],
    ["a\nb", false],
  ])("%j: %p", (text, answer) => expect(isTight(text)).toBe(answer));
});

describe("withoutMarks: the marks of a list go, if each element has one", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["hyphens", ["- a", "-  b"], ["a", "b"]],
    ["stars", ["* a", "* b"], ["a", "b"]],
    ["bullets", ["• a", "• b"], ["a", "b"]],
    ["numbers with a point", ["1. a", "10. b"], ["a", "b"]],
    ["numbers with a bracket", ["1) a", "100) b"], ["a", "b"]],
    ["not if one has none", ["- a", "b"], ["- a", "b"]],
    ["not a hyphen that is part of the word", ["-a", "-b"], ["-a", "-b"]],
    ["not a number without a point", ["1 a", "2 b"], ["1 a", "2 b"]],
    ["not a number of four digits", ["2024. a", "2025. b"], ["2024. a", "2025. b"]],
    ["not a mark in the middle", ["a - b", "c - d"], ["a - b", "c - d"]],
  ])("%s", (_, parts, plain) => expect(withoutMarks(parts)).toEqual(plain));
});

describe("mayBeOneNumber: commas may group digits or mark decimals", () => {
  test.each([
    ["1,234", true, true],
    ["-1,234", true, true],
    [" 1,234 ", true, true],
    ["1,234,567", true, true],
    ["101,102", true, true],
    // Decimals are no whole number.
    ["1,5", true, false],
    ["12,345,678", true, true],
    ["1234,567", true, false],
    ["1234,5", true, false],
    ["1,5,7", false, false],
    ["1,2345,678", false, false],
    ["1234,567,890", false, false],
    ["3,4,5", false, false],
    ["1, 5", false, false],
    ["12", false, false],
    ["1.5", false, false],
    ["a1,5", false, false],
    ["1,5a", false, false],
  ])("%j: as a number %p, as a whole number %p", (text, asNumber, asWhole) => {
    expect(mayBeOneNumber(text, false)).toBe(asNumber);
    expect(mayBeOneNumber(text, true)).toBe(asWhole);
  });
});

describe("isCode: letters with a digit or a sign of codes, or groups of hexadecimal digits", () => {
  test.each([
    "A1",
    "1a",
    "a.txt",
    "x_y",
    "a@b.org",
    "src/a",
    "é1",
    "dead-beef",
    "12-34",
    "AB-cd-12",
  ])("%s", (part) => expect(isCode(part)).toBe(true));

  test.each([
    "red",
    "12",
    "1.5",
    "A 1",
    "A1 ",
    "non-fat",
    "dead",
    "dead-",
    "-dead-beef",
    "dead-beefs",
    "12--34",
    "to A1",
  ])("not %s", (part) => expect(isCode(part)).toBe(false));
});

describe("isOfWords: up to so many words, without quotes, brackets or a sign of more", () => {
  test.each([
    ["red", 1],
    ["dark red", 2],
    ["5", 1],
    ["@ada", 1],
    ["#buy", 1],
    ["./src", 1],
    ["/srv/a.txt", 1],
    ["~/notes", 1],
    ["_id", 1],
    ["a:b", 1],
    ["rock'n'roll", 1],
    ["d’accord", 1],
    ["a+b", 1],
    ["non-fat", 1],
    ["हिन्दी", 1],
    ["红色", 1],
  ])("%s, of up to %i", (part, most) => expect(isOfWords(part, most)).toBe(true));

  test.each([
    ["a word too many", "dark red", 1],
    ["two spaces", "dark  red", 3],
    ["nothing", "", 1],
    ["quotes", '"red"', 1],
    ["an apostrophe before it", "'red", 1],
    ["brackets", "red(dark)", 1],
    ["an ellipsis", "…", 1],
    ["a question", "red?", 1],
    ["an assignment", "a=1", 1],
    ["a minus", "-5", 1],
    ["a mark before it", "\u0301a", 1],
    ["a range", "A1-A9", 1],
    ["a word stuck to a code, in a script without spaces", "A2以外", 1],
    ["a space at its end", "red ", 2],
  ])("not with %s", (_, part, most) => expect(isOfWords(part, most)).toBe(false));

  test("a part of more than 200 signs is no word", () => {
    expect(isOfWords("a".repeat(200), 1)).toBe(true);
    expect(isOfWords("a".repeat(201), 1)).toBe(false);
  });
});

describe("isRange: from one number, letter or short name to another", () => {
  test.each([
    "1-5",
    "10–12",
    "10—12",
    "1~5",
    "1〜5",
    "1～5",
    "3..5",
    "3...5",
    "3…5",
    "A1-A9",
    "1a-9b",
    "rooms 3-5",
    "a-f",
    "A–F",
    "Mon-Fri",
    "Mo-Fr",
    "from A-F",
  ])("%s", (text) => expect(isRange(text)).toBe(true));

  test.each([
    ["two letters before its numbers that differ", "A1-B9"],
    ["a code", "x1-5-a"],
    ["a name with a number", "covid-19"],
    ["a date", "2024-01-31"],
    ["a compound", "non-fat"],
    ["a compound of longer names", "Monday-Friday"],
    ["a letter of a word", "T-shirt"],
    ["a longer word's end", "item-a"],
    ["a version", "v1.2"],
    ["a UUID", "12345678-1234-1234-1234-123456789012"],
    ["a word", "red"],
  ])("not %s", (_, text) => expect(isRange(text)).toBe(false));
});

test("elementsOf: the kinds of elements of every list that a place takes", () => {
  const typesFor = (schema: JsonSchema) =>
    elementsOf({ node: toSchemaNode(schema) } as Want).map(({ type }) => type);
  expect(typesFor({ type: "array", items: { type: ["string", "integer"] } })).toEqual([
    "string",
    "number",
  ]);
  expect(
    typesFor({
      anyOf: [
        { type: "string" },
        { type: "array", items: { type: "boolean" } },
        { type: "array", items: { type: "object" } },
      ],
    }),
  ).toEqual(["boolean", "object"]);
  expect(typesFor({ type: "string" })).toEqual([]);
});
