import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";

const respellChoice = testsOf("respell-choice", "safe");

const choice = (...values: string[]) => ({ enum: values });

respellChoice.repairs("the same but for case and separators", [
  field("a word in another case", choice("Express", "Standard"), "express", "Express"),
  field("a short word in another case", choice("Low", "Mid", "High"), "LOW", "Low"),
  field("a short word among long ones", choice("Red", "Yellow"), "red", "Red"),
  field("spaces for underscores", choice("one_way", "round_trip"), "One Way", "one_way"),
  field("a name in quotes", choice("New York", "Boston"), "'new york'", "New York"),
  field("the very choice in quotes", choice("asc", "desc"), '"asc"', "asc"),
  field("a code in small letters", choice("CHF", "SEK", "PLN"), "chf", "CHF"),
  field("a code, half in capitals", choice("CHF", "SEK", "PLN"), "Chf", "CHF"),
  field("a short code, where all are in capitals", choice("S", "M", "XL"), "xl", "XL"),
  field("a method", choice("GET", "PUT", "PATCH"), "put", "PUT"),
  field("a name with a capital inside", choice("macOS", "Windows"), "macos", "macOS"),
  field("one of two that differ in sharp s", choice("groß", "gross"), "GROSS", "gross"),
  field("another script", choice("лето", "зима"), "ЛЕТО", "лето"),
  field("the very choice in quotes, beside another case", choice("On", "on"), '"on"', "on"),
  field("the only choice, in small letters", choice("express"), "Express", "express"),
  field("the only choice, of two capitals", choice("OK"), "ok", "OK"),
  field("the only choice, which begins in capitals", choice("JSONata"), "jsonata", "JSONata"),
  field("the only choice, which ends in capitals", choice("openAPI"), "OpenApi", "openAPI"),
  field("a separator among units", choice("per kHz", "per MHz"), "per_kHz", "per kHz"),
  field("a flag in quotes", choice("-quiet", "-verbose"), '"-quiet"', "-quiet"),
  field("a hyphen within", choice("full-time", "part-time"), "Full-Time", "full-time"),
  field("a unit in capitals, written out", choice("bar", "mbar", "cbar"), "MBAR", "mbar"),
]);

respellChoice.rejects(
  "a unit whose case counts",
  /^case tells short words of the choices apart|^case counts in a word of up to two/,
  [
    badField("milli and mega", choice("mV", "kV"), "MV"),
    badField("milli and mega, both there", choice("mPa", "MPa"), "MPA"),
    badField("bytes per second", choice("Mbps", "kBps"), "MBPS"),
    badField("bits for bytes", choice("Kb", "Tb"), "KB"),
    badField("a weight in capitals", choice("mg", "g", "kg"), "KG"),
    badField("a weight, half in capitals", choice("mg", "g", "kg"), "Mg"),
    badField("a single letter", choice("m", "s"), "M"),
    badField("a pressure", choice("kPa", "bar", "psi"), "KPA"),
  ],
);

respellChoice.rejects("a word that equals two choices", NO_OBJECTION, [
  badField("two cases", choice("Active", "active"), "ACTIVE"),
]);

respellChoice.rejects("a word to type exactly", /^the only choice, in capitals/, [
  badField("a confirmation", choice("DELETE"), "delete"),
  badField("a confirmation of three letters", choice("YES"), "yes"),
]);

respellChoice.rejects(
  "a unit in small letters among capitals",
  "case tells short words of the choices apart",
  [badField("a frequency", choice("MHZ", "GHZ"), "mHz")],
);

respellChoice.rejects("half in capitals", "case counts in a word of up to two letters", [
  badField("a size", choice("S", "M", "XL"), "Xl"),
]);

respellChoice.rejects("signs beside letters", "case counts beside other signs", [
  badField("an editor", choice("Notepad++", "Vim"), "notepad++"),
]);

respellChoice.rejects("a word that is parted otherwise", /^the choice has no break/, [
  badField("a denial", choice("active", "inactive"), "in active"),
  badField("a hyphen", choice("resign", "stay"), "re-sign"),
]);

respellChoice.rejects("another sign, or a part of a choice", NO_OBJECTION, [
  badField("a grade without its sign", choice("A+", "A-", "B"), "A"),
  badField("a denial", choice("active", "archived"), "not active"),
  badField("the contrary", choice("active", "archived"), "inactive"),
  badField("a part", choice("active", "archived"), "arch"),
  badField("a point", choice("15", "20"), "1.5"),
  badField("a minus", choice("1", "2"), "-1"),
  badField("a minus of typography", choice("5", "6"), "−5"),
  badField("a minus and a space", choice("5", "6"), "- 5"),
  badField("a bound", choice("5", "6"), "≥5"),
  badField("a negation of logic", choice("active", "idle"), "¬active"),
  badField("another picture", choice("approve ✅", "wait"), "approve ❌"),
  badField("a minus before a digit", choice("dock1", "dock2"), "dock-1"),
  badField("a semicolon", choice("express", "standard"), "express;"),
  badField("an apostrophe", choice("express", "standard"), "express'"),
  badField("an accent", choice("mañana", "hoy"), "manana+"),
]);
