import { expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { repairToolCalls } from "toolmend/messages";
import { z } from "zod";

jest.mock("#src/langchain/message/text/rescue-text-calls.ts", () => {
  throw new Error("chunk 7f3a.js answered 404");
});

const pay = tool(() => "paid", { name: "pay", schema: z.object({ amount: z.number() }) });
const inText = new AIMessage('<tool_call>{"name": "pay", "arguments": {"amount": 5}}</tool_call>');

test("a missing chunk is said with its remedy, and only text needs it", async () => {
  const repairing = repairToolCalls([pay], { rescueTextToolCalls: true });
  await expect(repairing.invoke(inText)).rejects.toMatchObject({
    message: expect.stringContaining("ship all the chunks that the bundler made of it"),
    cause: { message: expect.stringContaining("404") },
  });
  const calls = [{ name: "pay", args: { amount: "5" }, id: "1", type: "tool_call" as const }];
  const repaired = await repairing.invoke(new AIMessage({ content: "", tool_calls: calls }));
  expect(repaired.tool_calls).toMatchObject([{ args: { amount: 5 } }]);
});
