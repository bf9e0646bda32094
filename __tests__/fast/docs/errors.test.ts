import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { createFixerRegistry, repairToolInput } from "toolmend";
import { coerceTo, mapValue, renameKey, splitList, wrapValue } from "toolmend/fixers";

// The table of docs/errors.md that says what a model reads, and what to do.

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "errors.md"), "utf8");
const [, table = ""] = /## By message\n([\s\S]*?)\nTo see what/.exec(page) ?? [];

/** What the first column quotes; `…` stands for anything. */
const quotes = [...table.matchAll(/^\| (.*?`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, quote = ""]) => quote),
);

const text = { type: "string" };
const toolOf = (properties: object, more: object = {}) => ({
  name: "call",
  description: "Does it.",
  schema: { type: "object", properties, required: [Object.keys(properties)[0]], ...more },
});
const click = toolOf({ selector: text });
const tag = toolOf({ tags: { type: "array", items: text } });
const weather = toolOf({ unit: { enum: ["celsius", "fahrenheit"] } });
const limited = toolOf({ limit: { type: "number" } });
const confirm = toolOf({ confirm: { type: "boolean" } });
const search = toolOf({ query: text });
const title = toolOf({ title: text });

/** Rejected inputs: together their messages hold every quote. */
const rejected = [
  [{ element: "#buy" }, click],
  [{ tags: "a, b" }, tag],
  [{ unit: "C" }, weather],
  [{ limit: "1,000" }, limited],
  [{ confirm: "yes" }, confirm],
  [
    { query: "cats", limit: null },
    toolOf({ query: text, limit: { type: "number", description: "null removes the limit" } }),
  ],
  ["Which file do you mean?", title],
  [{ query: "cats", dry_run: true }, toolOf({ query: text }, { additionalProperties: false })],
  ['{"query": "ca', search],
  ['Maybe: {"query": "cats"}', search],
  ['{"query": "cats"} {"query": "dogs"}', search],
] as const;

let messages: readonly string[];

beforeAll(async () => {
  const results = await Promise.all(rejected.map(([input, tool]) => repairToolInput(input, tool)));
  messages = results.map((result) => (result.ok ? "" : result.error.toModelMessage()));
});

test("the table quotes a dozen messages, of rejected inputs", () => {
  expect(quotes.length).toBeGreaterThan(11);
  expect(messages).not.toContain("");
});

test.each(quotes)("a model reads %s", (quote) => {
  const pieces = quote.split(/ ?…[ ?]?/);
  const isRead = messages.some((message) => pieces.every((piece) => message.includes(piece)));
  expect(isRead).toBe(true);
});

test.each([
  ["renameKey", { element: "#buy" }, click, renameKey("element", "selector")],
  ["splitList", { tags: "a, b" }, tag, splitList("/tags", ",")],
  ["mapValue", { unit: "C" }, weather, mapValue("/unit", { C: "celsius" })],
  ["wrapValue", "Which file do you mean?", title, wrapValue("title")],
] as const)("%s repairs what the table registers it for", async (name, input, tool, fixer) => {
  expect(table).toContain(`${name}(`);
  const fixers = createFixerRegistry([tool]);
  fixers.register("call", fixer);
  expect((await repairToolInput(input, tool, { fixers })).ok).toBe(true);
});

test.each([
  [{ search_query: "cats" }, search],
  [{ confirm: "yes" }, confirm],
  ['{"query": "cats"', search],
  ['Here is the input: {"query": "cats"}', search],
] as const)("eager repairs %j, as the table says, and safe does not", async (input, tool) => {
  expect((await repairToolInput(input, tool)).ok).toBe(false);
  expect((await repairToolInput(input, tool, { level: "eager" })).ok).toBe(true);
});

test("the number 1,000 needs a fixer of your own", async () => {
  const fixers = createFixerRegistry([limited]);
  fixers.register("call", coerceTo("/limit", "number"));
  expect((await repairToolInput({ limit: "1,000" }, limited, { fixers })).ok).toBe(false);
});
