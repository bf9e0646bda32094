import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { JsonValue } from "#src/repair/types.ts";
import { parseText } from "../../../support/repair/read/parse-text.ts";
import { runsAll } from "../../../support/tier.ts";

const safe = { level: "safe" } as const;
const strict = { level: "strict" } as const;
const raw = String.raw;

describe("text that is JSON", () => {
  test.each<[string, JsonValue]>([
    ['{"a": 1}', { a: 1 }],
    ["[1, 2]", [1, 2]],
    [' \ufeff {"a": 1}\u00a0\n', { a: 1 }],
    ["5", 5],
    ["true", true],
    ["null", null],
    ['"#buy"', "#buy"],
    ['"{"', "{"],
    ['"[data-x]"', "[data-x]"],
    ['"[see above"', "[see above"],
    ['{"a": 1, "a": 2}', { a: 2 }],
  ])("%s is parsed without repairs, at every level", (text, value) => {
    for (const options of [safe, strict]) {
      expect(parseText(text, options)).toEqual({ kind: "value", value, repairs: [] });
    }
  });

  test.each(["", "  \n"])("%j is the empty string", (text) => {
    expect(parseText(text, safe)).toEqual({ kind: "value", value: "", repairs: [] });
  });

  test.each<[string, string]>([
    [JSON.stringify('{"a":1}'), '{"a":1}'],
    [JSON.stringify(JSON.stringify('{"a":1}')), JSON.stringify('{"a":1}')],
    [JSON.stringify("{'a': 1,}"), "{'a': 1,}"],
  ])("%s, encoded twice or more, is unwrapped", (text, before) => {
    expect(parseText(text, safe)).toEqual({
      kind: "value",
      value: { a: 1 },
      repairs: [{ fixer: "parse-json", path: "", before, after: { a: 1 }, level: "safe" }],
    });
    expect(parseText(text, strict)).toMatchObject({ value: before, repairs: [] });
  });

  test("a key that could reach a prototype becomes a plain own key", () => {
    const parsed = parseText('{"__proto__": {"polluted": 1},}', safe);
    expect(parsed.kind === "value" && Object.keys(parsed.value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("text that is not JSON", () => {
  test.each([
    "#buy",
    "click the button",
    "key: value",
    'a[href="x"]',
    "[disabled]",
    "[INFO] started",
    "[link](https://example.com)",
    "Hello {name}",
    "{name}",
    "{{name}}",
    "div{color:red}",
    '[data-id="5"]',
    "[role=button]",
    "f(x)[0]",
    "div { color: red }",
    "[1] see the note",
    "(see above)",
    "```\nplain words\n```",
    "a: 1\nb: 2",
    "  padded  ",
    // items in two kinds of quotes, without a comma, or only one
    "'a', \"b\"",
    '"a, x" "b"',
    "'a'",
    "'a', b",
    '"a" and "b"',
    "'a', 'b' and 'c'",
    "'a', 'b",
  ])("%s stays that string", expectUntouched);
});

describe("syntax faults are repaired", () => {
  test.each<[fault: string, text: string, value: JsonValue]>([
    ["15 trailing comma", '{"a": [1, 2,],}', { a: [1, 2] }],
    ["16 missing comma", '{"a": 1 "b": "x"\n"c": ["y" "z"]}', { a: 1, b: "x", c: ["y", "z"] }],
    ["18 single quotes", "{'a': 'its', 'b': 'say \\'hi\\''}", { a: "its", b: "say 'hi'" }],
    ["19 unquoted keys", "{a: 1, $b_2: 'x'}", { a: 1, $b_2: "x" }],
    ["20 unquoted string", '{"a": York, "b": #buy}', { a: "York", b: "#buy" }],
    ["20 unquoted items", "[red, green]", ["red", "green"]],
    ["20 unquoted items inside", '{"a": [red, green-ish]}', { a: ["red", "green-ish"] }],
    ["21 smart quotes", "{“a”: “it’s”, ”b”: ‘x’}", { a: "it’s", b: "x" }],
    ["22 low opening quote", '{"a": „x", "b": „y“}', { a: "x", b: "y" }],
    ["23 backticks", "{`a`: `x`}", { a: "x" }],
    ["24 Python literals", '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
    ["25 tuples", '{"a": (1, 2), "b": (1,)}', { a: [1, 2], b: [1] }],
    ["25 a tuple alone", "('a', 'b')", ["a", "b"]],
    ["26 undefined", '{"a": undefined, "b": 1}', { a: null, b: 1 }],
    ["27 comments", '{"a": 1, // --\n"b": /**/ 2, #\n"c": 3}', { a: 1, b: 2, c: 3 }],
    ["27 comment after the last", '{"a": "x", // ---\n}', { a: "x" }],
    ["27 no comment in a string", "{'a': 'http://x # y /* z */'}", { a: "http://x # y /* z */" }],
    ["28 code fence", '```json\n{"a": 1}\n```', { a: 1 }],
    ["28 code fence not closed", '```\n{"a": 1,}', { a: 1 }],
    ["28b fence in a string", '```\n{"a": "```js\\nx\\n```"}\n```', { a: "```js\nx\n```" }],
    ["28b fence in a bare string", '{"a": "```js\nx\n```"}', { a: "```js\nx\n```" }],
    ["30 thoughts", '<think>{"a": 2} or</think>\n{"a": 1}', { a: 1 }],
    ["31 doubled braces", '{{"a": {{"b": 1}}}}', { a: { b: 1 } }],
    ["31 doubled outside only", '{{"a": {"b": 1}}}', { a: { b: 1 } }],
    ["37 other separators", '{a="x"; "b" => 2; c: 3}', { a: "x", b: 2, c: 3 }],
    ["39 other spaces", '{\u00a0"a":\u30001,\ufeff"b": 2,}', { a: 1, b: 2 }],
    ["40 a key twice, same value", '{"a": [1], "a": [ 1 ],}', { a: [1] }],
    ["41 numbers", '{"a": 0x1F, "b": +5, "c": 1_000, "d": -.5}', { a: 31, b: 5, c: 1000, d: -0.5 }],
    ["41 a point without a fraction", '{"a": 5., "b": -2.}', { a: 5, b: -2 }],
    ["20 unquoted address", '{"a": https://x.io/?q=1, "b": 2}', { a: "https://x.io/?q=1", b: 2 }],
    ["20 a bare date", '{"a": 2024-10-18, "b": 1}', { a: "2024-10-18", b: 1 }],
    [
      "20 a bare UUID",
      '{"a": 57eeeeb1-450b-4b1c-9d5e-0123456789ab}',
      { a: "57eeeeb1-450b-4b1c-9d5e-0123456789ab" },
    ],
    ["20 a bare path", '{"a": /etc/passwd, "b": 1}', { a: "/etc/passwd", b: 1 }],
    ["20 a bare greeting", '{"a": hello!, "b": 1}', { a: "hello!", b: 1 }],
    ["27 comments that touch", '{"a":"b"/* = */,"d":1/* = */}', { a: "b", d: 1 }],
    ["27 comment of a page", '{"a": "b" <!-- -->, <!-- - --> "e": 1}', { a: "b", e: 1 }],
    ["41 leading zeros are kept", '{"a": 007}', { a: "007" }],
    ["78 large integers are kept", '{"a": 12345678901234567890,}', { a: "12345678901234567890" }],
    [
      "78 in an object of plain JSON",
      '[{"a": 12345678901234567890},]',
      [{ a: "12345678901234567890" }],
    ],
    [
      "32 a plain object in a list",
      '[{"a": [1, "}"], "b": 2}, {"c": {}},]',
      [{ a: [1, "}"], b: 2 }, { c: {} }],
    ],
    ["44 missing opening quote", '{"a": "x",b": "y"}', { a: "x", b: "y" }],
    ["45 raw control characters", '{"a": "x\n\ty\u0001"}', { a: "x\n\ty\u0001" }],
    ["46 brackets in strings", "{'a': '{', 'b': '}'}", { a: "{", b: "}" }],
    ["46 quotes in a string", '{"a": "He said "hi" to me"}', { a: 'He said "hi" to me' }],
    ["46 quotes at its ends", '{"a": ""hi", she said", "b": 1}', { a: '"hi", she said', b: 1 }],
    ["46 an apostrophe", "{'a': 'it's', 'b': 1}", { a: "it's", b: 1 }],
    ["47 regular expression", raw`{"a": "^\d+\b\.$"}`, { a: raw`^\d+\b\.$` }],
    ["47 Windows path", raw`{"a": "C:\Users\new\temp"}`, { a: raw`C:\Users\new\temp` }],
    ["47 mixed escapes", raw`{"a": "C:\users\new"}`, { a: raw`C:\users\new` }],
    ["47 \\'", raw`{"a": "it\'s"}`, { a: "it's" }],
    ["48 broken \\u", raw`{"a": "\u6수"}`, { a: raw`\u6수` }],
    ["48 a letter that needs no escape", raw`{"a": "\u5317\京"}`, { a: "北京" }],
    ["49 all quotes escaped", raw`{\"a\": \"b\"}`, { a: "b" }],
    ["49 the quotes of a value escaped", raw`{"a": \"b\"}`, { a: "b" }],
    ["53 leaked tag", '{"a": 1}</parameter>', { a: 1 }],
    ["45 line breaks in two signs", raw`{\n  "a": 1,\n  "b": "x"\n}`, { a: 1, b: "x" }],
    ["54 a list with the separators of another script", '{"a": ["x"、"y"]}', { a: ["x", "y"] }],
    ["54 fullwidth", '｛"a"：1，"b"：［"，"］｝', { a: 1, b: ["，"] }],
    ["90 items without a list", "'a b','c', 'd'", ["a b", "c", "d"]],
    ["90 items in double quotes", '"a, b", "c"', ["a, b", "c"]],
    ["108 stringified in quotes", "'{\"a\": 1}'", { a: 1 }],
    ["108 not escaped", '"{"a": 1}"', { a: 1 }],
  ])("%s: %s", (_, text, value) => {
    expect(parseText(text, safe)).toEqual({
      kind: "value",
      value,
      repairs: [{ fixer: "json-syntax", path: "", before: text, after: value, level: "safe" }],
    });
    expect(parseText(text, strict)).toMatchObject({ kind: "value", value: text, repairs: [] });
  });
});

describe("broken JSON is distinguished from text", () => {
  test.each([
    '{"a": 1/6}',
    '{"selector": NaN}',
    "{selector: 1/6}",
    '"selector": 1/6}',
    raw`{\"a\": 1/6}`,
    "{&quot;a&quot;: 1/6}",
    '["a", 1/6]',
    "[1,,2]",
    'I will use {"selector": "x"}',
    "I will use {'selector': 'x'}",
    "I will use {selector: 'x'}",
    'Choose one of: ["#a", "#b"]',
    'click({"selector": "#buy"})',
    'x = {"a": 1}',
    'Use this: {"a": 1,}',
    "curl -d '{\"a\": 1}' example.com",
    "<think>Only thoughts.</think>",
    "<think>Which one?</think>\n#buy",
  ])("%s", expectUnread);

  test("brackets nested deeper than any limit are not read", () => {
    const text = `${"[".repeat(300)}${"]".repeat(299)},]`;
    expect(parseText(text, safe)).toMatchObject({ value: text, unread: true });
  });

  test("brackets nested too deep in a JSON string are not read", () => {
    const value = '{"a": 1/6}';
    const text = JSON.stringify(value);
    const parsed = { kind: "value", value, repairs: [], unread: true };
    expect(parseText(text, safe)).toEqual(parsed);
    expect(parseText(text, strict)).toEqual(parsed);
  });
});

describe("text that the model may not want to run", () => {
  test.each([
    '<think>Option A:\n{"selector": "#delete"}\nNo, that is dangerous…',
    "<think>",
    '<think>a</think><thinking>{"a": 1}',
    'So:\n<think>\n{"a": 1}',
    'Do not use this:\n<think>Dangerous.</think>\n{"selector": "#delete"}',
  ])("an unclosed thought is cut off, at every level: %j", (text) => {
    for (const options of [safe, strict]) {
      const truncated = { kind: "truncated" };
      expect(parseText(text, options)).toEqual(truncated);
    }
  });

  test.each([
    'Do not run this:\n{"selector": "#delete"}\nIt is dangerous.',
    'Not this: {"selector": "#delete"} as it is dangerous',
    '<think>Well.</think>Not this:\n{"selector": "#delete"}\nIt is dangerous.',
  ])("an object between prose is not read: %j", expectUnread);

  test.each([
    '{"a": 1}.',
    '{"a": 1}\n</tool_call><|im_end|>\n',
    'I thought of {"a": 2}.\n</think>\n{"a": 1}',
  ])("an object at the end is read: %j", (text) => {
    expect(parseText(text, safe)).toMatchObject({ kind: "value", value: { a: 1 } });
  });
});

describe("ambiguous or incomplete text stays unchanged", () => {
  test.each([
    '{"a": 1, "a": 2,}', // 40
    '[{"a": 1, "a": 2},]',
    '{"a": [1, 2, ...]}', // 42
    '{"a": 1, ...}',
    '{"a": ["x", ...]}',
    '{"a": {/* the object */}}',
    '{"a": 1,\n/* other fields */\n}',
    '{"a": 1, // ... and so on\n"b": 2}',
    '{"a": NaN}', // 26
    '{"a": -Infinity}',
    '{"a": nil, }',
    '{"a": 2*3}', // 41
    '{"a": 1/6}',
    '{"a": 10-20, "b": 1}',
    '{"a": 12 items, "b": 1}',
    '{"a": 1e999,}',
    '{"a": [1,000,],}',
    '{"a": data["x"], "b": 1}',
    '{"a": f(1)}',
    '{"a": grep -c " f}', // 20
    '{"a": New York, NY}',
    '{"a": York.}',
    '{"a": [red, green, etc.]}',
    '{"a": [red, green, ...]}',
    '{"a": [red, green, …]}',
    '{"a": [red, green, and more]}',
    '["red", "green", etc]',
    '{, "a": 1}',
    '{"a" 1, "b" {"c" "d"}}',
    '{"a": ["x", "y"}',
    '{"a": [{"b": 1], "c": 2}',
    '"a": 1, "b": "x"}',
    '{"a": "{"b": "c"}", "d": 1}',
    '{"a": 2024-10-18T18:35:22Z, "b": 10:30}',
    '{"a": "Hi", she said"}', // 46
    '{"a": "say "hi", b: x"}',
    '{"a": "72" wide", "b": 1}',
    '{"a": ""x""}',
    '{"a": "He said ""hi"" to me"}',
    '{"a": "x" y "b": "z"}',
    '{"a": "b, "c": "d"}',
    raw`{"a": "C:\\Users\me"}`, // 47
    raw`{"a": "\d \"x\""}`,
    raw`{"a": "\d+\n"}`,
    raw`{"a": "\u6수\n"}`,
    raw`{"a": "Price:\n\$5"}`,
    raw`{"a": "https:\/\/x.io\/a\_b"}`,
    raw`{'a': "C:\new\test"}`,
    raw`{'a': "C:\new\Data"}`,
    raw`{'a': "A:\nYes"}`,
    '{"a": New York, "b": 1}', // 20
    '{"a": 5 /* thousands */}', // 27
    '{"a": 5, // per person\n}',
    '{"a": 5 /* 10 */}',
    '{"a": 5 /* ? */}',
    '{"a": ["x"}, "b": 1}', // 33
    '{"a": 1}, "b": 2}',
    '{"a": 1}\n\nLet me know.', // 29
    "```json\n{'a': 1}\n```\nDone.",
    'Here is the input: {"a": 1}',
    raw`{"a": 'x', "b": "echo 'it'\''s'"}`,
    '{"a": }',
    '{"a": , "b": 1}',
    '{"a": ("x")}',
    "[1,,2]",
    '{"a", "b"}',
    '{"a""b"}',
    '{"a": {"b": 1], "c": 2}}', // 33
    '{"a": 1} "b": 2',
    '{"a": "x" + \'y\' +\n"z"}', // 43
    '{"a": "x" + b}',
    '{"a": "2x "+" 1"}',
    '["x "a" b" "c"]',
    '{"a": "x "q" y" "b": 1}',
    '{"a": "{"b": "c", d", "e": 1}',
    "{'a': 1} and more words",
    "{&quot;a&quot;: &quot;x &amp; y&quot;}", // 50
  ])("%s", expectRefused);
});

describe("text that was cut off", () => {
  test.each([
    "{",
    "[",
    '{"a',
    '{"a"',
    '{"a":',
    '{"a": "x',
    '{"a": "x",',
    raw`{"a": "x\"`,
    '{"a": 12',
    '{"a": 12\n',
    '{"a": tru',
    '{"a": nul',
    '{"a": [1, 2',
    "[tr",
    "{'a': 'x",
    "{a: word",
    '{{"a": "x"}',
    '```json\n{"a": 12\n```',
    '```json\n{"a": "x',
    'Here it is: {"a": "x',
    'click({"selector": "#bu',
    "click({'selector': '#bu",
    'click(["#a", "#b',
    'x{"a": "b"',
    'I will use {"selector": "#bu',
    '"{"a": 1',
    raw`"{\"a\": \"x`,
    JSON.stringify('{"a": "x'),
  ])("%s: inside a value", (text) => {
    expect(parseText(text, safe)).toEqual({ kind: "truncated" });
  });

  test.each<[string, JsonValue]>([
    ['{"a": "x"', { a: "x" }],
    ['{"a": true', { a: true }],
    ['{"a": {"b": null\n', { a: { b: null } }],
    ['{"a": {"b": "c"}', { a: { b: "c" } }],
    ['{"a": [[], {"b": "c"}]\n', { a: [[], { b: "c" }] }],
    ['{a: "x", b: {c: "y"', { a: "x", b: { c: "y" } }],
    ['```json\n{"a": "x"', { a: "x" }],
    ['```json\n{"a": "x"\n```', { a: "x" }],
  ])("%s: only closing brackets are missing", (text, completed) => {
    const truncated = { kind: "truncated", completed };
    expect(parseText(text, safe)).toEqual(truncated);
  });

  test.each(['["a", "b"', '{"a": [[], {"b": "c"}\n', "{a: 'x', b: ['y'", '[{"a": 1}', "(1, 2"])(
    "%s: a list that is open is never closed",
    (text) => {
      expect(parseText(text, safe)).toEqual({ kind: "truncated" });
    },
  );

  test.each([
    '{"a": "x',
    '{"a": "x"',
    "{",
    "[1, 2",
    'click({"selector": "#bu',
    'Here: {"selector": "#bu',
  ])("%s: reported at level strict", (text) => {
    expect(parseText(text, strict)).toEqual(parseText(text, safe));
    expect(parseText(text, strict).kind).toBe("truncated");
  });
});

describe("several values", () => {
  test.each(['{"a": 1}{"b": 2}', '{"a": 1}\n{"a": 1}\n', '{"a": 1}, {"b": 2}', "[1] [2]"])(
    "%s is reported at every level",
    (text) => {
      expect(parseText(text, safe)).toEqual({ kind: "several" });
      expect(parseText(text, strict)).toEqual({ kind: "several" });
    },
  );

  test.each([
    '{"a": 1}\nor {"b": 2}',
    '```\n{"a": 1}\n```\n```\n{"b": 2}\n```',
    "{'a': 1} {'b': 2}",
    '{"a": 1}{"b": "cut',
  ])("%s", (text) => {
    expect(parseText(text, safe)).toEqual({ kind: "several" });
  });
});

describe("for any text", () => {
  const anyJson = fc.jsonValue({ maxDepth: 2, stringUnit: "binary" });
  const container = fc
    .oneof(fc.dictionary(fc.string(), anyJson, { minKeys: 1 }), fc.array(anyJson, { minLength: 1 }))
    .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue); // no -0

  test("JSON is parsed as JSON.parse does it, without repairs", () => {
    fc.assert(
      fc.property(container, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parsed = parseText(text, safe);
        expect(parsed).toEqual({ kind: "value", value: JSON.parse(text), repairs: [] });
      }),
    );
  });

  test("JSON cut off anywhere is truncated, and its completion is a part of it", () => {
    fc.assert(
      fc.property(container, fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(text.length < 400);
        const wrong = Array.from({ length: text.length - 1 }, (_, index) =>
          text.slice(0, index + 1),
        ).filter((prefix) => !isToldTruncated(prefix, value));
        expect(wrong).toEqual([]);
      }),
      { numRuns: runsAll ? 30 : 10, seed: 1 },
    );
  });

  test("JSON with one fault gives back the value", () => {
    const faults: ((text: string) => string)[] = [
      (text) => text.replace(/([}\]])$/, ",$1"),
      (text) => `${text}]`,
      (text) => `\`\`\`json\n${text}\n\`\`\``,
      (text) => `{"wrapped":${text},}`,
    ];
    const plain = fc.dictionary(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.jsonValue({ maxDepth: 2 }),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(plain, fc.constantFrom(...faults), (value, fault) => {
        const text = JSON.stringify(value);
        const parsed = parseText(fault(text), safe);
        const expected = JSON.parse(text);
        expect(parsed.kind === "value" && parsed.value).toEqual(
          fault === faults[3] ? { wrapped: expected } : expected,
        );
      }),
    );
  });

  test("the parser never throws, and a string value is the text itself", () => {
    const unit = fc.constantFrom(...Array.from("{}[]()\"'`:,;=+\\/#*.-“”u0a1 \n｛"), "true", "```");
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string()), (text) => {
        const parsed = parseText(text, safe);
        if (parsed.kind !== "value" || parsed.repairs.length > 0) return;
        const exact = exactly(text.trim());
        expect(parsed.value).toEqual(exact ?? (text.trim() === "" ? "" : text));
      }),
      { numRuns: runsAll ? 1000 : 300, seed: 1 },
    );
  });
});

