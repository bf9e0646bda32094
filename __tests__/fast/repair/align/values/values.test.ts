import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "#src/repair/types.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  outcome,
  text,
} from "../../../../support/repair/align/run.ts";

/** The value at `safe` and at `eager`: the repaired value, or `refused`. */
type Row = readonly [
  name: string,
  schema: unknown,
  input: JsonValue,
  safe: JsonValue,
  eager?: JsonValue,
];

const REFUSED = "refused";

function table(name: string, rows: readonly Row[], toolName = "tool"): void {
  describe(name, () => {
    test.each(rows.map((row) => [row[0], row] as const))("%s", async (_, row) => {
      const [, schema, input, safe, eager = safe] = row;
      expect(await outcome(schema, input, { toolName })).toEqual(safe);
      expect(await outcome(schema, input, { toolName, level: "eager" })).toEqual(eager);
    });
  });
}

/** A case with one required field: the schema, the value, the outcome. */
function place(
  name: string,
  schema: unknown,
  input: JsonValue,
  safe: JsonValue | typeof REFUSED,
  eager: JsonValue | typeof REFUSED = safe,
  key = "x",
): Row {
  const put = (value: JsonValue) => (value === REFUSED ? REFUSED : { [key]: value });
  return [name, object({ [key]: schema }), { [key]: input }, put(safe), put(eager)];
}

const choice = (...values: JsonValue[]) => ({ enum: values });

table("a declared object is no envelope, whatever is wrong in it", [
  [
    "a field of it that is of the wrong type",
    object({ "title?": text, "payload?": object({ title: text, size: integer }, true) }, true),
    { payload: { title: "a", size: "large" } },
    REFUSED,
  ],
  [
    "a field of it that is missing",
    object({ "id?": text, "data?": object({ id: text, n: integer }, true) }, true),
    { data: { id: "5" } },
    REFUSED,
  ],
  [
    "its name in another case",
    object({ "id?": text, "requestData?": text, "input?": object({ id: text, n: integer }) }, true),
    { Input: { id: "5", n: "many" } },
    REFUSED,
  ],
  [
    "a flag inside that would be lifted out",
    object(
      { "force?": boolean, "params?": object({ force: boolean, depth: integer }, true) },
      true,
    ),
    { params: { force: true, depth: "x" } },
    REFUSED,
  ],
  [
    "in a branch of a union",
    {
      anyOf: [
        object({ "q?": text }, true),
        object({ args: object({ q: text, n: integer }) }, true),
      ],
    },
    { args: { q: "a", n: "b" } },
    REFUSED,
  ],
  [
    "a declared list of elements",
    object({ rows: listOf(object({ items: listOf(integer), "n?": integer }, true)) }, true),
    { rows: { items: ["a"] } },
    REFUSED,
  ],
  [
    "a declared text that an object was put into",
    object({ value: text }, true),
    { value: { nested: "x" } },
    REFUSED,
  ],
  [
    "beside the tool's name",
    object({ "q?": text, "body?": object({ q: text, n: integer }, true) }, true),
    { name: "tool", body: { q: "a", n: "b" } },
    REFUSED,
  ],
  [
    "a declared key that an element accepts as it is",
    object({ value: listOf({ anyOf: [{}, object({ id: text }, true)] }) }),
    { value: { wrapper: { id: "1" } } },
    REFUSED,
  ],
  [
    "a map that takes any key",
    { type: "object", additionalProperties: integer },
    { input: { a: 1 } },
    REFUSED,
  ],
  [
    "repaired inside, it stays where it is",
    object({ "name?": text, data: object({ name: text, age: integer }, true) }, true),
    { data: { name: "Ada", age: "36" } },
    { data: { name: "Ada", age: 36 } },
  ],
]);

