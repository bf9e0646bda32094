import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import type { InputEvent } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  createFixerRegistry,
  type Fixer,
  type RepairOptions,
  repairToolInput,
} from "#src/index.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import { integer, object, text } from "../../support/repair/align/run.ts";
import { runsAll } from "../../support/tier.ts";

const open = object({ query: text, "limit?": integer });
const closed = object({ query: text, "limit?": integer }, true);
const zod4 = { query: z.string(), limit: z.number().optional() };
const zod3 = { query: z3.string(), limit: z3.number().optional() };

/** Schemas that accept an undeclared key, each in its way. */
const accepting: readonly (readonly [string, unknown])[] = [
  ["what zod 4 strips", z.object(zod4)],
  ["what zod 3 strips", z3.object(zod3)],
  ["what JSON Schema lets through", open],
];
const levels = ["strict", "safe", "eager"] as const;

async function repair(schema: unknown, input: unknown, options: RepairOptions = {}) {
  return repairToolInput(input, { name: "search", schema }, options);
}

/** The input, its remaining undeclared keys, and the edits made; `"refused"` if it is rejected. */
async function outcome(schema: unknown, input: unknown, options: RepairOptions = {}) {
  const result = await repair(schema, input, options);
  if (!result.ok) return "refused";
  const by = result.repairs.map(({ fixer }) => fixer);
  return [result.toolInput, result.undeclared, by];
}

function withFixers(...fixers: Fixer[]): RepairOptions {
  const registry = createFixerRegistry();
  registry.register("search", ...fixers);
  return { fixers: registry };
}

describe.each(accepting)("%s", (_, schema) => {
  test("is reported, and the input is returned by reference", async () => {
    const input = { query: "a", max_results: 3 };
    for (const level of levels) {
      const result = await repair(schema, input, { level });
      expect(result).toMatchObject({ ok: true, repairs: [], undeclared: ["/max_results"] });
      expect(result.ok && result.toolInput).toBe(input);
    }
  });

  test("is renamed to an absent declared key of another spelling", async () => {
    for (const level of ["safe", "eager"] as const) {
      const wanted = [{ query: "a", limit: 3 }, [], ["respell-key"]];
      expect(await outcome(schema, { query: "a", Limit: 3 }, { level })).toEqual(wanted);
      expect(await outcome(schema, '{"query":"a","LIMIT":3}', { level })).toEqual(wanted);
    }
  });

  test("is renamed and its value repaired, beside other repairs", async () => {
    expect(await outcome(schema, { query: 5, Limit: "3" })).toEqual([
      { query: "5", limit: 3 },
      [],
      ["write-scalar", "respell-key", "read-number"],
    ]);
  });

  test("is left if the declared key is present too, or its value does not fit", async () => {
    expect(await outcome(schema, { query: "a", limit: 1, Limit: 3 })).toEqual([
      { query: "a", limit: 1, Limit: 3 },
      ["/Limit"],
      [],
    ]);
    expect(await outcome(schema, { query: "a", Limit: "many" })).toEqual([
      { query: "a", Limit: "many" },
      ["/Limit"],
      [],
    ]);
  });

  test("is passed to the registered fixers", async () => {
    const options = withFixers(renameKey("maxResults", "limit"));
    for (const level of levels) {
      expect(await outcome(schema, { query: "a", maxResults: 3 }, { ...options, level })).toEqual([
        { query: "a", limit: 3 },
        [],
        ["renameKey(maxResults → limit)"],
      ]);
    }
  });

  test("is left, whether or not it is commentary", async () => {
    const input = { query: "a", thoughts: "They want some a.", empty: null };
    expect(await outcome(schema, input)).toEqual([input, ["/thoughts", "/empty"], []]);
  });

  test("is left if it is a short word without one of its letters", async () => {
    const input = { query: "a", limt: 3 };
    for (const level of ["safe", "eager"] as const) {
      expect(await outcome(schema, input, { level })).toEqual([input, ["/limt"], []]);
    }
  });

  test("is corrected at `eager` if it is a declared key with two letters swapped", async () => {
    const input = { query: "a", limti: 3 };
    expect(await outcome(schema, input)).toEqual([input, ["/limti"], []]);
    expect(await outcome(schema, input, { level: "eager" })).toEqual([
      { query: "a", limit: 3 },
      [],
      ["correct-key"],
    ]);
  });

  test("is corrected at `eager` if it is a declared key with a piece of JSON", async () => {
    const input = { query: "a", 'limit" type="integer': 3 };
    expect(await outcome(schema, input)).toEqual([input, [expect.any(String)], []]);
    expect(await outcome(schema, input, { level: "eager" })).toEqual([
      { query: "a", limit: 3 },
      [],
      ["correct-key"],
    ]);
  });
});

