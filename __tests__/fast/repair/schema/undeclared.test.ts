import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import { findUndeclared } from "#src/repair/schema/node.ts";

/** The undeclared keys of an input that the schema accepts. */
function undeclared(schema: unknown, value: unknown) {
  const compiled = compileSchema(schema);
  const validation = compiled.validate(value);
  if (validation instanceof Promise || !validation.ok) throw new Error("not accepted");
  return findUndeclared(value, compiled.jsonSchema, validation.parsed);
}

const text = { type: "string" };
const open = { type: "object", properties: { q: text } };

describe("an undeclared key is found", () => {
  test.each([
    ["what zod 4 strips", z.object({ q: z.string() })],
    ["what zod 3 strips", z3.object({ q: z3.string() })],
    ["what an open JSON Schema lets through", open],
    ["where a referenced schema declares the others", { $ref: "#/$defs/a", $defs: { a: open } }],
    ["beside allOf", { allOf: [open, { properties: { r: text } }] }],
    ["in zod's intersection", z.intersection(z.object({ q: z.string() }), z.object({}))],
  ])("%s", (_, schema) => {
    expect(undeclared(schema, { q: "a", max_results: 3 })).toEqual(["/max_results"]);
  });

  test("at depth: in objects, lists, tuples and records", () => {
    const inner = z.object({ a: z.number() });
    const schema = z.object({
      one: inner,
      list: z.array(inner),
      pair: z.tuple([z.string(), inner]),
      map: z.record(z.string(), inner),
    });
    const value = {
      one: { a: 1, b: 2 },
      list: [{ a: 1 }, { a: 1, c: 2 }],
      pair: ["x", { a: 1, "d/e": 2 }],
      map: { any: { a: 1, f: 2 } },
    };
    expect(undeclared(schema, value)).toEqual([
      "/one/b",
      "/list/1/c",
      "/pair/1/d~1e",
      "/map/any/f",
    ]);
  });

  test("in a recursive schema", () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    expect(undeclared(node, { name: "a", children: [{ name: "b", nmae: "c" }] })).toEqual([
      "/children/0/nmae",
    ]);
  });

  test("that is named like a method of objects", () => {
    expect(undeclared(open, { q: "a", toString: "b" })).toEqual(["/toString"]);
  });

  test("that matches no pattern", () => {
    const schema = { ...open, patternProperties: { "^x-": text } };
    expect(undeclared(schema, { "x-a": "b", y: "c" })).toEqual(["/y"]);
  });
});

describe("a key is declared", () => {
  test.each([
    ["by passthrough, in zod 3", z3.object({ q: z3.string() }).passthrough()],
    ["by passthrough, in zod 4", z.looseObject({ q: z.string() })],
    ["by a catchall, in zod 3", z3.object({ q: z3.string() }).catchall(z3.number())],
    ["by a catchall, in zod 4", z.object({ q: z.string() }).catchall(z.number())],
    ["by additionalProperties: true", { ...open, additionalProperties: true }],
    ["by a schema for others", { ...open, additionalProperties: { type: "integer" } }],
    ["by unevaluatedProperties: true", { ...open, unevaluatedProperties: true }],
    ["by a condition", { ...open, if: { required: ["r"] }, else: { properties: { max: {} } } }],
    ["by a dependent schema", { ...open, dependentSchemas: { q: { properties: { max: {} } } } }],
    ["where a schema names no keys", { type: "object" }],
    ["where nothing is known of the schema", true as unknown as object],
    ["where a reference leads nowhere", { $ref: "https://example.com/schema" }],
    ["in a branch that names none", { anyOf: [open, { type: "object" }] }],
    [
      "by a branch that asks for it",
      { ...open, anyOf: [{ required: ["max"] }, { properties: {} }] },
    ],
  ])("%s", (_, schema) => {
    const view = typeof schema === "boolean" ? {} : schema;
    if ("$ref" in (view as object)) {
      expect(findUndeclared({ q: "a", max: 3 }, view as never, {})).toEqual([]);
    } else {
      expect(undeclared(view, { q: "a", max: 3 })).toEqual([]);
    }
  });

  test("if the option allows it", async () => {
    const options = { undeclaredKeys: { allow: ["user_context"] } };
    const tool = { name: "search", schema: open };
    expect(await repairToolInput({ q: "a", user_context: {} }, tool, options)).toMatchObject({
      ok: true,
      undeclared: [],
    });
  });
});

describe("in a union", () => {
  const move = { type: "object", properties: { kind: { const: "move" }, by: { type: "number" } } };
  const say = { type: "object", properties: { kind: { const: "say" }, words: text } };

  test("keys of the tagged branch are declared, keys of another branch are not", () => {
    const schema = { oneOf: [move, say] };
    expect(undeclared(schema, { kind: "move", by: 1 })).toEqual([]);
    expect(undeclared(schema, { kind: "move", by: 1, words: "a" })).toEqual(["/words"]);
  });

  test("keys of any branch are declared if no tag tells the branches apart", () => {
    const schema = { anyOf: [open, { type: "object", properties: { max: {} } }] };
    expect(undeclared(schema, { q: "a", max: 1 })).toEqual([]);
    expect(undeclared(schema, { q: "a", min: 1 })).toEqual(["/min"]);
  });

  test("a key that zod stripped for another branch is undeclared", () => {
    const [id, dry] = [z.string(), z.boolean().optional()];
    expect(
      undeclared(z.union([z.object({ id }), z.object({ id, dry })]), { id: "a", dry: true }),
    ).toEqual(["/dry"]);
    expect(
      undeclared(z.union([z.object({ id, dry }), z.object({ id })]), { id: "a", dry: true }),
    ).toEqual([]);
  });

  test("a branch's transform does not declare keys", () => {
    const made = z.object({ id: z.string(), dry: z.boolean() }).transform(({ id }) => [id]);
    expect(
      undeclared(z.union([made, z.object({ id: z.string() })]), { id: "a", dry: true }),
    ).toEqual([]);
  });
});

test("a schema that doubles at every reference is read once", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const next = { $ref: `#/$defs/a${index + 1}` };
      return [`a${index}`, index === 59 ? open : { allOf: [next, next] }];
    }),
  );
  const schema = { $ref: "#/$defs/a0", $defs };
  expect(findUndeclared({ q: "a", r: 1 }, schema, undefined)).toEqual(["/r"]);
});

test("a frozen schema is not modified", () => {
  const schema = Object.freeze({ type: "object", properties: Object.freeze({ q: text }) });
  expect(findUndeclared({ r: 1 }, schema, undefined)).toEqual(["/r"]);
});
