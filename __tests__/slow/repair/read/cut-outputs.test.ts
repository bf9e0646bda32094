import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";

const values: Readonly<Record<string, string>> = {
  query: "#buy now",
  selector: 'a[href="/x"]',
  message: "Don't worry, it's (almost) done: see you",
  command: "ls -la | grep 'x y'",
  path: "C:\\tmp\\x",
  note: 'He said "hi"',
  text: "line one\nline two",
};

function inPython(value: string): string {
  const escaped = value.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\n/g, "\\n");
  return `'${escaped}'`;
}

const json = (key: string, value: string) => JSON.stringify({ [key]: value });

const forms: Readonly<Record<string, (key: string, value: string) => string>> = {
  "plain JSON": json,
  "JSON on lines": (key, value) => JSON.stringify({ [key]: value, limit: 5 }, null, 2),
  "a fence": (key, value) => `\`\`\`json\n${json(key, value)}\n\`\`\``,
  "a tag": (key, value) => `<tool_call>\n${json(key, value)}\n</tool_call>`,
  "a marker": (key, value) => `[TOOL_CALLS]find_offers[ARGS]${json(key, value)}`,
  "a token": (key, value) => `<|python_tag|>${json(key, value)}<|eom_id|>`,
  "a lead-in": (key, value) => `Here is the JSON:\n${json(key, value)}`,
  "a lead-in and a fence": (key, value) =>
    `Sure! Here is the input:\n\`\`\`json\n${json(key, value)}\n\`\`\`\nLet me know.`,
  "an agent's turn": (key, value) =>
    `Thought: I need it\nAction: find_offers\nAction Input: ${json(key, value)}`,
  "thoughts before it": (key, value) => `<think>Which?</think>\n${json(key, value)}`,
  "a JSON string": (_, value) => JSON.stringify(value),
  "JSON in a JSON string": (key, value) => JSON.stringify(json(key, value)),
  "JSON in single quotes": (key, value) => `'${json(key, value)}'`,
  "a Python dict": (key, value) => `{'limit': 5, '${key}': ${inPython(value)}, 'x': None}`,
  "a call of dict": (key, value) => `dict(${key}=${inPython(value)})`,
  "a Python call": (key, value) => `find_offers(${key}=${inPython(value)})`,
  "a call with a string": (_, value) => `find_offers(${JSON.stringify(value)})`,
  "an assignment": (key, value) => `${key} = ${JSON.stringify(value)}`,
  YAML: (key, value) => `${key}: ${value}\nlimit: 5`,
  "a function tag": (key, value) =>
    `<function=find_offers><parameter=${key}>${value}</parameter></function>`,
};

/** The first words of an output are indistinguishable from a value. */
const FIRST_WORDS = /^[\p{L}\p{N}' _!]*$/u;

describe.each(["safe", "eager"] as const)("at level %s", (level) => {
  test.each(Object.keys(forms))(
    "an output in the form of %s is rejected wherever it is cut off",
    async (form) => {
      const wrong: string[] = [];
      for (const [key, value] of Object.entries(values)) {
        const text = forms[form]?.(key, value) ?? "";
        const schema = {
          type: "object",
          properties: { [key]: { type: "string" }, limit: { type: "integer" } },
          required: [key],
        };
        for (let end = 1; end < text.length; end++) {
          const cut = text.slice(0, end);
          if (FIRST_WORDS.test(cut)) continue;
          const result = await repairToolInput(cut, { name: "find_offers", schema }, { level });
          if (!result.ok) continue;
          const taken = (result.toolInput as Record<string, unknown>)[key];
          if (taken !== value) wrong.push(cut);
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
