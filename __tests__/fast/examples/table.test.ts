import { expect, test } from "@jest/globals";
import { drawTable, wrapText } from "../../../examples/demo/table.ts";

test.each([
  ["after a space", "one two three", 8, ["one two", "  three"]],
  ["after a comma", '{"a":1,"b":2}', 9, ['{"a":1,', '  "b":2}']],
  ["in a word that is too long", "abcdefghij", 6, ["abcdef", "  ghij"]],
  ["two deeper than the text", "  one two", 7, ["  one", "    two"]],
  ["at line breaks", "one\ntwo", 10, ["one", "two"]],
  ["not at all where it fits", "one two", 7, ["one two"]],
])("wraps %s", (_, text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});

test("no line of a table is longer than its columns and the rules between them", () => {
  const text =
    'ran type {"selector":"#email","text":"averyveryverylongwordthatdoesnotfit"} and more';
  const lines = drawTable([20, 15], ["left", "right"], [[[{ text }], [{ text }, { text }]]]);
  expect(Math.max(...lines.map((line) => line.length))).toBe(20 + 3 + 15);
});
