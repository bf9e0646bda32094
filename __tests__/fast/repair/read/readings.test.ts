import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "#src/repair/types.ts";
import { readingOf, type TextReading } from "../../../support/repair/read/reading-of.ts";

const reading = {
  toolName: "find_offers",
  declares: (key: string) => ["query", "q"].includes(key),
};
const read = (text: string) => readingOf(text, { ...reading, level: "safe" });
const readEagerly = (text: string) => readingOf(text, { ...reading, level: "eager" });

describe("one reading is left, and is taken at safe and above", () => {
  test.each<[text: string, reading: TextReading]>([
    ['{"a": "\\u6수"}', { value: { a: "\\u6수" } }],
    ["{'a': \"\\b\"}", { value: { a: "\b" } }],
    ['{"a": \\\\"b\\\\"}', { value: { a: "b" } }],
    ['{"a": "\u0024{x}",}', { value: { a: "\u0024{x}" } }],
    ['{"a": `\\\u0024{x}`}', { value: { a: "\\\u0024{x}" } }],
    ["{'a': '''x\ny'''}", { value: { a: "x\ny" } }],
    ['{"a": `x\\`y`}', { value: { a: "x`y" } }],
    ['{"a": "see C:\\new",}', { value: { a: "see C:\new" } }],
    ['{"a": "C:\\u00zz\\new"}', { value: { a: "C:\\u00zz\\new" } }],
  ])("a backslash in a string: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(readEagerly(text)).toEqual(expected);
  });

  test.each<[text: string, reading: TextReading]>([
    ['{"a": """\n"""}', { value: { a: "\n" } }],
    ['{"a": １２,}', { value: { a: 12 } }],
    ["[[Nummer]]", { value: [["Nummer"]], mustKeepForm: true }],
    ['{"a": 1}.', { value: { a: 1 } }],
    ['{"a": 007}', { value: { a: "007" } }],
    ['{"a": (red,)}', { value: { a: ["red"] } }],
    ["[[1][2]]", { value: [[1], [2]] }],
    ['{"_": x}', { value: { _: "x" } }],
    ["{«a»: 1}", { value: { a: 1 } }],
    ['{"a": [1, 2,],}', { value: { a: [1, 2] } }],
    ['{"a":"b"/* - */}', { value: { a: "b" } }],
    ['{"a": [{"b": 1}, 2]}}', { value: { a: [{ b: 1 }, 2] } }],
    ['[{"a": [1, "}"], "b": 2}, {"c": {}},]', { value: [{ a: [1, "}"], b: 2 }, { c: {} }] }],
    ["{a=>1}", { value: { a: 1 } }],
    ["{0: 1}", { value: { "0": 1 } }],
    ['{"a" = 1}', { value: { a: 1 } }],
    ['{"a": .5}', { value: { a: 0.5 } }],
    ["{{\u201ca\u201d: 1}}", { value: { a: 1 } }],
    ['{"a": 1,,}', { value: { a: 1 } }],
    ['{"a": red\u00a0}', { value: { a: "red" } }],
    ['[1 {"a": 2}]', { value: [1, { a: 2 }] }],
    ['{"a": [1]]}}', { value: { a: [1] }, mustKeepForm: true }],
    ['{"a": \\"b\\"}', { value: { a: "b" } }],
    ['{"a": ["x"、"y"]}', { value: { a: ["x", "y"] } }],
    ["{a: 1, $b_2: 'x'}", { value: { a: 1, $b_2: "x" } }],
    ['{{"a": {"b": 1}}}', { value: { a: { b: 1 } } }],
    ['{"new_name": name}', { value: { new_name: "name" } }],
    ['{"a": "x:y" "b": 1}', { value: { a: "x:y", b: 1 } }],
    ['["a","b", 2024-10-18]', { value: ["a", "b", "2024-10-18"] }],
    ['{"a": (1, 2), "b": (1,)}', { value: { a: [1, 2], b: [1] } }],
    ['{"a": [1], c: "say "x" y"}', { value: { a: [1], c: 'say "x" y' } }],
    ['{"a": 1 "b": "x"\n"c": ["y" "z"]}', { value: { a: 1, b: "x", c: ["y", "z"] } }],
    ['{"z": z2}', { value: { z: "z2" } }],
  ])("brackets, commas, keys and words: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(readEagerly(text)).toEqual(expected);
  });

  test.each<[text: string, reading: TextReading]>([
    ['{"a": "<a href="">b"}', { value: { a: '<a href="">b' } }],
    ['{"a": "x ".5" z"}', { value: { a: 'x ".5" z' } }],
    ['{"a": "ก"x"ข"}', { value: { a: 'ก"x"ข' } }],
    ['["say "x", he", "b"]', { value: ['say "x", he', "b"] }],
    ["{'a': 'A'A'}", { value: { a: "A'A" } }],
    ["['the 80's', 'b']", { value: ["the 80's", "b"] }],
    ["{'a': 'echo 'it'\\''s''}", { value: { a: "echo 'it'''s'" } }],
    ["{'a': 'z'z'}", { value: { a: "z'z" } }],
    ["{'a': '9'9'}", { value: { a: "9'9" } }],
    ['["["x"]", "b"]', { value: ['["x"]', "b"] }],
    ['{"a": ""a" "b""}', { value: { a: '"a" "b"' } }],
    ['{"a": "x、"y" z"}', { value: { a: 'x、"y" z' } }],
    ['{"a": "say "x" y"\\n}', { value: { a: 'say "x" y' } }],
    ['{"a": "say "x" y",\\n"b": 1}', { value: { a: 'say "x" y', b: 1 } }],
    [
      `{"a": "say "x" y", "${"k".repeat(100)}": 1}`,
      { value: { a: 'say "x" y', ["k".repeat(100)]: 1 } },
    ],
  ])("quotes inside a string: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(readEagerly(text)).toEqual(expected);
  });

  test.each<[text: string, reading: TextReading]>([
    ['{"query": "cheap tents"}..', { value: { query: "cheap tents" } }],
    ['{"query": "</think>",}', { value: { query: "</think>" } }],
    ["<TOOLCALL>[1, 2]</TOOLCALL>", { value: [1, 2] }],
    ['{"a": "say "x" y"}\nThought:', { value: { a: 'say "x" y' } }],
    ['```JSON\n{"query": "cheap tents"}\n```', { value: { query: "cheap tents" } }],
    ['```find_offers\n{"query": "cheap tents"}\n```', { value: { query: "cheap tents" } }],
    [
      '```json\n<tool_call>{"query": "cheap tents"}</tool_call>\n```',
      { value: { query: "cheap tents" } },
    ],
    ['json\n\n{"a": 1}', { value: { a: 1 } }],
    ["[think]x[/think][1,]", { value: [1] }],
    ['{"a": 1}<|eot_id|></tool_call>', { value: { a: 1 } }],
    ['<|tool__call|>{"a": 1}', { value: { a: 1 } }],
  ])("what stands around JSON: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(readEagerly(text)).toEqual(expected);
  });

  test.each<[text: string, reading: TextReading]>([
    ['"{a: 1}"', { value: { a: 1 } }],
    ["{'a': 1,}", { value: { a: 1 } }],
    ["'{\"a\": 1}'", { value: { a: 1 } }],
    ["<parameter=query></parameter>", { value: { query: "" } }],
    ['"(1, 2)"', { value: [1, 2] }],
    ["{'a': 'a\\\nb'}", { value: { a: "a\\\nb" } }],
    ['{"a": [[1], 2]}]', { value: { a: [[1], 2] } }],
    ["\n<parameter=q>x</parameter>", { value: { q: "x" } }],
    ['{"a": 1}\n</tool_call><|im_end|>\n', { value: { a: 1 } }],
    ["[/THINK][1,]", { value: [1] }],
    ['{"a": "x\\r\\n\\ty\\f",}', { value: { a: "x\r\n\ty\f" } }],
    ['{\\"a\\": "b"}', { value: { a: "b" } }],
    ['" {\\"a\\": 1,} "', { value: { a: 1 } }],
    ['{\\"a\\": \\"x\ny\\"}', { value: { a: "x\ny" } }],
    ['{\\"a\\": \\"x\\\\\\\\n\\"}', { value: { a: "x\\n" } }],
    ['<think>x</think> y</think>\n{"a": 1}', { value: { a: 1 } }],
  ])("where JSON begins and ends: %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(readEagerly(text)).toEqual(expected);
  });
});