describe("registered fixers", () => {
  test("that change nothing leave a valid input untouched", async () => {
    const input = { query: "a", other: 1 };
    const result = await repair(open, input, withFixers(renameKey("maxResults", "limit")));
    expect(result).toMatchObject({ ok: true, repairs: [], undeclared: ["/other"] });
    expect(result.ok && result.toolInput).toBe(input);
  });

  test("keep running while an undeclared key is left", async () => {
    const page: Fixer = (input) => ({ ...(input as JsonObject), page: 1 });
    const result = await outcome(
      object({ query: text, "limit?": integer, "page?": integer }),
      { query: "a", maxResults: 3 },
      withFixers(page, renameKey("maxResults", "limit")),
    );
    expect(result).toMatchObject([
      { query: "a", limit: 3, page: 1 },
      [],
      ["page", "renameKey(maxResults → limit)"],
    ]);
  });

  test("may leave invalid values to the level", async () => {
    const options = withFixers(renameKey("maxResults", "limit"));
    const input = { query: "a", maxResults: "3" };
    expect(await outcome(open, input, options)).toMatchObject([
      { query: "a", limit: 3 },
      [],
      ["renameKey(maxResults → limit)", "read-number"],
    ]);
    expect(await outcome(open, input, { ...options, level: "strict" })).toEqual([
      input,
      ["/maxResults"],
      [],
    ]);
  });

  test.each<[string, Fixer]>([
    [
      "throw",
      () => {
        throw new Error("no");
      },
    ],
    ["alter what is declared", () => ({ query: "b" })],
    ["spoil it", () => ({ query: 1 })],
    ["add keys", (input) => ({ ...(input as JsonObject), a: 1, b: 2 })],
  ])("that %s do not spoil a valid input", async (_, fixer) => {
    const input = { query: "a", other: 1 };
    expect(await outcome(open, input, withFixers(fixer))).toEqual([input, ["/other"], []]);
  });

  test("reach nested objects", async () => {
    const schema = z.object({ name: z.string(), list: z.array(z.object(zod4)) });
    const options = withFixers(renameKey("max", "limit", "/list/1"));
    const input = { name: "n", list: [{ query: "a" }, { query: "b", max: 2 }] };
    expect(await outcome(schema, input, options)).toMatchObject([
      { name: "n", list: [{ query: "a" }, { query: "b", limit: 2 }] },
      [],
      [expect.stringMatching(/^renameKey/)],
    ]);
  });

  test("do not run for a valid input whose keys are declared", async () => {
    const never: Fixer = () => {
      throw new Error("asked");
    };
    expect(await outcome(open, { query: "a" }, withFixers(never))).toEqual([
      { query: "a" },
      [],
      [],
    ]);
  });
});

