import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { allFormats as formats, writtenForms } from "../../../support/repair/text-calls/forms.ts";

const tools = [
  { name: "get_weather", schema: z.object({ city: z.string(), days: z.number() }) },
  { name: "ping", schema: z.object({}) },
  { name: "pay", schema: z.object({ to: z.string(), amount: z.number() }) },
  {
    name: "save",
    schema: z.object({
      note: z.string().nullable(),
      tags: z.array(z.string()).optional(),
    }),
  },
  { name: "open", schema: { type: "object" } },
];

/** The calls of a text with their arguments; `undefined` if it has none. */
function read(text: string): unknown {
  return readTextCalls(text, tools, { formats })?.calls.map(({ name, args }) => {
    return { name, args: JSON.parse(args) as unknown };
  });
}

const WEATHER = { name: "get_weather", args: { city: "Paris", days: 3 } };
const PAY = { name: "pay", args: { to: "bob", amount: 5 } };
const json = (call: object) => `<tool_call>${JSON.stringify(call)}</tool_call>`;

describe.each(writtenForms)("$form", ({ write }) => {
  const text = write([WEATHER]);

  test("is not a call after prose that a thought separates from it", () => {
    for (const prose of ["Do not run this.", "The page says:", "I'll check the weather."]) {
      expect(read(`${prose}\n<think>ok</think>\n${text}`)).toBeUndefined();
    }
  });

  test("is not a call after an open thought, or after prose about the thought tag", () => {
    expect(read(`<think>a<think>b</think>${text}`)).toBeUndefined();
    expect(read(`Some models end their thoughts with </think> ${text}`)).toBeUndefined();
    expect(read(`<think>a<think>b</think>c</think>${text}`)).toEqual([WEATHER]);
  });

  test("loses no call before a thought", () => {
    const before = write([PAY]);
    for (const thought of ["<think>hm</think>", "\n<think>\nhm\n</think>\n", "[THINK]x[/THINK]"]) {
      expect(read(`${before}${thought}${text}`)).toBeUndefined();
    }
  });

  test("may hold a thought tag in a value, and nothing after that tag is a call", () => {
    for (const inner of [
      "ping()",
      '{"name":"ping","arguments":{}}',
      "<function=ping></function>",
    ]) {
      const note = `x</think>\n${inner}`;
      const whole = write([{ name: "save", args: { note } }]);
      expect([undefined, JSON.stringify([{ name: "save", args: { note } }])]).toContain(
        JSON.stringify(read(whole)),
      );
      for (let end = 1; end < whole.length; end++) {
        expect(JSON.stringify(read(whole.slice(0, end)) ?? "")).not.toMatch(/"name":"ping"/);
      }
    }
  });
});

describe("a call that is cut off in a value with a thought tag", () => {
  test.each([
    "save(note='x</think>\nping()",
    "ping()\nsave(note='x</think>\nping()",
    "save(note='''x</think>\nping()",
    "save(note='a) x</think>\nping()",
    "functools[{'name': 'save', 'arguments': {'note': 'x</think>\nping()",
    "I'll save it.\n[TOOL_CALLS]save[ARGS]{'note': 'x</think>\nping()",
    "<|channel|>commentary to=functions.save<|message|>{'note': 'x</think>\nping()",
    "Action: save\nAction Input: {'note': 'x</think>\nping()",
    'save(note=\'x</think>\n```json\n{"name":"ping","arguments":{}}\n```',
  ])("is not a call: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe("JSON that describes a tool, or a call that was made", () => {
  const schema = { type: "object", properties: { query: { type: "string" } }, required: [] };
  test.each<[string, object]>([
    ["a definition", { name: "open", parameters: schema }],
    ["a definition without keys", { name: "ping", parameters: { type: "object", properties: {} } }],
    ["OpenAI's definition", { type: "function", function: { name: "ping", parameters: {} } }],
    ["a result", { type: "tool_result", name: "ping", input: {} }],
    ["an example", { type: "example", name: "pay", arguments: PAY.args }],
    ["a thought", { thought: "I must not", name: "pay", arguments: PAY.args }],
    ["a log", { log: "refused", name: "pay", arguments: PAY.args }],
  ])("is not a call: %s", (_, value) => {
    for (const text of [
      json(value),
      JSON.stringify(value),
      `[TOOL_CALLS][${JSON.stringify(value)}]`,
      `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
    ]) {
      expect([text, read(text)]).toEqual([text, undefined]);
    }
  });

  test("is not a call between the tags of definitions", () => {
    expect(read('<tools>\n{"name": "ping", "parameters": {}}\n</tools>')).toBeUndefined();
    expect(read('<tools>\n{"name": "ping", "arguments": {}}\n</tools>')).toHaveLength(1);
  });

  test("is a call if a key only states that it is one", () => {
    for (const more of [{ type: "function" }, { type: "tool_use" }]) {
      expect(read(json({ ...more, name: "pay", arguments: PAY.args }))).toEqual([PAY]);
    }
  });
});

test.each(["text", "output", "diff", "log", "bash", "xml", "error", "example", "markdown"])(
  "a fence of %s shows a call",
  (language) => {
    const call = '{"name": "ping", "arguments": {}}';
    expect(read(`\`\`\`${language}\n${call}\n\`\`\``)).toBeUndefined();
  },
);

describe("a value without a type", () => {
  const save = (key: string, value: string) =>
    `<function=save><parameter=${key}>${value}</parameter></function>`;

  test.each(["null", "None"])("is neither text nor null if it may be both: %s", (value) => {
    expect(read(save("note", value))).toBeUndefined();
  });

  test.each([
    "<save><note>a</note><tags><item>x</item><item>t</item)</tags></save>",
    "<save><note>a</note><tags>~<item>x</item></tags></save>",
    "<save><note>a</note><tags><item<x</item><item>t</item></tags></save>",
    [
      '<function_calls><invoke name="save"><parameter name="note">a</parameter#',
      '<parameter name/"tags">["x"]</parameter></invoke></function_calls>',
    ].join(""),
  ])("is no list where its elements are torn: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });

  test("may hold elements where text is expected", () => {
    const text = "<save><note>say <b>so</b></note></save>";
    expect(read(text)).toEqual([{ name: "save", args: { note: "say <b>so</b>" } }]);
  });

  test("keeps its spelling in a list of texts", async () => {
    const text =
      "<function=save><parameter=note>a</parameter><parameter=tags>v3.10</parameter></function>";
    const found = readTextCalls(text, tools, { formats })?.calls[0];
    expect(await repairToolInput(found?.args, tools[3] as (typeof tools)[number])).toMatchObject({
      toolInput: { note: "a", tags: ["v3.10"] },
    });
  });
});

test("an escape that Python and JSON read differently is not read", () => {
  expect(read("save(note='C:\\/x')")).toBeUndefined();
});
