import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseToolInput } from "#src/repair/read/parse-tool-input.ts";
import { expectLinearTime } from "../../../support/growth.ts";

describe("the cost is linear", () => {
  test.each<[string, (count: number) => string]>([
    ["quotes", (count) => `{"a": "${'x "y" '.repeat(count)}"}`],
    ["quotations", (count) => `{"a": "x${' "y"'.repeat(count)}"}`],
    ["quotations in a list", (count) => `["x${' "y"'.repeat(count)}", "z"]`],
    ["quotations and brackets", (count) => `{"a": ["x${' "y]"'.repeat(count)}"]}`],
    [
      "quotations before long keys",
      (count) => `{"a": "x ${`"y", "${"k".repeat(90)}`.repeat(count)}"}`,
    ],
    ["apostrophes", (count) => `{'a': '${"it's ".repeat(count)}'}`],
    ["guillemets", (count) => `{"a": ${"«x» ".repeat(count)}}`],
    ["escaped quotes", (count) => `{"a": ${'\\"'.repeat(count)}}`],
    ["brackets closed twice", (count) => `{"a": [1${"]".repeat(count)}, "b": 2`],
    ["lists closed twice", (count) => `{${'"a": ["x"]], '.repeat(count)}`],
    ["repeated inputs", (count) => '{"a": 1}'.repeat(count)],
    ["labels", (count) => `{"a": 1}${"\nObservation: x".repeat(count)}`],
    ["thoughts of an agent", (count) => "Thought: x\nAction: y\n".repeat(count)],
    ["elements", (count) => "<parameter=a>x</parameter>".repeat(count)],
    ["elements in an element", (count) => "<parameter=a>".repeat(count)],
    ["items without a list", (count) => `'a'${", 'a'".repeat(count)}`],
    ["quotes and commas", (count) => `{"a": "${'x", '.repeat(count)}"}`],
    ["what looks like keys", (count) => `{"a": "${'x", "y '.repeat(count)}"}`],
    ["quotes and other quotes", (count) => `{"a": "${"x\", 'y".repeat(count)}`],
    ["quotes and comments", (count) => `{"a": "${'x"//'.repeat(count)}`],
    ["quotes and brackets", (count) => `[{"a": "x ${'"}]'.repeat(count)}`],
    ["brackets", (count) => "[".repeat(count)],
    ["objects that do not end", (count) => '{"a":'.repeat(count)],
    ["objects in prose", (count) => 'x {"a" '.repeat(count)],
    ["fences", (count) => '```\n{"a'.repeat(count)],
    ["brackets that do not fit", (count) => '{"a":['.repeat(count) + "}".repeat(2 * count)],
    ["missing commas", (count) => `{${'"a": 1 '.repeat(count)}}`],
    ["backslashes", (count) => `{"a": "\\d${"\\".repeat(count)}",}`],
    ["joined strings", (count) => `{"a": ${'"b" + '.repeat(count)}"c"}`],
    ["white space", (count) => `{"a" ${" ".repeat(count)}{`],
    ["words", (count) => `{"a": ${"b /".repeat(count)}}`],
    ["parentheses that close arrays", (count) => "[)".repeat(count)],
    ["braces that close arrays", (count) => "[}".repeat(count)],
    ["two braces that close arrays", (count) => "[}}".repeat(count)],
    ["a brace too many in arrays", (count) => "[{}}".repeat(count)],
    ["braces", (count) => "{".repeat(count)],
    ["objects in arrays", (count) => "[{".repeat(count)],
    ["double quotes", (count) => '"'.repeat(count)],
    ["single quotes", (count) => "'".repeat(count)],
    ["commas", (count) => ",".repeat(count)],
    ["thoughts", (count) => "<think>".repeat(count)],
    ["fences only", (count) => "```".repeat(count)],
    ["fences with garbage", (count) => "```[1]+".repeat(count)],
    ["backslashes only", (count) => "\\".repeat(count)],
    [
      "a comma far before a comment",
      (count) => `[1,${" ".repeat(count)}/**/\n${"}".repeat(count)}`,
    ],
  ])("%s", (_, generate) => {
    const once = countReads(generate(4_000));
    expect(countReads(generate(8_000))).toBeLessThan(2.2 * once + 1_000);
  });

  test("of quotations in a long text", async () => {
    await expectLinearTime((count) => {
      const text = `{"a": "x${' "y"'.repeat(count)}"}`;
      expect(parseToolInput(text, { level: "safe" })).toMatchObject({ kind: "value" });
    }, 200_000);
  });

  test.each(["\ufeff", "\u200b", " ", "\\n", "#", "/*-", '"', "\\", "{", "a:", "'a' "])(
    "of many of %j behind a key",
    async (sign) => {
      await expectLinearTime(
        (count) => parseToolInput(`{'a': 'b', "c"${sign.repeat(count)}x}`, { level: "safe" }),
        40_000,
      );
    },
  );

  test.each(["<|im_end|> ", "```\n", "</tool_call>", "<|end_of_msg|>", "}", " "])(
    "of many of %j behind a value",
    async (sign) => {
      await expectLinearTime(
        (count) => parseToolInput(`{"a": 1,}${sign.repeat(count)}x`, { level: "safe" }),
        40_000,
      );
    },
  );

  test("of any mixture of tokens", () => {
    const tokens = ["{", "}", "[", "]", "(", ")", '"', "'", ",", ":", "\\", "/*", "#", "\n", " "];
    const token = fc.constantFrom(...tokens, "a", "1", '{"a":', "```", "<think>", "“", "+", "...");
    const mixture = fc.array(token, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.constantFrom("", '{"a": ', "x "), mixture, (start, part) => {
        const once = countReads(start + part.repeat(1_000));
        expect(countReads(start + part.repeat(2_000))).toBeLessThan(2.2 * once + 1_000);
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});

/** How often characters are looked at. */
function countReads(text: string): number {
  const { charAt, startsWith, slice } = String.prototype;
  const { some } = Array.prototype;
  let count = 0;
  Array.prototype.some = function (this: unknown[], ...args) {
    count += this.length;
    return some.apply(this, args);
  };
  String.prototype.charAt = function (this: string, at) {
    count++;
    return charAt.call(this, at);
  };
  String.prototype.startsWith = function (this: string, ...args) {
    count++;
    return startsWith.apply(this, args);
  };
  String.prototype.slice = function (this: string, ...args) {
    const part = slice.apply(this, args);
    count += part.length;
    return part;
  };
  try {
    parseToolInput(text, { level: "eager", toolName: "y", declares: () => true });
    return count;
  } finally {
    Object.assign(String.prototype, { charAt, startsWith, slice });
    Object.assign(Array.prototype, { some });
  }
}
