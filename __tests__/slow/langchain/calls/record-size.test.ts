import { describe, expect, test } from "@jest/globals";
import {
  AIMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from "@langchain/core/messages";
import { applyRepairs, type JsonObject, type RecordDetail } from "toolmend";
import {
  callRecordsOf,
  normalizeToolCalls,
  repairAIMessage,
  repairNode,
  settleToolCalls,
} from "toolmend/messages";
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
  ["an envelope of spaced text", { input: JSON.stringify(right, null, 2) }],
  [
    "an envelope, and five faults more",
    { input: { Body: body, count: "5", draft: "True", tags: "new", Draft: null } },
  ],
  ["what is refused", { body, sum: [1], count: 5 }],
];

describe("the record of an input of 100 kB", () => {
  test.each(FAULTY)("adds a tenth to the message at most: %s", async (_, args) => {
    const message = await repairAIMessage(asked(args), [save]);

    expect(callRecordsOf(message)).toHaveLength(1);
    expect(callRecordsOf(message)[0]?.rawToolInput).toEqual(args);
    expect(sizeOf(message)).toBeLessThan(1.1 * sizeOf(asked(right)));
  });

  test.each([
    ["a comma too many", `${JSON.stringify(right).slice(0, -1)},}`],
    ["line breaks in a string", `{"body": "${body.replaceAll(". ", ".\n")}", "count": 5}`],
    ["text that was cut off", JSON.stringify(right).slice(0, -2)],
  ])("adds one copy at most where LangChain could not read it: %s", async (_, text) => {
    const call = { id: "call_1", name: "save", args: text, error: "x" };
    const said = new AIMessage({ id: "m1", content: "", invalid_tool_calls: [call] });

    const message = await repairAIMessage(said, [save]);

    expect(callRecordsOf(message)[0]?.rawToolInput).toBe(text);
    const { tool_calls = [] } = message;
    const bound = tool_calls.length === 1 ? 1.1 : 2.1;
    expect(sizeOf(message)).toBeLessThan(bound * sizeOf(asked(right)));
  });

  test("keeps what the model wrote through what happens to the thread next", async () => {
    const faulty = { input: { Body: body, count: "5" } };
    const refused = { body, sum: [1], count: 5 };
    const made = [faulty, refused].map((args, index) => ({ id: `c${index}`, name: "save", args }));
    const said = new AIMessage({ id: "m1", content: "", tool_calls: made });

    const message = await repairAIMessage(said, [save]);
    const [settled] = settleToolCalls([message]) as [AIMessage];
    const stored = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([settled]));

    for (const one of [message, settled, stored[0] as AIMessage]) {
      expect(callRecordsOf(one).map(({ rawToolInput }) => rawToolInput)).toEqual([faulty, refused]);
      expect(sizeOf(one)).toBeLessThan(1.1 * sizeOf(said));
    }
    const [first, second] = await normalizeToolCalls([settled], [save]);
    expect([first?.rawToolInput, second?.rawToolInput]).toEqual([faulty, refused]);
  });

  test("says so where a human's edit has taken a long part of it away", async () => {
    const message = await repairAIMessage(asked({ Body: body, count: "5" }), [save]);
    const [call] = message.tool_calls ?? [];
    if (call === undefined) throw new Error("no call");
    message.tool_calls = [{ ...call, args: { body: "edited", count: 5 } }];

    const [record] = callRecordsOf(message);
    expect(record?.rawToolInput).toBeUndefined();
    expect(record?.omitted?.rawToolInput?.length).toBe(
      JSON.stringify({ Body: body, count: "5" }).length,
    );
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

  test("of 5,000 keys that the tool does not have, it says how many there were", async () => {
    const open = {
      name: "save",
      schema: { type: "object", properties: { a: { type: "string" } } },
    };
    const args = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key ${n}`, n]));

    const message = await repairAIMessage(asked({ [body]: 1, ...args }), [open]);

    const [record] = callRecordsOf(message);
    expect(record?.undeclared).toHaveLength(100);
    expect(record?.undeclared?.map((path) => path.length)).toContain(500);
    expect(record?.omitted).toEqual({ undeclared: 4_901 });
    expect(JSON.stringify(record).length).toBeLessThan(5_000);
    const full = await repairAIMessage(asked(args), [open], { record: "full" });
    expect(callRecordsOf(full)[0]?.undeclared).toHaveLength(5_000);
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
    expect(sizeOf(message)).toBeLessThan(1.8 * text.length);
  });
});

describe("record", () => {
  const faulty = { input: { Body: body, count: "5" } };

  test('"full" keeps what is needed to replay the repairs', async () => {
    const message = await repairAIMessage(asked(faulty), [save], { record: "full" });

    const [record] = callRecordsOf(message);
    expect(record?.rawToolInput).toBe(faulty);
    expect(applyRepairs(faulty, record?.repairs ?? [])).toEqual(right);
  });

  test('"outline" keeps nothing of what the model wrote', async () => {
    const secret = { Body: "hunter2", count: "55555" };
    const message = await repairAIMessage(asked(secret), [save], { record: "outline" });

    const [record] = callRecordsOf(message);
    expect(message.tool_calls?.[0]?.args).toEqual({ body: "hunter2", count: 55_555 });
    expect(JSON.stringify(record)).not.toMatch(/hunter2|55555/);
    expect(record?.omitted?.rawToolInput?.length).toBe(JSON.stringify(secret).length);
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
    const says = /"record" of .* must be "full", "bounded" or "outline", not "summary"/;

    expect(() => toolInputMiddleware({ record })).toThrow(says);
    expect(() => repairNode([save], { record })).toThrow(says);
    await expect(repairAIMessage(asked(right), [save], { record })).rejects.toThrow(says);
  });
});