table("an envelope goes where nothing beside it says anything", [
  ["input", object({ q: text }), { input: { q: "a" } }, { q: "a" }],
  ["the tool's name", object({ q: text }), { tool: { q: "a" } }, { q: "a" }],
  ["a call of this tool", object({ q: text }), { name: "tool", arguments: { q: "a" } }, { q: "a" }],
  [
    "a call with an id and a type",
    object({ q: text }, true),
    { id: "call_1", type: "function", function: { name: "tool", arguments: '{"q": "a"}' } },
    { q: "a" },
  ],
  [
    "a call whose tool has a field called name",
    object({ name: text, mail: text }),
    { name: "tool", arguments: { name: "Ada", mail: "a@x.org" } },
    { name: "Ada", mail: "a@x.org" },
  ],
  ["a call of another tool", object({ q: text }), { name: "drop", arguments: { q: "a" } }, REFUSED],
  [
    "a flag beside the arguments",
    object({ q: text }, true),
    { name: "tool", dry_run: true, arguments: { q: "a" } },
    REFUSED,
  ],
  [
    "a kind that is no call's",
    object({ q: text }, true),
    { type: "preview", name: "tool", arguments: { q: "a" } },
    REFUSED,
  ],
  [
    "a declared id beside the arguments",
    object({ q: text, "id?": text }, true),
    { id: "7", name: "tool", arguments: { q: "a" } },
    REFUSED,
  ],
  [
    "two envelopes side by side",
    object({ q: text }, true),
    { name: "tool", arguments: { q: "a" }, input: { q: "b" } },
    REFUSED,
  ],
  [
    "a schema filled in",
    object({ q: text, n: integer }),
    { type: "object", properties: { q: "a", n: 1 } },
    REFUSED,
  ],
  ["a key of signs that part", object({ q: text }), { " : ": { q: "a" } }, { q: "a" }],
  ["a key of a sign that negates", object({ q: text }, true), { "!": { q: "a" } }, REFUSED],
  ["a list under items", object({ l: listOf(text) }), { l: { items: ["a"] } }, { l: ["a"] }],
  [
    "a list under its own name",
    object({ tags: listOf(text) }),
    { tags: { tag: ["a"] } },
    { tags: ["a"] },
  ],
]);

table("what kind of thing it is, is not the thing", [
  place("a kind of sign-in", text, { type: "basic" }, REFUSED),
  place("a kind of encoding", text, { type: "gzip" }, REFUSED),
  place(
    "a kind, for text or an object",
    { anyOf: [text, object({ type: integer })] },
    { type: "b" },
    REFUSED,
  ),
  place("a mode", text, { mode: "fast" }, REFUSED),
  place("a language", text, { lang: "de" }, REFUSED),
  place("one kind in a list", listOf(text), [{ type: "pdf" }], REFUSED),
  place("a text", text, { text: "a" }, REFUSED),
  place("a content", text, { content: "a" }, REFUSED),
  place("a value and its unit", number, { value: 5, unit: "kg" }, REFUSED),
  place("another name", text, { country: "Italy" }, REFUSED, REFUSED, "city"),
  place("the value of a schema filled in", text, { type: "string", value: "a" }, "a"),
  place("a number as value", number, { value: "2.5" }, REFUSED),
  place(
    "the keyword of elements, filled in",
    listOf(text),
    [{ type: "C" }, { type: "G" }],
    REFUSED,
  ),
  place("the same kind twice", listOf(text), [{ type: "C" }, { type: "C" }], REFUSED),
  place("kinds of JSON types", listOf(text), [{ type: "string" }, { type: "null" }], REFUSED),
]);

table(
  "at eager, an undeclared key goes that says what is wanted",
  [
    [
      "a word of the tool's name",
      object({ team: object({ name: text, size: integer }) }),
      { team: { user: { name: "a", size: 1 } } },
      REFUSED,
      REFUSED,
    ],
    [
      "a word of the place's name",
      object({ address: object({ street: text, zip: text }) }),
      { address: { address_details: { street: "a", zip: "1" } } },
      REFUSED,
      REFUSED,
    ],
    [
      "a negation of it",
      object({ address: object({ street: text, zip: text }) }),
      { address: { not: { street: "a", zip: "1" } } },
      REFUSED,
    ],
  ],
  "create_user",
);

