// The stop reason of a streamed answer, as an AgentExecutor receives it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { tool } from "@langchain/core/tools";
import { wrapAgentExecutor } from "toolmend";
import { z } from "zod";
import { startLoopback } from "../../__tests__/support/langchain/middleware/loopback.ts";
import { googleGenai } from "./apis/google.ts";

const CALL = { id: "calla0001", name: "move", args: '{"path":"/a"}' };

/** The runs of a Gemini call, streamed to a listener of events. */
async function ranBy(stop: string): Promise<number> {
  const provider = await startLoopback();
  provider.answer(googleGenai.streamed([CALL], { stop }), googleGenai.streamed([]));
  let count = 0;
  const move = tool(
    ({ path }) => {
      count++;
      return `moved ${path}`;
    },
    { name: "move", description: "Moves.", schema: z.object({ path: z.string() }) },
  );
  const model = googleGenai.model(provider.url, "v0");
  const prompt = ChatPromptTemplate.fromMessages([
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const agent = createToolCallingAgent({
    llm: model,
    tools: [move],
    prompt,
    streamRunnable: false,
  });
  const executor = wrapAgentExecutor(new AgentExecutor({ agent, tools: [move] }));
  try {
    for await (const _ of executor.streamEvents({ input: "Go." }, { version: "v2" }));
  } finally {
    await provider.close();
  }
  return count;
}

/** Tests the integrations. In a function, as this package's files have no side effects. */
export function testOtherSeams(): void {
  describe("AgentExecutor, streamed by google-genai", () => {
    test("runs a call that the model finished", async () => {
      assert.equal(await ranBy("STOP"), 1);
    });
    test("does not run one that the model did not finish", async () => {
      assert.equal(await ranBy("MAX_TOKENS"), 0);
    });
  });
}
