import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { boolean, integer, listOf, number } from "../../../../support/repair/align/run.ts";

const readNumber = testsOf("read-number", "safe");
const readUnit = testsOf("read-unit", "eager");

const said = (schema: object, description: string) => ({ ...schema, description });

readNumber.repairs("the number that a text writes", [
  field("a whole number", integer, "5", 5),
  field("a whole number with a point", integer, "5.0", 5),
  field("in quotes and spaces", number, " '2.5' ", 2.5),
  field("in full-width digits", integer, "４２", 42),
  field("with a plus", integer, "+5", 5),
  field("in groups", integer, "1,234,567", 1_234_567),
  field("in groups, with a point", number, "1,234.5", 1234.5),
  field("in groups by spaces", integer, "1 250 000", 1_250_000),
  field("with an exponent, for a measure", number, "1e5", 100_000),
  field("nothing, with an exponent", number, "0e-400", 0),
  field("a number of an enum", { enum: [1, 2, 3] }, "2", 2),
  field("a third after the point", number, "0.125", 0.125),
  field("with an exponent, where a measure may stand", { anyOf: [integer, number] }, "1e5", 1e5),
  field("in groups of three behind two digits", integer, "12,345,678,901", 12_345_678_901),
  field("in groups of three, with a point", number, "101,102,103.5", 101_102_103.5),
]);

readNumber.rejects(
  "one point before three digits",
  "one point before three digits may part groups",
  [badField("a weight", number, "1.250"), badField("a count", integer, "12.000")],
);

readNumber.rejects("three numbers of three digits", "three numbers of three digits may be a list", [
  badField("rooms", number, "101,102,103"),
  badField("more of them", integer, "200,300,400,500"),
]);

readNumber.rejects("a whole number with an exponent", "an exponent may be part of a code", [
  badField("an id", integer, "1e5"),
  badField("an id in capitals", integer, "12E3"),
]);

readNumber.rejects("what is no number, or says more", NO_OBJECTION, [
  badField("one separator", integer, "1,000"),
  badField("less than a number can hold", number, "1e-400"),
  badField("more than a number can hold", number, "1e400"),
  badField("more digits than a number can hold", number, "12345678901234567890"),
  badField("a leading zero", integer, "00713"),
  badField("a fraction", number, "3/4"),
  badField("a percentage", number, "50%"),
  badField("a range", integer, "10-20"),
  badField("a count of things", integer, "12 items"),
  badField("dollars", number, "$5.50", "amount_usd"),
  badField("euros in groups", said(number, "In euros."), "€1,234.50"),
  badField("yen", said(number, "In dollars."), "¥500"),
  badField("a list of decimals", listOf(number), "1,5; 2,5"),
  badField("a number for a flag", boolean, "5"),
  badField("a text of 201 signs", integer, "5".repeat(201)),
  badField("a version for a text of another form", { type: "string", pattern: "^v" }, "1.250"),
]);

// The number is read, and the schema rejects it.
readNumber.rejects("a number that the schema rejects", NO_OBJECTION, [
  badField("decimals for a count", integer, "3.6"),
  badField("more than the most", { type: "integer", maximum: 10 }, "11"),
]);

readUnit.repairs("a number with the unit in which the field's name ends", [
  field("behind a space", number, "12 mm", 12, "width_mm"),
  field("without a space", number, "12mm", 12, "width_mm"),
  field("a percentage", number, "65%", 65, "humidity_pct"),
  field("a percentage, in full", number, "65 %", 65, "humidity_percent"),
  field("a word", integer, "5 minutes", 5, "delay_minutes"),
  field("degrees, as described", said(number, "In °C"), "21 °C", 21, "temp_c"),
  field("a capital, as described", said(number, "Power (in W)"), "21 W", 21, "power_w"),
  field("decimals", number, "1.5 kg", 1.5, "mass_kg"),
  field("a word of four letters with a capital", integer, "5 Days", 5, "delay_days"),
  field("49 signs", number, `${"1".repeat(15)}.${"0".repeat(30)} mm`, 111_111_111_111_111, "w_mm"),
  field(
    "degrees, as one of several branches is described",
    { anyOf: [said(number, "In °C"), { type: "null" }] },
    "21 °C",
    21,
    "temp_c",
  ),
]);

readUnit.rejects(
  "another unit, or one in a case that nothing shows",
  "neither its name nor its description holds the unit",
  [
    badField("degrees of another scale", said(number, "In °C"), "70 °F", "temp_c"),
    badField("another length", number, "12 cm", "width_mm"),
    badField("a name without a unit", number, "12 mm", "width"),
    badField("a unit within the name", number, "12 mm", "mm_width"),
    badField("a capital, which may be a million", number, "5 M", "height_m"),
    badField("degrees that are not described", number, "21 °C", "temp_c"),
    badField("a percentage for another name", number, "65%", "humidity"),
    badField("a plural for one", number, "5 minutes", "delay_minute"),
    badField("a weight for a percentage", number, "5 kg", "fat_pct"),
    badField("a capital in three letters", number, "5 MIN", "delay_min"),
  ],
);

readUnit.rejects("a number that may be grouped", "one point before three digits may part groups", [
  badField("a weight", number, "1.250 kg", "mass_kg"),
]);

readUnit.rejects("more than one number and its unit", NO_OBJECTION, [
  badField("a range", number, "12 to 15 mm", "width_mm"),
  badField("about", number, "~12 mm", "width_mm"),
  badField("a bound", number, "<12 mm", "width_mm"),
  badField("a remark", number, "12 mm (about)", "width_mm"),
  badField("no number", number, "mm", "width_mm"),
  badField("an amount for a text of another form", { type: "string", pattern: "^v" }, "5 mm"),
  badField("an element of a list", listOf(number), ["12 mm"], "widths_mm"),
  badField("50 signs", number, `${"1".repeat(15)}.${"0".repeat(31)} mm`, "width_mm"),
]);
