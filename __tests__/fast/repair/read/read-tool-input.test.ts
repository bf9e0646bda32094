import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { DEFAULT_LIMITS, OverLimit } from "#src/repair/limits.ts";
import { readToolInput } from "#src/repair/read/read-tool-input.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import type { RepairLevel, RepairLimits } from "#src/repair/types.ts";

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

describe("what an input is, before it is repaired", () => {
  const takesText = compileSchema(z.string());
  const readAt = (level: RepairLevel, raw: unknown, known = {}) =>
    readToolInput(raw, schema, { ...policy, level }, known);
  const within = (limits: Partial<RepairLimits>, raw: unknown, compiled = schema) => {
    const limited = { ...policy, limits: { ...DEFAULT_LIMITS, ...limits } };
    return readToolInput(raw, compiled, limited, {});
  };
  const cutOff = {
    ok: false,
    issue: {
      path: "",
      code: "cut_off",
      message: "cut off before the end: what is missing is not known",
    },
  };

  test.each<[raw: unknown, value: unknown]>([
    [undefined, null],
    [{ selector: "#buy" }, { selector: "#buy" }],
    ['{"selector": "#buy"}', { selector: "#buy" }],
    [" 5 ", 5],
    ["true", true],
    // as text, a number loses nothing of how it is written
    ["1.0", "1.0"],
    ["12345678901234567890", "12345678901234567890"],
    ["#buy", "#buy"],
  ])("%j is read without a repair", (raw, value) => {
    const result = read(raw);
    expect(result).toMatchObject({ ok: true, value, repairs: [] });
    expect(result).not.toHaveProperty("unread");
  });

  test.each(['{"selector": "#buy"}', "{'selector': '#buy'}", "5", "plain words"])(
    "a tool that takes text receives %j unchanged",
    (raw) => {
      const result = readToolInput(raw, takesText, policy, {});
      expect(result).toMatchObject({ ok: true, value: raw, repairs: [] });
      expect(readToolInput(raw, takesText, policy, { truncated: true })).toEqual(cutOff);
    },
  );

  test("a text is read at the length that the limit allows, and rejected one character beyond", () => {
    const raw = '{"selector": "#buy"}';
    expect(within({ maxLength: raw.length }, raw)).toMatchObject({ ok: true });
    const maxLength = raw.length - 1;
    const beyond = {
      ok: false,
      issue: {
        path: "",
        code: "limit",
        message: `20 characters long, over the limit of ${maxLength} (option limits.maxLength)`,
      },
      limit: { name: "maxLength", value: maxLength },
    };
    expect(within({ maxLength }, raw)).toEqual(beyond);
    expect(within({ maxLength }, raw, takesText)).toEqual(beyond);
  });

  test.each<[what: string, raw: unknown]>([
    ["an object", { a: { b: { c: 1 } } }],
    ["text with a fault", "{'a': {'b': {'c': 1}}}"],
  ])("%s that is nested too deeply is rejected", (_, raw) => {
    expect(within({ maxDepth: 3 }, raw)).toMatchObject({ ok: true });
    expect(within({ maxDepth: 2 }, raw)).toMatchObject({
      ok: false,
      limit: { name: "maxDepth", value: 2 },
    });
  });

  test("closing brackets are added at eager, and nowhere else", () => {
    const raw = '{"selector": {"css": "#buy"';
    const after = { selector: { css: "#buy" } };
    const issue = { code: "cut_off", fault: "open_bracket", line: 1, column: raw.length + 1 };
    expect(readAt("eager", raw)).toMatchObject({
      ok: true,
      value: after,
      repairs: [{ fixer: "close-brackets", path: "", before: raw, after, level: "eager" }],
      truncated: true,
      mustKeepForm: true,
      issue,
    });
    for (const level of ["safe", "strict"] as const) {
      expect(readAt(level, raw)).toMatchObject({ ok: false, issue });
    }
    expect(readAt("eager", raw, { truncated: true })).toMatchObject({ ok: false, issue });
    expect(readAt("eager", '{"selector": "#bu')).toMatchObject({
      ok: false,
      issue: { code: "cut_off", fault: "open_string" },
    });
  });

  test.each<[raw: unknown]>([
    ["5"],
    ["#buy"],
    ["{'selector': '#buy'}"],
    ['{"selector": 1/6}'],
    [{ selector: "#buy" }],
    [undefined],
  ])("%j is rejected where the provider says that the output was cut off", (raw) => {
    expect(read(raw, { truncated: true })).toEqual(cutOff);
  });

  test("whole JSON is read though the provider says that the output was cut off", () => {
    const result = read('{"selector": "#buy"}', { truncated: true });
    expect(result).toMatchObject({ ok: true, value: { selector: "#buy" }, repairs: [] });
  });

  test("several values are rejected with the place of the second", () => {
    expect(read('{"selector": "a"} {"selector": "b"}')).toMatchObject({
      ok: false,
      issue: {
        path: "",
        code: "several",
        message:
          "several JSON values: a second value follows the first. Send one object in each call.",
        line: 1,
        column: 19,
      },
    });
  });

  test("unusable JSON is kept as text, with its issue", () => {
    const raw = '{"selector": 1/6}';
    expect(read(raw)).toMatchObject({
      ok: true,
      value: raw,
      repairs: [],
      unread: true,
      issue: { code: "not_json", message: expect.stringMatching(/^not valid JSON: /), column: 14 },
    });
  });

  test("JSON that was parsed already is repaired by parsing it again", () => {
    const before = '{"selector": "#buy"}';
    const after = { selector: "#buy" };
    const repair = { fixer: "parse-json", path: "", before, after, level: "strict" };
    expect(read(before, { parsed: true })).toMatchObject({ value: after, repairs: [repair] });
    for (const text of ["5", '"x"', "null"]) {
      expect(read(text, { parsed: true })).toMatchObject({ ok: true, value: text, repairs: [] });
    }
  });

  test("what JSON.parse returned is not parsed again", () => {
    const value = { selector: "#sell" };
    expect(read('{"selector": "#buy"}', { exact: { value } })).toMatchObject({ ok: true, value });
  });

  test("numbers inside strings count unless the text is plain JSON", () => {
    const spellingsIn = (raw: unknown) => {
      const result = readAt("eager", raw);
      return result.ok ? [...result.numbers().spellings] : undefined;
    };
    expect(spellingsIn('{"a": "version 3.10"}')).toEqual([]);
    expect(spellingsIn({ a: "version 3.10" })).toEqual([]);
    expect(spellingsIn('{"a": "version 3.10",}')).toEqual([[3.1, "3.10"]]);
    expect(spellingsIn('{"a": "version 3.10"')).toEqual([[3.1, "3.10"]]);
  });

  test("an object has no key twice", () => {
    const result = read({ a: '{"a": 1, "a": 2}' });
    expect(result.ok && result.hasTwinKeys()).toBe(false);
  });

  test("an element that names a field of the tool is its argument", () => {
    expect(read("<parameter=selector>#buy</parameter>")).toMatchObject({
      ok: true,
      value: { selector: "#buy" },
      repairs: [{ fixer: "json-syntax", level: "safe" }],
    });
    expect(read("<parameter=color>red</parameter>")).toMatchObject({
      unread: true,
      issue: { fault: "unknown_element", column: 1 },
    });
  });

  test("the name of the tool may stand before the arguments, not that of another", () => {
    expect(read('click {"selector": "#buy"}')).toMatchObject({ value: { selector: "#buy" } });
    expect(read('press {"selector": "#buy"}')).toMatchObject({ unread: true });
  });
});

