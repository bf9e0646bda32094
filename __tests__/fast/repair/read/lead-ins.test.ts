import { expect, test } from "@jest/globals";
import { skipAgentTurn } from "#src/repair/read/lead-ins.ts";

const TURN = "Thought: I click.\nAction: click\n";

test.each([
  ["before the input's label", `${TURN}Action Input: {"a": 1}`, `${TURN}Action Input:`.length],
  ["nothing without a label", `${TURN}{"a": 1, "b": "Action Input"}`, 0],
  ["nothing before another label", `${TURN}Observation: {"a": 1}`, 0],
  ["nothing for another tool", `${TURN.replace(": click", ": type")}Action Input: {"a": 1}`, 0],
  ["nothing without a thought", 'Action: click\nAction Input: {"a": 1}', 0],
])("of an agent's turn, it skips %s", (_, text, end) => {
  expect(skipAgentTurn(text, 0, "click")).toBe(end);
});
