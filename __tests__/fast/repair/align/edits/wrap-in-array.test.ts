import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, number, object, text } from "../../../../support/repair/align/run.ts";

const wrapInArray = testsOf("wrap-in-array", "safe");

const choices = { enum: ["red", "dark, very", "[x]"] };

wrapInArray.repairs("one value for a list of such", [
  field("a file", listOf(text), "a.txt", ["a.txt"]),
  field("a number", listOf(number), 5, [5]),
  field("an id", listOf(integer), 5, [5], "user_ids"),
  field("a word", listOf(text), "alle", ["alle"]),
  field("a name of two words", listOf(text), "New York", ["New York"]),
  field("a name of two words", listOf(text), "New York", ["New York"], "steps"),
  field("a handle", listOf(text), "@ada", ["@ada"]),
  field("a selector", listOf(text), "#buy", ["#buy"]),
  field("a hidden file", listOf(text), ".env", [".env"]),
  field("a path", listOf(text), "/srv/data", ["/srv/data"]),
  field("a path from home", listOf(text), "~/notes", ["~/notes"]),
  field("a name with an underscore before it", listOf(text), "_id", ["_id"]),
  field("a phone number", listOf(text), "+4144", ["+4144"]),
  field("a text in quotes", listOf(text), '"a"', ['"a"']),
  field("a compound", listOf(text), "non-fat", ["non-fat"]),
  field("a question", listOf(text), "Who?", ["Who?"], "questions"),
  field("a choice", listOf(choices), "red", ["red"]),
  field(
    "a choice with a comma, whose parts are choices, too",
    listOf({ enum: ["Doe, Jane", "Doe", "Jane"] }),
    "Doe, Jane",
    ["Doe, Jane"],
  ),
  field("a choice with a comma", listOf(choices), "dark, very", ["dark, very"]),
  field("an object", listOf(object({ a: integer })), { a: 1 }, [{ a: 1 }]),
  field(
    "an object, where a text may stand as well",
    listOf({ anyOf: [text, object({ a: integer })] }),
    { a: 1 },
    [{ a: 1 }],
  ),
  field("a name with a space on both sides", listOf(text), " Ulm ", [" Ulm "]),
  field("a name with two spaces", listOf(text), "New  York", ["New  York"]),
  field("a choice that looks like a range", listOf({ enum: ["A1-A9", "B1-B9"] }), "A1-A9", [
    "A1-A9",
  ]),
  field("a choice of 201 signs", listOf({ enum: ["a".repeat(201), "b"] }), "a".repeat(201), [
    "a".repeat(201),
  ]),
]);

wrapInArray.rejects("a name and other words", "several words that are no name may say more", [
  badField("a remark behind it", listOf(text), "Ulm only"),
  badField("a remark before it", listOf(text), "not Ulm"),
  badField("words with capitals within", listOf(text), "iPhone macOS"),
]);

wrapInArray.rejects("what belongs into no list", NO_OBJECTION, [
  badField("a text of another form", { type: "string", pattern: "^v" }, "[a.txt"),
  badField("an object with another key", listOf(object({ a: integer })), { a: 1, b: 2 }),
]);

wrapInArray.rejects("a text that begins as another structure", /^it begins as a list/, [
  badField("a list that is cut off", listOf(text), "[a.txt"),
  badField("a list in quotes, cut off", listOf(text), '"[a.txt'),
  badField("a call in brackets", listOf(text), "(a)"),
  badField("a denial", listOf(text), "!a"),
  badField("a minus", listOf(text), "-5"),
  badField("a bound", listOf(text), ">5"),
]);

wrapInArray.rejects("a word for nothing", "it is a word for nothing", [
  badField("none", listOf(text), "none"),
  badField("not available", listOf(text), "N/A"),
]);

wrapInArray.rejects("a text of several values, or with a sign of more", /^a sign in it parts/, [
  badField("a comma", listOf(text), "Doe, Jane"),
  badField("a semicolon", listOf(text), "red; not green at all"),
  badField("a bar", listOf(text), "red|blue"),
  badField("a tab", listOf(text), "red\tblue"),
  badField("an ellipsis", listOf(text), "red…"),
  badField("three points", listOf(text), "red..."),
  badField("lines of a text", listOf(text), "Take the first two.\nLeave the others."),
]);

wrapInArray.rejects("a range", "it is a range", [
  badField("of cells", listOf(text), "A1-A9"),
  badField("of numbers", listOf(text), "1..9"),
  badField("of days", listOf(text), "Mon-Fri"),
]);

wrapInArray.rejects("a long text", "it is too long for one element", [
  badField("of 201 signs", listOf(text), "a".repeat(201)),
]);

wrapInArray.repairs("a text that is not too long", [
  field("of 200 signs", listOf(text), "a".repeat(200), ["a".repeat(200)]),
]);

const pairs = listOf({ type: "array", items: integer, minItems: 2, maxItems: 2 });

wrapInArray.rejects("a row for a list of rows, or what no element accepts", NO_OBJECTION, [
  badField("a row as long as every row", pairs, [1, 2]),
  badField("a row of any length", listOf(listOf(integer)), [1, 2]),
  badField("a row that is too long", pairs, [1, 2, 3]),
  badField("an object for texts", listOf(text), { a: 1 }),
  badField("one value within a list", listOf(listOf(text)), ["a"]),
  badField("another object", listOf(object({ a: integer, "b?": integer })), { c: 1 }),
]);

const atLeast = (minItems: number) => ({ type: "array", items: text, minItems });

wrapInArray.repairs("one value for a list that takes one", [
  field("at least none", atLeast(0), "a.txt", ["a.txt"]),
  field("at least one", atLeast(1), "a.txt", ["a.txt"]),
]);

wrapInArray.rejects("one value for a list of more", NO_OBJECTION, [
  badField("at least two", atLeast(2), "a.txt"),
]);

wrapInArray.rejects("an empty text", "it is a word for nothing", [
  badField("empty", listOf(text), ""),
  badField("blank", listOf(text), "  "),
  badField("empty, where it is a choice", listOf({ enum: ["", "a"] }), ""),
]);
