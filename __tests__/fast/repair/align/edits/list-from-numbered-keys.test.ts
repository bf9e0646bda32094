import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, listOf, number, object, text } from "../../../../support/repair/align/run.ts";

const listFromNumberedKeys = testsOf("list-from-numbered-keys", "safe");

const rows = listOf(object({ a: integer, b: integer }));

listFromNumberedKeys.repairs("positions from 0 on", [
  field("texts", listOf(text), { "0": "a", "1": "b" }, ["a", "b"]),
  field("one object", rows, { "0": { a: 1, b: 2 } }, [{ a: 1, b: 2 }]),
]);

listFromNumberedKeys.rejects("other keys", NO_OBJECTION, [
  badField("numbers from 1", listOf(integer), { "1": 5, "2": 7 }),
  badField("positions with a gap", listOf(text), { "0": "a", "2": "b" }),
  badField("years", listOf(integer), { "2023": 5, "2024": 7 }),
  badField("columns", rows, { a: [1, 2], b: [3, 4] }),
  badField("columns of differing lengths", rows, { a: [1, 2], b: [3] }),
  badField("a point", listOf(number), { x: 1, y: 2 }, "origin"),
  badField("a range", listOf(number), { min: 1, max: 2 }, "price_range"),
  badField("no key", listOf(text), {}),
  badField("objects with another key", listOf(object({ a: integer })), { "0": { a: 1, x: 2 } }),
]);
