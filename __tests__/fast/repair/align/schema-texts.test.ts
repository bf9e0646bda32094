import { describe, expect, test } from "@jest/globals";
import { speaksOfNothing, textsAbout, textsOf } from "#src/repair/align/schema-texts.ts";
import type { Want } from "#src/repair/align/types.ts";
import { toSchemaNode } from "#src/repair/schema/node.ts";

describe("speaksOfNothing: a description speaks of null or of empty text", () => {
  test.each([
    ["null", "Row limit; null clears it"],
    ["null in capitals", "NULL: no limit"],
    ["empty", "Empty for no limit"],
    ["blank", "Leave it blank to reset it"],
    ["none in double quotes", 'Use "none" to remove it'],
    ["none in single quotes", "'none' removes it"],
    ["none in backquotes", "`none` removes it"],
    ["none in typographic quotes", "“none” removes it"],
    ["empty double quotes", 'Pass "" for all'],
    ["empty single quotes", "Pass '' for all"],
    ["empty backquotes", "Pass `` for all"],
    ["empty typographic quotes", "Pass “” for all"],
    ["empty corner brackets", "「」は全部"],
    ["an empty default, and null", "Default: null. An explicit null clears it"],
    ["a default that is something else", "The default is not null"],
  ])("%s", (_, text) => expect(speaksOfNothing(text)).toBe(true));

  test.each([
    ["nothing of the kind", "Row limit"],
    ["a word that begins as null does", "Nullable row limit"],
    ["a word that ends as null does", "cannull"],
    ["a word that begins as empty does", "Emptying rate"],
    ["a word that ends as empty does", "nonempty"],
    ["a word that begins as blank does", "Blanket size"],
    ["a word that ends as blank does", "pointblank"],
    ["none without quotes", "None of these rows"],
    ["a quoted word that begins as none does", 'Takes "nonempty" rows'],
    ["a default that is null", "Row limit (default null)"],
    ["a default in another form of the word", "Defaults to null"],
    ["a default value", "Default value is null"],
    ["default values", "Default values: empty"],
    ["a default of", "With a default of null"],
    ["a default by a colon", "default: null"],
    ["a default by a sign", "default = null"],
    ["a default with an article", "Defaults to an empty list"],
    ["a default with another article", "Default: a blank page"],
    ["a default in quotes", 'Default is "null"'],
    ["a default in single quotes", "Default is 'null'"],
    ["a default in backquotes", "Default is `null`"],
    ["an empty default", 'Default: ""'],
    ["two defaults", "default null, or by default empty"],
  ])("not: %s", (_, text) => expect(speaksOfNothing(text)).toBe(false));
});

test("textsOf: the titles, descriptions and examples of a branch", () => {
  const [variant] = toSchemaNode({
    type: "string",
    title: "Row limit",
    description: "null clears it",
    examples: ["", "none"],
  }).variants();
  expect(variant && textsOf(variant)).toEqual(["Row limit", "null clears it", '""', '"none"']);
});

test("textsOf: a branch that says nothing has no texts", () => {
  const [variant] = toSchemaNode({ type: "string", title: "", description: "" }).variants();
  expect(variant && textsOf(variant)).toEqual([]);
});

test("textsAbout: what a place, what is around it and its tool say", () => {
  const place = { around: toSchemaNode({ type: "object", description: "A row" }).variants() };
  const node = toSchemaNode({
    anyOf: [
      { type: "integer", description: "A limit" },
      { type: "string", description: "A word" },
    ],
  });
  const about = (toolDescription?: string) =>
    textsAbout({ node, place, run: { toolDescription } } as unknown as Want);
  expect(about("Searches")).toEqual(["A limit", "A word", "A row", "Searches"]);
  expect(about()).toEqual(["A limit", "A word", "A row", ""]);
});
