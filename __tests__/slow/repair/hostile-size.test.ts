import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import type { JsonValue } from "#src/repair/types.ts";
import { expectLinearTime } from "../../support/growth.ts";
import { integer, listOf, object, text } from "../../support/repair/align/run.ts";

const levels = ["safe", "eager"] as const;

function repair(schema: unknown, raw: unknown, level: "safe" | "eager" = "safe", limits = {}) {
  return repairToolInput(raw, { name: "tool_x", schema }, { level, limits });
}

const recursive = {
  $defs: {
    node: {
      type: "object",
      properties: {
        v: { type: "integer" },
        next: { $ref: "#/$defs/node" },
        kids: { type: "array", items: { $ref: "#/$defs/node" } },
      },
    },
  },
  $ref: "#/$defs/node",
};

const choices = {
  type: "object",
  properties: {
    items: { type: "array", items: { enum: Array.from({ length: 2_000 }, (_, at) => `c${at}`) } },
  },
};

function keysOf(count: number): JsonValue & object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 1]));
}

function deepChain(depth: number): JsonValue {
  return depth === 0 ? { v: "x" } : { v: "x", next: deepChain(depth - 1) };
}

describe.each(levels)("at %s, an input made to be expensive", (level) => {
  test("a key with many dots is rejected, not nested", async () => {
    const schema = object({ u: { type: "object" } });
    await expectLinearTime(async (count) => {
      const raw = { [`u${".a".repeat(count)}`]: 1 };
      expect(await repair(schema, raw, level)).toMatchObject({ ok: false });
    }, 200_000);
  });

  test("ninety-nine keys with many dots are rejected in time", async () => {
    const schema = object({ u: { type: "object" } });
    await expectLinearTime(async (count) => {
      const raw = Object.fromEntries(
        Array.from({ length: 99 }, (_, index) => [`u.k${index}${".a".repeat(count)}`, 1]),
      );
      expect(await repair(schema, raw, level)).toMatchObject({ ok: false });
    }, 5_000);
  });

  test.each([" ", ".", " .", "-", "_ "])("a run of %j in bare text and in a key", async (sign) => {
    await expectLinearTime(async (count) => {
      const run = `x${sign.repeat(count)}y`;
      await repair(object({ q: text }), run, level);
      await repair(object({ q: text }, true), { q: "a", [run]: 1 }, level);
      await repair(object({ q: { enum: ["a", "b"] } }), { q: run }, level);
    }, 100_000);
  });

  test("four million brackets are rejected, not thrown", async () => {
    expect(await repair(object({ q: text }), "[".repeat(4_000_000), level)).toMatchObject({
      ok: false,
    });
  });

  test("a hundred unknown keys beside a thousand declared ones", async () => {
    const raw = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`unknown_${index}_thing`, "x"]),
    );
    await expectLinearTime((count) => {
      const declared = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`declared_field_${index}?`, text]),
      );
      return repair(object({ ...declared, needed: text }, true), raw, level);
    }, 1_000);
  });

  test("a hundred thousand unknown keys", async () => {
    await expectLinearTime(
      (count) => repair(object({ q: text }, true), keysOf(count), level),
      100_000,
    );
  });

  const item = z.strictObject({ id: z.number() });
  test.each<[what: string, schema: unknown, size: number, make: (size: number) => JsonValue]>([
    ["unknown keys, forbidden by zod", item, 200_000, (size) => ({ id: 1, ...keysOf(size) })],
    [
      "unknown keys, forbidden",
      object({ id: integer }, true),
      200_000,
      (size) => ({ id: 1, ...keysOf(size) }),
    ],
    [
      "faults in deep recursion",
      recursive,
      2_000,
      (size) => ({ kids: Array.from({ length: size }, () => deepChain(58)) }),
    ],
    ["objects for choices", choices, 100_000, (size) => ({ items: Array(size).fill({ a: 1 }) })],
  ])("%s: more faults than the limit are rejected in time", async (_, schema, size, make) => {
    const rejecting = (count: number) =>
      repair(schema, make(count), level, { maxLength: 10_000_000 });
    expect(await rejecting(size)).toMatchObject({ ok: false, error: { reason: "limit" } });
    await expectLinearTime(rejecting, size);
  });

  test("thousands of properties that are all of the wrong type", async () => {
    await expectLinearTime(async (count) => {
      const names = Array.from({ length: count }, (_, index) => `field_${index}`);
      const schema = object(Object.fromEntries(names.map((name) => [name, integer])));
      const raw = Object.fromEntries(names.map((name) => [name, "5"]));
      expect(await repair(schema, raw, level)).toMatchObject({ ok: true });
    }, 2_000);
  });
});

describe("limits", () => {
  const schema = object({ items: listOf(object({ id: integer })) });
  const faulty = (count: number): JsonValue => ({
    items: Array.from({ length: count }, (_, index) => ({ id: String(index) })),
  });

  test("count steps, so that the same input meets them on every machine", async () => {
    const at = async (maxSteps: number) =>
      (await repair(schema, faulty(100), "safe", { maxSteps })).ok;
    const outcomes = await Promise.all([10, 100, 1_000, 10_000, 100_000].map(at));
    expect(outcomes).toEqual([...outcomes].sort());
    expect(outcomes[0]).toBe(false);
    expect(outcomes.at(-1)).toBe(true);
  });

  // Steps are what these are about: a busy machine may take longer than the default second.
  const patient = { timeoutMs: 30_000 };

  test("permit a simple fault at 10,000 paths with the default number of steps", async () => {
    const result = await repair(schema, faulty(10_000), "safe", patient);
    expect(result.ok && result.repairs.length).toBe(10_000);
  });

  test("apply to zod schemas too", async () => {
    const items = z.object({ items: z.array(z.object({ id: z.number() })) });
    const result = await repair(items, faulty(10_000), "safe", patient);
    expect(result.ok && result.repairs.length).toBe(10_000);
  });

  test("of depth apply to the output of a repair", async () => {
    const nested = object({ u: object({ a: integer }) });
    const raw = { "u.a": 1 };
    expect(await repair(nested, raw)).toMatchObject({ ok: true });
    expect(await repair(nested, raw, "safe", { maxDepth: 1 })).toMatchObject({ ok: false });
  });

  test("of length apply to the output of a repair", async () => {
    const raw = { items: [{ id: "1" }, { id: "2" }] };
    const texts = object({ items: listOf(text) });
    const options = { level: "safe", objectAsText: true } as const;
    const tool = { name: "tool_x", schema: texts };
    const length = JSON.stringify(raw).length;
    expect(await repairToolInput(raw, tool, options)).toMatchObject({ ok: true });
    expect(
      await repairToolInput(raw, tool, { ...options, limits: { maxLength: length } }),
    ).toMatchObject({ ok: false });
  });
});