function expectUntouched(text: string): void {
  const parsed = parseText(text, safe);
  expect(parsed).toEqual({ kind: "value", value: text, repairs: [] });
}

function expectUnread(text: string): void {
  for (const options of [safe, strict]) {
    const unread = { kind: "value", value: text, repairs: [], unread: true };
    expect(parseText(text, options)).toEqual(unread);
  }
}

function expectRefused(text: string): void {
  const parsed = parseText(text, safe);
  if (parsed.kind === "truncated") expect(parsed.completed).toBeUndefined();
  else expect(parsed).toEqual({ kind: "value", value: text, repairs: [], unread: true });
}

/** Whether a prefix of JSON is reported as cut off, and its completion is a part of the JSON. */
function isToldTruncated(prefix: string, value: JsonValue): boolean {
  const parsed = parseText(prefix, safe);
  if (parsed.kind !== "truncated") return false;
  const { completed } = parsed;
  return completed === undefined || isPart(completed, value);
}

/** Whether each leaf and key of the part is at the same path in the whole. */
function isPart(part: JsonValue | undefined, whole: unknown): boolean {
  if (part === null || typeof part !== "object") return part === whole;
  return Object.entries(part).every(
    ([key, value]) =>
      Object.hasOwn(whole as object, key) &&
      isPart(value, Object.getOwnPropertyDescriptor(whole, key)?.value),
  );
}

function exactly(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
