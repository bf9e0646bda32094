import { z } from "zod";
import type { JsonObject } from "#src/repair/types.ts";
import {
  NO_OBJECTION,
  type RejectedCase,
  type RepairedCase,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { boolean, integer, listOf, object, text } from "../../../../support/repair/align/run.ts";

const dropNull = testsOf("drop-null", "safe");
const dropEmptyText = testsOf("drop-empty-text", "safe");
const readNull = testsOf("read-null", "safe");
const noArguments = testsOf("no-arguments", "safe");

const SPEAKS = "a description speaks of null or of empty text";

const said = (schema: object, description: string) => ({ ...schema, description });

/** An optional field, and what was written there. */
const given = (schema: unknown, written: JsonObject[string]) =>
  [object({ job: text, "limit?": schema }), { job: "a", limit: written }] as const;

const leftOut = (name: string, schema: unknown, written: JsonObject[string]): RepairedCase => [
  name,
  ...given(schema, written),
  { job: "a" },
];

const kept = (name: string, schema: unknown, written: JsonObject[string]): RejectedCase => [
  name,
  ...given(schema, written),
];

/** A field of so many branches that none of them is looked at. */
const branches = (count: number) => ({
  description: "null clears the filter",
  anyOf: Array.from({ length: count }, (_, index) => object({ [`key${index}`]: integer })),
});

dropNull.rejects("a description of many branches that speaks of null", undefined, [
  kept("more than are looked at", branches(70), null),
]);
dropNull.rejects("a description of some branches that speaks of null", SPEAKS, [
  kept("as many as are looked at", branches(20), null),
]);

dropNull.repairs("null in an optional field is left out", [
  leftOut("a number", integer, null),
  leftOut("a flag", boolean, null),
  leftOut("a list", listOf(text), null),
  leftOut("an object", object({ rows: integer }), null),
  leftOut("a field with a default", { type: "integer", default: 5 }, null),
  leftOut(
    "a field that says what it does",
    said(integer, "Rows. Default 10; else all are lost"),
    null,
  ),
  leftOut("a field whose default is null", said(integer, "Rows (default: null)"), null),
  leftOut("a field of another language", said(integer, "Zeilen. Alle: 0"), null),
  ["the only field", object({ "limit?": integer }), { limit: null }, {}],
  [
    "a flag whose default is true",
    z.object({ job: z.string(), force: z.boolean().default(true) }),
    { job: "a", force: null },
    { job: "a" },
  ],
  [
    "several fields, at any depth",
    object({ job: text, "limit?": integer, place: object({ "lat?": integer }) }),
    { job: "a", limit: null, place: { lat: null } },
    { job: "a", place: {} },
  ],
]);

dropNull.rejects("null where a description speaks of it", SPEAKS, [
  kept("that of the field", said(integer, "Row limit; null removes it"), null),
  kept("that of a branch", { anyOf: [said(integer, "null removes it"), boolean] }, null),
  kept("its title", { ...integer, title: "Limit, or null for all" }, null),
  kept("its examples", { ...integer, examples: [5, "null"] }, null),
  [
    "that of the object around it",
    object({ row: said(object({ "limit?": integer }) as object, "Empty fields are deleted") }),
    { row: { limit: null } },
  ],
]);

dropNull.rejects(
  "null where the tool's description speaks of it",
  SPEAKS,
  [kept("a number", integer, null)],
  { description: "Updates a row. null resets a field." },
);

dropNull.rejects("null in a required field, or in a list", NO_OBJECTION, [
  ["a required field", object({ name: text }), { name: null }],
  ["an element", object({ tags: listOf(text) }), { tags: ["a", null] }],
]);

dropEmptyText.repairs("text for nothing in an optional field is left out", [
  leftOut("empty text", integer, ""),
  leftOut("white space", integer, "  "),
  leftOut("null", integer, "null"),
  leftOut("null in capitals", integer, "NULL"),
  leftOut("null with a capital", integer, "Null"),
  leftOut("undefined", integer, "undefined"),
  leftOut("Python's None", integer, "None"),
  leftOut("None with space around it", integer, " None\n"),
  leftOut("text of 49 signs", integer, `None${" ".repeat(45)}`),
  leftOut("not available", integer, "N/A"),
  leftOut("not available in small letters", integer, "n/a"),
  leftOut("empty text for a choice", { enum: ["strict", "loose"] }, ""),
  leftOut(
    "null for a choice with a default",
    { enum: ["strict", "loose"], default: "loose" },
    "null",
  ),
  leftOut("None for a choice without a default", { enum: ["strict", "loose"] }, "None"),
  leftOut("None for a list", { ...(listOf(text) as object), default: [] }, "None"),
  leftOut(
    "None where the default is empty text",
    { type: "string", format: "email", default: "" },
    "None",
  ),
  leftOut("None for a number with a default", { type: "integer", default: 10 }, "None"),
  leftOut("empty text for an address", { type: "string", format: "email" }, ""),
  leftOut("None for a pattern", { type: "string", pattern: "^\\d{5}$" }, "None"),
]);

dropEmptyText.rejects("text for nothing where a description speaks of it", SPEAKS, [
  kept("empty text", said(integer, "Empty for no limit"), ""),
  kept("None", said(integer, "`none` for no limit"), "None"),
]);

dropEmptyText.rejects("None where it may deny the default", "`None` may mean none of its default", [
  kept("one of the choices", { enum: ["strict", "loose"], default: "loose" }, "None"),
  kept("a list", { ...(listOf(text) as object), default: ["a@x.org"] }, "None"),
  kept(
    "a list, with space around it",
    { ...(listOf(text) as object), default: ["a@x.org"] },
    " None ",
  ),
  kept("an object", { ...(object({}) as object), default: { to: "a@x.org" } }, "None"),
]);

dropEmptyText.rejects("what equals a choice", "it is one of the choices", [
  kept("but for case, which counts", { enum: ["nOne", "nTwo"] }, "None"),
]);

dropEmptyText.rejects("another word, or a required field", NO_OBJECTION, [
  kept("none in small letters, for a choice", { enum: ["email", "sms"], default: "email" }, "none"),
  kept("none in small letters, for a number", integer, "none"),
  kept("none in small letters, for a flag", boolean, "none"),
  kept("nil", integer, "nil"),
  kept("none of something", integer, "None of them"),
  kept("text of 50 signs", integer, `None${" ".repeat(46)}`),
  ["a required number", object({ limit: integer }), { limit: "" }],
]);

const nullable = { type: ["integer", "null"] };

readNull.repairs("text for null, where null may stand", [
  ["None", object({ limit: nullable }), { limit: "None" }, { limit: null }],
  ["null", object({ limit: nullable }), { limit: "null" }, { limit: null }],
  ["empty text", object({ limit: nullable }), { limit: "" }, { limit: null }],
  [
    "None beside a default",
    object({ limit: { ...nullable, default: 3 } }),
    { limit: "None" },
    { limit: null },
  ],
]);

readNull.rejects("text for null where a description speaks of it", SPEAKS, [
  ["None", object({ limit: said(nullable, "Limit; null removes it") }), { limit: "None" }],
]);

readNull.rejects("another word, or null where it may not stand", NO_OBJECTION, [
  ["none in small letters", object({ limit: nullable }), { limit: "none" }],
  ["no", object({ limit: nullable }), { limit: "no" }],
  ["null for a number alone", object({ limit: integer }), { limit: "null" }],
  [
    "null for a number alone, of which a description speaks",
    object({ limit: said(integer, "null for all") }),
    { limit: "null" },
  ],
]);

noArguments.repairs("nothing, for a tool that needs nothing", [
  ["null", object({ "limit?": integer }), null, {}],
  ["empty text", object({ "limit?": integer }), "", {}],
  ["white space", object({ "limit?": integer }), " ", {}],
]);

noArguments.repairs("a word for nothing, for a tool without arguments", [
  ["an empty list", object({}, true), [], {}],
  ["round brackets", object({}, true), "()", {}],
  ["none", object({}, true), "none", {}],
  ["not available", object({}, true), "N/A", {}],
]);

noArguments.rejects("a word, or nothing for a tool that needs something", NO_OBJECTION, [
  ["nothing for a required field", object({ query: text }), ""],
  ["a word for a tool with a required field", object({ limit: integer }, true), "none"],
  ["a sentence", object({}, true), "None, thanks"],
  ["a list with an element", object({}, true), ["all"]],
  ["nothing for a field with a default", object({ limit: { type: "integer", default: 5 } }), ""],
  ["nothing for an object further in", object({ filter: object({ "a?": text }) }), { filter: "" }],
]);
