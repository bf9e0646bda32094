import type { JsonValue } from "#src/repair/types.ts";
import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  text,
} from "../../../../support/repair/align/run.ts";

const unwrapEnvelope = testsOf("unwrap-envelope", "safe");

const q = object({ q: text });
const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);
const DECLARED = "a declared key has that name";

unwrapEnvelope.repairs("a known envelope, the tool's name, or a slot", [
  ["input", q, { input: { q: "a" } }, { q: "a" }],
  ["arguments in capitals", q, { Tool_Args: { q: "a" } }, { q: "a" }],
  ["the tool's name", q, { click: { q: "a" } }, { q: "a" }],
  ["the tool's name in another case", q, { Click: { q: "a" } }, { q: "a" }],
  ["a slot with a dollar sign", q, { $PARAMETER_NAME: { q: "a" } }, { q: "a" }],
  ["a slot in angle brackets", q, { "<input>": { q: "a" } }, { q: "a" }],
  ["a slot in braces", q, { "{{args}}": { q: "a" } }, { q: "a" }],
  ["a key of signs that part", q, { " : ": { q: "a" } }, { q: "a" }],
  ["a key of brackets", q, { ":)": { q: "a" } }, { q: "a" }],
  ["a list under items", object({ l: listOf(text) }), { l: { items: ["a"] } }, { l: ["a"] }],
  [
    "a list under its field's name",
    object({ tags: listOf(text) }),
    { tags: { tags: ["a"] } },
    { tags: ["a"] },
  ],
  [
    "a list under the singular of it",
    object({ tags: listOf(text) }),
    { tags: { tag: ["a"] } },
    { tags: ["a"] },
  ],
  field("a value", number, { value: 5 }, 5),
  field("the value of a schema filled in", text, { type: "string", value: "a" }, "a"),
  field("the same of Gemini's schema", text, { type: "STRING", value: "a" }, "a"),
  field("a number of a schema", number, { type: "number", value: 2.5 }, 2.5),
  field("a whole number of a schema", integer, { type: "integer", value: 5 }, 5),
  field("a flag of a schema", boolean, { type: "boolean", value: true }, true),
  field("a list of a schema", listOf(text), { type: "array", value: ["a"] }, ["a"]),
  field("an object of a schema", q, { type: "object", value: { q: "a" } }, { q: "a" }),
  field("a text under its field's name", text, { city: "Rome" }, "Rome", "city"),
  field("an object under its field's name", q, { job: { q: "a" } }, { q: "a" }, "job"),
  field("a list under a singular", listOf(text), { address_id: ["a"] }, ["a"], "address_ids"),
  ["a key without a sign", q, { "": { q: "a" } }, { q: "a" }],
]);

unwrapEnvelope.repairs(
  "an envelope whose content is text that holds JSON",
  [["arguments", q, { arguments: '{"q": "a"}' }, { q: "a" }]],
  { others: ["parse-text"] },
);

unwrapEnvelope.repairs("a whole call of this tool", [
  ["a name and arguments", q, { name: "click", arguments: { q: "a" } }, { q: "a" }],
  ["a name at `function`", q, { function: "click", arguments: { q: "a" } }, { q: "a" }],
  [
    "a call as OpenAI writes it",
    closed({ q: text }),
    { id: "call_1", type: "function", function: { name: "click", arguments: { q: "a" } } },
    { q: "a" },
  ],
  [
    "a call as Anthropic writes it",
    closed({ q: text }),
    { type: "tool_use", id: "toolu_1", name: "click", input: { q: "a" } },
    { q: "a" },
  ],
  [
    "a call whose type is a tool",
    closed({ q: text }),
    { type: "tool", name: "click", input: { q: "a" } },
    { q: "a" },
  ],
  ["the name of a namespace", q, { name: "functions.click", arguments: { q: "a" } }, { q: "a" }],
  [
    "an id and a type",
    closed({ q: text }),
    { id: "call_1", type: "function", name: "click", arguments: { q: "a" } },
    { q: "a" },
  ],
  [
    "a tool with a field called name",
    object({ name: text, mail: text }),
    { name: "click", arguments: { name: "Ada", mail: "a@x.org" } },
    { name: "Ada", mail: "a@x.org" },
  ],
]);

