import { expect, test } from "@jest/globals";
import { expectLinearTime } from "../../../../support/growth.ts";
import { NO_OBJECTION, testsOf } from "../../../../support/repair/align/edit-tables.ts";
import { integer, object, outcome, text } from "../../../../support/repair/align/run.ts";

const nestKeys = testsOf("nest-keys", "safe");

const deep = object({ a: object({ b: object({ c: text, "d?": text }) }), n: integer });

nestKeys.repairs("keys that spell out a path of declared keys", [
  [
    "of two parts",
    object({ a: object({ b: text }), n: integer }),
    { "a.b": "x", n: 1 },
    { a: { b: "x" }, n: 1 },
  ],
  [
    "of three parts, beside each other",
    deep,
    { "a.b.c": "x", "a.b.d": "y", n: 1 },
    { a: { b: { c: "x", d: "y" } }, n: 1 },
  ],
  [
    "into an object that is there",
    object({ a: object({ b: text, c: text }) }, true),
    { a: { b: "x" }, "a.c": "y" },
    { a: { b: "x", c: "y" } },
  ],
]);

nestKeys.rejects("a place that is taken, not declared, or in brackets", NO_OBJECTION, [
  ["in brackets", deep, { "a[b][c]": "x", n: 1 }],
  ["a last part that is not declared", deep, { "a.b.e": "x", n: 1 }],
  ["a first part that is not declared", deep, { "z.b.c": "x", n: 1 }],
  ["a part more", object({ a: object({ b: text }) }), { "a.b.c": "x" }],
  [
    "a last part that is not declared, before another path",
    deep,
    { "a.b.e": "x", "a.b.c": "y", n: 1 },
  ],
  [
    "a last part that is not declared, of an optional object",
    object({ "a?": object({ "b?": text }), n: integer }, true),
    { "a.e": "x", n: 1 },
  ],
  [
    "an object that is there, where other keys are let through",
    object({ a: object({ "b?": text }), n: { type: "integer", default: 1 } }),
    { a: {}, "a.b": "x" },
  ],
  ["a place that is taken", deep, { "a.b.c": "x", a: { b: { c: "y" } }, n: 1 }],
  ["a place inside of no object", deep, { "a.b.c": "x", a: { b: 5 }, n: 1 }],
  ["a path to the prototype", deep, { "a.b.__proto__": "x", n: 1 }],
  ["a path beside another key", object({ a: object({ b: text }) }, true), { "a.b": "x", c: 5 }],
  [
    "a label with points",
    object({ labels: { type: "object" }, name: text }),
    { "labels.example.org/tier": "web", name: "a" },
  ],
  [
    "a key of a map",
    object({ labels: { type: "object", additionalProperties: text }, name: text }),
    { "labels.app": "web", name: "a" },
  ],
  [
    "a declared key with a point in it",
    object({ user: object({ "name.first": text, name: object({ first: text }) }), n: integer }),
    { "user.name.first": "Ada", n: 1 },
  ],
]);

test("nest-keys: a path has up to 100 signs", async () => {
  const inside = { $ref: "#/$defs/node" };
  const node = { type: "object", properties: { ab: inside, abcd: inside } };
  const schema = { ...node, required: ["ab"], $defs: { node } };
  const path = (length: number) => Array.from({ length }, () => "ab").join(".");
  const longest = `${path(32)}.abcd`;
  expect(longest).toHaveLength(100);
  expect(await outcome(schema, { [longest]: {} })).not.toBe("refused");
  expect(await outcome(schema, { [path(34)]: {} })).toBe("refused");
});

test.each(["safe", "eager"] as const)(
  "nest-keys: a key with a million signs is rejected in linear time at %s",
  async (level) => {
    const schema = object({ u: { type: "object" } });
    await expectLinearTime(async (steps) => {
      const input = { [`u${".a".repeat(steps)}`]: 1 };
      expect(await outcome(schema, input, { level })).toBe("refused");
    }, 500_000);
  },
);

test("nest-keys: a schema whose names share a prefix is not read in every combination", async () => {
  const properties = { a: { $ref: "#" }, "a.a": { $ref: "#" }, "a.a.a": { $ref: "#" } };
  const schema = { type: "object", properties, required: ["b"] };
  expect(await outcome(schema, { [`${"a.".repeat(200)}x`]: 1 })).toBe("refused");
});
