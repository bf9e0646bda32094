import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import { readSchema } from "#src/repair/schema/part.ts";
import { acceptedBy, findIssues } from "#src/repair/schema/validate.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";

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

/** The validator's verdict: whether it accepts, and its issues with their paths. */
function byValidator(wanted: JsonObject, given: JsonValue, short = true) {
  try {
    const copy = structuredClone(wanted) as Schema;
    const { valid } = new Validator(copy, "2019-09", short).validate(given);
    return valid;
  } catch (error) {
    return error instanceof RangeError ? "endless" : "threw";
  }
}

function byChecks(wanted: JsonObject, given: JsonValue) {
  try {
    return acceptedBy(readSchema(structuredClone(wanted)), given);
  } catch (error) {
    return error instanceof RangeError ? "endless" : "threw";
  }
}

describe("a compiled schema", () => {
  test("gives the validator's verdict", () => {
    fc.assert(
      fc.property(root, fc.array(value, { minLength: 1, maxLength: 5 }), (wanted, values) => {
        for (const given of values) {
          const expected = byValidator(wanted, given);
          // A reference to itself is dangling; either side may report it first.
          if (expected === "endless") continue;
          expect([JSON.stringify(wanted), byChecks(wanted, given)]).toEqual([
            JSON.stringify(wanted),
            expected,
          ]);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test("has faults exactly if it rejects", () => {
    fc.assert(
      fc.property(root, value, (wanted, given) => {
        // Either search may meet a dangling reference that the other passes by: after a fault of
        // `prefixItems`, only the short one looks at the schema in `items` for the same index.
        const verdicts = [false, true].map((isShort) => byValidator(wanted, given, isShort));
        if (verdicts.some((verdict) => typeof verdict === "string")) return;
        const part = readSchema(structuredClone(wanted));
        expect(findIssues(part, given).length === 0).toBe(acceptedBy(part, given));
      }),
      { numRuns: 4_000 },
    );
  });

  test("is never modified, and may be frozen", () => {
    const frozen = freeze({
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "integer" } },
    });
    expect(compileSchema(frozen).validate({ a: 1 })).toMatchObject({ ok: true });
    expect(compileSchema(frozen).validate({ a: "1" })).toMatchObject({ ok: false });
  });

  test("that doubles at every reference is checked in time", () => {
    const $defs: Record<string, JsonValue> = {
      d0: { type: "object", properties: { a: { type: "integer" } } },
    };
    for (let level = 1; level <= 40; level++) {
      const part = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { allOf: [part, { ...part, description: "again" }] };
    }
    const part = readSchema({ $ref: "#/$defs/d40", $defs });
    expect(acceptedBy(part, { a: 1 })).toBe(true);
    expect(acceptedBy(part, { a: "1" })).toBe(false);
    expect(findIssues(part, { a: "1" })).toMatchObject([{ path: "/a" }]);
  });

  test("that doubles at every level of a value is checked in time", () => {
    const again = { properties: { next: { $ref: "#" }, last: { type: "integer" } } };
    const part = readSchema({ allOf: [again, { ...again, title: "other" }] });
    const nested = (last: JsonValue) => {
      let deep: JsonValue = { last };
      for (let level = 0; level < 60; level++) deep = { next: deep };
      return deep;
    };
    expect(acceptedBy(part, nested(5))).toBe(true);
    expect(acceptedBy(part, nested("5"))).toBe(false);
    const paths = findIssues(part, nested("5")).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set([`${"/next".repeat(60)}/last`]));
  });

  test("of a union reports the faults of the tagged branch", () => {
    const circle = {
      properties: { kind: { const: "circle" }, radius: { type: "number" } },
      required: ["kind", "radius"],
    };
    const square = {
      properties: { kind: { const: "square" }, side: { type: "number" } },
      required: ["kind"],
    };
    const part = readSchema({ oneOf: [circle, square].map((one) => ({ type: "object", ...one })) });
    expect(findIssues(part, { kind: "circle" })).toMatchObject([
      { path: "/radius", code: "required" },
    ]);
    expect(findIssues(part, { kind: "square", side: "5" })).toMatchObject([{ path: "/side" }]);
    expect(findIssues(part, { kind: "circus" })).toMatchObject([{ path: "", code: "oneOf" }]);
  });

  test("with ten thousand choices, or a list of unique elements, uses a lookup", () => {
    const choices = Array.from({ length: 10_000 }, (_, index) => `choice ${index}`);
    const items = { enum: choices };
    const part = readSchema({ type: "array", items, uniqueItems: true });
    expect(acceptedBy(part, choices)).toBe(true);
    expect(findIssues(part, [...choices, "choice 0"])).toMatchObject([{ code: "uniqueItems" }]);
  });
});

function freeze(given: JsonObject): JsonObject {
  for (const child of Object.values(given))
    if (typeof child === "object" && child !== null) freeze(child as JsonObject);
  return Object.freeze(given);
}
