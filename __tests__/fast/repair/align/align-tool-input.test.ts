import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import * as z3 from "zod/v3";
import type { JsonValue } from "#src/repair/types.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  outcome,
  run,
  text,
} from "../../../support/repair/align/run.ts";
import { applyRepairs } from "../../../support/repair/apply-repairs.ts";

const click = object({ selector: text });

describe("faults repaired together", () => {
  const order = object({
    customer_id: text,
    items: listOf(object({ sku: text, quantity: integer, gift: boolean })),
    "shipping?": object({ method: { enum: ["standard", "express"] }, "insured?": boolean }),
  });
  const meant = {
    customer_id: "42",
    items: [
      { sku: "a-1", quantity: 2, gift: false },
      { sku: "b-2", quantity: 1, gift: true },
    ],
    shipping: { method: "express" },
  };

  test.each<[string, JsonValue]>([
    [
      "keys, types, a choice and a null",
      {
        customerId: 42,
        items: [
          { SKU: "a-1", quantity: "2", gift: "False" },
          { sku: "b-2", quantity: 1, gift: true },
        ],
        shipping: { method: "EXPRESS", insured: null },
      },
    ],
    [
      "text in text, in an envelope",
      {
        input: JSON.stringify({
          ...meant,
          items:
            "[{'sku': 'a-1', 'quantity': '2', 'gift': False}, {'sku': 'b-2', 'quantity': 1, 'gift': True}]",
          shipping: '{"method": "Express"}',
        }),
      },
    ],
    [
      "a whole call in a list, with numbered keys",
      [{ name: "click", arguments: { ...meant, items: { ...meant.items } } }],
    ],
  ])("%s", async (_, value) => {
    const copy = structuredClone(value);
    const result = await run(order, value);
    expect(result).toMatchObject({ ok: true, value: meant });
    expect(value).toEqual(copy);
    if (result.ok) expect(applyRepairs(value, result.repairs)).toEqual(meant);
  });

  test("a single faulty element where the schema expects a list", async () => {
    const value = { ...meant, items: { sku: "a-1", quantity: "2", gift: "false" } };
    expect(await outcome(order, value)).toEqual({
      ...meant,
      items: [{ sku: "a-1", quantity: 2, gift: false }],
    });
  });
});

describe("a value that the schema accepts is never changed", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["text that looks like a number", object({ id: text, n: integer }), { id: "00713", n: "5" }],
    ["text that looks like a boolean", object({ id: text, n: integer }), { id: "true", n: "5" }],
    ["text that looks like nothing", object({ id: text, n: integer }), { id: "null", n: "5" }],
    ["text that looks like JSON", object({ id: text, n: integer }), { id: '["a"]', n: "5" }],
    ["text with spaces", object({ id: text, n: integer }), { id: " a ", n: "5" }],
    [
      "a union that takes text",
      object({ id: { anyOf: [text, integer] }, n: integer }),
      { id: "5", n: "5" },
    ],
    [
      "a union that takes text or a list",
      object({ id: { anyOf: [listOf(text), text] }, n: integer }),
      { id: '["a"]', n: "5" },
    ],
    [
      "nullable text",
      object({ id: { type: ["string", "null"] }, n: integer }),
      { id: null, n: "5" },
    ],
    ["an undeclared key", object({ id: text, n: integer }), { id: "a", n: "5", extra: "6" }],
  ])("%s", async (_, schema, value) => {
    expect(await outcome(schema, value, { level: "eager" })).toEqual({
      ...(value as object),
      n: 5,
    });
  });
});

