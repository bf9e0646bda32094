import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, number, object, text } from "../../../../support/repair/align/run.ts";

const unwrapArray = testsOf("unwrap-array", "safe");
const unwrapText = testsOf("unwrap-text", "safe");

const said = (description: string) => ({ type: "string", description });

unwrapArray.repairs("the only element of a list, wanted by itself", [
  field("a number", number, [5], 5),
  field("a choice", { enum: ["red", "blue"] }, ["red"], "red"),
  field("an object", object({ a: integer }), [{ a: 1 }], { a: 1 }),
  field(
    "an object, where a text may stand as well",
    { anyOf: [text, object({ a: integer })] },
    [{ a: 1 }],
    { a: 1 },
  ),
  ["all arguments", object({ selector: text }), [{ selector: "#a" }], { selector: "#a" }],
]);

unwrapArray.repairs(
  "the only element of a list, which is repaired, too",
  [field("a number in text", number, ["5"], 5)],
  { others: ["read-number"] },
);

unwrapArray.rejects("several elements, none, or one that does not fit", NO_OBJECTION, [
  badField("two numbers", integer, [1, 2]),
  badField("no number", integer, []),
  badField("null", integer, [null]),
  badField("null, which may stand by itself", { type: ["integer", "null"] }, [null]),
  badField("an object for a number", number, [{ value: 5 }]),
  badField("another object", object({ "a?": integer }), [{ c: 1 }]),
  ["several inputs", object({ selector: text }), [{ selector: "#a" }, { selector: "#b" }]],
]);

unwrapText.repairs("a list around one text", [
  field("a text", text, ["a"], "a"),
  field("a selector", said("CSS selector"), ["#buy"], "#buy"),
]);

unwrapText.repairs(
  "a list around what becomes a text by a small repair",
  [field("a number", text, [5], "5")],
  { others: ["write-scalar"] },
);

const id = { type: "string", format: "email" };

unwrapText.rejects("a list around a text that needs more than a small repair", NO_OBJECTION, [
  badField("a typo", { anyOf: [{ enum: ["celsius"] }, id] }, ["cellsius"]),
]);

unwrapText.rejects(
  "a list around a text where one branch may want it",
  /^its description says list/,
  [badField("a list of ids", { anyOf: [said("One id"), said("List of ids")] }, ["a"])],
);

unwrapText.rejects("a list around a text that may want it", /^its description says list/, [
  badField("a list", said("List of ids"), ["a"]),
  badField("lists", said("Lists by comma"), ["a"]),
  badField("an array", said("Ids (JSON array)"), ["a"]),
  badField("arrays", said("One of the arrays"), ["a"]),
  badField("a set", said("A set: id and name"), ["a"]),
  badField("sets", said("Sets by name"), ["a"]),
  badField("JSON", said("The ids as JSON"), ["a"]),
]);

unwrapText.repairs("a description that only holds such a word in another", [
  field("a listing", said("Name of the listing"), ["a"], "a"),
  field("an offset", said("Offset in the file"), ["a"], "a"),
]);

unwrapText.rejects("several texts, none, or an empty one", NO_OBJECTION, [
  badField("two texts", text, ["a", "b"]),
  badField("no text", text, []),
  badField("an empty text", text, [""]),
  badField("null", text, [null]),
  badField("null, which may stand by itself", { type: ["string", "null"] }, [null]),
  badField(
    "a text for a number whose description says list",
    { type: "integer", description: "Size of the list" },
    ["a"],
  ),
]);
