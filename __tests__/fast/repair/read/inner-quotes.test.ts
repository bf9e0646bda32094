import { describe, expect, test } from "@jest/globals";
import { parseToolInput } from "#src/repair/read/parse-tool-input.ts";

const read = (text: string) => parseToolInput(text, { level: "safe" });

function expectRejected(text: string): void {
  expect(read(text)).toMatchObject({ kind: "value", value: text, repairs: [], unread: true });
}

test.each([
  ['{"a": "She said "no" and "never""}', { a: 'She said "no" and "never"' }],
  ['{"a": "Say "yes", "no"", "b": 1}', { a: 'Say "yes", "no"', b: 1 }],
  ['{"a": "a[href="/"]", "b": 1}', { a: 'a[href="/"]', b: 1 }],
  ['{"l": ["i[name="q"]", "b"]}', { l: ['i[name="q"]', "b"] }],
  ['{"o": {"l": ["say "x""]}, "b": 1}', { o: { l: ['say "x"'] }, b: 1 }],
  ['{a: "say "x" now", b: 1}', { a: 'say "x" now', b: 1 }],
  ['{"a": "say "x" now",}', { a: 'say "x" now' }],
  ['{“a”: “say "x" now”, “b”: 1}', { a: 'say "x" now', b: 1 }],
  ["{'a': 'it's the dog's', 'b': 'x'}", { a: "it's the dog's", b: "x" }],
  ['{"a": "say "x" and \\"y\\" \\n", "b": 1}', { a: 'say "x" and "y" \n', b: 1 }],
  ['{"a": "one\n"two"\nthree"}', { a: 'one\n"two"\nthree' }],
  ['{"a": "他说"停"然后走了", "b": 1}', { a: '他说"停"然后走了', b: 1 }],
  ['{"a": "日本の"大阪"です"}', { a: '日本の"大阪"です' }],
  ['{"a": "say "x""}}', { a: 'say "x"' }],
  ['{"a": "say "x""}\nObservation:', { a: 'say "x"' }],
])("quotes in pairs inside a string belong to it: %s", (text, value) => {
  expect(read(text)).toMatchObject({ kind: "value", value });
});

describe("quotes that have a second reading are rejected", () => {
  test.each([
    // a key inside the string
    '{"a": "He wrote "a", "b" and "c": "d"", "e": 1}',
    '{"a": "{"b": "c"}", "d": 1}',
    '{"a": "x "q" y" "b": 1}',
    '{"a": "say "hi", b: x"}',
    '{a: "say "hi", "b": "x"}',
    // one that opens and none that closes
    '{"a": "say "hi", "b": "x"}',
    '{"a": "72" wide", "b": 1}',
    '{"a": "a 19" rack, 5" deep"}',
    "{'a': 'l'eau, 'b': 'x'}",
    "{'a': 'the dogs' bowl', 'b': 'x'}",
    // the next element
    '["say "yes", "no"", "b"]',
    '{"l": ["os.path.join("b", "c")", "x" y"]}',
    // one text in two pairs of quotes
    '{"a": ""x""}',
    '{"a": ""x"", "b": 1}',
    '{"a": "He said ""hi"" to me"}',
    // glued to a word
    '{"a": "log(f"hi {x}")", "b": 1}',
    '{"a":"According...""ans":"YES"}',
    '{"id": "ab"c12", "b": 1}',
    // something behind the closing brackets
    '{"a": "x "y" z"} more", "b": 1}',
    '{"l": ["print("}")"]}',
    '{"a": "use "}" to close"}',
    // two elements without a space, or one that ends early
    '["红"和"绿", "蓝"]',
    '{"a": "红"色", "b": 1}',
    // a quotation of nothing
    '{"a": "x " " y"}',
    '{"a": "x "-" y"}',
  ])("%s", expectRejected);
});

describe("quotes that could end one string and begin another do not merge the strings", () => {
  const between = [
    ",,",
    ".,",
    "/",
    "-",
    "|",
    " and ",
    "and",
    ", or ",
    ",;",
    ":",
    " - ",
    ", r",
    "+ -",
  ];

  test.each(between)("%j between two elements", (gap) => {
    for (const [first, second] of [
      ["a", "b"],
      ["Go!", "b c"],
      ["x y", "#z"],
      ["(1)", "2"],
    ]) {
      const parsed = read(`{"l": ["${first}"${gap}"${second}"]}`);
      if (parsed.kind === "value" && parsed.repairs.length > 0) {
        expect(parsed.value).toEqual({ l: [first, second] });
      }
    }
  });

  test.each([
    '{"code": "12"{, "language": "python"}',
    '{"type": "a"name": "x"}',
    '{type: "a"name: "x"}',
    '{"body": "use {"} to close"}',
    '{"a": "x"} more", "b": 1}',
    '{"value": "the set {a, b"} more"}',
    '{"l": ["echo "}""]}',
    '["value1" value2", "value3"]',
    '{"account": "00713"", "amount": 1}',
    '{"account": "00713" x", "amount": 1}',
    '{"size": "27"", "b": 1}',
    '["it is "fine", "x"]',
    '{"a": "„Hallo" Welt", "b": 1}',
  ])("%s", (text) => {
    const parsed = read(text);
    expect(parsed.kind === "value" && parsed.repairs).toEqual([]);
  });
});

test.each(['{"a": "b" c "d": 1}', '{"a": "b"c", "d": "e"f"}', '["red" , "gr"een]'])(
  "complete text is not reported as cut off: %s",
  (text) => {
    expect(read(text)).toMatchObject({ kind: "value", value: text, unread: true });
  },
);

test.each([
  ['{"a":"b"/* - */}', { a: "b" }],
  ['{"a": ["red", green, "blue"]}', { a: ["red", "green", "blue"] }],
])("a string ends where only a comma or a comment is in between: %s", (text, value) => {
  expect(read(text)).toMatchObject({ kind: "value", value });
});

test.each(['{"a":"x,""b":1}', '{"a":"x"",b":1}', '{"a": "x," "b": 1}', '{"a":""b": 1}'])(
  "a comma swapped with a quote belongs to no string: %s",
  (text) => {
    const parsed = read(text);
    expect(parsed.kind === "value" && parsed.repairs).toEqual([]);
  },
);
