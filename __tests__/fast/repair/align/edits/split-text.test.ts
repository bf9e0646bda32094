import type { JsonValue } from "#src/repair/types.ts";
import {
  badField,
  field,
  NO_OBJECTION,
  type RejectedCase,
  type RepairedCase,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, number, text } from "../../../../support/repair/align/run.ts";

const splitText = testsOf("split-text", "eager");
const splitChoices = testsOf("split-choices", "safe");

const list = (
  name: string,
  written: string,
  parts: JsonValue,
  items: unknown = text,
): RepairedCase => field(name, listOf(items), written, parts);

const noList = (name: string, written: string, items: unknown = text): RejectedCase =>
  badField(name, listOf(items), written);

splitText.repairs("a plain list, parted by one sign", [
  list("three words", "red, green, blue", ["red", "green", "blue"]),
  list("three words without spaces", "shirt,blue,xl", ["shirt", "blue", "xl"]),
  list("two words without a space", "red,blue", ["red", "blue"]),
  list("three words by a comma of enumeration", "红、蓝、绿", ["红", "蓝", "绿"]),
  list("names by semicolons", "New York; Oslo", ["New York", "Oslo"]),
  list("names in lines", "New York\nOslo", ["New York", "Oslo"]),
  list("names in lines with marks", "- New York\n- Oslo", ["New York", "Oslo"]),
  list("names in numbered lines", "1. New York\n2. Oslo", ["New York", "Oslo"]),
  list("mail addresses", "a@x.org, b@x.org", ["a@x.org", "b@x.org"]),
  list("addresses", "https://a.org/x, https://b.org", ["https://a.org/x", "https://b.org"]),
  list("paths", "src/a.ts, src/b.ts", ["src/a.ts", "src/b.ts"]),
  list("columns", "first_name,last_name", ["first_name", "last_name"]),
  list("codes with a hyphen", "dock-A1,dock-A2", ["dock-A1", "dock-A2"]),
  list("UUIDs", "0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d11, 0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d12", [
    "0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d11",
    "0b0e4a0e-6b1c-4c83-9f5b-0a7a3c0f2d12",
  ]),
  list("figures", "1, 2, 3", ["1", "2", "3"]),
  list("codes of which some end in a digit", "a1,b,c2", ["a1", "b", "c2"]),
  list("codes of which some begin with a digit", "1a,b,2c", ["1a", "b", "2c"]),
  list("a name of three words in a line", "New York City\nOslo", ["New York City", "Oslo"]),
]);

splitText.repairs(
  "numbers, which are read then",
  [
    list("numbers", "1, 2.5, -3", [1, 2.5, -3], number),
    list("whole numbers", "3,4,5", [3, 4, 5], integer),
    list("two numbers with a space between them", "3, 5", [3, 5], number),
    list("two whole numbers, which have no decimals", "1,5", [1, 5], integer),
  ],
  { others: ["read-number"] },
);

splitText.rejects("parts that are written in two ways", "its parts are written in two ways", [
  noList("spaces behind some commas", "red, green,blue"),
]);

splitText.rejects("numbers that may be one", "it may be one number", [
  noList("a decimal", "2,718", number),
  noList("a decimal, for whole numbers", "1,234", integer),
  noList("thousands", "1,234,567", integer),
  noList("three of three digits", "101,102,103", integer),
]);

splitText.rejects("a part of too many words, or of other signs", /^a part has too many words/, [
  noList("words with spaces", "red, not green, blue"),
  noList("the same with a line break behind them", "red, not green, blue\n"),
  noList("four words in a line", "New York at night\nOslo"),
  noList("a date", "March 5, 2024"),
  noList("a comma in quotes", '"Smith, Ann", Bob'),
  noList("a comma in brackets", "f(a, b), c"),
  noList("a comma in braces", "a{2,3}"),
  noList("a selector", ":is(h1, h2)"),
  noList("a query", "select a, b from t"),
  noList("assignments", "a=1, b=2"),
  noList("a sentence", "send it to Bob, now"),
  noList("an ellipsis", "red, green, …"),
  noList("an exception", "all colours, except red"),
  noList("a denial", "red, not green"),
  noList("an alternative", "red, green or blue"),
  noList("an exception in French", "sauf mardi, jeudi"),
  noList("an exception in German", "alles außer Rot, Blau"),
  noList("an exception stuck to a code", "A1,A2以外,A3"),
  noList("lines of which some have marks", "red:\n- green"),
  noList("an empty part", "red,,green"),
  noList("a range among them", "A1, A3-A5, A9"),
  noList("a letter of greeting", "Dear Ada, I hope that this finds you well."),
]);

splitText.rejects("two words, which may be one name", /^two words may be one name/, [
  noList("a place", "Lyon, France"),
  noList("a firm", "acme, inc"),
  noList("a greeting", "hello, world"),
  noList("a code and a word", "red, b2"),
  noList("where the description says how", "Paris, Rome"),
]);

splitText.rejects("a path or a link among words", /^one part begins as a path or a link/, [
  noList("a path from the root", "/srv/a, b, c"),
  noList("a path from here", "./a, b, c"),
  noList("a path from the folder above", "../a, b, c"),
  noList("a path on a drive", "C:/a, b, c"),
  noList("a link", "https://a.org/x, b, c"),
]);

splitText.rejects("figures among words", "some parts are figures and others words", [
  noList("a price", "red, green, 5"),
  noList("a decimal", "a_b, 2.5, c_d"),
]);

splitText.rejects("no list of one sign", NO_OBJECTION, [
  noList("a list in a list", "a, b; c, d, e"),
  noList("an enumeration in a sentence", "first, then; last"),
  noList("a pipe", "cat a | grep b"),
  noList("bars", "red|green|blue"),
  noList("spaces", "3 4 5", number),
  noList("one word", "-red"),
  noList("JSON", "[red, green, blue"),
  badField("a text of another form", { type: "string", pattern: "^v" }, "red, green,blue"),
]);

// Each part becomes a number, or none does.
splitText.rejects("parts of which one is no number", NO_OBJECTION, [
  noList("a remark", "3, 4, 5 or so", number),
  noList("dashes before numbers", "- 5\n- 6", number),
]);

const choice = (...values: string[]) => listOf({ enum: values });

splitChoices.rejects("one that is none of the choices", NO_OBJECTION, [
  badField("another word", choice("red", "blue"), "red, green"),
  badField("a denial", choice("red", "blue"), "red, not blue"),
  badField("a span", choice("mon", "tue", "wed"), "mon to wed"),
  badField("a bar", choice("red", "blue"), "red|blue"),
]);

splitChoices.repairs("choices by one sign", [
  field("commas", choice("red", "dark blue"), "red, dark blue", ["red", "dark blue"]),
  field("semicolons", choice("red", "blue"), "red;blue", ["red", "blue"]),
  field("lines", choice("red", "blue"), "red\nblue", ["red", "blue"]),
]);
