// The stop reason of a streamed answer, heard by whoever else runs calls.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import type { Runnable } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { wrapAgentExecutor } from "toolmend";
import { toolChain } from "toolmend/runnables";
import { z } from "zod";
import { startLoopback } from "../../__tests__/support/langchain/middleware/loopback.ts";
import { google } from "./apis/google.ts";

const CALL = { id: "calla0001", name: "move", args: '{"path":"/a"}' };

/** What ran of a call of Gemini's, streamed to who reads events. */
async function ranBy(seam: "toolChain" | "AgentExecutor", stop: string): Promise<number> {
  const provider = await startLoopback();
  provider.answer(google.streamed([CALL], { stop }), google.streamed([]));
  let count = 0;
  const move = tool(
    ({ path }) => {
      count++;
      return `moved ${path}`;
    },
    { name: "move", description: "Moves.", schema: z.object({ path: z.string() }) },
  );
  const model = google.model(provider.url, "v0");
  const prompt = ChatPromptTemplate.fromMessages([
    ["human", "{input}"],
    ["placeholder", "{agent_scratchpad}"],
  ]);
  const runnable =
    seam === "toolChain"
      ? toolChain(model as never, [move])
      : wrapAgentExecutor(
          new AgentExecutor({
            agent: createToolCallingAgent({
              llm: model,
              tools: [move],
              prompt,
              streamRunnable: false,
            }),
            tools: [move],
          }),
        );
  const input = seam === "toolChain" ? "Go." : { input: "Go." };
  try {
    const events = (runnable as Runnable).streamEvents(input, { version: "v2" });
    for await (const _ of events);
  } catch {
    // A chain has nobody to tell.
  } finally {
    await provider.close();
  }
  return count;
}

/** Tests the seams. In a function, as this package's files have no side effects. */
export function testOtherSeams(): void {
  for (const seam of ["toolChain", "AgentExecutor"] as const) {
    describe(`${seam}, streamed by google-genai`, () => {
      test("runs a call that the model had finished", async () => {
        assert.equal(await ranBy(seam, "STOP"), 1);
      });
      test("does not run one that it had not", async () => {
        assert.equal(await ranBy(seam, "MAX_TOKENS"), 0);
      });
    });
  }
}
