import {
  badField,
  NO_OBJECTION,
  testsOf,
  UNPROVEN,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, number, object, text } from "../../../../support/repair/align/run.ts";

const wrapBareValue = testsOf("wrap-bare-value", "safe");
const wrapBarePhrase = testsOf("wrap-bare-phrase", "eager");

const said = (description: string) => ({ type: "string", description });
const path = object({ path: text });
const click = object({ selector: text, "timeout?": number });
const town = object({ town: text });

wrapBareValue.repairs("a value that is no text, or whose field takes no words", [
  ["a list", object({ files: listOf(text) }), ["a", "b"], { files: ["a", "b"] }],
  ["a number", object({ n: integer }), 5, { n: 5 }],
  ["digits for a text", object({ sku: text }), "00713", { sku: "00713" }],
  ["a time", object({ at: text }), "12:30", { at: "12:30" }],
  ["one of the choices", object({ mode: { enum: ["fast", "slow"] } }), "fast", { mode: "fast" }],
  ["the only optional field", object({ "n?": integer }), 5, { n: 5 }],
  ["a digit for a text", object({ sku: text }), "5", { sku: "5" }],
  [
    "a list, where a text may stand as well",
    object({ files: { anyOf: [text, listOf(text)] } }),
    ["a", "b"],
    { files: ["a", "b"] },
  ],
]);

wrapBareValue.repairs(
  "a number that is written as text",
  [["a count", object({ n: integer }), "5", { n: 5 }]],
  { others: ["read-number"] },
);

wrapBareValue.repairs(
  "a number in place of a call's arguments, which is no text",
  [["a count", object({ n: integer }), 5, { n: 5 }]],
  { bareText: "none" },
);

wrapBareValue.rejects("a value that needs more than a small repair", NO_OBJECTION, [
  ["a text for a list", object({ files: listOf(text) }), "a.txt"],
  ["a list for a key that is not declared", { type: "object", required: ["files"] }, ["a"]],
]);

wrapBareValue.rejects(
  "a list for a field of text, even if it may become text",
  NO_OBJECTION,
  [["two texts", object({ body: text }), ["a", "b"]]],
  { objectAsText: true },
);

wrapBareValue.repairs("a text that shows the form that a description begins with", [
  ["of", object({ x: said("Selector of the button") }), "#buy", { x: "#buy" }],
  ["for", object({ x: said("Selector for the button") }), "#buy", { x: "#buy" }],
  ["to", object({ x: said("Path to the vessel") }), "src/a.ts", { x: "src/a.ts" }],
  ["in", object({ x: said("Path in the archive") }), "src/a.ts", { x: "src/a.ts" }],
  ["on", object({ x: said("Path on the server") }), "src/a.ts", { x: "src/a.ts" }],
  ["a comma", object({ x: said("Path, such as a folder's") }), "src/a.ts", { x: "src/a.ts" }],
]);

wrapBareValue.rejects(
  "a text that names a tool of two words",
  "it names a field or the tool",
  [["a remark on the call", object({ query: text }), "Calling web_search"]],
  { toolName: "web_search" },
);

