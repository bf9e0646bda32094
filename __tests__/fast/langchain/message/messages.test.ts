import { expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { withFields } from "#src/langchain/message/messages.ts";

test("a copy with other calls leaves the content of the original alone", () => {
  const text = { type: "text", text: "I click it." };
  const message = new AIMessage({
    content: [text],
    response_metadata: { output_version: "v1" },
  });
  const tool_calls = [{ id: "call_1", name: "click", args: { selector: "#buy" } }];
  expect(withFields(message, { tool_calls }).tool_calls).toBe(tool_calls);
  expect(message.content).toEqual([text]);
});