describe("a reading that is less sure is taken at eager only", () => {
  test.each<[text: string, reading: TextReading]>([
    [
      'Thought: x\nAction:find_offers\nAction Input:{"query": "cheap tents"}',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    [
      '{"query": "cheap tents"}\n \t Observation: x',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    ['{"a": {"b": 1}, "c": 2}}', { value: { a: { b: 1 }, c: 2 }, mustFit: true }],
    [
      'Here\u2019s the input: {"query": "cheap tents"}',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    [
      'Thought: x\n  Action: find_offers\nAction Input: {"query": "cheap tents"}',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    [
      'Here is the JSON\n{"query": "cheap tents"}',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    [
      'Here is the JSON ```json\n{"query": "cheap tents"}\n```',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
    ['{"a": 1}\n{"a": 1}\n', { value: { a: 1 }, mustFit: true }],
    ['Input: {"query": "...."}', { value: { query: "...." }, mustFit: true }],
    ['Here is the input: {"a": 1}', { value: { a: 1 }, mustFit: true }],
    ['Input: {"query": "x <b>"}', { value: { query: "x <b>" }, mustFit: true }],
    ['Input: {"query": "<b> x"}', { value: { query: "<b> x" }, mustFit: true }],
    ['Input: {"query": "strings"}', { value: { query: "strings" }, mustFit: true }],
    ['Input: {"query": "a string"}', { value: { query: "a string" }, mustFit: true }],
    [
      'Input: {"query": "cheap tents"}{"query": "cheap tents"}',
      { value: { query: "cheap tents" }, mustFit: true },
    ],
  ])("%s", (text, expected) => {
    expect(read(text)).not.toHaveProperty("value");
    expect(readEagerly(text)).toEqual(expected);
  });
});

test.each(["[1、2]", '("x", red)', '[[["a"], 1]]]', 'a["x', "'(1, 2)'", "'a', 'b',"])(
  "%s is text",
  (text) => {
    expect(read(text)).toBe("text");
  },
);

test.each<[marked: string, completed: JsonValue]>([
  ['{"a": []→', { a: [] }],
  ['{"a": true→', { a: true }],
])("only brackets are missing at the end of %s", (marked, completed) => {
  const expected = { fault: "open_bracket", marked, kind: "truncated", completed };
  expect(read(marked.replace("→", ""))).toEqual(expected);
});
