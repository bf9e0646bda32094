import { describe, expect, test } from "@jest/globals";
import { specifiedEdits } from "#src/repair/align/edits/specs.ts";
import {
  attacksOn,
  breachesOf,
  explains,
  showBreach,
} from "../../../support/repair/align/adversary.ts";
import { sampled } from "../../../support/tier.ts";

describe("an edit near its example produces only the literal reading", () => {
  const rows = specifiedEdits.map((specified) => [specified.edit.name, specified] as const);
  test.each(rows)("%s", async (_, specified) => {
    const attacks = sampled(attacksOn(specified), 3);
    expect(attacks.length).toBeGreaterThan(0);
    expect((await breachesOf(specified.edit, attacks)).map(showBreach)).toEqual([]);
  });
});

describe("the adversary's oracle distinguishes a reading from a guess", () => {
  test.each([
    ["a percentage for its number", { share: "15%" }, { share: 15 }],
    ["a percentage for its fraction", { share: "15%" }, { share: 0.15 }],
    ["an amount of money for its figure", { price: "$3.50" }, { price: 3.5 }],
    ["a unit that is lost", { mass: "5 kg" }, { mass: 5 }],
    ["a unit that is another than the field's", { temp_c: "70 °F" }, { temp_c: 70 }],
    ["groups that are taken for a list", { ids: "1,234,567" }, { ids: [1, 234, 567] }],
    ["a list of two that may be a decimal", { values: "3,14" }, { values: [3, 14] }],
    ["one separator", { count: "1,000" }, { count: 1000 }],
    ["a leading zero", { id: "007" }, { id: 7 }],
    ["a denial", { unit: "not celsius" }, { unit: "celsius" }],
    ["an element that is dropped", { tags: "red, blue" }, { tags: ["red"] }],
  ])("%s is a guess", (_, input, result) => {
    expect(explains(input, result, {})).toBe(false);
  });

  test.each([
    ["a number", { count: "1,234,567" }, { count: 1_234_567 }],
    ["a word of JSON", { force: "yes" }, { force: true }],
    ["a list", { tags: "red, blue" }, { tags: ["red", "blue"] }],
    ["the field's own unit", { temp_c: "21 °C" }, { temp_c: 21 }],
    ["a list of numbers", { values: "3,4,5" }, { values: [3, 4, 5] }],
    ["what says nothing", { limit: "None" }, {}],
  ])("%s is read", (_, input, result) => {
    expect(explains(input, result, {})).toBe(true);
  });
});
