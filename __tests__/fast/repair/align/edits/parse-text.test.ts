import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, object, text } from "../../../../support/repair/align/run.ts";

const parseText = testsOf("parse-text", "safe");

const point = object({ x: integer });
const numbers = listOf(integer);

parseText.repairs("text that holds JSON, or nearly", [
  field("a list", numbers, "[1, 2]", [1, 2]),
  field("an empty list", numbers, "[]", []),
  field("a list in lines", numbers, " [\n1,\n2\n]\n", [1, 2]),
  field("a list with a closing tag behind it", numbers, "[1, 2]</parameter>", [1, 2]),
  field("a list in quotes", numbers, "'[1, 2]'", [1, 2]),
  field("an object", point, '{"x": 1}', { x: 1 }),
  field("an empty object", object({ "x?": integer }), "{}", {}),
  field("an object of Python", object({ name: text }), "{'name': 'Ada'}", { name: "Ada" }),
  field("an object with a closing tag behind it", point, '{"x": 1}</parameter>', { x: 1 }),
  field("an object, where a list may stand as well", { anyOf: [point, numbers] }, '{"x": 1}', {
    x: 1,
  }),
]);

parseText.repairs(
  "text that holds a list around what is wanted",
  [field("an object", point, '[{"x": 1}]', { x: 1 })],
  { others: ["unwrap-array"] },
);

parseText.rejects("text around JSON, or JSON where none is wanted", NO_OBJECTION, [
  badField("words before it", numbers, "the list [1, 2]"),
  badField("words behind it", numbers, "[1, 2] please"),
  badField("a list for a number", integer, "[1, 2]"),
]);