wrapBareValue.repairs("a text that shows the form of the field", [
  ["an attribute", click, 'a[href="x"]', { selector: 'a[href="x"]' }],
  ["a child", click, "div > p", { selector: "div > p" }],
  ["an id", click, "#buy", { selector: "#buy" }],
  ["a pseudo-class", click, "li:nth-child(2)", { selector: "li:nth-child(2)" }],
  ["a path", path, "src/a.ts", { path: "src/a.ts" }],
  ["a command", object({ command: text }), "ls -la", { command: "ls -la" }],
  ["a phrase for a query", object({ query: text }), "orange cats", { query: "orange cats" }],
  [
    "a URL with its own word",
    object({ url: text }),
    "https://a.org/url",
    { url: "https://a.org/url" },
  ],
  [
    "a phrase with another word for a query",
    object({ query: text }),
    "search engines of 1998",
    { query: "search engines of 1998" },
  ],
  [
    "a phrase with a tool's name of one word",
    object({ query: text }),
    "how to click",
    { query: "how to click" },
  ],
  [
    "a text in quotes of an agent's own",
    object({ title: text }),
    '"Faust, Part One"',
    { title: "Faust, Part One" },
  ],
  ["a question", object({ question: text }), "Who is it?", { question: "Who is it?" }],
  ["a form that the description names", object({ x: said("CSS selector") }), "#buy", { x: "#buy" }],
  ["an exact form", object({ url: text }), "https://a.org/x", { url: "https://a.org/x" }],
  ["a statement in a fence", object({ sql: text }), "```sql\nSELECT 1;\n```", { sql: "SELECT 1;" }],
  [
    "a statement for a query whose description asks for SQL",
    object({ query: said("A detailed and correct SQL query.") }),
    "SELECT * FROM t WHERE a = 'x' AND b = 'y' ORDER BY c LIMIT 5",
    { query: "SELECT * FROM t WHERE a = 'x' AND b = 'y' ORDER BY c LIMIT 5" },
  ],
]);

wrapBareValue.rejects(
  "a text that lacks the exact form that stands before the last word",
  UNPROVEN,
  [
    ["a sentence", object({ query: said("A correct SQL query.") }), "I need the table name"],
    ["a name", object({ sql_query: text }), "users"],
  ],
);

wrapBareValue.rejects("a text that sets another field", "it names a field or the tool", [
  ["an argument behind it", object({ query: text, "limit?": integer }), "cats limit=5"],
  ["a line of its own", object({ command: text, "wait?": integer }), "ls -la\nwait: 5"],
]);

wrapBareValue.repairs(
  "a JSON string for the only field",
  [
    ["a title", object({ title: text }), "Faust, Part One", { title: "Faust, Part One" }],
    ["a sentence", object({ body: text }), "It is done.", { body: "It is done." }],
    ["words for a path, which has no exact form", path, "the last one", { path: "the last one" }],
    ["an id", object({ order_id: text }), "C-4", { order_id: "C-4" }],
    [
      "white space around it",
      object({ title: text }),
      " Faust, Part One ",
      { title: "Faust, Part One" },
    ],
  ],
  { bareText: "string" },
);

wrapBareValue.rejects(
  "a JSON string with a label of an agent's turn, which is its own",
  "it is a piece of JSON or of a call",
  [["an empty observation", object({ title: text }), "Faust, Part One\nObservation:"]],
  { bareText: "string" },
);

wrapBareValue.rejects(
  "a JSON string that lacks the exact form of its field",
  UNPROVEN,
  [
    ["words for an id", object({ order_id: text }), "the last one"],
    ["a sentence for a URL", object({ url: text }), "nowhere, today!"],
    ["a word for a date", object({ date: text }), "tomorrow"],
  ],
  { bareText: "string" },
);

wrapBareValue.rejects("a text that lacks the form of its field", UNPROVEN, [
  ["a question for a path", path, "Which file do you mean?"],
  ["a sentence with space around it", object({ title: text }), " It is done. "],
  ["a placeholder for a path", path, "/path/to/file"],
  ["another placeholder", path, "path/to/vessel.txt"],
  ["a word for a selector", click, "button"],
  ["a call of a list", click, 'press(["#buy"])'],
  ["a word for a command", object({ command: text }), "delete"],
  ["a remark for a command", object({ command: text }), "see 5"],
  ["a comparison for a command", object({ command: text }), "price > 5"],
  ["a date of two orders", object({ date: text }), "03/04/2024"],
]);

wrapBareValue.rejects("a text that names a field or the tool", "it names a field or the tool", [
  ["a label", click, "selector: #buy"],
  ["an assignment", click, "selector = #buy"],
  ["the field's name", click, "selector"],
  ["the field's name as a class", click, ".selector"],
  ["a call of the tool with a selector", click, "click(#buy)"],
  ["a call of the tool", object({ query: text }), "click (orange cats)"],
]);

