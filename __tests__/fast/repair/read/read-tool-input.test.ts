import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { DEFAULT_LIMITS, OverLimit } from "#src/repair/policy.ts";
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

const read = (raw: unknown, about = {}) => readToolInput(raw, schema, policy, about);

describe("a duplicate key with different values is reported", () => {
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

describe("limits apply while text is read", () => {
  const text = `{'a': [${"1, ".repeat(5_000)}]}`;

  test("each value is one step, and an error thrown by the step stops the reader", () => {
    let steps = 0;
    const step = () => {
      steps += 1;
      if (steps === 10) throw new OverLimit("maxSteps", 10);
    };
    expect(() => read(text, { step })).toThrow(OverLimit);
    expect(steps).toBe(10);
    expect(read(text)).toMatchObject({ ok: true });
  });

  test.each([{ maxSteps: 1_000 }, { timeoutMs: 0 }])(
    "a repair beyond %j is rejected",
    async (limits) => {
      const tool = { name: "list", schema: z.object({ a: z.array(z.number()) }) };
      const [[name, value] = []] = Object.entries(limits);
      expect(await repairToolInput(text, tool, { limits })).toMatchObject({
        ok: false,
        error: { limit: { name, value } },
      });
    },
  );
});