describe("the issue with a text says where it is", () => {
  test.each<[text: string, line: number, column: number, near: string]>([
    ['{"a": 1/6}', 1, 7, '{"a": →1/6}'],
    ['{"a": 1,\n"b": 1/6}', 2, 6, '{"a": 1, "b": →1/6}'],
    ['{"a": 1,\n\n  "b": 1/6}', 3, 8, '{"a": 1,   "b": →1/6}'],
    ['{\n"a": 1,\n"b":\n1/6}', 4, 1, '{ "a": 1, "b": →1/6}'],
    ['{"a": 1,\n"b":\n1/6,\n"c": 2\n}', 3, 1, '{"a": 1, "b": →1/6, "c": 2 }'],
    ['find {"a": 1}', 1, 1, '→find {"a": 1}'],
    ['\n{"a": "x', 2, 9, ' {"a": "x→'],
    // 20 characters before it and 30 behind it are shown whole
    [`{"a": "${"x".repeat(5)}", "b": 1/6}`, 1, 21, `{"a": "xxxxx", "b": →1/6}`],
    [`{"a": "${"x".repeat(6)}", "b": 1/6}`, 1, 22, `…"a": "xxxxxx", "b": →1/6}`],
    [`{"a": 1/6, "b": "${"x".repeat(17)}"}`, 1, 7, `{"a": →1/6, "b": "${"x".repeat(17)}"}`],
    [`{"a": 1/6, "b": "${"x".repeat(18)}"}`, 1, 7, `{"a": →1/6, "b": "${"x".repeat(18)}"…`],
    // signs that would not be seen are a space
    ['{"b": "\u202e\u0000\r\n", "a": 1/6}', 2, 9, '{"b": " ", "a": →1/6}'],
  ])("%j: line %i, column %i", (text, line, column, near) => {
    const result = read(text);
    expect(result.issue).toMatchObject({ line, column, near });
  });

  test("a text that ends too early is cut off, with what to do", () => {
    for (const raw of ['{"a": "x', '{"a": [1,', '{"a": ', "<think>x"]) {
      expect(read(raw)).toMatchObject({ ok: false, issue: { code: "cut_off" } });
    }
  });
});