describe("input rejected at every level", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["a boolean for a number", object({ post_id: integer }), { post_id: true }],
    ["a big number for text, rounded already", object({ id: text }), { id: 1e20 }],
    ["a fraction for an integer", object({ n: integer }), { n: 3.6 }],
    ["one bad element", object({ tags: listOf(integer) }), { tags: [1, "two", 3] }],
    ["a list for text", object({ name: text }), { name: ["a", "b"] }],
    ["an object for text", object({ name: text }), { name: { a: 1 } }],
    ["a missing value", object({ a: text, b: text }), { a: "x" }],
    ["text that was cut off, in text", object({ tags: listOf(text) }), { tags: '["a", "b' }],
    [
      "a remark for the missing value",
      object({ query: text }),
      { reasoning: "I should look for cats." },
    ],
    ["two undeclared keys for one", object({ query: text }), { term: "a", subject: "b" }],
    ["one undeclared key for two", object({ from: text, to: text }), { place: "Rome" }],
    [
      "a schema instead of an input",
      click,
      { type: "object", properties: { selector: { type: "string" } } },
    ],
    [
      "both spellings of a key, which differ",
      object({ file_path: text, n: integer }, true),
      { file_path: "a", filePath: "b", n: 1 },
    ],
    ["nothing but forbidden keys", object({ "dry_run?": boolean }, true), { target: "prod" }],
    [
      "an object of another kind, where anything is optional",
      object({ "a?": listOf(object({ "b?": integer })) }),
      { a: { name: "x" } },
    ],
  ])("%s", async (_, schema, value) => {
    expect(await outcome(schema, value)).toBe("refused");
    expect(await outcome(schema, value, { level: "eager" })).toBe("refused");
  });
});

describe("`safe` rejects what only `eager` repairs", () => {
  test.each<[string, JsonValue, JsonValue, JsonValue]>([
    [
      "text that may be a list",
      object({ tags: listOf(text) }),
      { tags: "a_1, b_2" },
      { tags: ["a_1", "b_2"] },
    ],
    [
      "a forbidden key that could be a declared one",
      object({ query: text, "countries?": text }, true),
      { query: "a", coutnries: "b" },
      { query: "a", countries: "b" },
    ],
    [
      "another name for the key",
      object({ selector: { ...text, description: "CSS selector of the element" } }),
      { element_selector: "#a" },
      { selector: "#a" },
    ],
  ])("%s", async (_, schema, value, meant) => {
    expect(await outcome(schema, value)).toBe("refused");
    expect(await outcome(schema, value, { level: "eager" })).toEqual(meant);
  });
});

describe("input repaired at `safe`", () => {
  test.each<[string, JsonValue, JsonValue, JsonValue]>([
    [
      "both spellings of a key, alike",
      object({ file_path: text }, true),
      { file_path: "a", filePath: "a" },
      { file_path: "a" },
    ],
    [
      "a tuple",
      object({ p: { type: "array", items: [integer, text] } }),
      { p: ["1", 2] },
      { p: [1, "2"] },
    ],
    [
      "values of a map",
      { type: "object", additionalProperties: integer },
      { a: "1", b: 2 },
      { a: 1, b: 2 },
    ],
    [
      "values by a pattern",
      { type: "object", patternProperties: { "^n_": integer } },
      { n_a: "1", b: "2" },
      { n_a: 1, b: "2" },
    ],
    [
      "allOf",
      { allOf: [object({ a: integer }), object({ b: integer })] },
      { a: "1", b: "2" },
      { a: 1, b: 2 },
    ],
  ])("%s", async (_, schema, value, meant) => {
    expect(await outcome(schema, value)).toEqual(meant);
    expect(await outcome(schema, value, { level: "eager" })).toEqual(meant);
  });

  test("a recursive schema is repaired where the fault is", async () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { name: text, size: integer, children: listOf({ $ref: "#/$defs/node" }) },
          required: ["name", "size"],
        },
      },
    };
    const value = {
      name: "a",
      size: 1,
      children: [{ name: "b", size: "2", children: '[{"name": "c", "size": "3"}]' }],
    };
    const meant = {
      name: "a",
      size: 1,
      children: [{ name: "b", size: 2, children: [{ name: "c", size: 3 }] }],
    };
    expect(await outcome(schema, value)).toEqual(meant);
  });
});

describe("unions", () => {
  const shape = {
    oneOf: [
      object({ type: { const: "circle" }, radius: number }),
      object({ type: { const: "square" }, side: number }),
    ],
  };

  test("the tag selects the branch", async () => {
    expect(await outcome(shape, { type: "circle", radius: "5" })).toEqual({
      type: "circle",
      radius: 5,
    });
    expect(await outcome(shape, { type: "Square", side: "5" })).toEqual({
      type: "square",
      side: 5,
    });
  });

  test("the tag is never changed to make the rest fit", async () => {
    expect(await outcome(shape, { type: "circle", side: 5 }, { level: "safe" })).toBe("refused");
  });

  test("two branches that fit equally well are rejected", async () => {
    const schema = {
      anyOf: [object({ a: integer, "b?": text }), object({ a: boolean, "c?": text })],
    };
    expect(await outcome(schema, { a: "maybe" }, { level: "eager" })).toBe("refused");
    const bare = { anyOf: [object({ a: integer }), object({ b: integer })] };
    expect(await run(bare, "5")).toMatchObject({ ok: false, reason: "ambiguous" });
  });

  test("the cheaper branch is chosen", async () => {
    const schema = object({ n: { anyOf: [integer, listOf(integer)] } });
    expect(await outcome(schema, { n: "5" })).toEqual({ n: 5 });
  });
});