table("a choice is respelt, unless the case is its meaning", [
  place("words in another case", choice("Express", "Standard"), "express", "Express"),
  place("short words in another case", choice("Low", "Mid", "High"), "LOW", "Low"),
  place("short words among long ones", choice("Red", "Yellow"), "red", "Red"),
  place("spaces for underscores", choice("one_way", "round_trip"), "One Way", "one_way"),
  place("in quotes", choice("New York", "Boston"), "'new york'", "New York"),
  place("codes in one case", choice("CHF", "SEK", "PLN"), "chf", "CHF"),
  place("codes, half in one case", choice("CHF", "SEK", "PLN"), "Chf", REFUSED),
  place("milli and mega", choice("mV", "kV"), "MV", REFUSED),
  place("milli and mega, both there", choice("mPa", "MPa"), "MPA", REFUSED),
  place("bits and bytes", choice("Kb", "Tb"), "KB", REFUSED),
  place("bits per second", choice("Mbps", "Gbps"), "MBps", REFUSED),
  place("grams in capitals", choice("mg", "g", "kg"), "KG", REFUSED),
  place("grams, as a symbol", choice("mg", "g", "kg"), "Mg", REFUSED),
  place("a single letter", choice("m", "s"), "M", REFUSED),
  place("a pressure", choice("kPa", "bar", "psi"), "KPA", REFUSED),
  place("a name with a capital inside", choice("macOS", "Windows"), "macos", REFUSED),
  place("methods", choice("GET", "PUT", "PATCH"), "put", "PUT"),
  place("two that fold together", choice("groß", "gross"), "GROSS", REFUSED),
  place("two in two cases", choice("Active", "active"), "ACTIVE", REFUSED),
  place("another sign", choice("A+", "A-", "B"), "A", REFUSED),
]);

table("a choice is corrected by one slip alone", [
  place("a lost letter", choice("kilometers", "miles"), "kilomters", REFUSED, REFUSED),
  place("a doubled letter", choice("standard", "express"), "standdard", REFUSED, REFUSED),
  place("two swapped letters", choice("pending", "shipped"), "pednign", REFUSED),
  place("two neighbours swapped", choice("pending", "shipped"), "pedning", REFUSED, REFUSED),
  place("a single for a double letter", choice("cancelled", "paid"), "canceled", REFUSED, REFUSED),
  place("a syllable twice", choice("precipitation", "wind"), "precipipitation", REFUSED, REFUSED),
  place("letters that sound alike", choice("celsius", "kelvin"), "celcius", REFUSED, REFUSED),
  place("the key beside it hit as well", choice("monthly", "weekly"), "monthkly", REFUSED, REFUSED),
  place("another prefix", choice("hyperthermia", "fever"), "hypothermia", REFUSED),
  place("another salt", choice("chlorate", "sulfide"), "chlorite", REFUSED),
  place("another ending", choice("lessee", "owner"), "lessor", REFUSED),
  place("the one who does it", choice("trainee", "guest"), "trainer", REFUSED),
  place("another vowel at the end", choice("Mexico", "Texas"), "Mexica", REFUSED),
  place("another country", choice("Niger", "Ghana"), "Nigeria", REFUSED),
  place("another drug", choice("prednisone", "aspirin"), "prednisolone", REFUSED),
  place("another unit", choice("gigabytes", "terabytes"), "gigabits", REFUSED),
  place("another scope", choice("intercity", "local"), "intracity", REFUSED),
  place("a participle", choice("archived", "open"), "archive", REFUSED),
  place("a word in its own right", choice("marital", "single"), "martial", REFUSED),
  place("another word by one letter", choice("county", "state"), "country", REFUSED),
  place("a short word", choice("north", "east"), "eats", REFUSED),
  place("near to two", choice("planned", "planted"), "plannted", REFUSED),
  place("two slips", choice("fahrenheit", "kelvin"), "farenhiet", REFUSED),
  place("a slip in the first letter", choice("standard", "express"), "tsandard", REFUSED),
  place("another number", choice("model-v1", "model-v2"), "model-v11", REFUSED),
]);

