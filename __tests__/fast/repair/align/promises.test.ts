import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { repairToolInput } from "#src/repair/pipeline.ts";

type Level = "safe" | "eager";

/** What the whole pipeline makes of an input; `"refused"` where nothing. */
async function mend(raw: unknown, schema: unknown, level: Level = "safe", name = "click") {
  const result = await repairToolInput(raw, { name, schema }, { level });
  return result.ok ? result.toolInput : "refused";
}

describe("a place that the tool's own schema does not complain of is left as it is", () => {
  const n = z.number();
  test.each<[string, z.ZodType, unknown, unknown]>([
    [
      "a coerced boolean",
      z.object({ flag: z.coerce.boolean(), n }),
      { flag: "false", n: "5" },
      { flag: "false", n: 5 },
    ],
    [
      "a value with a fallback",
      z.object({ limit: z.number().catch(10), n }),
      { limit: "5", n: "5" },
      { limit: "5", n: 5 },
    ],
    [
      "an optional pattern with a flag",
      z.object({
        mode: z
          .string()
          .regex(/^(none|auto)$/i)
          .optional(),
        n,
      }),
      { mode: "None", n: "5" },
      { mode: "None", n: 5 },
    ],
    [
      "a required pattern with a flag",
      z.object({ color: z.string().regex(/^#[0-9a-f]{6}$/i), n }),
      { color: "#FFAA00", n: "5" },
      { color: "#FFAA00", n: 5 },
    ],
    [
      "further in, and in a list",
      z.object({ items: z.array(z.object({ flag: z.coerce.boolean(), n })) }),
      {
        items: [
          { flag: "false", n: "5" },
          { flag: "no", n: 6 },
        ],
      },
      {
        items: [
          { flag: "false", n: 5 },
          { flag: "no", n: 6 },
        ],
      },
    ],
    [
      "beside a key that is forbidden",
      z.strictObject({ flag: z.coerce.boolean(), n }),
      { flag: "false", n: 5, thoughts: "So be it." },
      { flag: "false", n: 5 },
    ],
    [
      "beside a key that is spelt otherwise",
      z.object({ flag: z.coerce.boolean(), file_path: z.string() }),
      { flag: "false", filePath: "a" },
      { flag: "false", file_path: "a" },
    ],
  ])("%s", async (_, schema, raw, meant) => {
    expect(await mend(raw, schema)).toEqual(meant);
    expect(await mend(raw, schema, "eager")).toEqual(meant);
  });

  test("in an envelope, the view decides", async () => {
    expect(await mend({ input: { n: "5", m: "6" } }, z.object({ n, m: n }))).toEqual({
      n: 5,
      m: 6,
    });
  });

  test("in a union that is refused as a whole, all is repaired", async () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), radius: n }),
      z.object({ kind: z.literal("square"), side: n }),
    ]);
    expect(await mend({ kind: "Circle", radius: "5" }, shape)).toEqual({
      kind: "circle",
      radius: 5,
    });
    expect(await mend({ at: { kind: "Circle", radius: "5" } }, z.object({ at: shape }))).toEqual({
      at: { kind: "circle", radius: 5 },
    });
  });

  test("a schema that stops at the first fault is asked again", async () => {
    const first = z.object({ n: z.any(), m: z.any() }).superRefine(({ n, m }, context) => {
      const wrong = [n, m].findIndex((value) => typeof value !== "number");
      if (wrong >= 0)
        context.addIssue({ code: "custom", path: ["n", "m"].slice(wrong, wrong + 1) });
    });
    const { validate } = first["~standard"];
    const both = z.object({ n, m: n });
    Object.defineProperty(both, "~standard", { value: { ...both["~standard"], validate } });
    expect(await mend({ n: "5", m: "6" }, both)).toEqual({ n: 5, m: 6 });
  });
});

describe("a call of another tool is refused", () => {
  const schema = z.object({ id: z.number() });
  test.each(["undelete", "softdelete", "dry_run.delete", "delete_all"])("%s", async (name) => {
    expect(await mend({ name, arguments: { id: 5 } }, schema, "safe", "delete")).toBe("refused");
    expect(await mend({ name, arguments: { id: 5 } }, schema, "eager", "delete")).toBe("refused");
  });

  test.each(["delete", "Delete", "functions.delete"])("%s is this tool", async (name) => {
    expect(await mend({ name, arguments: { id: 5 } }, schema, "safe", "delete")).toEqual({ id: 5 });
  });
});

