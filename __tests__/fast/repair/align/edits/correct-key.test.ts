import { expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { NO_OBJECTION, testsOf } from "../../../../support/repair/align/edit-tables.ts";
import {
  integer,
  listOf,
  number,
  object,
  run,
  text,
} from "../../../../support/repair/align/run.ts";

const correctKey = testsOf("correct-key", "eager");

const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);

correctKey.repairs("one slip of the keyboard", [
  [
    "two letters swapped",
    object({ selector: text, page: text }),
    { seletcor: "#buy", page: "a" },
    { selector: "#buy", page: "a" },
  ],
  [
    "a letter lost",
    object({ temperature: number, page: text }),
    { temprature: 5, page: "a" },
    { temperature: 5, page: "a" },
  ],
  [
    "a letter twice",
    object({ selector: text, page: text }),
    { selecttor: "#buy", page: "a" },
    { selector: "#buy", page: "a" },
  ],
  [
    "a piece twice",
    object({ from_unit: text, to_unit: text }),
    { from_unit: "km", to_to_unit: "mi" },
    { from_unit: "km", to_unit: "mi" },
  ],
  [
    "in one word of several",
    closed({ "start_interval?": text, "start_date?": text }),
    { start_intevral: "10:30" },
    { start_interval: "10:30" },
  ],
  [
    "in an optional key that is forbidden as it stands",
    closed({ "countries?": listOf(text), "limit?": integer }),
    { coutnries: ["x"] },
    { countries: ["x"] },
  ],
  ["accents left out", object({ teléfono: text }), { telefono: "5" }, { teléfono: "5" }],
  ["a quote at its end", object({ path: text }), { 'path"': "a.txt" }, { path: "a.txt" }],
  [
    "a piece of JSON behind its quote",
    object({ path: text }),
    { 'Path": "b': "a.txt" },
    { path: "a.txt" },
  ],
]);

correctKey.repairs("a shorter key, whose value proves it", [
  [
    "one of its choices",
    object({ unit: { enum: ["celsius", "kelvin"] } }),
    { untt: "kelvin", unt: "celsius" },
    { untt: "kelvin", unit: "celsius" },
  ],
  [
    "a text of its format",
    object({ date: { type: "string", format: "date" } }),
    { dtae: "2026-11-27" },
    { date: "2026-11-27" },
  ],
  [
    "a text of its format, where a word may stand as well",
    object({ date: { anyOf: [{ type: "string", format: "date" }, { enum: ["today"] }] } }),
    { dtae: "2026-11-27" },
    { date: "2026-11-27" },
  ],
]);

// `eager` may be wrong where a model wrote a real word that is one slip from a declared one.
correctKey.repairs("a key that is a word of its own", [
  [
    "a trial for a trail",
    object({ trail: text, sum: number }),
    { trial: "a", sum: 5 },
    { trail: "a", sum: 5 },
  ],
  ["a contact for a contract", object({ contract: text }), { contact: "a" }, { contract: "a" }],
  [
    "dessert for a desert",
    object({ desert_name: text }),
    { dessert_name: "a" },
    { desert_name: "a" },
  ],
]);

correctKey.rejects(
  "a slip in a word of fewer than five letters",
  "in a word of fewer than five letters it may be another word",
  [
    ["form for from", object({ from_date: text }), { form_date: "2026-11-27" }],
    [
      "a file that is misspelt",
      object({ file_path: text, page: text }),
      { flie_path: "a", page: "a" },
    ],
    ["one thousand or 1,024", object({ size_kib: number, file: text }), { size_kb: 5, file: "a" }],
    [
      "a value that is none of the choices",
      object({ unit: { enum: ["celsius"] } }),
      { unt: "kelvin" },
    ],
    [
      "a value that has not its format",
      object({ date: { type: "string", format: "date" } }),
      { dtae: "today" },
    ],
    [
      "a number where a text of a format may stand",
      object({ date: { anyOf: [integer, { type: "string", format: "date" }] } }),
      { dtae: 5 },
    ],
  ],
);

correctKey.rejects(
  "a letter more or less in a key of fewer than eight letters",
  "a letter lost or too many in a key of fewer than eight may make another word",
  [
    ["a county for a country", object({ country: text, sum: number }), { county: "Kent", sum: 5 }],
    ["faction for action", object({ reation: text }), { reaction: "a" }],
  ],
);

correctKey.rejects("two declared keys that are as near", "it is like several declared keys", [
  ["two ways to spell it", closed({ "colours?": text, "coulors?": text }), { coluors: "red" }],
]);

correctKey.rejects("another word, or more than one slip", NO_OBJECTION, [
  ["two digits swapped", object({ item21: text, sum: number }), { item12: "a", sum: 5 }],
  ["another letter at its end", object({ payee: text, sum: number }), { payer: "Ada", sum: 5 }],
  ["another ending", object({ employer: text, sum: number }), { employee: "Ada", sum: 5 }],
  ["a letter less at its end", object({ humane: text, page: text }), { human: "a", page: "a" }],
  ["a letter more at its end", object({ archive: text }), { archived: "a" }],
  ["another beginning", object({ prefix: text, sum: number }), { postfix: "a", sum: 5 }],
  ["its first letter lost", object({ amount: integer }), { mount: 5 }],
  ["a letter replaced", object({ price: number, sku: text }), { prize: 5, sku: "a" }],
  ["two letters replaced", object({ latitude: number }), { altitude: 5 }],
  ["two letters lost", object({ selector: text, page: text }), { selctr: "#buy", page: "a" }],
  ["a negation", object({ recursive: text }), { "!recursiv": "a" }],
  ["a part of a name before a quote", object({ path: text }), { 'pa"': "a.txt" }],
  ["an ending of a plural", closed({ "query?": text, "queries?": listOf(text) }), { querys: "x" }],
  ["another medicine", object({ hypertension: text, page: text }), { hypotension: "a", page: "a" }],
]);

test("correct-key: a key that the schema lets through is renamed, too", async () => {
  const tool = { name: "set_room", schema: object({ room: text, "temperature?": number }) };
  const input = { room: "attic", temprature: 21 };
  expect(await repairToolInput(input, tool, { level: "eager" })).toMatchObject({
    ok: true,
    toolInput: { room: "attic", temperature: 21 },
    repairs: [{ fixer: "correct-key" }],
  });
});

test("correct-key: a typo in a short name is a hint all the same", async () => {
  const result = await run(closed({ form: text }), { from: "a" });
  expect(!result.ok && result.hints().get("/from")).toBe('"form"');
});
