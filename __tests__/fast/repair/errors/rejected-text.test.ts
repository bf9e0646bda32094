import { describe, expect, test } from "@jest/globals";
import type { RepairLevel, ToolInputError } from "toolmend";
import type { FaultKind } from "#src/repair/read/faults.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";

const tool = {
  name: "translate",
  schema: {
    type: "object",
    properties: {
      text: { type: "string" },
      lang: { enum: ["de", "fr"] },
      terms: { type: "array", items: { type: "string" } },
    },
    required: ["text", "lang"],
    additionalProperties: false,
  },
};

async function rejectionOf(raw: unknown, level: RepairLevel = "safe"): Promise<ToolInputError> {
  const result = await repairToolInput(raw, tool, { level });
  if (result.ok) throw new Error(`It was read: ${JSON.stringify(result.toolInput)}`);
  return result.error;
}

/** For each fault: texts, with an arrow where it is. */
const FAULTS: Readonly<Record<FaultKind, readonly string[]>> = {
  open_string: [
    '{"text": "grep -r "canary" src | wc→',
    '{"text": "canary, we are→',
    '{"text": "x", "lang": \'d→',
    '{"canary→',
  ],
  open_bracket: ['{"text": "canary", "terms": ["x"→', '```json\n{"text": "canary", "lang": "d"→'],
  open_value: ['{"text": "canary", "lang":→', '{"text": "canary", "lang": →12', "[1, →tr"],
  open_thought: ["→<think>canary", "→<think>canary</think><think>"],
  several: [
    '\ufeff \n{"text": "canary"}\n→{"text": "canary"} or',
    '<think>canary</think>\n\n{"text": "canary"} →{"text": "y"}',
    '{"text": "canary"}\n→{"text": "canary"} or',
    '{"text": "canary"} →{"lang": "fr"}',
  ],
  unescaped_quote: [
    '{"text": "canary →"stop", and left.", "lang": "de}',
    '{"text": "He said →"canary, and left.", "lang": "de"}',
    '{\n"text": "x",\n  "terms": ["canary 72→" wide"]}',
  ],
  bad_escape: [
    '{"text": "C:\\\\canary→\\d", "lang": "de",}',
    '{"text": "canary\\n→\\d"}',
    '{"text": \\"canary→\\n\\"}',
  ],
  filled_in_by_code: ['{"text": →`canary $' + "{x}`}"],
  slot: [
    '{"text": →string, "lang": "de"}',
    '{"text": →[canary], "lang": "de"}',
    '{"text": →<your canary>, "lang": "de"}',
    '{"text": →%s, "lang": "de"}',
    '{"text": →{{canary}}, "lang": "de"}',
    '\n\n  {"text": →%s, "lang": "de"}',
  ],
  bare_text: ['{"text": →canary of mine, "lang": "de"}', '{"text": "x",\n"lang": →canary.}'],
  no_value: [
    '{"text": →canary("x"), "lang": "de"}',
    '{"text": "x", "terms": [→1/6]}',
    '{"text": →NaN, "lang": "canary"}',
    '{"text": ("canary"→)}',
  ],
  omission: ['{"text": "canary", "terms": ["x", →...]}', '{"terms": ["canary", "b", etc→]}'],
  comment: ['{"text": "x", →// canary\n "lang": "de"}', '{"text": →/* canary */ "x"}'],
  twin_keys: ["{'text': 'canary', →'text': 'x'}", '{"terms": [{"a": 1, →"a": 2},]}'],
  missing_comma: ['{"text": 1 →canary: "de"}', '{"terms": ["x"] →2}'],
  extra_comma: ['{→,"text": "canary", "lang": "de"}', '{"terms": [→,"canary"]}'],
  closed_early: ['{"text": {"a": "canary"}→}, "lang": "de"}', '{"text": "canary"→}, lang: "de"}'],
  digit_groups: ['{"text": 1,→000}', '{"text": 1,→5, "lang": "canary"}'],
  separators: ['{"terms": [1,5→; 2,5]}'],
  missing_key: ['{"text": "canary", →: "de"}', '{"text": "x", →["canary"]}'],
  missing_colon: ['{"text": "canary", "lang" →"de"}', '{"text"→, "lang": "canary"}'],
  missing_value: ['{"text": →, "lang": "canary"}', '{"text": "canary", "lang": →}'],
  wrong_bracket: ['{"terms": ["canary"→}', '{"text": {"a": 1→], "lang": 2}}'],
  too_deep: [`${"[".repeat(200)}→${"[".repeat(100)}1/6`],
  pattern: ['```json\n→{"text": "<canary>"}\n```'],
  unknown_element: ["<parameter=text>x</parameter>→<parameter=canary>y</parameter>"],
  text_before: ['→The canary says: {"text": "x"}', '→"canary" is {"text": "x"}'],
  text_behind: ['{"text": "x", "lang": "de"}\n\n→canary', '{"text": "x"} →canary'],
};

describe("a text that is no JSON is rejected with what is wrong, where, and what to do", () => {
  const rows = Object.entries(FAULTS).flatMap(([kind, texts]) => {
    return texts.map((text) => [kind, text] as const);
  });

  test.each(rows)("%s: %s", async (kind, marked) => {
    const at = marked.indexOf("→");
    const text = marked.replace("→", "");
    const lines = text.slice(0, at).split("\n");
    const error = await rejectionOf(text);
    const issue = error.issues.at(-1);
    expect(issue).toMatchObject({
      path: "",
      fault: kind,
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
    });
    const [, behind = ""] = issue?.near?.split("→") ?? [];
    expect(text.slice(at).replace(/\s/g, " ")).toContain(behind.replace(/…$/, "").trim());
    const shown = error.toModelMessage();
    expect(shown).toContain(issue?.message);
    expect(shown).toContain(`line ${issue?.line}, column ${issue?.column}`);
    expect(shown).toContain(issue?.near?.replace(/→$/, ""));
    expect(shown).toContain('- expected object { text: string, lang: one of "de", "fr"');
    expect(shown.length).toBeLessThanOrEqual(600);
    expect(error.message).toContain(`line ${issue?.line}, column ${issue?.column}`);
    expect(error.message).not.toContain("canary");
  });
});

