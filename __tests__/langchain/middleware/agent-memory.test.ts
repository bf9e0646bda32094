import { expect, test } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { createAgentMemory } from "../../../src/langchain/middleware/agent-memory.ts";
import { findInputErrors } from "../../../src/langchain/middleware/input-errors.ts";

const turn = { tools: [], calls: [], settled: [], retried: [] };

test("a turn is known by its message, or by a copy with its id, and once", () => {
  const memory = createAgentMemory();
  const message = new AIMessage({ id: "m1", content: "" });
  memory.keep(message, turn);
  expect(memory.take(new AIMessage({ id: "m2", content: "" }))).toBeUndefined();
  expect(memory.take(new AIMessage(""))).toBeUndefined();
  expect(memory.take(new AIMessage({ id: "m1", content: "" }))).toBe(turn);
  expect(memory.take(message)).toBeUndefined();
});

test("of more than 1,000 turns the oldest is forgotten", () => {
  const memory = createAgentMemory();
  const messages = Array.from({ length: 1_001 }, () => new AIMessage(""));
  for (const message of messages) memory.keep(message, turn);
  expect(memory.take(messages[0] as AIMessage)).toBeUndefined();
  expect(memory.take(messages[1] as AIMessage)).toBe(turn);
  expect(memory.take(messages[1_000] as AIMessage)).toBe(turn);
});

test("a tool's refusal is found in a history that begins with the call; a tool's own text is none", () => {
  const asked = new AIMessage({
    content: "",
    tool_calls: [{ id: "a", name: "click", args: { x: 1 } }],
  });
  const content = `Error invoking tool 'click' with kwargs {"x":1} with error: no`;
  const refusal = new ToolMessage({ content, tool_call_id: "a", status: "error" });
  expect(findInputErrors([asked, refusal])).toHaveLength(1);
  const said = new ToolMessage({ content, tool_call_id: "a", status: "success" });
  expect(findInputErrors([asked, said])).toEqual([]);
  const other = new ToolMessage({ content, tool_call_id: "b", status: "error" });
  expect(findInputErrors([asked, other])).toEqual([]);
});
