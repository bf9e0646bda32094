import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";

const cleanText = testsOf("clean-text", "safe");

const url = { type: "string", format: "uri" };
const email = { type: "string", format: "email" };
const quotable = { type: "string", pattern: "^\\S+$" };
const word = { type: "string", pattern: "^[a-z]+$" };

cleanText.repairs("white space, quotes, or brackets around an address", [
  field("white space", word, " abc ", "abc"),
  field("double quotes", word, '"abc"', "abc"),
  field("single quotes and space", word, " 'abc' ", "abc"),
  field("angle brackets around a URL", url, "<https://a.org>", "https://a.org"),
  field("angle brackets around an e-mail address", email, "<ada@a.org>", "ada@a.org"),
  field("quotes around a URL", url, '"https://a.org"', "https://a.org"),
  field("white space alone, where quotes may stand", quotable, ' "abc" ', '"abc"'),
  field(
    "angle brackets, where a short text may stand as well",
    { anyOf: [url, { type: "string", maxLength: 3 }] },
    "<https://a.org>",
    "https://a.org",
  ),
]);

cleanText.rejects("a text of which more than that would have to go", NO_OBJECTION, [
  badField("a link with a title", url, "[the docs](https://a.org/docs)"),
  badField("a link that shows where it leads", url, "[https://a.org](https://a.org)"),
  badField("a link that shows another address", url, "[https://bank.com](https://bamk.io)"),
  badField("a name before an address", email, "Ada <ada@a.org>"),
  badField("two addresses", email, "<ada@a.org>, <eva@a.org>"),
  badField("an address and a remark", email, "<ada@a.org> (at work)"),
  badField("angle brackets around a word", word, "<abc>"),
  badField("entities", { type: "string", pattern: "^[A-Z&]+$" }, "A&amp;B"),
  badField("quotes of two kinds", word, `"abc'`),
  badField("quotes around nothing", { type: "string", pattern: "^$|^[a-z]+$" }, '""'),
  // Such a pattern may take forever.
  badField("a pattern that repeats a group", { type: "string", pattern: "^([a-z])+$" }, " abc "),
]);