test("what the arguments should be stands beside what is wrong with them", async () => {
  const error = await rejectionOf('{"text": "x" y}');
  expect(error).toMatchObject({ reason: "not_json" });
  expect(error.toModelMessage().split("\n")).toEqual([
    'The input of tool "translate" was not accepted, and the tool was not run:',
    '- the arguments: not valid JSON: a string has an unescaped quote, or no comma after it. Write \\" for every quote inside a string, or end the string before it. Of an expression, write the result. See line 1, column 12, right after the arrow: {"text": "x→" y}',
    '- expected object { text: string, lang: one of "de", "fr", terms?: array of string }',
    'Call "translate" again with corrected arguments. Do not make up values or swap in others: ask instead.',
  ]);
});

test.each<[string, string, number]>([
  ["{'text': 'x', 'lang': 'de'}", "missing_key", 2],
  ["{\"text\": 'x'}", "no_value", 10],
  ['{"text": "x", "lang": "de",}', "extra_comma", 28],
  ['{"text": True}', "no_value", 10],
  ['{"text": "x" "lang": "de"}', "unescaped_quote", 12],
  ['{"text": "x"} {"text": "x"}', "several", 15],
  ['```json\n{"text": "x"}\n```', "text_before", 1],
])("at level strict, the first fault of JSON is reported: %s", async (text, fault, column) => {
  const { issues } = await rejectionOf(text, "strict");
  expect(issues).toMatchObject([{ fault, line: 1, column }]);
});

test("in an indented text behind an empty line, the line of a fault counts from the beginning", async () => {
  const json = JSON.stringify({ text: "x", terms: ["a", "b"], lang: "de" }, null, 2);
  for (const { index } of json.matchAll(/(?<=: |^ +)"(?=[axb]|de)/gm)) {
    const broken = `${json.slice(0, index)}1/6${json.slice(json.indexOf('"', index + 1) + 1)}`;
    const { issues } = await rejectionOf(` \n${broken}`);
    const lines = ` \n${broken.slice(0, index)}`.split("\n");
    const column = (lines.at(-1)?.length ?? 0) + 1;
    expect(issues).toMatchObject([{ fault: "no_value", line: lines.length, column }]);
  }
});

test("in what the model wrote twice, first in its thoughts, the place is the last", async () => {
  const answer = '{"text": "x';
  const error = await rejectionOf(`<think>${answer}</think>${answer}`);
  expect(error.issues[0]).toMatchObject({ fault: "open_string", line: 1, column: 38 });
});

test("an arrow of the model's own is not taken for the one at the fault", async () => {
  const error = await rejectionOf('{"text": "a→b" y→');
  expect(error.issues[0]?.near).toBe('{"text": "a->b→" y->');
  expect(error.toModelMessage()).toContain("right after the arrow");
});

test("text that was cut off at eager is reported as such, not by the fields that are missing", async () => {
  const { issues } = await rejectionOf('{"text": "x"', "eager");
  expect(issues).toMatchObject([{ code: "cut_off", fault: "open_bracket", column: 13 }]);
});

test("twin keys of JSON are reported beside the fault that they keep from being repaired", async () => {
  const error = await rejectionOf('{"text": "x", "lang": "DE", "text": "y"}');
  expect(error).toMatchObject({ reason: "ambiguous" });
  expect(error.issues).toMatchObject([{ path: "/lang" }, { fault: "twin_keys", column: 29 }]);
});

describe("a value is reported with what was received, cut to length", () => {
  test.each<[unknown, string]>([
    [{ text: "x", lang: "it" }, '- lang: expected one of "de", "fr", received "it"'],
    [{ text: "x", lang: "de", terms: [{ a: 1 }] }, "- terms.0: expected string, received object"],
    [
      { text: "x", lang: "de", dry_run: true },
      "- dry_run: is not a field of this tool, received true",
    ],
    [
      { text: "x", lang: "y".repeat(1_000) },
      `- lang: expected one of "de", "fr", received "${"y".repeat(58)}…`,
    ],
  ])("%j", async (raw, line) => {
    const shown = (await rejectionOf(raw)).toModelMessage();
    expect(shown.split("\n")).toContain(line);
    expect(shown.length).toBeLessThanOrEqual(600);
  });

  test("a key that an open schema would ignore, if it is rejected there", async () => {
    const { additionalProperties: _, ...schema } = tool.schema;
    const input = { text: "x", lang: "de", dry_run: true };
    const result = await repairToolInput(input, { ...tool, schema }, { undeclaredKeys: "refuse" });
    if (result.ok) throw new Error("It was accepted.");
    expect(result.error.toModelMessage()).toContain(
      '- the fields of this tool: "text", "lang", "terms".\nRename a field that means one of these.',
    );
  });

  test("an undeclared key, with the fields that there are", async () => {
    const { length } = (await rejectionOf({ ["k".repeat(1_000)]: 1, text: "x", lang: "de" }))
      .toModelMessage()
      .split('\n- the fields of this tool: "text", "lang", "terms".')[0] as string;
    expect(length).toBeLessThan(400);
  });
});