const url = { type: "string", format: "uri" };
const word = { type: "string", pattern: "^[a-z]+$" };
table("text is cleaned where one thing is left", [
  place("spaces", word, " abc ", "abc"),
  place("quotes", word, '"abc"', "abc"),
  place("a link with a title", url, "[the docs](https://a.org/docs)", REFUSED),
  place("a link that shows where it leads", url, "[https://a.org](https://a.org)", REFUSED),
  place("a link that shows it shorter", url, "[a.org](https://www.a.org/)", REFUSED),
  place("a link that shows another address", url, "[https://bank.com](https://bamk.io)", REFUSED),
  place("a link that shows another host", url, "[bank.com](https://bamk.io/login)", REFUSED),
  place("a link of which both fit", word, "[abc](def)", REFUSED),
  place("angle brackets", url, "<https://a.org>", "https://a.org"),
  place("entities", { type: "string", pattern: "^[A-Z&]+$" }, "A&amp;B", REFUSED),
]);

table("nothing is said, or none is asked for", [
  [
    "none where a default copies somebody in",
    object({ to: text, "cc?": { ...(listOf(text) as object), default: ["audit@x.org"] } }),
    { to: "a", cc: "None" },
    REFUSED,
  ],
  [
    "none where nothing is the default",
    object({ to: text, "cc?": { ...(listOf(text) as object), default: [] } }),
    { to: "a", cc: "None" },
    REFUSED,
  ],
  [
    "none where there is a choice",
    object({ q: text, "filter?": choice("strict", "loose") }),
    { q: "a", filter: "None" },
    REFUSED,
  ],
  [
    "none for an optional number",
    object({ q: text, "n?": integer }),
    { q: "a", n: "None" },
    { q: "a" },
  ],
  [
    "null for an optional number with a default",
    object({ q: text, "n?": { type: "integer", default: 5 } }),
    { q: "a", n: null },
    { q: "a" },
  ],
  [
    "empty text for an optional choice",
    object({ q: text, "filter?": choice("strict", "loose") }),
    { q: "a", filter: "" },
    { q: "a" },
  ],
  [
    "Python's null where null may stand",
    object({ n: { type: ["integer", "null"], default: 3 } }),
    { n: "None" },
    { n: null },
  ],
]);

table("numbers are read as they are written", [
  place("an exponent where an id is wanted", integer, "1e5", REFUSED),
  place("an exponent of a measure", number, "1e5", 100_000),
  place("less than a number can hold", number, "1e-400", REFUSED),
  place("more than a number can hold", number, "1e400", REFUSED),
  place("nothing, small", number, "0e-400", 0),
  place("a list of decimals", listOf(number), "1,5; 2,5", REFUSED),
  place("dollars, for a count", integer, "$5", REFUSED),
  place("dollars, for euros", number, "$5.50", REFUSED, REFUSED, "amount_eur"),
  place("dollars, for dollars", number, "$5.50", REFUSED, REFUSED, "amount_usd"),
  place(
    "euros, for euros by the description",
    { type: "number", description: "In euros." },
    "€1,234.50",
    REFUSED,
    REFUSED,
  ),
  place("pounds, for a weight", { type: "number", description: "In kilograms." }, "£5", REFUSED),
  place("yen", { type: "number", description: "In dollars." }, "¥500", REFUSED),
]);

table("an answer is no answer to its contrary", [
  place("yes", boolean, "yes", REFUSED, true, "recursive"),
  place("no", boolean, "no", REFUSED, false, "recursive"),
  place("no, for a denial", boolean, "no", REFUSED, REFUSED, "no_cache"),
  place("yes, for a denial", boolean, "yes", REFUSED, true, "disabled"),
  place("a number that is neither", boolean, 2, REFUSED),
  place("a word that is neither", boolean, "sometimes", REFUSED),
]);

