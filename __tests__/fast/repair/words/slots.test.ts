import { describe, expect, test } from "@jest/globals";
import { parseToolInput } from "#src/repair/read/parse-tool-input.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import { isSlot } from "#src/repair/words/slots.ts";

const SLOTS = [
  ["<accession number>", "<a href='x'>"],
  ["<Name>", "<b>x</b>"],
  ["{{accession_no}}", '{"a": 1}'],
  ["{name}", "{1,2}"],
  ["$" + "{query}", "${"],
  ["$PARAMETER_NAME", "$10"],
  ["%s", "50%"],
  ["%(name)s", "%x(name)"],
  ["xxx-xxx", "xx-large"],
  ["XXXX", "XXL"],
  ["___", "_"],
  ["???", "?"],
  ["...", "."],
  ["TODO", "todo list"],
  ["CHANGE_ME", "change me"],
  ["your_api_key", "your order"],
  ["YOUR-TOKEN", "yourself"],
  ["API_KEY_HERE", "click_here"],
] as const;

test.each(SLOTS)("%s holds the place of a value, %s does not", (slot, value) => {
  expect([isSlot(slot), isSlot(` ${slot}\n`), isSlot(value)]).toEqual([true, true, false]);
});

describe("what holds the place of a value, without quotes, is no value", () => {
  const words = [...SLOTS.map(([slot]) => slot), "string", "Integer", "bool"];

  test.each(words)("%s", (word) => {
    for (const text of [`{"a": ${word}, "b": 1}`, `{"l": ["x", ${word}]}`, `{b: 1, a: ${word}}`]) {
      const parsed = parseToolInput(text, { level: "eager" });
      expect(parsed.kind === "value" && parsed.repairs).toEqual([]);
    }
  });

  test.each(["your_api_key", "TODO", "string"])("in quotes, %s is the tool's to judge", (word) => {
    expect(parseToolInput(`{'a': '${word}'}`, { level: "safe" })).toMatchObject({
      value: { a: word },
    });
  });
});

describe("a list of one word without quotes is a list, and no text", () => {
  const tool = (a: object) => ({ name: "t", schema: { type: "object", properties: { a } } });
  const text = { type: "string" };

  test.each(["safe", "eager"] as const)("at level %s", async (level) => {
    const list = tool({ type: "array", items: text });
    const read = await repairToolInput('{"a": [Nummer]}', list, { level });
    expect(read).toMatchObject({ ok: true, toolInput: { a: ["Nummer"] } });
    const rejected = await repairToolInput('{"a": [Nummer]}', tool(text), { level });
    expect(rejected).toMatchObject({ ok: false, error: { issues: [{}, { fault: "slot" }] } });
  });
});