describe("the tool's own schema decides", () => {
  test("a refinement rejects what its shape would accept", async () => {
    const schema = z.object({ n: z.number().refine((value) => value % 2 === 0) });
    expect(await outcome(schema, { n: "4" })).toEqual({ n: 4 });
    expect(await outcome(schema, { n: "5" })).toBe("refused");
  });

  test("an asynchronous refinement decides too", async () => {
    const schema = z.object({ n: z.number().refine(async (value) => value > 3) });
    expect(await outcome(schema, { n: "4" })).toEqual({ n: 4 });
    expect(await outcome(schema, { n: "1" })).toBe("refused");
  });

  test("parsed is the schema's output", async () => {
    const schema = z.object({
      n: z.number().transform((value) => value * 2),
      m: z.number().default(7),
    });
    expect(await run(schema, { n: "4" })).toMatchObject({
      ok: true,
      value: { n: 4 },
      parsed: { n: 8, m: 7 },
    });
  });

  test("a key that zod strips stays where it is, in zod 3 and 4", async () => {
    for (const schema of [z.object({ n: z.number() }), z3.object({ n: z3.number() })]) {
      expect(await outcome(schema, { n: "4", extra: 1 })).toEqual({ n: 4, extra: 1 });
    }
  });

  test("a key that a strict zod object rejects is dropped, in zod 3 and 4", async () => {
    for (const schema of [
      z.strictObject({ n: z.number() }),
      z3.object({ n: z3.number() }).strict(),
    ]) {
      expect(await outcome(schema, { n: "4", thoughts: "They want four." })).toEqual({ n: 4 });
    }
  });

  test("a zod discriminated union is repaired in its branch", async () => {
    const schema = z.object({
      action: z.discriminatedUnion("type", [
        z.object({ type: z.literal("move"), by: z.number() }),
        z.object({ type: z.literal("say"), words: z.array(z.string()) }),
      ]),
    });
    expect(await outcome(schema, { action: '{"type": "MOVE", "by": "3"}' })).toEqual({
      action: { type: "move", by: 3 },
    });
    expect(await outcome(schema, { action: { type: "say", words: "hello.txt" } })).toEqual({
      action: { type: "say", words: ["hello.txt"] },
    });
  });

  test("a recursive zod schema is repaired where the fault is", async () => {
    const node = z.object({
      label: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    expect(await outcome(node, { label: "a", children: '[{"label": 5}]' })).toEqual({
      label: "a",
      children: [{ label: "5" }],
    });
  });
});

describe("an object where text is expected", () => {
  const schema = object({ content: text, "other?": text });
  test("is stringified only if the caller asks for it", async () => {
    const value = { content: { a: [1] }, other: { b: 2 } };
    expect(await outcome(schema, value, { objectAsText: true })).toEqual({
      content: '{"a":[1]}',
      other: '{"b":2}',
    });
    expect(await outcome(schema, value, { objectAsText: ["/content"] })).toBe("refused");
    expect(await outcome(schema, { content: { a: 1 } }, { objectAsText: ["/content"] })).toEqual({
      content: '{"a":1}',
    });
    expect(await outcome(schema, { content: { a: 1 } })).toBe("refused");
  });
});

describe("hints", () => {
  test("a value has its hint at the path of the issue", async () => {
    const schema = object({ unit: { enum: ["celsius", "kelvin"] }, n: integer });
    const result = await run(schema, { unit: "cellsius", n: "5" });
    expect(result).toMatchObject({ ok: false, reason: "none" });
    expect(!result.ok && Object.fromEntries(result.hints())).toEqual({
      "/unit": '"celsius"',
      "/n": "5",
    });
  });

  test("a key that the schema forbids has a hint with the declared name", async () => {
    const result = await run(object({ selector: text }, true), { selctor: "#a" });
    expect(!result.ok && Object.fromEntries(result.hints())).toEqual({
      "/selctor": '"selector"',
      "/selector": '"#a"',
    });
  });
});
