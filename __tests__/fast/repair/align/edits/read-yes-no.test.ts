import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { boolean, integer } from "../../../../support/repair/align/run.ts";

const readBoolean = testsOf("read-boolean", "safe");
const readYesNo = testsOf("read-yes-no", "eager");

readBoolean.repairs("true and false in any case", [
  field("Python's True", boolean, "True", true),
  field("capitals", boolean, "FALSE", false),
  field("in quotes", boolean, "'true'", true),
]);

readYesNo.repairs("an answer", [
  field("yes", boolean, "yes", true, "recursive"),
  field("no", boolean, "No", false, "recursive"),
  field("on", boolean, "ON", true),
  field("off", boolean, "off", false),
  field("1", boolean, 1, true),
  field("0", boolean, 0, false),
  field("1 as text", boolean, " 1 ", true),
  field("0 as text", boolean, "0", false),
  field("no for a denial, which stays one", boolean, "no", false, "no_cache"),
  field("yes for a denial", boolean, "yes", true, "disabled"),
]);

readYesNo.rejects(
  "the only answer that is allowed",
  "only one answer is allowed, which may be a consent",
  [
    badField("yes", { const: true }, "yes", "agreed"),
    badField("no", { const: false }, "no", "keeps_backup"),
  ],
);

readYesNo.rejects("another word or number", NO_OBJECTION, [
  badField("2", boolean, 2),
  badField("yes for a number", integer, "yes"),
  badField("a word", boolean, "sometimes"),
  badField("a letter", boolean, "y"),
  badField("another language", boolean, "oui"),
  badField("another script", boolean, "はい"),
  badField("an answer and more", boolean, "yes, but not now"),
  badField("two answers", boolean, "yes/no"),
  badField("a list", boolean, ["yes", "no"]),
]);
