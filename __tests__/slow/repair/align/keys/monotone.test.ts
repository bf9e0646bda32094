import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isJsonObject } from "#src/repair/json.ts";
import type { JsonValue } from "#src/repair/types.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  object,
  outcome,
  text,
} from "../../../../support/repair/align/run.ts";

/** Fields that mean the opposite, the counterpart, another unit, or another thing. */
const CONTRARIES = [
  ["muted", "loud"],
  ["frozen", "thawed"],
  ["drafted", "published"],
  ["anonymous", "verified"],
  ["archived", "live"],
  ["simulate", "commit"],
  ["lender_fee", "borrower_fee"],
  ["warp", "weft"],
  ["ebb", "flood"],
  ["bride_age", "groom_age"],
  ["landlord_fee", "tenant_fee"],
  ["speed_knots", "speed_mph"],
  ["torque_nm", "torque_lbft"],
  ["flow_lpm", "flow_gpm"],
  ["dose_mg", "dose_ml"],
  ["span_fathoms", "span_leagues"],
  ["pull_number", "ticket_number"],
  ["gate", "seat"],
  ["azimuth", "elevation"],
  ["principal", "interest"],
] as const;

const NAMES = [
  ...CONTRARIES.flat(),
  ..."selector harbour_name harbour vesselName cargo_list manifest pilot_email tide berth_path remark crew quay_url user user_name details tags".split(
    " ",
  ),
];

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>("a", "5", "true", "#buy", "a, b", null, 5, 0, true, false),
  fc.constantFrom<JsonValue>(["a", "b"], {}, { name: "Ada" }, { user_name: "Ada" }),
);

/** The way a key of the schema changes in the input. */
const spelling = fc.constantFrom<(key: string) => string>(
  (key) => key,
  (key) => key.toUpperCase(),
  (key) => key.replaceAll("_", "-"),
  (key) => `${key} `,
  (key) => `${key}s`,
  (key) => key.slice(0, 3) + key.slice(4),
  (key) => key.replace("_", "."),
  () => "thoughts",
  () => "what",
);

/** Kinds of fields, each with values, plain and as text. */
const KINDS: readonly (readonly [schema: JsonValue, values: readonly JsonValue[]])[] = [
  [text, ["Ada", "#buy"]],
  [integer, [5, "5"]],
  [number, [2.5, "2.5"]],
  [boolean, [true, "True"]],
  [listOf(text), [["a", "b"], "a"]],
];

/** A tool, and an input for it with some keys misspelled and some undeclared. */
const sample = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 4 }),
    parts: fc.array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        isText: fc.boolean(),
        isOptional: fc.boolean(),
        spell: fc.option(spelling, { nil: undefined, freq: 3 }),
        isLeftOut: fc.nat(5),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    extra: fc.option(fc.tuple(fc.constantFrom(...NAMES.slice(-9), "thoughts", "reason"), leaf), {
      nil: undefined,
      freq: 3,
    }),
    isClosed: fc.boolean(),
  })
  .map(({ names, parts, extra, isClosed }) => {
    const fields: { [name: string]: JsonValue } = {};
    const given: { [key: string]: JsonValue } = {};
    for (const [index, name] of names.entries()) {
      const part = parts[index];
      if (part === undefined) continue;
      const [schema, [plain = null, asText = null]] = part.kind;
      fields[part.isOptional ? `${name}?` : name] = schema;
      const key = part.spell?.(name) ?? name;
      if (part.isLeftOut > 0) given[key] = part.isText ? asText : plain;
    }
    if (extra !== undefined) given[extra[0]] ??= extra[1];
    return { schema: object(fields, isClosed), given };
  });

describe("key edits", () => {
  test("`eager` repairs what `safe` repairs to the same input, or rejects it", async () => {
    let repaired = 0;
    await fc.assert(
      fc.asyncProperty(sample, async ({ schema, given }) => {
        const safe = await outcome(schema, given);
        if (safe === "refused") return;
        repaired += 1;
        const eager = await outcome(schema, given, { level: "eager" });
        if (eager !== "refused") expect(eager).toEqual(safe);
      }),
      { seed: 20_261_121, numRuns: 4_000 },
    );
    expect(repaired).toBeGreaterThan(200);
  });

  test("no value moves from one name to its opposite, in any input", async () => {
    const cases = fc.record({
      pair: fc.constantFrom(...CONTRARIES),
      isTurned: fc.boolean(),
      kind: fc.constantFrom(boolean, integer, number, text),
      others: fc.uniqueArray(fc.constantFrom("harbour", "vesselName", "berth_path"), {
        maxLength: 2,
      }),
      isClosed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ pair, isTurned, kind, others, isClosed }) => {
        const [from, to] = isTurned ? [pair[1], pair[0]] : pair;
        const value = kind === boolean ? true : kind === text ? "Ada" : 5;
        const fields = Object.fromEntries([[to, kind], ...others.map((name) => [name, text])]);
        const given = Object.fromEntries([[from, value], ...others.map((name) => [name, "a"])]);
        const made = await outcome(object(fields, isClosed), given, { level: "eager" });
        expect(isJsonObject(made) && made).toBe(false);
      }),
      { seed: 20_261_121, numRuns: 1_000 },
    );
  });
});