describe("undeclaredKeys", () => {
  test.each(accepting)("refuse: %s is an issue, with a suggestion", async (_, schema) => {
    const input = { query: "a", limti: 3 };
    const result = await repair(schema, input, { undeclaredKeys: "refuse" });
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error.issues).toMatchObject([
      { path: "/limti", code: "undeclared", received: "3", didYouMean: '"limit"' },
    ]);
  });

  test("refuse: nothing is dropped, and respelled keys are renamed", async () => {
    const options = { undeclaredKeys: "refuse" } as const;
    const thoughts = { query: "a", thoughts: "They want some a." };
    expect(await outcome(open, thoughts, options)).toBe("refused");
    expect(await outcome(closed, thoughts, options)).toBe("refused");
    expect(await outcome(closed, thoughts)).toEqual([{ query: "a" }, [], ["drop-key"]]);
    expect(await outcome(open, { query: "a", Limit: 1 }, options)).toEqual([
      { query: "a", limit: 1 },
      [],
      ["respell-key"],
    ]);
  });

  test("leave: an accepted input stays unchanged, and its keys are reported", async () => {
    const options = {
      ...withFixers(renameKey("Limit", "limit")),
      undeclaredKeys: "leave",
    } as const;
    const input = { query: "a", Limit: 3 };
    expect(await outcome(open, input, options)).toEqual([input, ["/Limit"], []]);
  });

  test("allow: names that a platform adds are declared", async () => {
    const options = { undeclaredKeys: { allow: ["user_context", "LIMIT"] } } as const;
    const input = { query: "a", user_context: { id: 1 }, LIMIT: 3, other: 1 };
    expect(await outcome(open, input, options)).toEqual([input, ["/other"], []]);
  });

  test("can be set per tool in the registry, which overrides the options", async () => {
    const fixers = createFixerRegistry(undefined, { undeclaredKeys: "refuse" });
    fixers.register("lax", { undeclaredKeys: "leave" });
    const input = { query: "a", other: 1 };
    expect(await outcome(open, input, { fixers })).toBe("refused");
    expect(await outcome(open, input, { fixers, undeclaredKeys: "repair" })).not.toBe("refused");
    const lax = await repairToolInput(input, { name: "lax", schema: open }, { fixers });
    expect(lax.ok).toBe(true);
  });

  test("throws for an unknown value", async () => {
    const undeclaredKeys = "refused" as "refuse";
    const said = /"repair", "refuse" or "leave", or \{ allow/;
    await expect(repair(open, { query: 1 }, { undeclaredKeys })).rejects.toThrow(said);
    expect(() => createFixerRegistry(undefined, { undeclaredKeys })).toThrow(said);
  });
});

describe("of a tool without arguments", () => {
  test.each([
    ["zod", z.object({})],
    ["an open JSON Schema", { type: "object", properties: {} }],
    ["a closed one", object({}, true)],
  ])("a placeholder is dropped: %s", async (_, schema) => {
    expect(await outcome(schema, { random_string: "" })).toEqual([{}, [], ["drop-key"]]);
    expect(await outcome(schema, { input: "" })).toEqual([{}, [], [expect.any(String)]]);
  });

  test("a key with content is left if the schema permits it", async () => {
    const input = { query: "a" };
    expect(await outcome(z.object({}), input)).toEqual([input, ["/query"], []]);
  });
});

test("the event reports undeclared keys, of an untouched input too", async () => {
  const reported: unknown[] = [];
  const onToolCall = (event: object) =>
    reported.push((event as { undeclared: unknown }).undeclared);
  await repair(open, { query: "a", other: 1 }, { onToolCall });
  await repair(open, { query: 1, other: 1 }, { onToolCall });
  expect(reported).toEqual([["/other"], ["/other"]]);
});

test("forbidden keys and class instances in a valid input do no harm", async () => {
  const input = JSON.parse('{"query":"a","__proto__":{"a":1},"constructor":1}');
  const result = await repair(z.object(zod4), input);
  expect(result).toMatchObject({
    ok: true,
    repairs: [],
    undeclared: ["/__proto__", "/constructor"],
  });
  expect(result.ok && result.toolInput).toBe(input);
});

test("undeclared keys are found at depth, and in the input's branch of a union", async () => {
  const schema = z.object({
    list: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), maxDepth: z.number().optional() }),
        z.object({ kind: z.literal("b"), name: z.string() }),
      ]),
    ),
  });
  expect(
    await outcome(schema, {
      list: [
        { kind: "a", max_depth: 2 },
        { kind: "b", name: "x", Y: 1 },
      ],
    }),
  ).toEqual([
    {
      list: [
        { kind: "a", maxDepth: 2 },
        { kind: "b", name: "x", Y: 1 },
      ],
    },
    ["/list/1/Y"],
    ["respell-key"],
  ]);
});

test("undeclared keys are found in the input's branch, even if another branch has fewer issues", async () => {
  const A = { kind: z.literal("a"), name: z.string(), maxDepth: z.number().optional() };
  const B = { kind: z.literal("b"), name: z.string() };
  const branches = [z.object(A), z.object(B)] as const;
  const given = { kind: "a", name: "x", max_depth: 2 };
  const wanted = { kind: "a", name: "x", maxDepth: 2 };
  for (const of of [z.discriminatedUnion("kind", [...branches]), z.union([...branches])]) {
    for (const schema of [z.object({ of }), z.toJSONSchema(z.object({ of }), { io: "input" })]) {
      expect(await outcome(schema, { of: given })).toEqual([{ of: wanted }, [], ["respell-key"]]);
      const other = { of: { ...given, kind: "b" } };
      expect(await outcome(schema, other)).toEqual([other, ["/of/max_depth"], []]);
    }
  }
});

