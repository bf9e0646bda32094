import { expect, test } from "@jest/globals";
import {
  badField,
  field,
  NO_OBJECTION,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import { object, run } from "../../../../support/repair/align/run.ts";

const correctChoice = testsOf("correct-choice", "eager");

const choice = (...values: string[]) => ({ enum: values });

correctChoice.repairs("one typo in a word of five letters or more", [
  field("a letter lost", choice("kilometers", "miles"), "kilomters", "kilometers"),
  field("a letter twice", choice("standard", "express"), "standdard", "standard"),
  field("one for a double letter", choice("cancelled", "paid"), "canceled", "cancelled"),
  field("the key beside it hit as well", choice("monthly", "weekly"), "monthkly", "monthly"),
  field("two neighbours swapped", choice("pending", "shipped"), "pedning", "pending"),
  field("a piece twice", choice("precipitation", "wind"), "precipipitation", "precipitation"),
  field("a word of its own", choice("marital", "single"), "martial", "marital"),
  field("white space around it", choice("celsius", "kelvin"), " cellsius ", "celsius"),
]);

correctChoice.repairs("accents alone, in a word of any length", [
  field("left out", choice("mercoledì", "giovedì"), "mercoledi", "mercoledì"),
  field("left out, in a short word", choice("été", "hiver"), "ete", "été"),
  field("added", choice("manana", "hoy"), "mañana", "manana"),
]);

correctChoice.rejects(
  "a short word",
  "in a word of fewer than five letters it may be another word",
  [
    badField("two letters swapped", choice("silk", "wool"), "slik"),
    badField("a letter lost", choice("east", "west"), "est"),
  ],
);

correctChoice.rejects("another word, or more than one typo", NO_OBJECTION, [
  badField("three letters turned", choice("pending", "shipped"), "pednign"),
  badField("a letter replaced", choice("celsius", "kelvin"), "celcius"),
  badField("a letter replaced, near to two", choice("lamps", "lambs"), "lamqs"),
  badField("another prefix", choice("hyperthermia", "fever"), "hypothermia"),
  badField("another salt", choice("chlorate", "sulfide"), "chlorite"),
  badField("another ending", choice("lessee", "owner"), "lessor"),
  badField("the one who does it", choice("trainee", "guest"), "trainer"),
  badField("another vowel at the end", choice("Mexico", "Texas"), "Mexica"),
  badField("another country", choice("Niger", "Ghana"), "Nigeria"),
  badField("another drug", choice("prednisone", "aspirin"), "prednisolone"),
  badField("another unit", choice("gigabytes", "terabytes"), "gigabits"),
  badField("another scope", choice("intercity", "local"), "intracity"),
  badField("a participle", choice("archived", "open"), "archive"),
  badField("two slips", choice("fahrenheit", "kelvin"), "farenhiet"),
  badField("a slip in the first letter", choice("standard", "express"), "tsandard"),
  badField("another version", choice("model-v1", "model-v2"), "model-v11"),
]);

// The engine takes none of two repairs at the same cost.
correctChoice.rejects("a word that is as near to two choices", NO_OBJECTION, [
  badField("a letter replaced", choice("planned", "planted"), "planmed"),
]);

/** So many names of three letters, and one more. */
const currencies = (count: number) => {
  const letters = [..."abcdefghij"];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  return choice(...codes.slice(0, count), "renminbi");
};

correctChoice.repairs("a typo among 500 choices", [
  field("two letters swapped", currencies(499), "renmnibi", "renminbi"),
]);

correctChoice.rejects("a typo among more choices, of which it may mean another", NO_OBJECTION, [
  badField("two letters swapped", currencies(500), "renmnibi"),
]);

test("correct-choice: a typo in a short word is a hint all the same", async () => {
  const schema = object({ fabric: choice("silk", "wool") });
  const result = await run(schema, { fabric: "slik" });
  expect(!result.ok && result.hints().get("/fabric")).toBe('"silk"');
});
