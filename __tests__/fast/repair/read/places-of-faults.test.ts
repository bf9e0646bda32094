import { describe, expect, test } from "@jest/globals";
import { readingOf } from "../../../support/repair/read/reading-of.ts";

const reading = {
  toolName: "find_offers",
  declares: (key: string) => ["query", "q"].includes(key),
};
const read = (text: string) => readingOf(text, { ...reading, level: "safe" });

describe("a fault is named where it is", () => {
  test.each<[fault: string, marked: string]>([
    ["unescaped_quote", '{"a": "→""x"""}'],
    ["bad_escape", '{"a": "→\\d+\\n"}'],
    ["unescaped_quote", '{"a": "→""x\ny\'\'\'}'],
    ["bad_escape", "{'a': \"A:→\\nYes\"}"],
    ["unescaped_quote", '{"a": "→""x\\n\ny"""}'],
    ["bad_escape", "{'a': \"C:\\u00e9→\\x\"}"],
    ["bad_escape", "{'a': \"xC:→\\Data\\new\"}"],
    ["bad_escape", '{\\"query\\": \\"C:→\\\\temp\\"}'],
    ["bad_escape", '{"a": "C:→\\n",}'],
    ["bad_escape", '{\\"a\\": \\"→\\\\n\\"}'],
    ["bad_escape", '{"a": "C:→\\Data\\new x"}'],
  ])("a backslash in a string: %s, %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });

  test.each<[fault: string, marked: string]>([
    ["digit_groups", '{"a": 1,→0}'],
    ["too_deep", `${"[".repeat(200)}→[1,${"]".repeat(201)}`],
    ["slot", '{"a": →a-b}'],
    ["missing_colon", '{"a": [1],5→}'],
    ["slot", '{"a": →\u0024{name}}'],
    ["omission", '{"a": ["x", →...]}'],
    ["unescaped_quote", '["a→""b"]'],
    ["slot", '{"a": →XXX}'],
    ["wrong_bracket", '{{"a": 1}→]'],
    ["comment", '{"a": 5 →/* ? */}'],
    ["omission", '{"a": [red, green, →\u2026]}'],
    ["no_value", '{"a": →f(1)}'],
    ["missing_key", '{"amount": 1;→000}'],
    ["bare_text", '{"a": →New York, NY}'],
    ["missing_value", '{"a": →+'],
    ["slot", '{"a": →%s}'],
    ["no_value", '{"a": →a..b}'],
    ["bare_text", '{"a": →x y!}'],
    ["missing_comma", '{"a": 1 →[2]}'],
    ["omission", '["a", "b", v2→]'],
    ["digit_groups", '{"a": 1, →9: "x"}'],
    ["comment", '["x "→#x" y", "b"]'],
    ["no_value", '{"a": →\\\\\\\\"b\\\\\\\\"}'],
    ["no_value", '{"a": →grep -c " f}'],
    ["missing_comma", '{"a": {"b": 1,} →"c": 2}'],
    ["missing_comma", '{"a": 12 →items, "b": 1}'],
    ["comment", '{"a": 1, \\n →// --\\n"b": 2}'],
    ["text_before", '→Input: ```\nInput: {"query": "cheap tents"}\n```'],
    [
      "no_value",
      '{"a": →x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x=}',
    ],
    [
      "bare_text",
      '{"a": →x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x =}',
    ],
  ])("brackets, commas, keys and words: %s, %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });

  test.each<[fault: string, marked: string]>([
    ["unescaped_quote", '{"l": ["x, →"y" z"]}'],
    ["unescaped_quote", '{"a": "→"x"é"}'],
    ["unescaped_quote", '{"a": "x →". y" z"}'],
    ["unescaped_quote", '{"a": "→"x"1"}'],
    ["unescaped_quote", '{"a": "x →"\'x\'" y"}'],
    ["unescaped_quote", '{"a": "say →"no ""}'],
    ["unescaped_quote", '{"l": ["say →"x" y"]]}'],
    ["unescaped_quote", '{"a": "x →"y" z"} more", "b": 1}'],
    ["unescaped_quote", '{"a": "é→"x" y"}'],
    ["unescaped_quote", '["x,→"y" z", "b"]'],
    ["unescaped_quote", '{"l": ["ก→"x"ข"]}'],
    ["unescaped_quote", '{a: "say →"x" y", 5: 1}'],
    ["unescaped_quote", '{"a": "say →"x" y", b: 1}'],
  ])("quotes inside a string: %s, %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });

  test.each<[fault: string, marked: string]>([
    ["text_before", '→Thought: x\nAction:find_offers\nAction Input:{"query": "cheap tents"}'],
    ["text_behind", '{"query": "cheap tents"}→\n \t Observation: x'],
    ["text_before", '→```\n```\n{"query": "cheap tents"}'],
    ["text_behind", '{"a": {"b": 1}, "c": 2}→}'],
    ["text_before", '→<|TOOL|>{"query": "cheap tents"}'],
    ["text_before", '→Here\u2019s the input: {"query": "cheap tents"}'],
    ["text_behind", '{"query": "cheap tents"}\n→Observation: x\nAction: y'],
    ["text_before", '→Thought: Action: find_offers\nAction Input: {"query": "cheap tents"}'],
    ["text_before", '→Thought: x\n  Action: find_offers\nAction Input: {"query": "cheap tents"}'],
    ["text_before", '→@ {"query":"cheap tents"}'],
    ["text_behind", '{"query": "cheap tents"} →x {'],
    ["text_before", '→Here is the JSON\n{"query": "cheap tents"}'],
    ["text_behind", '{"query": "cheap tents"}\n→Observation: x\n Action: y'],
    ["text_before", '→Here is the JSON ```json\n{"query": "cheap tents"}\n```'],
    ["text_before", '→x Thought: x\nAction: find_offers\nAction Input: {"query": "cheap tents"}'],
    ["text_behind", '{"a": 1}→ #x'],
    ["text_behind", '{"a": 1}→} #x'],
  ])("what stands around JSON: %s, %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });

  test.each<[fault: string, marked: string]>([
    ["closed_early", '{"a": 1→}, "b": 2}'],
    ["text_before", '→\'{"a": 1}'],
    ["text_before", `→${'say {"a"} '.repeat(20)}{"a": "x`],
    ["comment", '{"a": "x "→#x" y"}'],
    ["text_before", '→x = {"a": 1}'],
    ["text_before", '→"selector": 1/6}'],
    ["pattern", 'Input: →{"query": "..."}'],
    ["text_before", '→Input: {"query": "...."}'],
    ["pattern", 'Input: →{"query": "NUMBER"}'],
    ["text_before", '→Here is the input: {"a": 1}'],
    ["closed_early", '{"query": "cheap tents"→}, limit: 1}'],
    ["missing_colon", '{"a"→2}'],
    ["unescaped_quote", '{"a": "→"x""}'],
    ["unescaped_quote", '{"a": "say →"x" now"'],
    ["pattern", 'Input: →{"query": "\u2026"}'],
    ["text_before", '→Input: {"query": "x <b>"}'],
    ["text_before", '→Input: {"query": "<b> x"}'],
    ["pattern", 'Input: →{"query": "array"}'],
    ["text_behind", '{"a": {"b": 1}, "c": 2}→} x'],
    ["pattern", 'Input: →{"query": "integer"}'],
    ["pattern", 'Input: →{"query": "boolean"}'],
    ["text_before", '→Input: {"query": "strings"}'],
    ["text_before", '→Input: {"query": "a string"}'],
    ["closed_early", '{"query": "cheap tents"→} ,"limit":1'],
    ["no_value", "{a: →1/6"],
    ["text_before", "→'a', 'b'],['c'"],
  ])("where JSON begins and ends: %s, %s", (fault, marked) => {
    expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "value" });
  });

  test.each<[text: string, fault: string, marked: string]>([
    ['"\\"{\\\\\\"a\\\\\\": 1, \\\\\\"a\\\\\\": 2}\\""', "twin_keys", '{"a": 1, →"a": 2}'],
    ['{\\"a\\": 1/6}', "no_value", '{"a": →1/6}'],
    ['"[-1"', "open_value", "[→-1"],
    ['{"a": 1}\n{"a": 1}\n', "several", '{"a": 1}\n→{"a": 1}'],
    ['{"a": 12\n', "open_value", '{"a": →12'],
  ])("in the text that %s holds: %s, %s", (text, fault, marked) => {
    expect(read(text)).toMatchObject({ fault, marked });
  });
});

test.each<[fault: string, marked: string]>([
  ["several", '{"a": 1}, →{"b": 2}'],
  ["several", 'Input: {"query": "cheap tents"}→{"query": "cheap tents"}'],
])("a second value is named where it begins: %s, %s", (fault, marked) => {
  expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "several" });
});

