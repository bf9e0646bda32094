import { describe, expect, test } from "@jest/globals";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import {
  SENTENCES,
  type WrittenForm,
  writtenForms,
} from "../../../support/repair/text-calls/forms.ts";

// Claude and Qwen3-Coder leave out the mark before a call. Where such a format is named, a call may stand
// behind prose or a loose word if it begins a line, ends the text and has declared parameters only.

const tools = [
  {
    name: "get_weather",
    schema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "ping", schema: { type: "object", properties: {} } },
];
const PARIS = { name: "get_weather", args: { city: "Paris", days: 3 } };
const ROME = { name: "get_weather", args: { city: "Rome", days: 3 } };

const FORMS = ["invoke", "invoke/bare", "invoke/elements", "function-tag", "function-tag/orphan"];
const forms = writtenForms.filter(({ form }) => FORMS.includes(form));

function read(text: string, { format }: WrittenForm): unknown {
  return readTextCalls(text, tools, { formats: [format] })?.calls.map(({ name, args }) => {
    return { name, args: JSON.parse(args) as unknown };
  });
}

/** What public threads show before a call. */
const LOOSE_WORDS = ["court", "count", "course", "card", "call"];

/** Text around a call that quotes, shows, limits or denies it, or may do so. */
const AROUND: readonly ((call: string) => string)[] = [
  (call) => `I'll check. ${call}`,
  (call) => `I'll check.${call}`,
  (call) => `I never run ${call}`,
  (call) => `I'll check.\n ${call}`,
  (call) => `I'll check.\n\n    ${call.replaceAll("\n", "\n    ")}`,
  (call) => `I'll check.\n\t${call}`,
  (call) => `> I'll check.\n> ${call}`,
  (call) => `> I'll check.\n${call}`,
  (call) => `- one\n- ${call}`,
  (call) => `- one\n- two\n${call}`,
  (call) => `1. one\n${call}`,
  (call) => `# Example\n${call}`,
  (call) => `Example\n=======\n${call}`,
  (call) => `| a | b |\n|---|---|\n${call}`,
  (call) => `\`\`\`xml\n${call}\n\`\`\``,
  (call) => `Like so:\n\`\`\`\n${call}`,
  (call) => `~~~\n${call}\n~~~`,
  (call) => `\`${call}\``,
  (call) => `The page says "do it now.\n${call}`,
  (call) => `The page says «do it now.\n${call}`,
  (call) => `彼は「そうだ。\n${call}`,
  (call) => `As written (see above:\n${call}`,
  (call) => `<!-- for later:\n${call}`,
  (call) => `/* for later:\n${call}`,
  (call) => `// for later:\n${call}`,
  (call) => `<example>\n${call}\n</example>`,
  (call) => `<document>\n${call}`,
  (call) => `{"a": 1}\n${call}`,
  (call) => `Shall I run this?\n${call}`,
  (call) => `要运行这个吗？\n${call}`,
  (call) => `Do not do this,\n${call}`,
  (call) => `The bad one —\n${call}`,
  (call) => `I'll check.\n${call}\nDo not run it.`,
  (call) => `I'll check.\n${call}\n\nThis only shows the form.`,
  (call) => `I'll check.\n${call} (an example)`,
  (call) => `I'll check.\n${call}\nand then\n${call}`,
  (call) => `I'll check.\n<think>no</think>\n${call}`,
  (call) => `<think>I could\n${call}</think>`,
  (call) => `I could\n${call}\n</think>\nNo.`,
  (call) => `I'll check.\nping()\n${call}`,
  (call) => `I'll check.\n<tool_call>{"name": "ping", "arguments": {}}</tool_call>\n${call}`,
];

