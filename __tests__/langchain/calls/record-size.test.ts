import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { applyRepairs, type JsonObject, type RecordDetail } from "toolmend";
import { callRecordsOf, repairAIMessage, repairNode } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";

const body = "The quick brown fox. ".repeat(5_000);
const save = {
  name: "save",
  description: "Saves a page.",
  schema: {
    type: "object",
    properties: {
      body: { type: "string" },
      count: { type: "integer" },
      draft: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["body", "count"],
    additionalProperties: false,
  },
};

function asked(args: unknown): AIMessage {
  return new AIMessage({
    id: "m1",
    content: "",
    tool_calls: [{ id: "call_1", name: "save", args: args as JsonObject, type: "tool_call" }],
  });
}

function sizeOf(message: AIMessage): number {
  const { tool_calls, invalid_tool_calls, response_metadata } = message;
  return JSON.stringify({ tool_calls, invalid_tool_calls, response_metadata }).length;
}

const right = { body, count: 5 };
const FAULTY: readonly (readonly [string, unknown])[] = [
  ["a number as text", { body, count: "5" }],
  ["another key", { Body: body, count: 5 }],
  ["an envelope", { input: { body, count: 5 } }],
  ["an envelope of text", { input: JSON.stringify(right) }],
  [
    "an envelope, and five faults more",
    { input: { Body: body, count: "5", draft: "True", tags: "new", Draft: null } },
  ],
  ["what is refused", { body, sum: [1], count: 5 }],
];

describe("the record of an input of 100 kB", () => {
  test.each(FAULTY)("has one copy of it at most: %s", async (_, args) => {
    const message = await repairAIMessage(asked(args), [save]);

    expect(callRecordsOf(message)).toHaveLength(1);
    expect(callRecordsOf(message)[0]?.rawToolInput).toEqual(args);
    expect(sizeOf(message)).toBeLessThan(2.1 * sizeOf(asked(right)));
  });

  test("of 5,000 repairs, it says how many there were", async () => {
    const list = {
      name: "save",
      schema: {
        type: "object",
        properties: { items: { type: "array", items: { type: "integer" } } },
      },
    };
    const args = { items: Array.from({ length: 5_000 }, (_, index) => `${index}`) };

    const message = await repairAIMessage(asked(args), [list]);

    const [record] = callRecordsOf(message);
    expect(record?.rawToolInput).toEqual(args);
    expect(record?.repairs).toHaveLength(101);
    expect(record?.repairs.at(-1)?.omitted).toEqual({ repairs: 4_900 });
    expect(() => applyRepairs(args, record?.repairs ?? [])).toThrow("4900 more repairs");
  });

  test("of calls that stood in one text, the text is kept once", async () => {
    const one = (count: number) =>
      `<tool_call>\n{"name": "save", "arguments": {"body": "${body}", "count": ${count}}}\n</tool_call>`;
    const text = [one(1), one(2), one(3)].join("\n");

    const message = await repairAIMessage(new AIMessage({ id: "m1", content: text }), [save], {
      rescueTextToolCalls: true,
    });

    const [first, second, third] = callRecordsOf(message);
    expect(message.tool_calls).toHaveLength(3);
    expect(first?.rawToolInput).toBe(text);
    expect([second, third].map((record) => [record?.rawToolInput, record?.omitted])).toEqual(
      Array(2).fill([
        undefined,
        { rawToolInput: { length: JSON.stringify(text).length, hash: expect.any(String) } },
      ]),
    );
    expect(sizeOf(message)).toBeLessThan(2.1 * text.length);
  });
});

describe("record", () => {
  const faulty = { input: { Body: body, count: "5" } };

  test('"full" keeps what is needed to replay the repairs', async () => {
    const message = await repairAIMessage(asked(faulty), [save], { record: "full" });

    const [record] = callRecordsOf(message);
    expect(applyRepairs(faulty, record?.repairs ?? [])).toEqual(right);
  });

  test('"outline" keeps nothing of what the model wrote', async () => {
    const secret = { Body: "hunter2", count: "55555" };
    const message = await repairAIMessage(asked(secret), [save], { record: "outline" });

    const [record] = callRecordsOf(message);
    expect(message.tool_calls?.[0]?.args).toEqual({ body: "hunter2", count: 55_555 });
    expect(JSON.stringify(record)).not.toMatch(/hunter2|55555/);
    expect(record?.omitted?.rawToolInput.length).toBe(JSON.stringify(secret).length);
    expect(record?.repairs.map(({ path }) => path)).toEqual(["", "/count"]);
  });

  test("onRepair is told of all, whatever is kept", async () => {
    const told: unknown[] = [];
    await repairAIMessage(asked(faulty), [save], {
      record: "outline",
      onRepair: (event) => told.push(event),
    });

    expect(told).toMatchObject([{ rawToolInput: faulty, toolInput: right }]);
  });

  test("what is none of its values is refused at once", async () => {
    const record = "summary" as RecordDetail;
    const says = 'record must be "full", "bounded" or "outline", not "summary"';

    expect(() => toolInputMiddleware({ record })).toThrow(says);
    expect(() => repairNode([save], { record })).toThrow(says);
    await expect(repairAIMessage(asked(right), [save], { record })).rejects.toThrow(says);
  });
});
