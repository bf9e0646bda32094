import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { coerceTo } from "toolmend/fixers";
import { z } from "zod";
import { DEFAULT_LIMITS } from "#src/repair/policy.ts";
import { readToolInput } from "#src/repair/read/read-tool-input.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import { blobFormats } from "#src/repair/text-calls/formats.ts";
import { matchText, readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { readArguments } from "#src/repair/text-calls/readers.ts";

function spellingsOf(raw: unknown): [number, string | undefined][] {
  const policy = {
    toolName: "call",
    level: "safe",
    limits: DEFAULT_LIMITS,
    fixers: [],
    objectAsText: false,
    undeclaredKeys: "repair",
    edits: {},
  } as const;
  const read = readToolInput(raw, compileSchema(z.object({})), policy, {});
  return read.ok ? [...read.numbers().spellings] : [];
}

describe("a number keeps its spelling", () => {
  test.each<[raw: unknown, spellings: [number, string | undefined][]]>([
    ['{"version": 3.10, "count": 5}', [[3.1, "3.10"]]],
    [
      '{"sha": 12345e10, "zero": 0e12}',
      [
        [123450000000000, "12345e10"],
        [0, "0e12"],
      ],
    ],
    [
      "{phone: +4930123, color: 0xFF0000}",
      [
        [4930123, "+4930123"],
        [16711680, "0xFF0000"],
      ],
    ],
    ['{"a": 1.0, "b": 1.00}', [[1, undefined]]],
    ['{"a": 1.0, "b": 1}', [[1, undefined]]],
    ['{"a": "in 3.10 and \\"3.10", "b": 5}', []],
    [{ args: '{"version": 3.10}' }, [[3.1, "3.10"]]],
    [{ args: '{"version": 3.10}', version: 3.1 }, [[3.1, undefined]]],
    [{ name: "x", arguments: { n: 3.1 }, text: "from 3.10 on" }, []],
    [JSON.stringify(JSON.stringify({ args: '{"version": 3.10}' })), [[3.1, "3.10"]]],
  ])("%j", (raw, spellings) => {
    expect(spellingsOf(raw)).toEqual(spellings);
  });
});

test("many quotes in a string take no quadratic time", () => {
  const start = performance.now();
  spellingsOf(JSON.stringify({ text: '"'.repeat(50_000), n: "1.50" }));
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each([{ args: "\n[0.0000001]" }, '{"args": "\\n[0.0000001]"}'])(
  "a line break may stand before JSON in a string: %j",
  (raw) => {
    expect(spellingsOf(raw)).toEqual([[1e-7, "0.0000001"]]);
  },
);

describe("a number that a double cannot hold is rejected at any path", () => {
  const find = { name: "find", schema: z.object({ id: z.number() }) };
  const list = { name: "list", schema: z.object({ ids: z.array(z.number()) }) };

  test.each<[string, unknown]>([
    ["in JSON text", '{"id": 12345678901234567890}'],
    ["in text with a fault", "{'id': 12345678901234567890}"],
    ["with a fraction, in text with a fault", "{'id': 12345678901234567.5}"],
    [
      "in arguments that were stringified",
      { name: "find", arguments: '{"id": 12345678901234567890}' },
    ],
    [
      "in such arguments, as text",
      '{"name":"find","arguments":"{\\"id\\": 12345678901234567890}"}',
    ],
    ["in text that was encoded twice", JSON.stringify('{"id": 12345678901234567890}')],
    ["as text", { id: "12345678901234567890" }],
    ["so small that nothing is left", { id: "1e-400" }],
    ["so small that nothing is left, as JSON text", '{"id": 1e-400}'],
    ["so large that it is infinite", '{"id": 1e400}'],
  ])("%s", async (_, raw) => {
    for (const level of ["safe", "eager"] as const) {
      expect(await repairToolInput(raw, find, { level })).toMatchObject({ ok: false });
    }
  });

  test("a number in a stringified list keeps its spelling", async () => {
    const raw = { ids: "[12345678901234567890]" };
    expect(await repairToolInput(raw, list, { level: "eager" })).toMatchObject({ ok: false });
  });

  test("the issue says which number, where and what it would become", async () => {
    const result = await repairToolInput('{"id": 12345678901234567890}', find);
    expect(result.ok ? [] : result.error.issues).toEqual([
      {
        path: "/id",
        code: "inexact_number",
        message:
          "12345678901234567890 has more digits than a number holds; it would become 12345678901234567000",
        expected: "a number that a double holds",
        received: "12345678901234567890",
      },
    ]);
  });

  test("fixers convert no text that would lose its spelling", async () => {
    const fixed = async (fixer: ReturnType<typeof coerceTo>, input: never) =>
      fixer(input, {} as never);
    expect(
      await fixed(coerceTo("/a", "number"), { a: "0.12345678901234567891" } as never),
    ).toBeUndefined();
    expect(await fixed(coerceTo("/a", "integer"), { a: "1e5" } as never)).toBeUndefined();
  });

  test.each(["find(id=12345678901234567890)", "find(id=007)", "find(id=[1, 1e-400])"])(
    "a number in a Python call keeps its spelling: %s",
    async (text) => {
      const [call] = readTextCalls(text, [find])?.calls ?? [];
      const tool = text.includes("[")
        ? { ...find, schema: z.object({ id: z.array(z.number()) }) }
        : find;
      const result = call === undefined ? { ok: false } : await repairToolInput(call.args, tool);
      expect(result.ok).toBe(false);
    },
  );

  test("a fraction in valid JSON passes, however long", async () => {
    const result = await repairToolInput('{"id": 0.1234567890123456789}', find);
    expect(result).toMatchObject({ ok: true, repairs: [] });
  });

  test("1e5 for an integer may be an id", async () => {
    const account = { name: "find", schema: z.object({ id: z.int() }) };
    expect(await repairToolInput({ id: "1e5" }, account)).toMatchObject({ ok: false });
  });
});

test.each<[text: string, args: unknown]>([
  ['{"name": "f", "arguments": {"version": 3.10}}', '{"version": 3.10}'],
  ['{"name": "f", "arguments": {"id": 12345678901234567890}}', '{"id": 12345678901234567890}'],
  ['{"name": "f", "arguments": {"n": 5, "s": ["a", null]}}', { n: 5, s: ["a", null] }],
  ['{"name": "f", "arguments": {"n": 5, "t": "version 3.10"}}', { n: 5, t: "version 3.10" }],
])("a call in text keeps the spelling of its numbers: %s", (text, args) => {
  const calls = matchText(text, blobFormats).flatMap((matched) => matched.calls);
  expect(calls.map(readArguments)).toEqual([args]);
});

test("a call in text keeps each spelling of one number", () => {
  const [matched] = matchText('{"name": "f", "arguments": {"a": 1.0, "b": 1}}', blobFormats);
  expect(matched?.calls.map(readArguments)).toEqual(['{"a": 1.0, "b": 1}']);
});
