import { expect, test } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";
import { repairAIMessage, settleToolCalls } from "#src/messages.ts";

const search = {
  name: "search",
  schema: z.object({ query: z.string(), limit: z.number().optional() }),
};

function called(args: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: "", tool_calls: [{ id: "a", name: "search", args }] });
}

async function noted(args: Record<string, unknown>): Promise<unknown> {
  const message = await repairAIMessage(called(args), [search]);
  const answer = new ToolMessage({ content: "done", tool_call_id: "a" });
  return settleToolCalls([message, answer], { tellModel: true })[1]?.content;
}

test("the model is told which keys the tool does not have, and which it has", async () => {
  expect(await noted({ query: "a", max_results: 3 })).toBe(
    'done\n\nNote: the tool has no argument "max_results", and may have ignored it. It has: "query", "limit".',
  );
});

test("long and odd names are cut and escaped", async () => {
  const note = await noted({ query: "a", ["x\n".repeat(60)]: 1 });
  expect(note).toMatch(/no argument "x\\nx\\n[^"\n]*…, and/);
});

test("a call that is right is the same message, by reference", async () => {
  const message = called({ query: "a" });
  expect(await repairAIMessage(message, [search])).toBe(message);
});

test("a message is recorded once", async () => {
  const message = await repairAIMessage(called({ query: "a", other: 1 }), [search]);
  expect(message.tool_calls?.[0]?.args).toEqual({ query: "a", other: 1 });
  expect(await repairAIMessage(message, [search])).toBe(message);
});
