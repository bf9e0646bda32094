import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "../../../src/repair/repair-tool-input.ts";
import type { RepairLevel } from "../../../src/repair/types.ts";

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

describe("text that only hands JSON over is passed over at every level that repairs", () => {
  test.each([
    "Here is the JSON:\n@",
    "Here are the arguments for the tool: @",
    "Arguments: @",
    "Input: @",
    "Action Input: @",
    "JSON Output:\n@",
    "Result = @",
    "Final answer: @",
    "**Input:** @",
    "### Action Input\n@",
    "json @",
    "I'll call the tool with these arguments:\n@",
    "Action: find_offers\nAction Input: @",
    "Tool: `FindOffers`\nInput: @",
    "I will use `find_offers` with the following input:\n```json\n@\n```",
    "find_offers @",
    "find_offers: @",
    "```\n@\n```",
    "```json\n@\n```\nDone.",
    "Sure! Here is the input:\n\n```json\n@\n```\n\nLet me know if you need anything else!",
    "(1) Here is the input:\n```json\n@\n```",
    "1. Input:\n```\n@\n```",
    "- ```json\n@\n```",
    "@\n\nLet me know.",
    "<tool_call>\n@\n</tool_call>",
    "<tool_call>@</tool_call><|im_end|>",
    "<function=find_offers>@</function>",
    '<invoke name="find_offers">@</invoke>',
    "[TOOL_CALLS]@",
    "[TOOL_CALLS]find_offers[ARGS]@",
    "<|python_tag|>@<|eom_id|>",
    "<|im_start|>assistant\n@",
    "<｜tool▁call▁begin｜>@<｜tool▁call▁end｜>",
    "@</s>",
    "@ // the query",
    "Hier ist die Eingabe:\n@",
    "Voici le JSON :\n@",
    "Aquí está la entrada: @",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toEqual(INPUT);
    expect(await read(withJson(text), "eager")).toEqual(INPUT);
    expect(await read(withJson(text), "strict")).toBe("refused");
  });

  test.each([
    "Output: {'query': 'cheap tents'}",
    'Here is the JSON:\n{"query": "cheap tents",}',
    'result = {query: "cheap tents"}',
    "Input:\n```json\n{'query': 'cheap tents'}\n```",
    "<tool_call>{'query': 'cheap tents'}</tool_call>",
  ])("faults of syntax behind it are repaired: %j", async (text) => {
    expect(await read(text, "safe")).toEqual(INPUT);
  });
});

describe("JSON that the text around it puts in doubt is refused at both levels", () => {
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
    // denied
    "I must not run this: @",
    "Do not call:\n@",
    "I refuse to run:\n```json\n@\n```",
    "Bitte nicht starten:\n@",
    "N'exécutez jamais: @",
    "不要运行：@",
    "@ cancel that",
    "@ // no, do not run this",
    "```json\n@\n```\nI made that up.",
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
    "@\nObservation: done",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toBe("refused");
  });

  test.each([
    'Input: {"query": "<your query>"}',
    'Parameters: {"query": "string"}',
    '```json\n{"query": "<query>"}\n```',
    'Arguments: {"type": "object", "properties": {"query": {}}, "query": "x"}',
  ])("so is a pattern for an input: %j", async (text) => {
    expect(await read(text, "safe")).toBe("refused");
    expect(await read(text, "eager")).toBe("refused");
  });
});

describe("prose of other kinds takes level eager", () => {
  test.each([
    "I'll look for tents that cost little:\n@",
    "I need to search the web.\n\n@",
    "Let me find that for the trip:\n```json\n@\n```",
    "@\n\nThis will search for tents.",
    "```json\n@\n```\nThis searches the shop.",
    "(1) Search the shop:\n```json\n@\n```",
    "I'll use find_offers for that:\n@",
  ])("%j", async (text) => {
    expect(await read(withJson(text), "safe")).toBe("refused");
    expect(await read(withJson(text), "eager")).toEqual(INPUT);
  });

  test("and JSON that fits as it is", async () => {
    const text = "I'll look for tents:\n";
    expect(await read(`${text}{"Query": "cheap tents"}`, "eager")).toBe("refused");
    expect(await read(`${text}{'query': 'cheap tents'}`, "eager")).toBe("refused");
  });

  test("the repair says so", async () => {
    const result = await repairToolInput(`I'll look for tents:\n${JSON_TEXT}`, tool, {
      level: "eager",
    });
    expect(result.repairs).toMatchObject([{ fixer: "json-syntax", level: "eager" }]);
  });
});
