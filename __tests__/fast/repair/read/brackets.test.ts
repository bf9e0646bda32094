import { describe, expect, test } from "@jest/globals";
import { parseToolInput } from "#src/repair/read/parse-tool-input.ts";

const read = (text: string) => parseToolInput(text, { level: "safe" });

describe("text with mismatched brackets has more than one reading", () => {
  test.each([
    ["a list in a list lacks its end", '{"a": [["x", "y"], ["z"}'],
    ["a list begins twice", '{"a": [["x", "y"]}'],
    ["an object in an object lacks its end", '[{"a": {"b": 1, "c": 2]'],
    ["an object may have ended later", '{"a": {"b": 1}, "c": 2}}'],
    ["an object may have ended later, though it is closed too early", '{"a": {"b": 1}}, "c": 2}'],
    ["an empty object lacks its end", '{"items": [{]}'],
    ["a string may have taken the bracket in", '{"a": ["x]"}'],
    ["a string may have lost the bracket", '{"a": "[x"]}'],
    ["a comma stands before the bracket, and is missing behind it", '{"a": {"b": 1,} "c": 2}'],
    ["two kinds of separators", '{"l": [1,5; 2,5]}'],
  ])("%s: %s", (_, text) => {
    const parsed = read(text);
    if (parsed.kind === "truncated") expect(parsed.completed).toBeUndefined();
    else expect(parsed.kind === "value" && parsed.repairs).toEqual([]);
  });
});

test.each([
  ['["red", green]', ["red", "green"]],
  ['{"a": [1, 2]; "b": 3, "c": "x"}', { a: [1, 2], b: 3, c: "x" }],
  ['{"a": 1, "b": true; "c": {"d": "x"}}', { a: 1, b: true, c: { d: "x" } }],
])("a fault between tokens leaves one reading: %s", (text, value) => {
  expect(read(text)).toMatchObject({ kind: "value", value, repairs: [{ fixer: "json-syntax" }] });
});

test.each([
  '{,"a": 1}',
  '{"a": 1"b": true"c": "x"}',
  '{"a"2}',
  "{a 'b'}",
  '{"l": ["a" 2]}',
  '{"a:" "x"}',
  '{"a":\n"to: ["x"}',
  '["a""b"]',
  '{"l": [true1, "x"]}',
])("%s is rejected", (text) => {
  const parsed = read(text);
  expect(parsed.kind === "value" ? parsed.repairs : []).toEqual([]);
});

test.each(['["a", "b",,]', '{"a": 1,,}', '["a",, "b"]'])("%s is complete, not cut off", (text) => {
  expect(read(text).kind).toBe("value");
});

test.each([
  ['{"a": [[1], 2]}}', { a: [[1], 2] }],
  ['[{"a": {"b": 1}, "c": 2}]]', [{ a: { b: 1 }, c: 2 }]],
])("a bracket too many at the end closes no part of the other kind: %s", (text, value) => {
  expect(read(text)).toMatchObject({ kind: "value", value, repairs: [{ fixer: "json-syntax" }] });
});

describe("at eager, a bracket too many behind parts of its kind", () => {
  const value = { a: { b: 1 }, c: 2 };
  const text = JSON.stringify(value);

  test("is left out, if nothing else follows", () => {
    const expected = { kind: "value", value, rejection: { fault: { kind: "text_behind" } } };
    expect(parseToolInput(`${text}}`, { level: "eager" })).toMatchObject(expected);
  });

  test.each([" and then?", '} "d": 3}', ' {"d": 3}'])("is not, if %j follows", (more) => {
    const parsed = parseToolInput(text + more, { level: "eager" });
    expect(parsed).not.toMatchObject({ value });
  });
});

describe("a bracket closed twice is left out, and the value must keep its form", () => {
  test.each([
    ['{"a": ["x"]], "b": 1}', { a: ["x"], b: 1 }],
    ['{"a": ["x"] ] ]}', { a: ["x"] }],
    ['{"a": [1]]}}', { a: [1] }],
    ['{"l": [{"a": 1}}, {"a": 2}]}', { l: [{ a: 1 }, { a: 2 }] }],
    ['{"a": ["x"])}', { a: ["x"] }],
  ])("%s", (text, value) => {
    const fault = { kind: "wrong_bracket" };
    const expected = { kind: "value", value, mustKeepForm: true, rejection: { fault } };
    expect(read(text)).toMatchObject(expected);
  });

  test.each([
    // the first of the two may have closed an earlier part
    '{"a": [["x"], "y"]], "b": 1}',
    '{"l": [{"a": {"b": 1}, "c": 2}}]}',
    // no list was closed before it
    '{"a": "x"], "b": 1}',
    '{"a": 1)}',
    '{"a": ["x"],], "b": 1}',
    '{"a": {"b": 1}}, "c": 2}',
  ])("not in %s", (text) => {
    expect(read(text)).toMatchObject({ value: text, unread: true });
  });
});
