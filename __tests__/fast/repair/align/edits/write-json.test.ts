import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { integer, object, text } from "../../../../support/repair/align/run.ts";

const writeJson = testsOf("write-json", "safe");

const written = [
  field("an object", text, { a: 1 }, '{"a":1}'),
  field("a list", text, [1, 2], "[1,2]"),
];

writeJson.repairs("for a text everywhere", written, { objectAsText: true });
writeJson.repairs("for a text at a place", written, { objectAsText: ["/x"] });

writeJson.rejects(
  "an object at another place",
  "`objectAsText` does not ask for it",
  [badField("a text", text, { a: 1 })],
  { objectAsText: ["/y"] },
);

writeJson.rejects("an object where no text is wanted", NO_OBJECTION, [
  badField("a number", integer, { a: 1 }),
  badField("another object", object({ b: text }), { a: 1 }),
]);