test("a number at a renamed key keeps its spelling where text is expected", async () => {
  const schema = object({ query: text, "version?": text });
  expect(await outcome(schema, '{"query": "a", "Version": 3.10}')).toMatchObject([
    { query: "a", version: "3.10" },
    [],
    expect.anything(),
  ]);
});

test("a rename that a refinement rejects is not made", async () => {
  const schema = z.object(zod4).refine(({ limit }) => limit === undefined);
  const input = { query: "a", Limit: 3 };
  expect(await outcome(schema, input)).toEqual([input, ["/Limit"], []]);
});

describe("`eager` repairs what `safe` repairs in the same way, or rejects it", () => {
  const names = ["limit", "Limit", "max_results", "maxResults", "query", "Query", "thought", "cc"];
  const values: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom<JsonValue>(1, "1", true, null, "", "a", "They want cats, I think.", [], {}),
  );
  const inputs = fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 5 });
  const fields = { query: text, "limit?": integer, "maxResults?": text };
  test.each([
    ["closed", object(fields, true)],
    ["open", object(fields)],
  ])("%s", async (_, schema) => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const safe = await repair(schema, input, { level: "safe" });
        const eager = await repair(schema, input, { level: "eager" });
        if (!safe.ok || !eager.ok) return;
        expect(eager.repairs.slice(0, safe.repairs.length)).toEqual(safe.repairs);
        if (safe.undeclared.length === 0) expect(eager.toolInput).toEqual(safe.toolInput);
      }),
      { numRuns: runsAll ? 300 : 100 },
    );
  });
});

test("an accepted input whose undeclared keys reach a limit is rejected, not left unrepaired", async () => {
  const reasons = new Set<string>();
  for (let maxSteps = 1; maxSteps <= 60; maxSteps++) {
    const result = await repair(open, { query: "a", Limit: 3 }, { limits: { maxSteps } });
    reasons.add(result.ok ? JSON.stringify(result.toolInput) : result.error.reason);
  }
  expect([...reasons]).toEqual(["limit", '{"query":"a","limit":3}']);
});

describe("a key that only respells an absent one, with a value that it does not take", () => {
  const pay = object({ amount: integer, "dryRun?": { type: "boolean", default: false } });
  const nested = object({ order: pay });

  test.each<[schema: unknown, input: object, path: string]>([
    [pay, { amount: "5", dry_run: "maybe" }, "/dry_run"],
    [pay, { amount: "5", DryRun: { on: true } }, "/DryRun"],
    [nested, { order: { amount: "5", dry_run: "maybe" } }, "/order/dry_run"],
  ])("is not left behind by a repair: %j %j", async (schema, input, path) => {
    for (const level of ["safe", "eager"] as const) {
      const result = await repair(schema, input, { level });
      if (result.ok) throw new Error(`It runs with ${JSON.stringify(result.toolInput)}`);
      expect(result.error.issues).toContainEqual(
        expect.objectContaining({ path, message: expect.stringContaining('spelling of "dryRun"') }),
      );
    }
  });

  test("is renamed where the value fits, or is repaired", async () => {
    for (const dry_run of [true, "true"]) {
      const { toolInput } = (await repair(pay, { amount: "5", dry_run })) as { toolInput: object };
      expect(toolInput).toEqual({ amount: 5, dryRun: true });
    }
  });

  test("stays as it is in an input that is valid as written, and where the declared key is there", async () => {
    const valid = { amount: 5, dry_run: "maybe" };
    expect(await repair(pay, valid)).toMatchObject({ ok: true, changed: false });
    const both = await repair(pay, { amount: "5", dryRun: true, dry_run: "maybe" });
    expect(both).toMatchObject({ ok: true, undeclared: ["/dry_run"] });
  });
});

test("the event of an undeclared key has one code, whether it was repaired or rejected", async () => {
  const codes: string[] = [];
  const onToolCall = (event: InputEvent) => {
    codes.push(...event.issues.map(({ code }) => code));
  };
  await repair(open, { query: "cats", Limit: 5 }, { onToolCall });
  await repair(open, { query: "cats", colour: 5 }, { onToolCall, undeclaredKeys: "refuse" });
  expect(codes).toEqual(["undeclared", "undeclared"]);
});