describe("what could mean something else is refused", () => {
  const notify = z.object({ to: z.string(), notify: z.enum(["email", "sms"]).default("email") });
  test.each(["none", "None", "nil", "n/a"])("%s for a choice with a default", async (word) => {
    expect(await mend({ to: "a", notify: word }, notify)).toBe("refused");
    expect(await mend({ to: "a", notify: word }, notify, "eager")).toBe("refused");
  });

  test.each(["", "null", "undefined"])('"%s" for it is nothing', async (word) => {
    expect(await mend({ to: "a", notify: word }, notify)).toEqual({ to: "a" });
  });

  test.each(["none", "None"])(
    "%s for a number with a default: no limit, or the default?",
    async (word) => {
      const schema = z.object({ q: z.string(), limit: z.number().default(10) });
      expect(await mend({ q: "a", limit: word }, schema)).toBe("refused");
    },
  );

  test.each([
    ["−5", ["5", "6"]],
    ["- 5", ["5", "6"]],
    ["≥5", ["5", "6"]],
    ["¬active", ["active", "idle"]],
    ["approve ❌", ["approve ✅", "wait"]],
  ])("%s is none of %j", async (word, choices) => {
    const schema = { type: "object", properties: { x: { enum: choices } }, required: ["x"] };
    expect(await mend({ x: word }, schema)).toBe("refused");
    expect(await mend({ x: word }, schema, "eager")).toBe("refused");
  });

  test.each(["!recursive", "-recursive", "--recursive", "no_recursive", "~recursive"])(
    "the key %s",
    async (key) => {
      const schema = z.strictObject({ recursive: z.boolean() });
      expect(await mend({ [key]: true }, schema)).toBe("refused");
    },
  );

  test("a declared key is no envelope", async () => {
    const schema = z.object({
      url: z.string(),
      body: z.record(z.string(), z.unknown()).optional(),
    });
    for (const raw of [
      { body: { url: "https://evil" } },
      { Body: { url: "https://evil" } },
      { name: "click", body: { url: "https://evil" } },
    ]) {
      expect(await mend(raw, schema)).toBe("refused");
      expect(await mend(raw, schema, "eager")).toBe("refused");
    }
    const text = z.object({ url: z.string(), body: z.string().optional() });
    expect(await mend({ body: { url: "https://a" } }, text)).toBe("refused");
  });

  const click = z.object({ selector: z.string(), timeout: z.number().optional() });
  test.each([
    "<function=click>",
    "<tool_call>click",
    '<div class="a">',
    "click(#buy)",
    'press(["#buy"])',
    "selector: #buy",
    "selector = #buy",
    "#buy\ntimeout: 5",
    "selector",
    'the input is {"selector": "#buy"}',
    "rows [{a}]",
    "a { b",
  ])("the text %s is more than one field's value", async (raw) => {
    expect(await mend(raw, click)).toBe("refused");
    expect(await mend(raw, click, "eager")).toBe("refused");
  });

  test.each(['a[href="x"]', "div > p", "#buy", "li:nth-child(2)", "Buy the book: now"])(
    "the text %s is one",
    async (raw) => {
      expect(await mend(raw, click)).toEqual({ selector: raw });
    },
  );
});

describe("guesses that eager does not make either", () => {
  const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
    type: "object",
    properties,
    required,
  });
  const text = { type: "string" };
  const number = { type: "number" };
  const numbers = { type: "array", items: number };
  test.each<[string, unknown, unknown]>([
    [
      "the tag of a union",
      {
        anyOf: [
          object({ type: { const: "a" }, a: text }),
          object({ type: { const: "b" }, b: text }),
        ],
      },
      { b: "x" },
    ],
    [
      "an operator around a choice",
      object({ status: { enum: ["active", "idle"] } }),
      { status: { not: "active" } },
    ],
    ["a bound around a number", object({ price: number }), { price: { lt: 5 } }],
    ["a negated id", object({ id: number }), { not_id: 5 }],
    ["what is excluded", object({ paths: { type: "array", items: text } }), { exclude: ["a"] }],
    ["the id of another thing", object({ order_id: number }), { user: 5 }],
    ["1,234 for a number", object({ n: number }), { n: "1,234" }],
    ["1,234 for numbers", object({ l: numbers }), { l: "1,234" }],
    [
      "1,234 for integers",
      object({ l: { type: "array", items: { type: "integer" } } }),
      { l: "1,234" },
    ],
    ["an amount with a point for thousands", object({ n: number }), { n: "€1.234" }],
    ["a fraction", object({ n: number }), { n: "3/4" }],
    ["dashes before numbers", object({ l: numbers }), { l: "- 5, - 6" }],
    ["another measure", object({ latitude: number }), { altitude: 5 }],
  ])("%s", async (_, schema, raw) => {
    expect(await mend(raw, schema, "eager")).toBe("refused");
  });

  test("a default is copied into the input", async () => {
    const schema = object({ q: text, tags: { type: "array", items: text, default: ["a"] } });
    const first = (await mend({ q: "x" }, schema, "eager")) as { tags: string[] };
    first.tags.push("b");
    expect(await mend({ q: "x" }, schema, "eager")).toEqual({ q: "x", tags: ["a"] });
  });

  test("of more branches than are looked at, none is taken", async () => {
    const branches = Array.from({ length: 70 }, (_, index) => object({ [`k${index}`]: number }));
    expect(await mend({ k3: "5" }, { anyOf: branches })).toBe("refused");
    expect(await mend({ k3: "5" }, { anyOf: branches.slice(0, 60) })).toEqual({ k3: 5 });
  });

  test("objectAsText is asked for by a pointer, whatever the key", async () => {
    const schema = object({ "a/b": text });
    const options = { level: "safe", objectAsText: ["/a~1b"] } as const;
    const result = await repairToolInput({ "a/b": { x: 1 } }, { name: "t", schema }, options);
    expect(result).toMatchObject({ ok: true, toolInput: { "a/b": '{"x":1}' } });
  });
});
