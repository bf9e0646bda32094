import { expect, test } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { readToolCalls } from "toolmend/messages";
import { z } from "zod";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";

const search = {
  name: "search",
  schema: z.object({ query: z.string(), limit: z.number().optional() }),
};

function called(args: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: "", tool_calls: [{ id: "a", name: "search", args }] });
}

test("a call that is right is the same message, by reference", async () => {
  const message = called({ query: "a" });
  expect(await repairMessage(message, [search])).toBe(message);
});

test("keys that the tool does not have are left, recorded once, and read again", async () => {
  const message = await repairMessage(called({ query: "a", other: 1 }), [search]);
  expect(message.tool_calls?.[0]?.args).toEqual({ query: "a", other: 1 });
  expect(await repairMessage(message, [search])).toBe(message);
  expect(await readToolCalls([message], [search])).toMatchObject([{ undeclared: ["/other"] }]);
});

test("a rejected call of a tool that does not exist is read, with why", async () => {
  const wrong = new AIMessage({
    content: "",
    tool_calls: [{ id: "a", name: "fly", args: { to: "the moon" } }],
  });
  const message = await repairMessage(wrong, [search]);
  expect(await readToolCalls([message], [search])).toMatchObject([
    { id: "a", name: "fly", valid: false, error: expect.stringContaining("search") },
  ]);
});

test("a malformed call without its record is read as invalid, even for an open schema", async () => {
  const open = { name: "search", schema: z.looseObject({ query: z.string().optional() }) };
  const message = called({ malformed_arguments: '{"query": "a' });
  expect(await readToolCalls([message], [open])).toMatchObject([{ repairs: [], valid: false }]);
});

const answer = (content: string) => new ToolMessage({ content, tool_call_id: "a" });

test.each([
  ["the later of two answers counts", [answer("first"), answer("second")], ["second"]],
  [
    "a later call with the same id has its own answer",
    [answer("first"), called({ query: "b" }), answer("second")],
    ["first", "second"],
  ],
  [
    "the answer to a later call with the same id does not answer it",
    [called({ query: "b" }), answer("second")],
    [undefined, "second"],
  ],
])("of a call, %s", async (_, after, observations) => {
  const calls = await readToolCalls([called({ query: "a" }), ...after], [search]);
  expect(calls.map(({ observation }) => observation)).toEqual(observations);
});
