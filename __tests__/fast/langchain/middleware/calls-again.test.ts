import { expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { callsAgain } from "#src/langchain/middleware/calls-again.ts";

test("a call that is made again has its signature and the thoughts before it, and nothing of the others", () => {
  const message = new AIMessage({
    id: "ai",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      { type: "text", text: "I do both." },
      { type: "tool_use", id: "a", name: "pay", input: {} },
      { type: "tool_use", id: "b", name: "click", input: {} },
    ],
    tool_calls: [
      { id: "a", name: "pay", args: {} },
      { id: "b", name: "click", args: {} },
    ],
    additional_kwargs: { signatures: { a: "sig a", b: "sig b" } },
    usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  });
  const again = callsAgain(message, new Set(["b"]));
  const id = again.tool_calls?.[0]?.id ?? "";
  expect(["a", "b", ""]).not.toContain(id);
  expect(again.tool_calls).toMatchObject([{ name: "click" }]);
  expect(again.content).toMatchObject([{ type: "thinking" }, { type: "tool_use", id }]);
  expect(again.additional_kwargs).toEqual({ signatures: { [id]: "sig b" } });
  expect(again.usage_metadata).toBeUndefined();
  expect(again.id).not.toBe("ai");
});

test.each([
  [
    "LangChain's own blocks",
    { type: "invalid_tool_call", id: "bad", name: "pay", args: '{"to": "a' },
  ],
  [
    "blocks without ids",
    { type: "functionCall", functionCall: { name: "pay", args: { to: "al" } } },
  ],
])("of %s, no other call is made again, whether it could be read or not", (_form, block) => {
  const isUnread = block.type === "invalid_tool_call";
  const message = new AIMessage({
    id: "ai",
    content: [block, { type: "tool_call", id: "b", name: "click", args: { selector: "#b" } }],
    tool_calls: [{ id: "b", name: "click", args: { selector: "#b" } }],
    response_metadata: { output_version: "v1" },
  } as never);
  if (!isUnread) message.tool_calls?.unshift({ id: "a", name: "pay", args: { to: "al" } });

  const again = callsAgain(message, new Set(["b"]));

  const id = again.tool_calls?.[0]?.id;
  expect(again.tool_calls).toEqual([
    { id, name: "click", args: { selector: "#b" }, type: "tool_call" },
  ]);
  expect(again.content).toEqual([
    { type: "tool_call", id, name: "click", args: { selector: "#b" } },
  ]);
});
