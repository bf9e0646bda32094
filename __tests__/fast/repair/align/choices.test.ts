import { describe, expect, test } from "@jest/globals";
import { choicesLike, choicesOf } from "#src/repair/align/choices.ts";
import { toSchemaNode } from "#src/repair/schema/node.ts";
import type { JsonSchema } from "#src/repair/types.ts";

const choicesFor = (schema: JsonSchema) => choicesOf(toSchemaNode(schema));

describe("choicesOf: the texts that a place accepts", () => {
  test.each<[name: string, schema: JsonSchema, texts: readonly string[]]>([
    ["those of an enum", { enum: ["red", "blue"] }, ["red", "blue"]],
    ["a constant", { const: "red" }, ["red"]],
    ["no numbers and no null", { enum: ["red", 5, null, true] }, ["red"]],
    [
      "those of every branch, each once",
      { anyOf: [{ enum: ["red", "blue"] }, { enum: ["blue", "green"] }] },
      ["red", "blue", "green"],
    ],
    ["none of a place that takes any text", { type: "string" }, []],
  ])("%s", (_, schema, texts) => expect(choicesFor(schema).texts).toEqual(texts));

  test("they are read once for a place", () => {
    const node = toSchemaNode({ enum: ["red"] });
    expect(choicesOf(node)).toBe(choicesOf(node));
  });
});

describe("choicesLike: the choices that a text equals but for case, separators or quotes", () => {
  const choices = choicesFor({ enum: ["one_way", "One Way", "Round trip", "-", "C++"] });
  test.each<[text: string, alike: readonly string[]]>([
    ["ROUND_TRIP", ["Round trip"]],
    ['"round trip"', ["Round trip"]],
    ["oneWay", ["one_way", "One Way"]],
    ["c++", ["C++"]],
    ["-", ["-"]],
    ["round", []],
    ["C", []],
    ["toString", []],
    ["", []],
  ])("%s", (text, alike) => expect(choicesLike(text, choices)).toEqual(alike));

  test("a text without a sign that counts is like no choice, not even like an empty one", () => {
    expect(choicesLike("_", choicesFor({ enum: ["", "_", "a"] }))).toEqual([]);
  });
});