unwrapEnvelope.rejects("a declared object, whatever is wrong in it", DECLARED, [
  [
    "a field of it that is of the wrong type",
    closed({ "title?": text, "payload?": closed({ title: text, size: integer }) }),
    { payload: { title: "a", size: "large" } },
  ],
  [
    "a field of it that has its name",
    closed({ "input?": closed({ input: text, n: integer }) }),
    { input: { input: "a", n: "many" } },
  ],
  [
    "a field of it that is missing",
    closed({ "id?": text, "data?": closed({ id: text, n: integer }) }),
    { data: { id: "5" } },
  ],
  [
    "its name in another case",
    closed({ "id?": text, "requestData?": text, "input?": object({ id: text, n: integer }) }),
    { Input: { id: "5", n: "many" } },
  ],
  [
    "a flag inside that would be lifted out",
    closed({ "force?": boolean, "params?": closed({ force: boolean, depth: integer }) }),
    { params: { force: true, depth: "x" } },
  ],
  [
    "in a branch of a union",
    { anyOf: [closed({ "q?": text }), closed({ args: object({ q: text, n: integer }) })] },
    { args: { q: "a", n: "b" } },
  ],
  [
    "a declared list of elements",
    object({ rows: listOf(closed({ items: listOf(integer), "n?": integer })) }),
    { rows: { items: ["a"] } },
  ],
  [
    "beside the tool's name",
    closed({ "q?": text, "body?": closed({ q: text, n: integer }) }),
    { name: "click", body: { q: "a", n: "b" } },
  ],
  [
    "a declared id beside the arguments",
    closed({ q: text, "id?": text }),
    { id: "7", name: "click", arguments: { q: "a" } },
  ],
  [
    "a map that takes any key",
    { type: "object", additionalProperties: integer },
    { input: { a: 1 } },
  ],
]);

unwrapEnvelope.rejects("what is beside the arguments and may say something", NO_OBJECTION, [
  ["a call of another tool", q, { name: "drop", arguments: { q: "a" } }],
  ["a flag", closed({ q: text }), { name: "click", dry_run: true, arguments: { q: "a" } }],
  [
    "a kind of call",
    closed({ q: text }),
    { type: "preview", name: "click", arguments: { q: "a" } },
  ],
  ["a call without a name", closed({ q: text }), { id: "7", arguments: { q: "a" } }],
  ["a name that is null", closed({ q: text }), { name: null, arguments: { q: "a" } }],
  ["a type that is a number", closed({ q: text }), { type: 5, name: "click", input: { q: "a" } }],
  ["arguments by another name", closed({ q: text }), { name: "click", draft: { q: "a" } }],
  ["a call further in", object({ job: q }), { job: { name: "click", arguments: { q: "a" } } }],
  [
    "a second envelope",
    closed({ q: text }),
    { name: "click", arguments: { q: "a" }, input: { q: "b" } },
  ],
  ["a schema", object({ q: text, n: integer }), { type: "object", properties: { q: "a", n: 1 } }],
]);

unwrapEnvelope.rejects("a key with a meaning", NO_OBJECTION, [
  ["a denial by a sign", closed({ q: text }), { "!": { q: "a" } }],
  ["a denial", closed({ q: text }), { not: { q: "a" } }],
  ["a slot within a name", closed({ q: text }), { "not <q>": { q: "a" } }],
  ["a slot and a remark", closed({ q: text }), { "$q (old)": { q: "a" } }],
  ["a letter", closed({ q: text }), { s: { q: "a" } }],
  ["items for one object", closed({ q: text }), { items: { q: "a" } }],
  ["no key", closed({ q: text }), {}],
  badField("a text for an object, under its field's name", q, { job: "a" }, "job"),
  badField("a number, where an object may stand as well", { anyOf: [number, q] }, { value: 5 }),
  badField("null, which may stand by itself", { type: ["integer", "null"] }, { value: null }),
  badField("a list under a name with a meaning", listOf(text), { removed: ["a"] }),
  badField("a list under a name for arguments", listOf(text), { input: ["a"] }),
  badField("a kind that ends as a type", text, { type: "substring", value: "a" }),
  badField("a kind that begins as a type", text, { type: "stringent", value: "a" }),
  badField("a value of another kind", text, { type: "regex", value: "a" }),
  badField("a value of a type, and its unit", text, { type: "string", value: "5", unit: "kg" }),
  ["a value of before", closed({ q: text }), { formerly: { q: "a" } }],
  ["an example", closed({ q: text }), { sample: { q: "a" } }],
  [
    "a word of the tool's name",
    object({ team: object({ name: text, size: integer }) }),
    { team: { user: { name: "a", size: 1 } } },
  ],
  [
    "a word of the place's name",
    object({ address: object({ street: text, zip: text }) }),
    { address: { address_details: { street: "a", zip: "1" } } },
  ],
  badField("a kind of sign-in", text, { type: "basic" }),
  badField("a kind, for text or an object", { anyOf: [text, object({ type: integer })] }, {
    type: "b",
  } as JsonValue),
  badField("a mode", text, { mode: "fast" }),
  badField("one kind in a list", listOf(text), [{ type: "pdf" }]),
  badField("kinds of JSON types", listOf(text), [{ type: "string" }, { type: "null" }]),
  badField("a text", text, { text: "a" }),
  badField("a content", text, { content: "a" }),
  badField("a value and its unit", number, { value: 5, unit: "kg" }),
  badField("another name", text, { country: "Italy" }, "city"),
  badField("a bound", number, { lt: 5 }, "price"),
  badField("an operator around a choice", { enum: ["active", "idle"] }, { not: "active" }),
]);
