import { describe, expect, jest, test } from "@jest/globals";
import { DynamicTool, tool } from "@langchain/core/tools";
import * as z4 from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import type { JsonObject } from "#src/repair/types.ts";

const jsonSchema = {
  type: "object",
  properties: {
    selector: { type: "string" },
    count: { type: "integer" },
    unit: { enum: ["px", "em"] },
    target: {
      anyOf: [
        { type: "string" },
        { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      ],
    },
  },
  required: ["selector"],
  additionalProperties: false,
};

const kinds: [string, object][] = [
  [
    "zod 4",
    z4.strictObject({
      selector: z4.string(),
      count: z4.int().optional(),
      unit: z4.enum(["px", "em"]).optional(),
      target: z4.union([z4.string(), z4.object({ id: z4.string() })]).optional(),
    }),
  ],
  [
    "zod 3",
    z3.z
      .object({
        selector: z3.z.string(),
        count: z3.z.number().int().optional(),
        unit: z3.z.enum(["px", "em"]).optional(),
        target: z3.z.union([z3.z.string(), z3.z.object({ id: z3.z.string() })]).optional(),
      })
      .strict(),
  ],
  ["JSON Schema", jsonSchema],
];

describe.each(kinds)("every kind of schema has the same view: %s", (_, schema) => {
  test("is compiled once", () => {
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });

  test("accepts valid input", () => {
    const value = { selector: "#a", count: 1, unit: "px", target: { id: "x" } };
    expect(compileSchema(schema).validate(value)).toEqual({ ok: true, parsed: value });
  });

  test("has one issue for each fault, with its path, expected and received", () => {
    const value = { element: "#a", count: "5", unit: "pt", target: { id: 5 } };
    const result = compileSchema(schema).validate(value);
    if (result instanceof Promise || result.ok) throw new Error("must be refused, at once");
    const paths = result.issues.map(({ path }) => path).sort();
    expect(paths).toEqual(["/count", "/element", "/selector", "/target", "/unit"]);
    const byPath = Object.fromEntries(result.issues.map((issue) => [issue.path, issue]));
    expect(byPath["/selector"]).toMatchObject({ expected: "string", received: "nothing" });
    expect(byPath["/count"]).toMatchObject({ received: '"5"' });
    expect(byPath["/unit"]).toMatchObject({ expected: 'one of "px", "em"', received: '"pt"' });
    expect(byPath["/element"]).toMatchObject({
      message: "is not a field of this tool",
      received: '"#a"',
    });
    expect(byPath["/target"]).toMatchObject({ received: "object" });
  });

  test("converts to JSON Schema", () => {
    const view = compileSchema(schema).jsonSchema as JsonObject;
    expect(view).toMatchObject({ type: "object", required: ["selector"] });
    expect(Object.keys(view.properties as object)).toEqual(["selector", "count", "unit", "target"]);
  });

  test.each([undefined, null, 5, "text", [], () => 1])(
    "rejects %p without throwing",
    async (value) => {
      expect((await compileSchema(schema).validate(value)).ok).toBe(false);
    },
  );
});

describe("kinds of schema with features of their own", () => {
  test.each([z4.z, z3.z])("async refinements and transforms of zod apply", async (zod) => {
    const z = zod as typeof z4.z;
    const schema = z.object({
      id: z
        .string()
        .refine(async (id) => id !== "taken", "is taken")
        .transform((id) => id.length),
    });
    const { validate } = compileSchema(schema);
    expect(await validate({ id: "four" })).toEqual({ ok: true, parsed: { id: 4 } });
    expect(await validate({ id: "taken" })).toMatchObject({
      ok: false,
      issues: [{ path: "/id", message: "is taken" }],
    });
  });

  test.each([
    ["a field", (check: () => Promise<boolean>) => z4.object({ a: z4.string().refine(check) })],
    ["the whole", (check: () => Promise<boolean>) => z4.object({ a: z4.string() }).refine(check)],
    [
      "an option",
      (check: () => Promise<boolean>) =>
        z4.object({ a: z4.union([z4.number(), z4.string().check(z4.refine(check))]).optional() }),
    ],
    [
      "zod/mini",
      (check: () => Promise<boolean>) =>
        mini.object({ a: mini.string().check(mini.refine(check)) }),
    ],
  ])("an async refinement of %s runs once for a valid input", async (_, make) => {
    let calls = 0;
    const schema = make(async () => {
      calls += 1;
      return true;
    });
    expect(await compileSchema(schema).validate({ a: "x" })).toEqual({
      ok: true,
      parsed: { a: "x" },
    });
    expect(calls).toBe(1);
  });

  test("an async refinement that rejects leaves no rejection unhandled", async () => {
    const unhandled = jest.fn();
    process.on("unhandledRejection", unhandled);
    const failing = async () => {
      throw new Error("down");
    };
    const schema = compileSchema(z4.object({ a: z4.string().refine(failing) }));
    expect(await schema.validate({ a: "x" })).toMatchObject({
      ok: false,
      issues: [{ code: "schema_threw" }],
    });
    await new Promise((done) => setTimeout(done, 20));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("the messages of refinements are zod's own, of async ones, too", async () => {
    const error = "must be there";
    for (const check of [() => false, async () => false]) {
      const schema = compileSchema(z4.object({ a: z4.string().refine(check, { error }) }));
      const issue = { path: "/a", code: "custom", message: error };
      expect(await schema.validate({ a: "x" })).toMatchObject({ ok: false, issues: [issue] });
    }
  });

  test("a schema of zod with synchronous code makes no promise", () => {
    const twice = (text: string) => text + text;
    for (const schema of [
      z4.object({
        a: z4
          .string()
          .refine(() => true)
          .transform(twice),
      }),
      mini.object({ a: mini.pipe(mini.string(), mini.transform(twice)) }),
      z4.object({ a: z4.preprocess(String, z4.string()).transform(twice) }),
    ]) {
      expect(compileSchema(schema).validate({ a: "x" })).toEqual({ ok: true, parsed: { a: "xx" } });
    }
  });

  test("a schema that throws rejects, and keeps the thrown error", async () => {
    const boom = new Error("boom");
    const schema = z4.string().refine(() => {
      throw boom;
    });
    expect(await compileSchema(schema).validate("x")).toMatchObject({ ok: false, cause: boom });
  });

  test("a JSON Schema with a dangling $ref rejects instead of throwing", () => {
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/missing" } } };
    expect(compileSchema(schema).validate({ a: 1 })).toMatchObject({
      ok: false,
      issues: [{ code: "schema_threw" }],
    });
  });

  test("2020-12 tuples apply if a schema declares that draft", () => {
    const tuple = { prefixItems: [{ type: "string" }, { type: "number" }] };
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(compileSchema({ $schema, ...tuple }).validate(["a", "b"])).toMatchObject({ ok: false });
  });

  test("any Standard Schema is accepted", async () => {
    const schema = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) =>
          value === "right"
            ? { value }
            : { issues: [{ message: "wrong", path: [{ key: "a" }, 0] }] },
      },
    };
    expect(await compileSchema(schema).validate("right")).toEqual({ ok: true, parsed: "right" });
    expect(await compileSchema(schema).validate("left")).toMatchObject({
      issues: [{ path: "/a/0", message: "wrong", code: "invalid" }],
    });
  });

  test.each([undefined, null, "string", 5, new Map()])("%p is not a schema", (schema) => {
    expect(() => compileSchema(schema)).toThrow(TypeError);
  });
});

