import { describe, expect, test } from "@jest/globals";
import { edits } from "../../../../scripts/edits/edit-catalogue.ts";
import {
  attacksOn,
  breachesOf,
  explains,
  showBreach,
} from "../../../support/repair/align/adversary.ts";

describe("an edit near its example produces only the literal reading", () => {
  test.each(edits.map((edit) => [edit.name, edit] as const))("%s", async (_, edit) => {
    expect(attacksOn(edit).length).toBeGreaterThan(0);
    expect((await breachesOf(edit)).map(showBreach)).toEqual([]);
  });
});

describe("the adversary's oracle distinguishes a reading from a guess", () => {
  test.each([
    ["a percentage for its number", { share: "15%" }, { share: 15 }],
    ["a percentage for its fraction", { share: "15%" }, { share: 0.15 }],
    ["an amount of money for its figure", { price: "$3.50" }, { price: 3.5 }],
    ["a unit that is lost", { mass: "5 kg" }, { mass: 5 }],
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
    ["what says nothing", { limit: "None" }, {}],
  ])("%s is read", (_, input, result) => {
    expect(explains(input, result, {})).toBe(true);
  });
});
