// A consumer's own test of the patched behaviour.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentExecutor } from "@langchain/classic/agents";
import { DynamicStructuredTool, ToolInputParsingException } from "@langchain/core/tools";
import { z } from "zod";

const click = new DynamicStructuredTool({
  name: "click",
  description: "clicks",
  schema: z.object({ selector: z.string() }),
  func: async ({ selector }) => `clicked ${selector}`,
});

test("the handler corrects the input, and the step records it", async () => {
  const executor = new AgentExecutor({
    agent: {
      inputKeys: ["input"],
      returnValues: ["output"],
      _agentActionType: () => "multi",
      prepareForOutput: async () => ({}),
      plan: async ({ length }) =>
        length === 0
          ? [{ tool: "click", toolInput: "#buy", log: "" }]
          : { returnValues: { output: "done" }, log: "" },
    },
    tools: [click],
    returnIntermediateSteps: true,
    handleParsingErrors: async (error, causingData, action) => {
      assert.ok(error instanceof ToolInputParsingException);
      assert.equal(action.tool, "click");
      return { selector: causingData };
    },
  });
  const { intermediateSteps } = await executor.invoke({ input: "buy it" });
  assert.deepEqual(intermediateSteps, [
    {
      action: { tool: "click", toolInput: { selector: "#buy" }, log: "" },
      observation: "clicked #buy",
    },
  ]);
});
