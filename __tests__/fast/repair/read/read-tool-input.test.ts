import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { DEFAULT_LIMITS, OverLimit } from "#src/repair/limits.ts";
import { readToolInput } from "#src/repair/read/read-tool-input.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";

const schema = compileSchema(z.object({ selector: z.string() }));
const policy = {
  toolName: "click",
  level: "safe",
  limits: DEFAULT_LIMITS,
  fixers: [],
  objectAsText: false,
  undeclaredKeys: "repair",
  edits: {},
} as const;

const read = (raw: unknown, about = {}, limits = {}) =>
  readToolInput(raw, schema, { ...policy, limits: { ...DEFAULT_LIMITS, ...limits } }, about);

describe("whether bare text came as a string of JSON is told", () => {
  test.each<[text: string, isQuoted: true | undefined]>([
    ['"#buy"', true],
    [' "#buy" ', true],
    ["#buy", undefined],
    ['"half', undefined],
    ['{"selector": "#buy"}', undefined],
    ['"{\\"selector\\": \\"#buy\\"}"', undefined],
  ])("%s", (text, isQuoted) => {
    const result = read(text);
    expect(result.ok && result.isQuoted).toBe(isQuoted);
  });
});

describe("a key that is written twice with different values is told", () => {
  test.each([
    ['{"a": 1, "a": 2}', true],
    ['{"x": [{"a": 1, "b": 1, "a": "1"}]}', true],
    ['{"a": [1], "a": [ 1 ]}', false],
    ['{"a": 1, "b": {"a": 2}}', false],
    ['{"a": "\\"a\\": 1", "b": 2}', false],
  ])("%s: %s", (text, hasTwins) => {
    const result = read(text);
    expect(result.ok && result.hasTwinKeys()).toBe(hasTwins);
  });
});

describe("limits hold while text is read", () => {
  const text = `{'a': [${"1, ".repeat(5_000)}]}`;

  test("of steps", () => {
    const limit = { name: "maxSteps", value: 1_000 };
    expect(read(text, {}, { maxSteps: 1_000 })).toMatchObject({ ok: false, limit });
    expect(read(text)).toMatchObject({ ok: true });
  });

  test("of time", () => {
    const limit = { name: "timeoutMs", value: 0 };
    expect(read(text, {}, { timeoutMs: 0 })).toMatchObject({ ok: false, limit });
  });

  test("of whoever counts along", () => {
    let steps = 0;
    const step = () => {
      steps += 1;
      if (steps === 10) throw new OverLimit("maxSteps", 10);
    };
    expect(read(text, { step })).toMatchObject({ ok: false, limit: { value: 10 } });
    expect(steps).toBe(10);
  });
});
