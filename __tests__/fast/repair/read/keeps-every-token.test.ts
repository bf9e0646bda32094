import { expect, test } from "@jest/globals";
import { keepsEveryToken } from "#src/repair/read/keeps-every-token.ts";

const raw = String.raw;

test.each<[text: string, json: string]>([
  ["{'a': 'x', b: 1,}", '{"a":"x","b":1}'],
  [raw`{"a": "\d"}`, raw`{"a":"\\d"}`],
  ['{"a": "x\ny"}', raw`{"a":"x\ny"}`],
  ['{"a": "x\nn"}', raw`{"a":"x\nn"}`],
  [raw`{"a": "x\ny"}`, raw`{"a":"x\ny"}`],
  ['{"a": "\u0001"}', raw`{"a":"\u0001"}`],
  [raw`{"a": "C:\new"}`, raw`{"a":"C:\\new"}`],
  [raw`{"a": "\u00e9"}`, raw`{"a":"\u00e9"}`],
])("%s read as %s keeps every token", (text, json) => {
  expect(keepsEveryToken(text, json, [])).toBe(true);
});

test.each<[why: string, text: string, json: string]>([
  ["a word after the value lost", '{"a": 1} rest', '{"a":1}'],
  ["a value made up", '{"a": }', '{"a":null}'],
  ["an element left out", '{"a": [1, ..., 9]}', '{"a":[1,9]}'],
  ["a broken escape dropped", raw`{"a": "x\u6`, '{"a":"x"}'],
  ["a letter taken for an escape", raw`{"a": "xny"}`, raw`{"a":"x\ny"}x`],
  ["an escape taken for its letter", raw`{"a": "x\ny"}`, raw`{"a":"xy"}`],
  ["another order", '{"a": 1, "b": 2}', '{"b":2,"a":1}'],
  ["a sign lost", '{"a": -5}', '{"a":5}'],
  ["digits changed", '{"a": 007}', '{"a":7}'],
])("%s is noticed", (_, text, json) => {
  expect(keepsEveryToken(text, json, [])).toBe(false);
});

test.each<[part: string, json: string, kept: boolean]>([
  ["True", "true", true],
  ["None", "null", true],
  ["undefined", "null", true],
  ["0x1F", "31", true],
  ["1_000", "1000", true],
  ["/* why */", "", true],
  ["# why", "", true],
  ["NaN", "null", false],
  ["False", "true", false],
  ["12 items", "12", false],
  ["1", "true", false],
  ["rest", "", false],
])("%s for %s: %s", (part, json, kept) => {
  const text = `[${part}]`;
  const edits = [{ from: 1, to: 1 + part.length, json }];
  expect(keepsEveryToken(text, `[${json}]`, edits)).toBe(kept);
});