wrapBareValue.rejects("a piece of something else", /^it is a piece of JSON/, [
  ["a tag of a call", click, "<function=click>"],
  ["a tag before a word", click, "<tool_call>click"],
  ["HTML", click, '<div class="a">'],
  ["prose around JSON", click, 'the input is {"selector": "#buy"}'],
  ["a list of objects", click, "rows [{a}]"],
  ["an open brace", click, "a { b"],
  ["a JSON text that is cut off", click, '{"selector": "#a'],
]);

wrapBareValue.rejects("nothing", "it says nothing", [
  ["a word for nothing", click, "null"],
  ["signs", click, "---"],
]);

wrapBareValue.rejects(
  "text in place of a call's arguments",
  /^a call's arguments are never bare text/,
  [["a selector", click, "#buy"]],
  { bareText: "none" },
);

wrapBareValue.rejects("several fields, or a place further in", NO_OBJECTION, [
  ["two required fields", object({ from: text, to: text }), "Rome"],
  ["two optional fields", object({ "from?": text, "to?": text }), "Rome"],
  badField("a name", object({ name: text }, true), "Ada", "user"),
  badField("its own name", object({ city: text }, true), "Rome", "city"),
  badField("a unit", object({ minutes: number }, true), 5, "delay"),
  badField("a bound", object({ lte: number }, true), 5, "price"),
  badField("what is left out", object({ without: text }, true), "nuts", "diet"),
  badField("another thing of it", object({ owner: text }, true), "Ada", "repo"),
]);

wrapBarePhrase.repairs("a phrase for a field of text", [
  ["a name", town, "New York City", { town: "New York City" }],
  ["a name in another script", town, "Москва", { town: "Москва" }],
  ["a short name in a script without spaces", town, "北京", { town: "北京" }],
  ["a capital and a name", town, "Bad Tölz", { town: "Bad Tölz" }],
  [
    "a capital and small words behind others",
    town,
    "nahe Ulm an der Donau",
    { town: "nahe Ulm an der Donau" },
  ],
  ["four signs of a script without spaces", town, "呼和浩特", { town: "呼和浩特" }],
  ["a name for a field of prose", object({ name: text }), "Ada Lovelace", { name: "Ada Lovelace" }],
]);

wrapBarePhrase.rejects("a phrase for a number", NO_OBJECTION, [
  ["that speaks of it", object({ amount: integer }), "no amount given"],
]);

wrapBarePhrase.rejects("more than a phrase", UNPROVEN, [
  ["a label", town, "Ort: Ulm"],
  ["two lines", town, "Ulm\nRome"],
  ["a sentence", town, "nach Ulm."],
  ["a call", town, "ulm()"],
  ["nine words", town, "a b c d e f g h i"],
  ["a sentence of Chinese", town, "是北京。"],
]);

wrapBarePhrase.rejects(
  "a phrase for a field of another form",
  "the field asks for a form that the text does not show",
  [
    ["a path", path, "siehe oben"],
    ["an id", object({ order_id: text }), "the last one"],
    ["a command", object({ command: text }), "bitte alles löschen"],
    ["a selector", click, "buy button"],
  ],
);

wrapBarePhrase.rejects("a phrase that speaks of the field", /^it uses the field's name/, [
  ["no town", town, "no town given"],
  ["a German phrase", object({ ort: text }), "Ort nicht angegeben"],
]);

wrapBarePhrase.rejects("what may be a sentence", /may be a sentence$|^it begins as a sentence/, [
  ["a request", town, "Please wait a moment"],
  ["a single capital and small words", town, "I am not sure"],
  ["five signs of a script without spaces", town, "乌鲁木齐市"],
  ["a refusal", town, "I'm not sure"],
  ["a sentence of Chinese without a full stop", town, "我不知道是哪里"],
]);

wrapBarePhrase.rejects("a placeholder", "it is a placeholder", [
  ["a slot in braces", town, "{{town}}"],
  ["a slot in angle brackets", town, "<town>"],
]);