table("an object becomes a list where its keys say so", [
  place("positions from 0", listOf(text), { "0": "a", "1": "b" }, ["a", "b"]),
  place("numbers from 1, for integers", listOf(integer), { "1": 5, "2": 7 }, REFUSED),
  place("numbers from 1, for names", listOf(text), { "1": "Ada", "2": "Bob" }, REFUSED),
  place("positions with a gap", listOf(text), { "0": "a", "2": "b" }, REFUSED),
  place("years", listOf(integer), { "2023": 5, "2024": 7 }, REFUSED),
  place(
    "columns",
    listOf(object({ a: integer, b: integer })),
    { a: [1, 2], b: [3, 4] },
    REFUSED,
    REFUSED,
  ),
  place(
    "columns that lack a field of a row",
    listOf(object({ a: integer, b: integer, c: integer })),
    { a: [1, 2], b: [3, 4] },
    REFUSED,
  ),
  place(
    "columns of which one may be a list itself",
    listOf(object({ a: { anyOf: [integer, listOf(text)] }, b: integer })),
    { a: [1, 2], b: [3, 4] },
    REFUSED,
  ),
  place("a point", listOf(number), { x: 1, y: 2 }, REFUSED, REFUSED, "origin"),
  place(
    "a range, where one is spoken of",
    listOf(number),
    { min: 1, max: 2 },
    REFUSED,
    REFUSED,
    "price_range",
  ),
  place(
    "a range, for single values",
    listOf(number),
    { min: 1, max: 2 },
    REFUSED,
    REFUSED,
    "prices",
  ),
  place(
    "a span, for single years",
    listOf(integer),
    { from: 2000, to: 2010 },
    REFUSED,
    REFUSED,
    "years",
  ),
  place("a point, for amounts", listOf(number), { x: 1, y: 2 }, REFUSED, REFUSED, "amounts"),
]);

const pairs = listOf({ type: "array", items: integer, minItems: 2, maxItems: 2 });
table("one value for a list of such", [
  place("a text", listOf(text), "a.txt", ["a.txt"]),
  place("a number", listOf(number), 5, [5]),
  place("the number of a thing", listOf(integer), 5, [5], [5], "user_ids"),
  place("a word", listOf(text), "alle", ["alle"]),
  place("a name", listOf(text), "New York", ["New York"]),
  place("a sentence", listOf(text), "Take the first two.", REFUSED),
  place("an object", listOf(object({ a: integer })), { a: 1 }, [{ a: 1 }]),
  place("two joined by a sign", listOf(text), "red & blue", REFUSED),
  place("two with a tab between", listOf(text), "red\tblue", REFUSED),
  place("two with a Chinese comma", listOf(text), "红、蓝", REFUSED),
  place("a row as long as every row", pairs, [1, 2], REFUSED, REFUSED),
  place("a row of any length", listOf(listOf(integer)), [1, 2], REFUSED),
  place("a row that is too long", pairs, [1, 2, 3], REFUSED),
  place("a list around a number", number, [5], 5),
  place("a list around text", text, ["a"], REFUSED, "a"),
  place(
    "a list around text, of which there may be more",
    { type: "string", description: "A JSON array of ids" },
    ["a"],
    REFUSED,
  ),
]);

const split = (
  name: string,
  input: string,
  parts: JsonValue | typeof REFUSED,
  items: unknown = text,
) => place(name, listOf(items), input, REFUSED, parts);
table("a plain list is split, at eager", [
  split("three words", "red, green, blue", ["red", "green", "blue"]),
  split("two words, which may be a name and its place", "Ulm, Germany", REFUSED),
  split("words with spaces, which may be a sentence", "red, not green, blue", REFUSED),
  split("words without spaces", "shirt,blue,xl", ["shirt", "blue", "xl"]),
  split("digits that commas may group", "101,102,103", REFUSED),
  split("a place in its country", "Paris, Île-de-France, France", REFUSED),
  split("names, three of them", "Rome; Oslo; Bern", ["Rome", "Oslo", "Bern"]),
  split("mail addresses", "a@x.org, b@x.org", ["a@x.org", "b@x.org"]),
  split("addresses", "https://a.org/x, https://b.org", ["https://a.org/x", "https://b.org"]),
  split("paths", "src/a.ts, src/b.ts", ["src/a.ts", "src/b.ts"]),
  split("columns", "first_name,last_name", ["first_name", "last_name"]),
  split("semicolons", "a.txt; b.txt", ["a.txt", "b.txt"]),
  split("numbers", "1, 2.5, -3", [1, 2.5, -3], number),
  place(
    "names, where the description says how",
    { ...(listOf(text) as object), description: "Comma-separated cities" },
    "Paris, Rome",
    REFUSED,
    REFUSED,
  ),
]);