describe("string tools", () => {
  const stringTool = new DynamicTool({ name: "t", description: "", func: async () => "" });
  const byTool = tool(async () => "", { name: "t", schema: z4.string() });

  test.each([stringTool, byTool])(
    "accept a string, plain or as input, or nothing, and no other key",
    ({ schema }) => {
      const { validate, takesString } = compileSchema(schema);
      expect(takesString).toBe(true);
      expect(validate("x")).toEqual({ ok: true, parsed: "x" });
      expect(validate({ input: "x" })).toEqual({ ok: true, parsed: "x" });
      for (const value of [{}, undefined]) {
        expect(validate(value)).toEqual({ ok: true, parsed: undefined });
      }
      for (const value of [{ query: "x" }, { input: 5 }, null, 5, ["x"]]) {
        expect(validate(value)).toMatchObject({ ok: false, issues: [{ expected: "string" }] });
      }
    },
  );

  test("a schema that only looks like one keeps its own meaning", () => {
    const shout = z3.z
      .object({ input: z3.z.string().optional() })
      .transform(({ input }) => input?.toUpperCase());
    const result = compileSchema(shout).validate({ input: "x" });
    expect(result).toEqual({ ok: true, parsed: "X" });
    expect(compileSchema(shout).takesString).toBe(false);
  });
});

test.each([
  [z4.string(), true],
  [{ type: "string" }, true],
  [{ type: ["string", "null"] }, true],
  [{ anyOf: [{ type: "object" }, { type: "string" }] }, true],
  [{ enum: ["a"] }, true],
  [{ type: "object" }, false],
  [{ properties: { a: {} } }, false],
  [{}, false],
  [z4.object({}), false],
])("whether %j accepts a plain string: %p", (schema, takesString) => {
  expect(compileSchema(schema).takesString).toBe(takesString);
});
