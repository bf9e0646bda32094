import { describe, expect, test } from "@jest/globals";
import {
  AIMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from "@langchain/core/messages";
import { readToolCalls, settleToolCalls } from "toolmend/messages";
import { recordsOf } from "#src/langchain/message/messages.ts";
import type { JsonObject } from "#src/repair/types.ts";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";

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
    const message = await repairMessage(asked(args), [save]);

    expect(recordsOf(message)).toHaveLength(1);
    const [{ rawToolInput, omitted } = {}] = recordsOf(message);
    expect(rawToolInput).toBeUndefined();
    expect(omitted?.rawToolInput?.length).toBe(JSON.stringify(args).length);
    expect(sizeOf(message)).toBeLessThan(1.1 * sizeOf(asked(right)));
  });

  test.each([
    ["a comma too many", `${JSON.stringify(right).slice(0, -1)},}`, 1.1],
    ["text that was cut off", JSON.stringify(right).slice(0, -2), 2.1],
  ])("adds no copy where LangChain could not read it: %s", async (_, text, bound) => {
    const call = { id: "call_1", name: "save", args: text, error: "x" };
    const said = new AIMessage({ id: "m1", content: "", invalid_tool_calls: [call] });

    const message = await repairMessage(said, [save]);

    expect(recordsOf(message)[0]?.rawToolInput).toBeUndefined();
    expect(sizeOf(message)).toBeLessThan(bound * sizeOf(asked(right)));
  });

  test("keeps a short input of the model's whole, through what happens to the thread next", async () => {
    const faulty = { Body: "Hi.", count: "5" };
    const refused = { body: "Hi.", sum: [1], count: 5 };
    const made = [faulty, refused].map((args, index) => ({ id: `c${index}`, name: "save", args }));
    const said = new AIMessage({ id: "m1", content: "", tool_calls: made });

    const message = await repairMessage(said, [save]);
    const [settled] = settleToolCalls([message]) as [AIMessage];
    const stored = mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages([settled]));

    for (const one of [message, settled, stored[0] as AIMessage]) {
      expect(recordsOf(one).map(({ rawToolInput }) => rawToolInput)).toEqual([faulty, refused]);
    }
    const [first, second] = await readToolCalls([settled], [save]);
    expect([first?.rawToolInput, second?.rawToolInput]).toEqual([faulty, refused]);
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

    const limits = { timeoutMs: 60_000 };
    const message = await repairMessage(asked(args), [list], { limits });

    const [record] = recordsOf(message);
    expect(record?.omitted?.rawToolInput?.length).toBe(JSON.stringify(args).length);
    expect(record?.repairs).toHaveLength(101);
    expect(record?.repairs.at(-1)?.omitted).toEqual({ repairs: 4_900 });
  });

  test("of 5,000 keys that the tool does not have, it says how many there were", async () => {
    const open = {
      name: "save",
      schema: { type: "object", properties: { a: { type: "string" } } },
    };
    const args = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key ${n}`, n]));

    const message = await repairMessage(asked({ [body]: 1, ...args }), [open]);

    const [record] = recordsOf(message);
    expect(record?.undeclared).toHaveLength(100);
    expect(record?.undeclared?.map((path) => path.length)).toContain(500);
    expect(record?.omitted).toMatchObject({ undeclared: 4_901 });
    expect(JSON.stringify(record).length).toBeLessThan(5_000);
  });
});

test("onToolCall gets all of it, however little is kept", async () => {
  const faulty = { input: { Body: body, count: "5" } };
  const told: unknown[] = [];
  await repairMessage(asked(faulty), [save], { onToolCall: (event) => told.push(event) });

  expect(told).toMatchObject([{ rawToolInput: faulty, toolInput: right }]);
});
