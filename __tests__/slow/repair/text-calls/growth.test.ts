import { describe, expect, test } from "@jest/globals";
import { textFormats } from "#src/repair/text-calls/formats.ts";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { countReads } from "../../../support/count-reads.ts";
import { allFormats as formats, writtenForms } from "../../../support/repair/text-calls/forms.ts";

const tools = [{ name: "f", schema: { type: "object" } }];

/** The limit for ten times the text: a little more than ten times the reads. */
const MOST_PER_DECADE = 12;
const READS_OF_A_FORMAT = 2_000;

function expectLinear(make: (length: number) => string): void {
  const [small = 0, medium = 0, large = 0] = [400, 4_000, 40_000].map((length) => {
    return countReads(() => readTextCalls(make(length), tools, { formats }));
  });
  expect(small).toBeGreaterThan(0);
  const fixed = READS_OF_A_FORMAT * textFormats.length;
  expect(medium).toBeLessThanOrEqual(MOST_PER_DECADE * small + fixed);
  expect(large).toBeLessThanOrEqual(MOST_PER_DECADE * medium + fixed);
}

/** An even number of a part: an odd number of quotes or fences is another text. */
const repeated = (part: string) => (length: number) =>
  part.repeat(2 * Math.max(1, Math.floor(length / part.length / 2)));

const openings = textFormats
  .flatMap(({ call }) => call)
  .filter((token) => typeof token === "string");
const parts = [
  ...["{", "[", "(", "<a>", '{"a":', "<function=f>", "<parameter=a>", "```json\n", "f(", " ", "\n"],
  ...["<a><b>", "<a></b>", "<a>x</a>", "f()\n", "{}", "'", '"', "\\", "<think>", "</think>", "x "],
  ...["I'll check. ", "Action: f\n", "=('", "<f><a>", '<|"|>', "</parameter>", "[THINK]", ";"],
];

describe("the cost of reading grows linearly with the text", () => {
  test.each([...new Set([...openings, ...parts])])("of many %j", (part) => {
    expectLinear(repeated(part));
    expectLinear((length) => `<tool_call>${repeated(part)(length)}`);
    expectLinear((length) => `f(a='${repeated(part)(length)}`);
    expectLinear((length) => `x ${repeated(part)(length)}</think>f()`);
    expectLinear((length) => `I'll do it: ${repeated(part)(length)}\n<tool_call>f{}</tool_call>`);
  });

  test.each(writtenForms)("of a long value and of many calls in $form", ({ write }) => {
    expectLinear((length) => write([{ name: "f", args: { a: repeated("a b ")(length) } }]));
    expectLinear((length) => {
      const calls = Array.from({ length: Math.floor(length / 20) }, (_, at) => at);
      return write(calls.map((at) => ({ name: "f", args: { a: `${at}` } })));
    });
    expectLinear((length) => {
      const keys = Array.from({ length: Math.floor(length / 20) }, (_, at) => [`k${at}`, "x"]);
      return write([{ name: "f", args: Object.fromEntries(keys) }]);
    });
  });

  test("of elements that overlap", () => {
    const names = "abcdefghijklmnopqrstuvwxyz".split("");
    const open = names.map((name) => `<${name}>`).join("");
    const close = names.map((name) => `</${name}>`).join("");
    expectLinear((length) => `<f>${repeated(open + close)(length)}</f>`);
    expectLinear((length) => `<f>${open}${repeated("<x>y</x>")(length)}${close}</f>`);
  });
});
