import { describe, expect, test } from "@jest/globals";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { integer, listOf, object, outcome, run, text } from "../../../support/repair/align/run.ts";

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe("bounded", () => {
  const schema = object({ items: listOf(object({ id: integer, name: text })) });
  const faulty = (count: number): JsonValue => ({
    items: Array.from({ length: count }, (_, index) => ({ id: String(index), name: "x" })),
  });

  test("faults in many elements cost about linearly", async () => {
    // Not what is tested here, on a machine that does other work as well.
    const limits = { timeoutMs: 60_000 };
    await run(schema, faulty(500), { limits });
    const small = await timeOf(() => run(schema, faulty(500), { limits }));
    const large = await timeOf(() => run(schema, faulty(5_000), { limits }));
    const result = await run(schema, faulty(5_000), { limits });
    expect(result.ok && result.repairs.length).toBe(5_000);
    expect(large / small).toBeLessThan(40);
  });

  test("one fault in a megabyte takes a few times what validating it takes", async () => {
    const items = Array.from({ length: 12_000 }, (_, id) => ({ id, name: "x".repeat(70) }));
    const value = { items: items.with(7_000, { id: "7000" as unknown as number, name: "y" }) };
    expect(JSON.stringify(value).length).toBeGreaterThan(1_000_000);
    const validating = await timeOf(async () => compileSchema(schema).validate({ items }));
    const limits = { maxLength: 2_000_000, timeoutMs: 30_000 };
    const time = await timeOf(async () =>
      expect((await run(schema, value, { limits })).ok).toBe(true),
    );
    expect(time).toBeLessThan(20 * validating + 100);
  });

  test("nesting that could be taken apart in many ways", async () => {
    const node = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          anyOf: [
            {
              type: "object",
              properties: { input: { $ref: "#/$defs/node" } },
              required: ["input", "x"],
            },
            listOf({ $ref: "#/$defs/node" }),
            integer,
          ],
        },
      },
    };
    let value: JsonValue = "nothing";
    for (let depth = 0; depth < 30; depth++) value = depth % 2 === 0 ? { input: value } : [value];
    const time = await timeOf(async () =>
      expect(await outcome(node, value, { level: "eager" })).toBe("refused"),
    );
    expect(time).toBeLessThan(2_500);
  });

  test("unions of unions", async () => {
    const branch = (depth: number): JsonValue =>
      depth === 0
        ? integer
        : { anyOf: [object({ a: branch(depth - 1) }), object({ b: branch(depth - 1) })] };
    const time = await timeOf(() => run(branch(7), { a: { b: { c: 1 } } }, { level: "eager" }));
    expect(time).toBeLessThan(2_500);
  });

  test("text encoded many times over", async () => {
    let value = JSON.stringify({ id: 1, name: "x" });
    for (let layer = 0; layer < 4; layer++) value = JSON.stringify(value);
    const wanted = object({ item: object({ id: integer, name: text }) });
    expect(await outcome(wanted, { item: value })).toEqual({ item: { id: 1, name: "x" } });
  });

  test("over a limit: refused, and said so", async () => {
    expect(await run(schema, faulty(50), { limits: { timeoutMs: 0 } })).toMatchObject({
      ok: false,
      reason: "limit",
    });
    expect(await run(schema, faulty(50), { limits: { maxDepth: 1 } })).toMatchObject({
      ok: false,
      reason: "limit",
    });
  });

  test("keys that could reach a prototype", async () => {
    const value = JSON.parse(
      '{"items.__proto__.polluted": 1, "__proto__": {"id": 1}, "items": []}',
    );
    const before = Object.keys(Object.prototype).length;
    await run(object({ items: object({ id: integer }) }), value, { level: "eager" });
    expect(Object.keys(Object.prototype)).toHaveLength(before);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("text and keys made to be slow", async () => {
    const blanks = " ".repeat(300_000);
    const wanted = object({ a: { enum: ["x", "y"] }, b: integer, c: listOf(integer), d: text });
    const value: JsonValue = { a: `${blanks}x`, b: `${blanks}5${blanks}x`, c: `1,${blanks}x` };
    for (let index = 0; index < 5_000; index++) value[`key_${index}`] = index;
    const time = await timeOf(async () =>
      expect(await outcome(wanted, value, { level: "eager" })).toBe("refused"),
    );
    expect(time).toBeLessThan(2_500);
  });

  test("text that holds what is nested too deeply", async () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const node = { $ref: "#/$defs/node", $defs: { node: listOf({ $ref: "#/$defs/node" }) } };
    expect(await outcome(object({ a: node }), { a: deep })).toBe("refused");
  });

  test("a schema with a pattern that is none", async () => {
    const wanted = object({ a: { type: "string", pattern: "(" }, n: integer });
    expect(await outcome(wanted, { a: "x", n: "5" })).toBe("refused");
  });
});