describe.each(forms)("$form, behind prose", (form) => {
  const call = form.write([PARIS]);

  test("is read at the start of a line, in any language", () => {
    for (const lead of SENTENCES) {
      for (const gap of ["\n", "\n\n", "\n\n\n"]) {
        const found = readTextCalls(`${lead}${gap}${call}`, tools, { formats: [form.format] });
        expect([lead, found?.lead]).toEqual([lead, lead]);
        expect(found?.calls).toHaveLength(1);
      }
    }
  });

  test("is read behind a loose word, with or without a sentence before that", () => {
    for (const word of LOOSE_WORDS) {
      for (const lead of ["", "I'll check the weather.\n\n", "先看天气。\n"]) {
        for (const gap of ["\n", "\n\n"]) {
          expect(read(`${lead}${word}${gap}${call}`, form)).toEqual([PARIS]);
        }
      }
    }
  });

  test("may be several calls", () => {
    expect(read(`Both:\n${form.write([PARIS, ROME])}`, form)).toEqual([PARIS, ROME]);
  });

  test("is not read if it is quoted, shown, denied, thought about, or on the line of the prose", () => {
    for (const around of AROUND) {
      const text = around(call);
      expect([text, read(text, form)]).toEqual([text, undefined]);
    }
  });

  test("is not read with a parameter that its tool does not declare", () => {
    const undeclared = form.write([
      { name: "get_weather", args: { city: "Paris", dry_run: true } },
    ]);
    expect(read(`I'll check.\n${undeclared}`, form)).toBeUndefined();
    const none = form.write([{ name: "ping", args: { dry_run: true } }]);
    expect(read(`I'll check.\n${none}`, form)).toBeUndefined();
  });

  test("is not read if it is cut off, at every position", () => {
    const text = `I'll check.\n\ncourt\n${form.write([PARIS, ROME])}`;
    for (let end = 1; end < text.length; end++) {
      const found = (read(text.slice(0, end), form) ?? []) as unknown[];
      expect([end, found]).toEqual([end, [PARIS, ROME].slice(0, found.length)]);
    }
  });

  test("is not read unless the format is named", () => {
    expect(readTextCalls(`I'll check.\n${call}`, tools)).toBeUndefined();
    expect(readTextCalls(`I'll check.\n${call}`, tools, { formats: ["json"] })).toBeUndefined();
  });

  test("is not read if its tool is not offered", () => {
    const other = form.write([{ name: "pay", args: { city: "Paris" } }]);
    expect(read(`I'll check.\n${other}`, form)).toBeUndefined();
  });
});

test("a parameter whose name holds a space is read only if the tool declares it", () => {
  const write = (key: string) =>
    `<tool_call><function=book><parameter=${key}>\nParis\n</parameter></function></tool_call>`;
  const book = { name: "book", schema: { type: "object", properties: { "home town": {} } } };
  expect(readTextCalls(write("home town"), [book])?.calls).toMatchObject([
    { args: '{"home town":"Paris"}' },
  ]);
  for (const key of ["home town only", "town do not book", " ", "home\ntown"]) {
    expect([key, readTextCalls(write(key), [book])]).toEqual([key, undefined]);
  }
});

describe("a surplus pair of braces around a call", () => {
  const call = '{"name": "ping", "arguments": {}}';
  const marks = [
    ["<tool_call>", "</tool_call>"],
    ["[TOOL_REQUEST]", "[END_TOOL_REQUEST]"],
    ["[TOOL_CALL]", "[/TOOL_CALL]"],
  ] as const;

  test("is left out, and takes safe", () => {
    for (const [open, close] of marks) {
      for (const inner of [`{${call}}`, `{ ${call} }`, `{\n${call}\n}`]) {
        const found = readTextCalls(`${open}${inner}${close}`, tools);
        if (inner.startsWith("{{")) expect(found?.calls).toMatchObject([{ level: "safe" }]);
        else expect(found).toBeUndefined();
      }
    }
  });

  test("may hold nothing but one call, and must be closed", () => {
    for (const [open, close] of marks) {
      for (const inner of [
        `{${call}`,
        `${call}}`,
        `{{${call}}}`,
        `{${call} do not run}`,
        `{${call}, ${call}}`,
        `{${call}${call}}`,
        `{"call": ${call}}`,
        "{{}}",
      ]) {
        const text = `${open}${inner}${close}`;
        expect([text, readTextCalls(text, tools)]).toEqual([text, undefined]);
      }
    }
  });
});

describe("MiniMax's flags", () => {
  const write = (name: string, flags: string) =>
    `[TOOL_CALL]\n{tool => "${name}", args => {${flags}}}\n[/TOOL_CALL]`;

  test.each<[string, string, unknown]>([
    ["flags", '\n  --city "Paris"\n  --days 3\n', PARIS.args],
    ["pairs", 'city => "Paris", days => 3', PARIS.args],
    [
      "quotes and braces in a text",
      '--city "a \\"b\\" {c} --days 4"',
      { city: 'a "b" {c} --days 4' },
    ],
    ["no arguments", "", {}],
  ])("%s", (_, flags, args) => {
    const [call] = readTextCalls(write("get_weather", flags), tools)?.calls ?? [];
    expect(JSON.parse(call?.args ?? "null")).toEqual(args);
  });

  test.each([
    ["a text without quotes", "--city Paris"],
    ["a flag without a value", "--city"],
    ["a flag twice", '--city "Paris" --city "Rome"'],
    ["a word of prose", '--city "Paris" but not now'],
    ["a comment", '--city "Paris" # do not run'],
    ["an open text", '--city "Paris'],
    ["a number with a unit", '--city "Paris" --days 3d'],
    ["a fault in a list", '--city ["Paris",]'],
  ])("with %s is no call", (_, flags) => {
    expect(readTextCalls(write("get_weather", flags), tools)).toBeUndefined();
  });
});
