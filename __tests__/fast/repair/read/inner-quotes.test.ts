import { describe, expect, test } from "@jest/globals";
import { parseToolInput } from "#src/repair/read/read-tool-input.ts";

const read = (text: string) => parseToolInput(text, { level: "safe" });

test.each([
  '{"a": "She said "no" and "never""}',
  '{"a": "Say "yes", "no"", "b": 1}',
  '{"a": "log(f"hi {x}")", "b": 1}',
  '{"a": "a[href="/"]", "b": 1}',
  '{"a":"According...""ans":"YES"}',
])("quotes inside a string must be escaped: %s", (text) => {
  expect(read(text)).toMatchObject({ kind: "value", value: text, unread: true });
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
    '{"l": ["print("}")"]}',
    '{"l": ["echo "}""]}',
    '["value1" value2", "value3"]',
    '{"account": "00713"", "amount": 1}',
    '{"account": "00713" x", "amount": 1}',
    '{"size": "27"", "b": 1}',
    '{"id": "ab"c12", "b": 1}',
    '["it is "fine", "x"]',
    '{"a": "a 19" rack, 5" deep"}',
    '{"a": "„Hallo" Welt", "b": 1}',
    '{"l": ["os.path.join("b", "c")", "x" y"]}',
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
