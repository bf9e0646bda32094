import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { compileChecks } from "#src/repair/schema/compile-checks.ts";
import { loadValidator } from "#src/repair/schema/validator.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";

const DRAFTS: readonly SchemaDraft[] = ["4", "7", "2019-09", "2020-12"];

const key = fc.constantFrom("a", "b", "c", "x-1", "length", "a/b~c", "é");
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(
    0.5,
    -0,
    1e21,
    "",
    "a",
    "ab",
    "5",
    "abc",
    "ä€😀",
    "2020-01-01",
    "x@y.zz",
    null,
    true,
  ),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

const small = fc.integer({ min: 0, max: 4 });
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
const leaf: fc.Arbitrary<JsonObject>[] = [
  fc.record({ type }),
  fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
  fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: value }),
  fc.record({ minimum: small }, { requiredKeys: [] }),
  fc.record({ maximum: small, multipleOf: fc.constantFrom(1, 2, 0.5) }, { requiredKeys: [] }),
  fc.record({ minLength: small, maxLength: small }, { requiredKeys: [] }),
  fc.record({ pattern: fc.constantFrom("^a", "b$", "^[a-c]+$", "^(ab)*$", "\\d") }),
  fc.record({ format: fc.constantFrom("date", "email", "uri", "uuid", "no-such-format") }),
  fc.record({ minItems: small, maxItems: small, uniqueItems: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ minProperties: small, maxProperties: small }, { requiredKeys: [] }),
  fc.record({ required: fc.uniqueArray(key, { maxLength: 2 }) }),
  fc.record({ dependentRequired: fc.dictionary(key, fc.array(key, { maxLength: 2 })) }),
  fc.record({ title: fc.constant("t"), description: fc.constant("d") }),
];

const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const part = tie("schema");
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const nested: fc.Arbitrary<JsonObject>[] = [
    fc.record({ properties: fc.dictionary(key, part, { maxKeys: 3 }) }),
    fc.record({ additionalProperties: part }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom("^a", "b", "."), part) }),
    fc.record({ items: part }),
    fc.record({ items: fc.array(part, { maxLength: 3 }), additionalItems: part }),
    fc.record({ prefixItems: parts }),
    fc.record({ anyOf: parts }),
    fc.record({ allOf: parts }),
    fc.record({ oneOf: parts }),
    fc.record({ not: part }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    fc.record({ if: part, then: part, else: part }, { requiredKeys: ["if"] }),
    fc.record({ contains: part, minContains: small }, { requiredKeys: ["contains"] }),
    fc.record({ propertyNames: part }),
    fc.record({ dependentSchemas: fc.dictionary(key, part, { maxKeys: 2 }) }),
    fc.record({ unevaluatedProperties: part }),
    fc.record({ $ref: fc.constantFrom("#", "#/$defs/one", "#/$defs/two", "#/$defs/absent") }),
  ];
  const keywords = fc
    .array(fc.oneof({ depthSize: "small" }, ...leaf, ...nested), { minLength: 1, maxLength: 3 })
    .map((all) => Object.assign({}, ...all) as JsonObject);
  return { schema: fc.oneof({ maxDepth: 4, depthSize: "small" }, fc.boolean(), keywords) };
});

const root = fc
  .tuple(schema, schema, schema)
  .map(
    ([whole, one, two]): JsonObject =>
      typeof whole === "boolean"
        ? { allOf: [whole] }
        : { ...(whole as JsonObject), $defs: { one, two } },
  );

/** What the validator says: whether it accepts, and of what it complains at which places. */
function byValidator(wanted: JsonObject, draft: SchemaDraft, given: JsonValue, short = true) {
  try {
    const copy = structuredClone(wanted) as Schema;
    const { valid } = new Validator(copy, draft, short).validate(given);
    return valid;
  } catch (error) {
    return error instanceof RangeError ? "endless" : "threw";
  }
}

function byChecks(wanted: JsonObject, draft: SchemaDraft, given: JsonValue) {
  try {
    return compileChecks(wanted, draft).accepts(given);
  } catch (error) {
    return error instanceof RangeError ? "endless" : "threw";
  }
}

beforeAll(async () => {
  await loadValidator();
});

describe("a compiled schema", () => {
  test.each(DRAFTS)("says what the validator says, in draft %s", (draft) => {
    fc.assert(
      fc.property(root, fc.array(value, { minLength: 1, maxLength: 5 }), (wanted, values) => {
        for (const given of values) {
          const expected = byValidator(wanted, draft, given);
          // A reference to itself leads nowhere; it is not told which of the two notices first.
          if (expected === "endless") continue;
          expect([JSON.stringify(wanted), byChecks(wanted, draft, given)]).toEqual([
            JSON.stringify(wanted),
            expected,
          ]);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test.each(DRAFTS)("has faults exactly in what it refuses, in draft %s", (draft) => {
    fc.assert(
      fc.property(root, value, (wanted, given) => {
        // Looking for all faults may come upon a reference that leads nowhere; so does the validator.
        if (typeof byValidator(wanted, draft, given, false) === "string") return;
        const { accepts, faults } = compileChecks(wanted, draft);
        if (!accepts(given)) expect(faults(given).length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is never written to, and may be frozen", () => {
    const frozen = freeze({
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "integer" } },
    });
    expect(compileChecks(frozen, "2020-12").accepts({ a: 1 })).toBe(true);
    expect(compileChecks(frozen, "2020-12").accepts({ a: "1" })).toBe(false);
  });

  test("that doubles at every reference is checked in time", () => {
    const $defs: Record<string, JsonValue> = {
      d0: { type: "object", properties: { a: { type: "integer" } } },
    };
    for (let level = 1; level <= 40; level++) {
      const part = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { allOf: [part, { ...part, description: "again" }] };
    }
    const checks = compileChecks({ $ref: "#/$defs/d40", $defs }, "2020-12");
    expect(checks.accepts({ a: 1 })).toBe(true);
    expect(checks.accepts({ a: "1" })).toBe(false);
    expect(checks.faults({ a: "1" }).length).toBe(1);
  });

  test("that doubles at every level of a value gives up, and says so", () => {
    const again = { properties: { next: { $ref: "#" } }, minProperties: 0 };
    const checks = compileChecks({ allOf: [again, { ...again, title: "other" }] }, "2020-12");
    let deep: JsonValue = {};
    for (let level = 0; level < 60; level++) deep = { next: deep };
    expect(() => checks.accepts(deep)).toThrow("limits.maxSteps");
  });

  test("with ten thousand choices, or a list of unique elements, is looked up in", () => {
    const choices = Array.from({ length: 10_000 }, (_, index) => `choice ${index}`);
    const items = { enum: choices };
    const checks = compileChecks({ type: "array", items, uniqueItems: true }, "2020-12");
    expect(checks.accepts(choices)).toBe(true);
    expect(checks.accepts([...choices, "choice 0"])).toBe(false);
    expect(checks.faults([...choices, "choice 0"])).toMatchObject([{ keyword: "uniqueItems" }]);
  });
});

function freeze(given: JsonObject): JsonObject {
  for (const child of Object.values(given))
    if (typeof child === "object" && child !== null) freeze(child as JsonObject);
  return Object.freeze(given);
}