table("what may be one thing is not split", [
  split("a place", "Lyon, France", REFUSED),
  split("a firm", "acme, inc", REFUSED),
  split("a date", "March 5, 2024", REFUSED),
  split("a decimal", "2,718", REFUSED, number),
  split("a decimal, for text", "2,7", REFUSED),
  split("thousands", "1,234,567", REFUSED, integer),
  split("a comma in quotes", '"Smith, Ann", Bob', REFUSED),
  split("a comma in brackets", "f(a, b), c", REFUSED),
  split("a comma in braces", "a{2,3}", REFUSED),
  split("a selector", ":is(h1, h2)", REFUSED),
  split("a query", "select a, b from t", REFUSED),
  split("an address with a comma", "https://a.org/?ids=1,2", REFUSED),
  split("keys and values", "a: 1, b: 2", REFUSED),
  split("assignments", "a=1, b=2", REFUSED),
  split("a pipe", "cat a | grep b", REFUSED),
  split("commands", "cd /tmp; rm -rf x", REFUSED),
  split("a sentence", "send it to Bob, now", REFUSED),
  split("a greeting", "hello, world", REFUSED),
  split("an ellipsis", "red, green, …", REFUSED),
  split("an exception", "all colours, except red", REFUSED),
  split("a negation", "red, not green", REFUSED),
  split("an alternative", "red, green or blue", REFUSED),
  split("a last pair of more than a word each", "red, pale green and blue", REFUSED),
  split("a list in a list", "a, b; c, d, e", REFUSED),
  split("lines of which some have bullets", "red:\n- green", REFUSED),
  split("dashes before numbers", "- 5\n- 6", REFUSED, number),
  split("a part that is empty", "red,, green", REFUSED),
]);

table("a list of choices is split where every part is one", [
  place("all of them", listOf(choice("red", "dark blue")), "Red, dark blue", ["red", "dark blue"]),
  place("one that is none", listOf(choice("red", "blue")), "red, green", REFUSED),
  place("a choice with a comma in it", listOf(choice("a, b", "a", "b")), "a, b", ["a, b"]),
]);

const inner = (field: string, type: unknown) => object({ [field]: type }, true);
table("a bare value further in becomes no part of an object", [
  place("a name", inner("name", text), "Ada", REFUSED, REFUSED, "user"),
  place("a value", inner("value", number), 5, REFUSED, REFUSED, "price"),
  place("its own name", inner("city", text), "Rome", REFUSED, REFUSED, "city"),
  place("a unit", inner("minutes", number), 5, REFUSED, REFUSED, "delay"),
  place("a bound", inner("lte", number), 5, REFUSED, REFUSED, "price"),
  place("what is left out", inner("without", text), "nuts", REFUSED, REFUSED, "diet"),
  place("another thing of it", inner("owner", text), "Ada", REFUSED, REFUSED, "repo"),
  place("a number as its name", inner("name", text), 5, REFUSED, REFUSED, "user"),
]);

table("a list that is not all there is, in other languages", [
  split("French", "sauf mardi, jeudi", REFUSED),
  split("German", "alles außer Rot, Blau", REFUSED),
  split("Spanish", "todos excepto rojo, azul", REFUSED),
  split("Italian", "senza aglio, cipolla", REFUSED),
]);
