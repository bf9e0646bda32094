import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";

type Level = "safe" | "eager";

/** The pipeline's output for an input; `"refused"` if it rejects. */
async function repaired(raw: unknown, schema: unknown, level: Level = "safe", name = "click") {
  const result = await repairToolInput(raw, { name, schema }, { level });
  return result.ok ? result.toolInput : "refused";
}

describe("a path that the tool's own schema accepts is left unchanged", () => {
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
    expect(await repaired(raw, schema)).toEqual(meant);
    expect(await repaired(raw, schema, "eager")).toEqual(meant);
  });

  test("in an envelope, the view decides", async () => {
    expect(await repaired({ input: { n: "5", m: "6" } }, z.object({ n, m: n }))).toEqual({
      n: 5,
      m: 6,
    });
  });

  test("every fault is repaired in a union rejected as a whole", async () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), radius: n }),
      z.object({ kind: z.literal("square"), side: n }),
    ]);
    expect(await repaired({ kind: "Circle", radius: "5" }, shape)).toEqual({
      kind: "circle",
      radius: 5,
    });
    expect(
      await repaired({ at: { kind: "Circle", radius: "5" } }, z.object({ at: shape })),
    ).toEqual({
      at: { kind: "circle", radius: 5 },
    });
  });
});

describe("a call of another tool is rejected", () => {
  const schema = z.object({ id: z.number() });
  test.each(["undelete", "softdelete", "dry_run.delete", "delete_all"])("%s", async (name) => {
    expect(await repaired({ name, arguments: { id: 5 } }, schema, "safe", "delete")).toBe(
      "refused",
    );
    expect(await repaired({ name, arguments: { id: 5 } }, schema, "eager", "delete")).toBe(
      "refused",
    );
  });

  test.each(["delete", "Delete", "functions.delete"])("%s names this tool", async (name) => {
    expect(await repaired({ name, arguments: { id: 5 } }, schema, "safe", "delete")).toEqual({
      id: 5,
    });
  });
});

describe("what could mean something else is rejected", () => {
  const notify = z.object({ to: z.string(), notify: z.enum(["email", "sms"]).default("email") });
  test.each(["none", "nil", "not any"])("%s for a choice with a default", async (word) => {
    expect(await repaired({ to: "a", notify: word }, notify)).toBe("refused");
    expect(await repaired({ to: "a", notify: word }, notify, "eager")).toBe("refused");
  });

  test.each(["", "null", "undefined"])('"%s" for it is nothing', async (word) => {
    const silent = z.object({ to: z.string(), notify: z.enum(["email", "sms"]).optional() });
    expect(await repaired({ to: "a", notify: word }, silent)).toEqual({ to: "a" });
    expect(await repaired({ to: "a", notify: word }, notify)).toEqual({ to: "a" });
  });

  test("none for a number with a default is ambiguous: no limit, or the default", async () => {
    const schema = z.object({ q: z.string(), limit: z.number().default(10) });
    expect(await repaired({ q: "a", limit: "none" }, schema)).toBe("refused");
    // As Python writes it, it is no value.
    expect(await repaired({ q: "a", limit: "None" }, schema)).toEqual({ q: "a" });
  });

  test("a key that denies a flag, at safe", async () => {
    const schema = z.strictObject({ recursive: z.boolean() });
    expect(await repaired({ no_recursive: true }, schema)).toBe("refused");
  });

  test("a declared key is not an envelope", async () => {
    const schema = z.object({
      url: z.string(),
      body: z.record(z.string(), z.unknown()).optional(),
    });
    for (const raw of [
      { body: { url: "https://evil" } },
      { Body: { url: "https://evil" } },
      { name: "click", body: { url: "https://evil" } },
    ]) {
      expect(await repaired(raw, schema)).toBe("refused");
      expect(await repaired(raw, schema, "eager")).toBe("refused");
    }
    const text = z.object({ url: z.string(), body: z.string().optional() });
    expect(await repaired({ body: { url: "https://a" } }, text)).toBe("refused");
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
    "Buy the book: now",
  ])("the text %s is more than one field's value", async (raw) => {
    expect(await repaired(raw, click)).toBe("refused");
    expect(await repaired(raw, click, "eager")).toBe("refused");
  });

  test.each(['a[href="x"]', "div > p", "#buy", "li:nth-child(2)"])(
    "the text %s is one field's value",
    async (raw) => {
      expect(await repaired(raw, click)).toEqual({ selector: raw });
    },
  );
});

describe("eager rejects guesses too", () => {
  const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
    type: "object",
    properties,
    required,
  });
  const text = { type: "string" };
  const number = { type: "number" };
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
    ["a negated id", object({ id: number }), { not_id: 5 }],
    ["what is excluded", object({ paths: { type: "array", items: text } }), { exclude: ["a"] }],
    ["the id of another thing", object({ order_id: number }), { user: 5 }],
  ])("%s", async (_, schema, raw) => {
    expect(await repaired(raw, schema, "eager")).toBe("refused");
  });

  test("a union with more branches than the limit is not repaired", async () => {
    const branches = Array.from({ length: 70 }, (_, index) => object({ [`k${index}`]: number }));
    expect(await repaired({ k3: "5" }, { anyOf: branches })).toBe("refused");
    expect(await repaired({ k3: "5" }, { anyOf: branches.slice(0, 60) })).toEqual({ k3: 5 });
  });

  test("objectAsText is requested by JSON Pointer, for any key", async () => {
    const schema = object({ "a/b": text });
    const options = { level: "safe", objectAsText: ["/a~1b"] } as const;
    const result = await repairToolInput({ "a/b": { x: 1 } }, { name: "t", schema }, options);
    expect(result).toMatchObject({ ok: true, toolInput: { "a/b": '{"x":1}' } });
  });
});