test.each<[fault: string, marked: string]>([
  ["open_string", '{"a": "x\\"→'],
  ["open_bracket", "{'a': 'x'→"],
  ["open_bracket", '[{"a": "x"→'],
  ["open_bracket", '{"a": "a "→'],
  ["open_bracket", '{"a": "日本"→'],
  ["open_bracket", '{"a": 1 /* -→'],
  ["open_bracket", '{{"a": "x"→'],
  ["open_bracket", '{"a": "\\\\"→'],
  ["open_string", '{"a": "say "x→'],
  ["open_value", 'x [{"b"→'],
  ["open_string", `${'say {"a"} '.repeat(19)}{"a": "x→`],
  ["open_string", '{\\"a\\": \\"b}→'],
  ["open_thought", "→<think>"],
  ["open_string", '"{"a": 1→'],
  ["open_string", '\'{"a": "x→'],
  ["open_string", '"{\\"a\\": 1}→'],
  ["open_value", "<parameter=q>x→"],
])("text that is cut off is not completed: %s, %s", (fault, marked) => {
  expect(read(marked.replace("→", ""))).toEqual({ fault, marked, kind: "truncated" });
});

test.each<[fault: string, marked: string]>([
  ["bad_escape", '{"a": →"\\u6수"}'],
  ["no_value", '{"a": →\\\\"b\\\\"}'],
  ["extra_comma", '{"a": "\u0024{x}",→}'],
  ["no_value", '{"a": →`\\\u0024{x}`}'],
  ["no_value", '{"a": →`x\\`y`}'],
  ["extra_comma", '{"a": "see C:\\new",→}'],
  ["bad_escape", '{"a": →"C:\\u00zz\\new"}'],
  ["unescaped_quote", '{"a": "→""\n"""}'],
  ["no_value", '{"a": →１２,}'],
  ["text_behind", '{"a": 1}→.'],
  ["no_value", '{"a": →007}'],
  ["no_value", '{"_": →x}'],
  ["extra_comma", '{"a": [1, 2,→],}'],
  ["unescaped_quote", '{"a":"b→"/* - */}'],
  ["text_behind", '{"a": [{"b": 1}, 2]}→}'],
  ["extra_comma", '[{"a": [1, "}"], "b": 2}, {"c": {}},→]'],
  ["missing_colon", '{"a" →= 1}'],
  ["no_value", '{"a": →.5}'],
  ["extra_comma", '{"a": 1,→,}'],
  ["bare_text", '{"a": →red\u00a0}'],
  ["missing_comma", '[1 →{"a": 2}]'],
  ["wrong_bracket", '{"a": [1]→]}}'],
  ["no_value", '{"a": →\\"b\\"}'],
  ["unescaped_quote", '{"a": ["x→"、"y"]}'],
  ["no_value", '{"new_name": →name}'],
  ["unescaped_quote", '{"a": "x:y→" "b": 1}'],
  ["no_value", '["a","b", →2024-10-18]'],
  ["missing_comma", '{"a": 1 →"b": "x"\n"c": ["y" "z"]}'],
  ["no_value", '{"z": →z2}'],
  ["unescaped_quote", '{"a": "<a href=→"">b"}'],
  ["unescaped_quote", '{"a": "x →".5" z"}'],
  ["unescaped_quote", '{"a": "ก→"x"ข"}'],
  ["unescaped_quote", '["say →"x", he", "b"]'],
  ["no_value", "[→'the 80's', 'b']"],
  ["unescaped_quote", '["[→"x"]", "b"]'],
  ["unescaped_quote", '{"a": "→"a" "b""}'],
  ["unescaped_quote", '{"a": "x、→"y" z"}'],
  ["unescaped_quote", '{"a": "say →"x" y"\\n}'],
  ["unescaped_quote", '{"a": "say →"x" y",\\n"b": 1}'],
  ["unescaped_quote", `{"a": "say →"x" y", "${"k".repeat(100)}": 1}`],
  ["text_behind", '{"query": "cheap tents"}→..'],
  ["extra_comma", '{"query": "</think>",→}'],
  ["unescaped_quote", '{"a": "say →"x" y"}\nThought:'],
  ["text_behind", '{"a": 1}→<|eot_id|></tool_call>'],
  ["text_behind", '{"a": [[1], 2]}→]'],
  ["extra_comma", '{"a": "x\\r\\n\\ty\\f",→}'],
])("at strict, what keeps a text from being JSON is named where it is: %s, %s", (fault, marked) => {
  const text = marked.replace("→", "");
  expect(readingOf(text, { level: "strict" })).toMatchObject({ fault, marked });
});
