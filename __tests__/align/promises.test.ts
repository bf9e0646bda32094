import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { repairToolInput } from "../../src/repair-tool-input.ts";

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
