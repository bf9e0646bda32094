import { expect, test } from "@jest/globals";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { createAgentMemory } from "#src/langchain/middleware/agent-memory.ts";
import { findInputErrors } from "#src/langchain/middleware/input-errors.ts";

const tools = [{ name: "click" }];
const turn = { tools, calls: [] };

test("a turn is known by its message; by a copy with its id, the tools are, and once", () => {
  const memory = createAgentMemory();
  const message = new AIMessage({ id: "m1", content: "" });
  memory.keep(message, turn);
  expect(memory.recall(new AIMessage({ id: "m2", content: "" }))).toBeUndefined();
  expect(memory.recall(new AIMessage(""))).toBeUndefined();
  expect(memory.recall(new AIMessage({ id: "m1", content: "" }))).toEqual({ tools });
  expect(memory.recall(new AIMessage({ id: "m1", content: "" }))).toBeUndefined();
  expect(memory.recall(message)).toBe(turn);
});

test("of more than 1,000 messages the tools of the oldest are forgotten", () => {
  const memory = createAgentMemory();
  const copyOf = (index: number) => new AIMessage({ id: `m${index}`, content: "" });
  for (let index = 0; index < 1_001; index++) memory.keep(copyOf(index), turn);
  expect(memory.recall(copyOf(0))).toBeUndefined();
  expect(memory.recall(copyOf(1))).toEqual({ tools });
  expect(memory.recall(copyOf(1_000))).toEqual({ tools });
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
