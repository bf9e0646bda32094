import { expect, test } from "@jest/globals";
import { NO_OBJECTION, testsOf } from "../../../../support/repair/align/edit-tables.ts";
import { boolean, integer, object, outcome, text } from "../../../../support/repair/align/run.ts";

const fillDefault = testsOf("fill-default", "eager");

const limit = { type: "integer", default: 10 };
const scope = { type: "string", default: "all" };

fillDefault.repairs("the declared default of a missing key", [
  ["a number", object({ text, limit }), { text: "a" }, { text: "a", limit: 10 }],
  ["a text", object({ text, scope }), { text: "a" }, { text: "a", scope: "all" }],
  [
    "a list",
    object({ text, tags: { type: "array", default: [] } }),
    { text: "a" },
    { text: "a", tags: [] },
  ],
  ["several", object({ limit, scope }), {}, { limit: 10, scope: "all" }],
  ["for null", object({ text, limit }), { text: "a", limit: null }, { text: "a", limit: 10 }],
]);

fillDefault.rejects("what would be a consent", "a default of `true` may be a consent", [
  ["a flag", object({ path: text, force: { ...boolean, default: true } }), { path: "/data" }],
  [
    "a flag inside of an object",
    object({ path: text, options: { type: "object", default: { really: { force: true } } } }),
    { path: "/data" },
  ],
  [
    "a flag for null",
    object({ path: text, force: { ...boolean, default: true } }),
    { path: "/data", force: null },
  ],
]);

fillDefault.rejects("the only choice", "the only choice is a tag or a consent", [
  ["a constant", object({ path: text, type: { const: "a", default: "a" } }), { path: "/data" }],
  [
    "an enum of one",
    object({ path: text, ok: { enum: ["yes"], default: "yes" } }),
    { path: "/data" },
  ],
  ["a number", object({ path: text, version: { const: 1, default: 1 } }), { path: "/data" }],
  [
    "a tag, where a number may stand as well",
    object({ path: text, type: { anyOf: [{ const: "a" }, integer], default: "a" } }),
    { path: "/data" },
  ],
]);

fillDefault.rejects(
  "a place of which something may have been said",
  "an undeclared key may be meant for it",
  [
    ["an undeclared key", object({ text, scope }), { text: "a", audience: "Bob" }],
    ["a list at one", object({ text, scope }), { text: "a", only: ["Bob"] }],
    [
      "an undeclared key further in",
      object({ text, to: object({ name: text }), scope }),
      { text: "a", to: { name: "Bob", group: "x" } },
    ],
  ],
);

fillDefault.rejects("a field without a default", NO_OBJECTION, [
  ["a confirmation", object({ path: text, confirm: { const: true } }), { path: "/data" }],
  ["a word to type", object({ path: text, confirm: { const: "DELETE" } }), { path: "/data" }],
  ["a tag", object({ type: { const: "text" }, text }), { text: "a" }],
  ["an optional field", object({ text, "limit?": limit }), { limit: 5 }],
  ["a text that is missing", object({ text, path: text }), { text: "a" }],
  ["null in a list", object({ limits: { type: "array", items: limit } }), { limits: [5, null] }],
  [
    "null where so many branches may speak of it that none is read",
    object({
      filter: {
        default: { key0: 1 },
        anyOf: Array.from({ length: 70 }, (_, index) => object({ [`key${index}`]: integer })),
      },
    }),
    { filter: null },
  ],
]);

test("fill-default: a default is copied into the input", async () => {
  const tags: string[] = [];
  const schema = object({ text, tags: { type: "array", default: tags } });
  const filled = (await outcome(schema, { text: "a" }, { level: "eager" })) as {
    readonly tags: string[];
  };
  filled.tags.push("b");
  expect(await outcome(schema, { text: "a" }, { level: "eager" })).toEqual({ text: "a", tags: [] });
});
