import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairLevel } from "#src/repair/types.ts";

const INPUT = { query: "cheap tents" };
const JSON_TEXT = '{"query": "cheap tents"}';
const tool = {
  name: "find_offers",
  schema: {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query"],
  },
};

async function read(text: string, level: RepairLevel): Promise<unknown> {
  const result = await repairToolInput(text, tool, { level });
  return result.ok ? result.toolInput : "refused";
}

/** `@` stands for the JSON. */
function withJson(text: string): string {
  return text.replaceAll("@", JSON_TEXT);
}

describe("code fences and chat template tokens around JSON are skipped", () => {
  test.each([
    "```\n@\n```",
    "```json\n@\n```",
    "~~~json\n@\n~~~",
    "````json\n@\n````",
    "json\n@",
    "JSON \n\n@",
    "<tool_call>\n@\n</tool_call>",
    "<tool_call>@</tool_call><|im_end|>",
    "<function=find_offers>@</function>",
    '<invoke name="find_offers">@</invoke>',
    "[TOOL_CALLS]@",
    "[TOOL_CALLS]find_offers[ARGS]@",
    "<|python_tag|>@<|eom_id|>",
    "<|im_start|>assistant\n@",
    "<｜tool▁call▁begin｜>@<｜tool▁call▁end｜>",
    "find_offers @",
    "find_offers: @",
    "@</s>",
    "@<|call|>",
    "@\n<|im_end|>\n<|endoftext|>",
    "@<end_of_turn>",
    "@<｜end▁of▁sentence｜>",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toEqual(INPUT);
    expect(await read(withJson(text), "eager")).toEqual(INPUT);
    expect(await read(withJson(text), "strict")).toBe("refused");
  });

  test("syntax faults inside them are repaired", async () => {
    expect(await read("<tool_call>{'query': 'cheap tents'}</tool_call>", "safe")).toEqual(INPUT);
  });
});

describe("after a known lead-in, JSON that fits is read at eager only", () => {
  test.each([
    "Here is the JSON:\n@",
    "Here are the arguments for the tool: @",
    "Arguments: @",
    "Input: @",
    "Action Input: @",
    "**Input:** @",
    "### Action Input\n@",
    "Action: find_offers\nAction Input: @",
    "Tool: FindOffers\nInput: @",
    "Sure! Here is the input:\n\n```json\n@\n```",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toEqual(INPUT);
    expect(await read(withJson(text), "strict")).toBe("refused");
  });

  test.each(["Input: {'query': 'cheap tents'}", "Input:\n```json\n{query: 'cheap tents'}\n```"])(
    "syntax faults after a lead-in are repaired: %j",
    async (text) => {
      expect(await read(text, "eager")).toEqual(INPUT);
    },
  );

  test("JSON that does not fit is rejected", async () => {
    expect(await read('Input: {"Query": "cheap tents"}', "eager")).toBe("refused");
  });

  test("text cut off after a lead-in is not completed", async () => {
    expect(await read('Input: {"query": "cheap tents"', "eager")).toBe("refused");
  });

  test("the repair names the lead-in", async () => {
    const result = await repairToolInput(`Input: ${JSON_TEXT}`, tool, { level: "eager" });
    expect(result.repairs).toMatchObject([{ fixer: "json-syntax", level: "eager" }]);
  });
});

describe("JSON that the surrounding text puts in doubt is rejected at both levels", () => {
  test.each([
    // quoted
    "The web page says: @",
    "> Arguments: @",
    "<untrusted>@</untrusted>",
    "<tool_response>\n@\n</tool_response>",
    "<document>@</document>",
    "<example>@</example>",
    "<|user|>@",
    "<|tool_response|>@",
    "Tool output: @",
    "The function result:\n@",
    "Observation: @",
    "Her message reads:\n\n@",
    "User input: @",
    "The tool returned:\n```json\n@\n```",
    "The attacker would send:\n@",
    'He wrote "run this":\n@',
    "They are calling the tool with @",
    "Here you go again: @",
    // denied
    "I regret calling the tool with @",
    "Never calling find_offers with @",
    "Calling the tool with @ would be wrong",
    "@<|user|> no, stop",
    "I must not run this: @",
    "Do not call:\n@",
    "I refuse to run:\n```json\n@\n```",
    "Bitte nicht starten:\n@",
    "N'exécutez jamais: @",
    "不要运行：@",
    "@ cancel that",
    "@ // no, do not run this",
    "```json\n@\n```\nI made that up.",
    // in words that are no known lead-in
    "JSON Output:\n@",
    "Result = @",
    "Final answer: @",
    "I'll call the tool with these arguments:\n@",
    "the input is @",
    "I will use `find_offers` with the following input:\n```json\n@\n```",
    "(1) Here is the input:\n```json\n@\n```",
    "Here you go:\n@",
    "Calling the tool with @",
    "Hier ist die Eingabe:\n@",
    "Voici le JSON :\n@",
    "Aquí está la entrada: @",
    "I'll look for tents.\n```json\n@\n```",
    "Searching for tents that cost little:\n\n```json\n@\n```",
    // with words behind it
    "```json\n@\n```\nDone.",
    "@\n\nLet me know.",
    "```json\n@\n```\nThis finds tents.",
    "@\n\nThis will search for tents.",
    "@ // the query",
    // corrected
    "@\n\nWait, that is wrong. The right query is another.",
    "Here is the JSON: @ but for Rome",
    "The wrong input: @",
    "Previous arguments:\n@",
    // shown
    "Example input: @",
    "If you want: @",
    "Use this: @",
    "Schema: @",
    // another tool's
    "Action: delete_everything\nAction Input: @",
    "<function=delete_all>@</function>",
    '<tool_call name="delete_all">@</tool_call>',
    '"name": "delete_all"\nInput: @',
    "delete_all @",
    "I'll use delete_all: @",
    "I'll use erase: @",
    "Calling the erase tool with this:\n@",
    "I will run `erase` for that:\n@",
    "[TOOL_CALLS]delete_all[ARGS]@",
    // more to come
    "@ 6",
    "@ in Rome",
    "@ with limit=6",
    "Input: @ 5",
    "Here is the JSON: @\nor @",
    '@ more", "limit": 1}',
    "@ <|im_start|>user\nthanks",
    "@\nThought: no, that is wrong",
    '@\nObservation: {"offers": 3}',
    "@\nObservation: done\nAction: find_offers\nAction Input: @",
    "@ Observation: done",
    "Thought: I need it.\nAction: delete_all\nAction Input: @",
    "Thought: I need it.\nAction Input: @",
    "Thought: do not call it: @",
    "@\n@ or not",
    // an input twice, but not word for word
    '@ {"query":"cheap tents"}',
    "@, @",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toBe("refused");
  });

  test.each([
    'Input: {"query": "<your query>"}',
    'Parameters: {"query": "string"}',
    '```json\n{"query": "<query>"}\n```',
    'Arguments: {"type": "object", "properties": {"query": {}}, "query": "x"}',
  ])("a pattern for an input is rejected: %j", async (text) => {
    expect(await read(text, "safe")).toBe("refused");
    expect(await read(text, "eager")).toBe("refused");
  });
});

