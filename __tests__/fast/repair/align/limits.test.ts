import { describe, expect, test } from "@jest/globals";
import { DEFAULT_LIMITS, limitIssue } from "#src/repair/limits.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { JsonValue, RepairLimits } from "#src/repair/types.ts";
import { expectLinearTime } from "../../../support/growth.ts";
import {
  integer,
  listOf,
  number,
  object,
  outcome,
  run,
  text,
} from "../../../support/repair/align/run.ts";

describe("bounded", () => {
  const schema = object({ items: listOf(object({ id: integer, name: text })) });

  test("one fault in a megabyte takes as many steps as one in a short list", async () => {
    const limits = { maxLength: 2_000_000, timeoutMs: 30_000 };
    const oneFaultIn = async (count: number) => {
      const items: JsonValue[] = Array.from({ length: count }, (_, id) => ({
        id,
        name: "x".repeat(70),
      }));
      const result = await run(
        schema,
        { items: items.with(1, { id: "7", name: "y" }) },
        { limits },
      );
      expect(result.ok && result.repairs.length).toBe(1);
      return result.steps;
    };
    expect(await oneFaultIn(12_000)).toBe(await oneFaultIn(3));
  });

  test("nesting that can be taken apart in many ways stays fast", async () => {
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
    await expectLinearTime(async (most) => {
      let value: JsonValue = "nothing";
      for (let depth = 0; depth < most; depth++) {
        value = depth % 2 === 0 ? { input: value } : [value];
      }
      expect(await outcome(node, value, { level: "eager" })).toBe("refused");
    }, 30);
  });

  test("unions of unions stay fast", async () => {
    const branch = (depth: number): JsonValue =>
      depth === 0
        ? integer
        : { anyOf: [object({ a: branch(depth - 1) }), object({ b: branch(depth - 1) })] };
    const stepsAt = async (depth: number) =>
      (await run(branch(depth), { a: { b: { c: 1 } } }, { level: "eager" })).steps;
    // One more level is twice as many branches.
    expect(await stepsAt(7)).toBeLessThan(3 * (await stepsAt(6)));
  });

  test("text encoded many times over stays fast", async () => {
    let value = JSON.stringify({ id: 1, name: "x" });
    for (let layer = 0; layer < 4; layer++) value = JSON.stringify(value);
    const wanted = object({ item: object({ id: integer, name: text }) });
    expect(await outcome(wanted, { item: value })).toEqual({ item: { id: 1, name: "x" } });
  });

  test("an input over a limit is rejected with that reason", async () => {
    expect(
      await run(schema, { items: [{ id: "1", name: "x" }] }, { limits: { timeoutMs: 0 } }),
    ).toMatchObject({
      ok: false,
      reason: "limit",
    });
    expect(
      await run(schema, { items: [{ id: "1", name: "x" }] }, { limits: { maxDepth: 1 } }),
    ).toMatchObject({
      ok: false,
      reason: "limit",
    });
  });

  test("keys that could reach a prototype are harmless", async () => {
    const value = JSON.parse(
      '{"items.__proto__.polluted": 1, "__proto__": {"id": 1}, "items": []}',
    );
    const before = Object.keys(Object.prototype).length;
    await run(object({ items: object({ id: integer }) }), value, { level: "eager" });
    expect(Object.keys(Object.prototype)).toHaveLength(before);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each(["toString", "valueOf", "constructor"])(
    "a value that holds %s is data like any other",
    async (key) => {
      const schema = object({ count: number });
      for (const odd of [{ [key]: 1 }, { [key]: null }, [{ [key]: 1 }]]) {
        expect(await outcome(schema, { input: { count: 5 }, x: odd })).toBe("refused");
        expect(await outcome(schema, { count: { description: "x", type: odd } })).toBe("refused");
        expect(await outcome(schema, { count: { value: 5, type: odd } })).toBe("refused");
      }
    },
  );

  test.each(["toString", "valueOf", "isPrototypeOf"])(
    "the record of a change of %s holds nothing inherited",
    async (key) => {
      const closed = object({ selector: text }, true);
      const dropped = await run(closed, { selector: "#a", [key]: "" });
      expect(dropped.ok && dropped.repairs).toMatchObject([{ before: "", after: undefined }]);
      const field = { type: "integer", default: 0 };
      const filled = await run(object({ [key]: field }), {}, { level: "eager" });
      expect(filled.ok && filled.repairs).toMatchObject([{ before: undefined, after: 0 }]);
    },
  );

  test.each(["__proto__", "constructor", "prototype"])(
    "no edit makes the key %s, even if it is declared",
    async (key) => {
      const properties = JSON.parse(`{"n": {"type": "integer"}, "${key}": {"type": "integer"}}`);
      const schema = { type: "object", properties, required: ["n"], additionalProperties: false };
      for (const level of ["safe", "eager"] as const) {
        expect(await outcome(schema, { n: "1", [key.toUpperCase()]: 2 }, { level })).toBe(
          "refused",
        );
      }
    },
  );

  test("adversarial text and keys stay fast", async () => {
    const wanted = object({ a: { enum: ["x", "y"] }, b: integer, c: listOf(integer), d: text });
    await expectLinearTime(async (count) => {
      const blanks = " ".repeat(60 * count);
      const value: JsonValue = { a: `${blanks}x`, b: `${blanks}5${blanks}x`, c: `1,${blanks}x` };
      for (let index = 0; index < count; index++) value[`key_${index}`] = index;
      expect(await outcome(wanted, value, { level: "eager" })).toBe("refused");
    }, 5_000);
  });

  test("text that holds too deep a nesting is rejected", async () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const node = { $ref: "#/$defs/node", $defs: { node: listOf({ $ref: "#/$defs/node" }) } };
    expect(await outcome(object({ a: node }), { a: deep })).toBe("refused");
  });

  test("a schema with an invalid pattern is survived", async () => {
    const wanted = object({ a: { type: "string", pattern: "(" }, n: integer });
    expect(await outcome(wanted, { a: "x", n: "5" })).toBe("refused");
  });
});

describe("a large union without a tag", () => {
  const branches = Array.from({ length: 50 }, (_, at) =>
    object({ [`kind${at}`]: text, size: integer }),
  );
  const wanted = object({ list: listOf({ anyOf: branches }) });
  const listed = (count: number, size: JsonValue): JsonValue => ({
    list: Array.from({ length: count }, (_, at) => ({ [`kind${at % 50}`]: "x", size })),
  });

  test("is repaired by the branch that the keys of a value tell", async () => {
    expect(await outcome(wanted, listed(100, "5"))).toEqual(listed(100, 5));
  });

  test("takes a value of two branches only where one of them accepts it", async () => {
    const both = { list: [{ kind1: "x", kind2: "y", size: "5" }] };
    expect(await outcome(wanted, both)).toEqual({ list: [{ kind1: "x", kind2: "y", size: 5 }] });
    const closed = object({
      list: listOf({
        anyOf: branches.map((one) => ({ ...(one as object), additionalProperties: false })),
      }),
    });
    expect(await outcome(closed, both)).toBe("refused");
  });
});

describe("one budget", () => {
  test("bounds what only the whole schema can decide, by steps and by the clock", async () => {
    const inside = { properties: { l: { $ref: "#/$defs/n" } } };
    const n = {
      type: "object",
      if: { ...inside, required: ["x"] },
      else: { properties: { ...inside.properties, v: { type: "string" } } },
    };
    const tool = { name: "t", schema: { type: "object", ...inside, $defs: { n } } };
    const nest = (depth: number, v: JsonValue): JsonValue =>
      depth > 0 ? { l: nest(depth - 1, v) } : { v };
    const refusal = async (depth: number, v: JsonValue, limits: Partial<RepairLimits>) => {
      const result = await repairToolInput(nest(depth, v), tool, { limits });
      return result.ok ? result.ok : result.error.limit?.name;
    };
    expect(await refusal(6, "x", { maxSteps: 2_000 })).toBe(true);
    expect(await refusal(14, "x", { maxSteps: 2_000 })).toBe("maxSteps");
    expect(await refusal(12, 1, { timeoutMs: 5 })).toBe("timeoutMs");
  });

  test("of steps bounds validation, too, and the option raises it", async () => {
    const wanted = object({ list: listOf(integer) });
    const value: JsonValue = { list: Array.from({ length: 60_000 }, () => "none") };
    const reasonAt = async (maxSteps?: number) => {
      const limits = { timeoutMs: 60_000, ...(maxSteps !== undefined && { maxSteps }) };
      const result = await repairToolInput(value, { name: "t", schema: wanted }, { limits });
      return result.ok ? "ok" : result.error.reason;
    };
    expect(await reasonAt()).toBe("limit");
    expect(await reasonAt(Number.POSITIVE_INFINITY)).toBe("invalid");
  });

  test("of characters is counted no further than it reaches", () => {
    let looks = 0;
    const value = {
      long: "x".repeat(100),
      get late() {
        looks += 1;
        return 1;
      },
    };
    const limits = { ...DEFAULT_LIMITS, maxLength: 50 };
    expect(limitIssue(value, limits)?.limit).toEqual({ name: "maxLength", value: 50 });
    expect(looks).toBe(0);
    const short = { a: [1, '"', null, true], b: {}, c: -1.5 };
    const { length } = JSON.stringify(short);
    expect(limitIssue(short, { ...limits, maxLength: length })).toBeUndefined();
    expect(limitIssue(short, { ...limits, maxLength: length - 1 })?.limit?.name).toBe("maxLength");
  });
});
