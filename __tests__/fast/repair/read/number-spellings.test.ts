import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { coerceTo } from "toolmend/fixers";
import { z } from "zod";
import { DEFAULT_LIMITS } from "#src/repair/limits.ts";
import { roundedNumbers, writtenNumbersOf } from "#src/repair/read/numbers.ts";
import { readToolInput } from "#src/repair/read/read-tool-input.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import { blobFormats } from "#src/repair/text-calls/formats.ts";
import { matchText, readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { readArguments } from "#src/repair/text-calls/readers.ts";
import { expectLinearTime } from "../../../support/growth.ts";

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

describe("a number that String would write otherwise keeps its spelling, wherever it stands", () => {
  test.each<[written: string, number: number]>([
    ["3.10", 3.1],
    ["1.0e5", 100_000],
    ["12345.1234567890", 12345.123456789],
    ["5.", 5],
    ["0.", 0],
    ["1e3", 1000],
    ["1E+3", 1000],
    ["5e-1", 0.5],
    ["0e12", 0],
    ["0x1F", 31],
    ["0X1f", 31],
    ["1_000", 1000],
    ["1_000.25", 1000.25],
    ["1.000_5", 1.0005],
    ["+5", 5],
    ["+.5", 0.5],
    ["-0", 0],
    [".5", 0.5],
    ["-.5", -0.5],
    ["007", 7],
    ["-007", -7],
    ["1234567890123456789", 1234567890123456800],
    ["12345678.123456780", 12345678.12345678],
    ["0.0000001", 1e-7],
    ["-0.0000001", -1e-7],
  ])("%s", (written, number) => {
    for (const text of [
      `{"a": ${written}}`,
      `{'a': ${written}}`,
      `{"a": "[${written}]"}`,
      `{"a": "{\\"b\\": ${written}}"}`,
    ]) {
      expect([text, ...spellingsOf(text)]).toEqual([text, [number, written]]);
    }
  });

  test.each(["1.05", "5.1", "10.05", "100", "1000", "0", "-5", "123456789012345", "0.000001"])(
    "%s is written as String does",
    (written) => {
      for (const text of [`{"a": ${written}}`, `{'a': ${written}}`, `{"a": "[${written}]"}`]) {
        expect([text, ...spellingsOf(text)]).toEqual([text]);
      }
    },
  );

  test.each(["1.2.30", "0x", "1.5.", "1e5e5.0"])("%s is no number", (written) => {
    expect(spellingsOf(`{"a": "[${written}]"}`)).not.toContainEqual([expect.anything(), written]);
  });
});

test.each<[string, boolean]>([
  ["[3.10]", true],
  ["{3.10}", true],
  ["(3.10)", true],
  ["`3.10`", true],
  ["<a>3.10</a>", true],
  [" \\n\\t[3.10]", true],
  ["'[3.10]'", true],
  ['\\"[3.10]\\"', true],
  ["v3.10", false],
  ["see [3.10]", false],
  ["3.10", false],
])("whether a number in the text %j of plain JSON counts: %s", (string, counts) => {
  expect(spellingsOf(`{"a": "${string}"}`)).toEqual(counts ? [[3.1, "3.10"]] : []);
});

describe("digits that a number does not hold are remembered", () => {
  const roundedIn = (raw: unknown) => [...writtenNumbersOf(raw, true).rounded.values()];

  test.each<[written: string, inJson: boolean, inText: boolean]>([
    ["12345678901234567890", true, true],
    ["-12345678901234567890", true, true],
    ["9007199254740993", true, true],
    ["12345678901234567.5", true, true],
    ["1e400", true, true],
    ["-1e400", true, true],
    ["1e-400", true, true],
    ["0e-400", false, false],
    ["0.12345678901234567891", false, true],
    ["-0.12345678901234567891", false, true],
    [".12345678901234567891", false, true],
    ["1.12345678901234567891", false, true],
    // an id with zeros before it is a text
    ["012345678901234567890", true, false],
    ["9007199254740992", false, false],
    ["1000000000000000000000", false, false],
    ["1.50", false, false],
    ["10.0", false, false],
    ["1e3", false, false],
    ["1E21", false, false],
    ["0.0000001", false, false],
    ["1_000", false, false],
  ])("%s: %s as a number of plain JSON, %s as one in a string", (written, inJson, inText) => {
    expect(roundedIn(`{"a": ${written}}`)).toEqual(inJson ? [written] : []);
    expect(roundedIn(`{"a": "[${written}]"}`)).toEqual(inText ? [written] : []);
    expect(roundedIn({ a: `[${written}]` })).toEqual(inText ? [written] : []);
  });

  test("a fraction counts where it stands in a string, though it is a number elsewhere", () => {
    const fraction = "0.12345678901234567891";
    expect(roundedIn(`{"a": ${fraction}, "b": "[${fraction}]"}`)).toEqual([fraction]);
  });

  test("the issue has the path of each of them, and a piece of a long one", () => {
    const digits = "1".repeat(70);
    const raw = `{"a": {"b/c": [1, ${digits}]}, "d": 12345678901234567890}`;
    const issues = roundedNumbers(JSON.parse(raw), writtenNumbersOf(raw, true));
    expect(issues).toMatchObject([
      { path: "/a/b~1c/1", code: "inexact_number", received: expect.stringMatching(/^1{40,60}…?/) },
      { path: "/d", received: "12345678901234567890" },
    ]);
    expect(issues[0]?.received?.length).toBeLessThan(70);
  });
});

test("many quotes in a string are read in linear time", async () => {
  await expectLinearTime(
    (count) => spellingsOf(JSON.stringify({ text: '"'.repeat(count), n: "1.50" })),
    50_000,
  );
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