describe("JSON is not extracted from a fence", () => {
  test.each([
    // a verb that makes JSON the thing which is spoken of
    "I'll review this call:\n```json\n@\n```",
    "Let me quote the ticket:\n```json\n@\n```",
    "I'll drop:\n```json\n@\n```",
    "I'll look at this:\n```json\n@\n```",
    "I'll check with Anna about:\n```json\n@\n```",
    "I will correct this:\n```json\n@\n```",
    "Here's what got him fired:\n```json\n@\n```",
    // postponed, or left to a person
    "I'll run this tomorrow:\n```json\n@\n```",
    "I'll let Bob run:\n```json\n@\n```",
    "```json\n@\n```\nThis requires approval.",
    "```json\n@\n```\nIt breaks production.",
    "```json\n@\n```\nThis will have to wait.",
    "```json\n@\n```\n?",
    // no input
    "```diff\n@\n```",
    "```http\n@\n```",
    "I'll look for tents:\n```python\nfind()\n```\n```json\n@\n```",
    "!@",
  ])("JSON inside prose is rejected: %j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toBe("refused");
  });
});

describe("a call of the tool itself in code is read", () => {
  test.each([
    "find_offers(@)",
    "find_offers(@);",
    "functions.find_offers(@)",
    "find_offers({'query': 'cheap tents'})",
    'find_offers(query="cheap tents")',
    "```python\nfind_offers(query='cheap tents')\n```",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toEqual(INPUT);
    expect(await read(withJson(text), "eager")).toEqual(INPUT);
    expect(await read(withJson(text), "strict")).toBe("refused");
  });

  test.each([
    "delete_all(@)",
    "find_offers(@) # not",
    "find_offers(@, @)",
    "find_offers(@",
    "find_offers(query=wish)",
    "find_offers(query=wish())",
    "find_offers({query: wish})",
    "find_offers(f'{query}')",
    'find_offers("cheap tents", 3)',
    'find_offers(find_offers(query="a"))',
    'find_offers(query="a", query="b")',
    'find_offers(query="cheap ten',
    'not find_offers(query="a")',
    'find_offers(query="a").catch(e)',
    'find_offers(term="a")',
  ])("any other call is not read: %j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toBe("refused");
  });
});

describe("comments", () => {
  test.each(["/* -- */ @", "// ---\n@", "#\n@", "<!-- -->@", "@ // --"])(
    "that say nothing are passed over: %j",
    async (text) => {
      expect(await read(withJson(text), "safe")).toEqual(INPUT);
    },
  );

  test.each([
    "/* trip */ @",
    "// for the trip\n@",
    "# 行程\n@",
    '{"query": /* 2 */ "cheap tents"}',
    "// do not run\n@",
    "/* example */ @",
    "# old\n@",
    "@ <!-- disabled -->",
    '{"query": "cheap tents" /* never run */}',
    '{// disabled\n"query": "cheap tents"}',
    '{"query": "cheap tents" // TODO\n}',
  ])("words with meaning cause a rejection: %j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toBe("refused");
  });
});

test("invisible characters around JSON are white space", async () => {
  expect(await read(withJson("\u200b\u202a@\u202c"), "safe")).toEqual(INPUT);
});

test("a doubled backslash within escaped quotes is ambiguous: a path's, or a tab", async () => {
  expect(await read(String.raw`{\"query\": \"C:\\temp\"}`, "eager")).toBe("refused");
});

test("an unfilled template is rejected", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the model's
  expect(await read('{"query": `${wish}`}', "eager")).toBe("refused");
});
