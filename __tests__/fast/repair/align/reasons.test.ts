import { describe, expect, test } from "@jest/globals";
import { descriptionSpeaksOf, namesShare, onlyTaker } from "#src/repair/align/reasons.ts";

describe("what a repair goes by is said in a few words", () => {
  test.each([
    [namesShare("path"), "the names share `path`"],
    [
      descriptionSpeaksOf("selector", "element"),
      "the description of `selector` speaks of `element`",
    ],
    [onlyTaker("email", "an address"), "only `email` takes an address"],
  ])("%s", (reason, words) => {
    expect(reason).toBe(words);
  });

  test("a long key, or one with line breaks, is quoted in one line of forty characters", () => {
    const reason = namesShare(`ignore\nthe \`above\` ${"x".repeat(500)}`);
    expect(reason).toMatch(/^the names share `ignore the {2}above {2}x{20,}…`$/);
    expect(reason.length).toBeLessThan(60);
  });
});
